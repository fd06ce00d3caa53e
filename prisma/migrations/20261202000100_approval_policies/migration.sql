-- R-081: who has to approve what, as data. A policy belongs to a tenant and operation and holds steps; a request has passed
-- when every step has. A step asks for a number of people of a group, for the kinds of requests that it names, from an effect
-- class or an amount up. The built-in default is a row as well; where no policy is in force nothing is approved.

CREATE FUNCTION review.effect_rank(p_effect_class text) RETURNS integer
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT array_position(ARRAY['NONE', 'REVERSIBLE', 'COMPENSABLE', 'IRREVERSIBLE'], p_effect_class) $$;

-- One step: {"kinds": [...], "count": 1..5, "role": null | name, "authority": null | name, "fromAmount": null | decimal text,
-- "fromEffect": null | effect class}. The group: people who may decide such a request at all and hold that role and authority.
CREATE FUNCTION review.is_policy_step(p_step jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN jsonb_typeof(p_step) <> 'object' OR NOT p_step ?& ARRAY['kinds', 'count', 'role', 'authority', 'fromAmount', 'fromEffect']
                OR (SELECT count(*) FROM jsonb_object_keys(p_step)) <> 6 OR jsonb_typeof(p_step->'kinds') <> 'array' THEN false
    ELSE jsonb_array_length(p_step->'kinds') > 0 AND p_step->'kinds' <@ '["REISSUE", "CONFIRM_NOT_APPLIED", "SETTLE_EFFECT"]'
      AND jsonb_typeof(p_step->'count') = 'number' AND p_step->>'count' ~ '^[1-5]$'
      AND p_step->'role' <@ '[null, "OPERATOR", "APPROVER", "MANAGER", "ADMIN"]'
      AND jsonb_typeof(p_step->'authority') IN ('null', 'string') AND coalesce(p_step->>'authority', 'a') ~ '^[a-z][a-z0-9-]{0,62}$'
      AND jsonb_typeof(p_step->'fromAmount') IN ('null', 'string') AND coalesce(p_step->>'fromAmount', '0') ~ '^\d{1,30}(\.\d{1,12})?$'
      AND p_step->'fromEffect' <@ '[null, "NONE", "REVERSIBLE", "COMPENSABLE", "IRREVERSIBLE"]' END
$$;

-- Steps that leave no request without one: each kind has a step that always applies.
CREATE FUNCTION review.are_policy_steps(p_steps jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN jsonb_typeof(p_steps) <> 'array' THEN false
    ELSE jsonb_array_length(p_steps) BETWEEN 1 AND 10
      AND (SELECT bool_and(review.is_policy_step(step)) FROM jsonb_array_elements(p_steps) step)
      AND (SELECT bool_and(EXISTS (SELECT FROM jsonb_array_elements(p_steps) step
             WHERE step->'kinds' ? kind AND step->>'fromAmount' IS NULL AND step->>'fromEffect' IS NULL))
           FROM unnest(ARRAY['REISSUE', 'CONFIRM_NOT_APPLIED', 'SETTLE_EFFECT']) kind) END
$$;

-- What one administrator asks for and another has to confirm.
CREATE TABLE review.policy_proposals (
  proposal_id            uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id              text NOT NULL REFERENCES review.tenants (tenant_id),
  operation              text COLLATE "C" NOT NULL CONSTRAINT policy_proposals_operation_form CHECK (operation ~ '^[\x21-\x7e]{1,128}$'),
  -- The version that was seen, 0 = none of the operation's own; the change becomes the next one.
  base_version           integer NOT NULL CHECK (base_version >= 0),
  removes                boolean NOT NULL,
  steps                  jsonb NOT NULL,
  min_rationale          integer NOT NULL,
  approval_ttl_seconds   integer NOT NULL,
  execution_ttl_seconds  integer NOT NULL,
  reason                 text NOT NULL CONSTRAINT policy_proposals_say_why CHECK (review.visible_length(reason) BETWEEN 10 AND 4000),
  requested_by           uuid NOT NULL REFERENCES review.people (person_id),
  requested_at           timestamptz(6) NOT NULL,
  expires_at             timestamptz(6) NOT NULL,
  -- CONFIRMED lasts within one transaction only: the policy's new version uses it up.
  state                  text NOT NULL DEFAULT 'PENDING'
                         CONSTRAINT policy_proposals_state_known CHECK (state IN ('PENDING', 'CONFIRMED', 'APPLIED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  decided_by             uuid REFERENCES review.people (person_id),
  decided_at             timestamptz(6),
  CONSTRAINT policy_proposals_two_administrators CHECK (state NOT IN ('CONFIRMED', 'APPLIED') OR (decided_by IS NOT NULL AND decided_by <> requested_by))
);
CREATE UNIQUE INDEX policy_proposals_one_pending ON review.policy_proposals (tenant_id, operation) WHERE state = 'PENDING';

-- Versions are only added; the newest is in force. One that removes the policy leaves nothing in force: nothing is approved.
CREATE TABLE review.approval_policies (
  tenant_id              text NOT NULL,
  operation              text COLLATE "C" NOT NULL,
  version                integer NOT NULL CHECK (version >= 0),
  removes                boolean NOT NULL DEFAULT false,
  steps                  jsonb NOT NULL,
  min_rationale          integer NOT NULL DEFAULT 10 CONSTRAINT approval_policies_rationale CHECK (min_rationale BETWEEN 10 AND 1000),
  -- Two expiries: how long a request may wait for its approvals, and how long an approved one for being carried out.
  approval_ttl_seconds   integer NOT NULL DEFAULT 86400 CONSTRAINT approval_policies_approval_ttl CHECK (approval_ttl_seconds BETWEEN 60 AND 7776000),
  execution_ttl_seconds  integer NOT NULL DEFAULT 3600 CONSTRAINT approval_policies_execution_ttl CHECK (execution_ttl_seconds BETWEEN 60 AND 7776000),
  proposal_id            uuid UNIQUE REFERENCES review.policy_proposals (proposal_id),
  created_at             timestamptz(6) NOT NULL,
  created_by             text NOT NULL,
  PRIMARY KEY (tenant_id, operation, version),
  CONSTRAINT approval_policies_steps_form CHECK (CASE WHEN removes THEN steps = '[]' ELSE review.are_policy_steps(steps) END)
);

INSERT INTO review.approval_policies (tenant_id, operation, version, steps, created_at, created_by) VALUES ('*', '*', 0, '[
  {"kinds": ["REISSUE"], "count": 1, "role": "APPROVER", "authority": null, "fromAmount": null, "fromEffect": null},
  {"kinds": ["CONFIRM_NOT_APPLIED", "SETTLE_EFFECT"], "count": 1, "role": null, "authority": null, "fromAmount": null, "fromEffect": null}]',
  ledger.clock(), 'system:built-in');

-- What operation policies said about approvals so far is the first version of an approval policy.
INSERT INTO review.approval_policies (tenant_id, operation, version, steps, approval_ttl_seconds, execution_ttl_seconds, created_at, created_by)
  SELECT tenant_id, operation, 1, jsonb_set((SELECT steps FROM review.approval_policies WHERE tenant_id = '*'), '{0,count}', to_jsonb(approvals_required)),
    least(greatest(approval_ttl_seconds, 60), 7776000), least(greatest(execution_ttl_seconds, 60), 7776000), ledger.clock(), 'system:migration'
  FROM ledger.operation_policies
  WHERE retired_at IS NULL AND tenant_id <> '*' AND (approvals_required, approval_ttl_seconds, execution_ttl_seconds) <> (1, 86400, 3600);
ALTER TABLE ledger.operation_policies DROP COLUMN approvals_required, DROP COLUMN approval_ttl_seconds, DROP COLUMN execution_ttl_seconds;

-- For every writer who is a person a new version is exactly what another administrator confirmed in this transaction. What is
-- installed (system actors, run by the owner) answers by itself.
CREATE FUNCTION review.guard_approval_policy() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_newest integer;
BEGIN
  NEW.created_at := ledger.clock();
  NEW.created_by := current_setting('onceover.actor_id', true);
  SELECT coalesce(max(version), 0) INTO v_newest FROM review.approval_policies WHERE tenant_id = NEW.tenant_id AND operation = NEW.operation;
  IF NEW.version <> v_newest + 1 THEN
    RAISE EXCEPTION 'version % of % is not the next one', NEW.version, NEW.operation USING ERRCODE = 'OA016';
  END IF;
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RETURN NEW;
  END IF;
  UPDATE review.policy_proposals SET state = 'APPLIED'
    WHERE proposal_id = NEW.proposal_id AND state = 'CONFIRMED' AND decided_by::text = NEW.created_by AND base_version = v_newest
      AND (tenant_id, operation, removes, steps, min_rationale, approval_ttl_seconds, execution_ttl_seconds)
        = (NEW.tenant_id, NEW.operation, NEW.removes, NEW.steps, NEW.min_rationale, NEW.approval_ttl_seconds, NEW.execution_ttl_seconds);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a second administrator has to confirm it' USING ERRCODE = 'OA014';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER approval_policies_guard BEFORE INSERT ON review.approval_policies FOR EACH ROW EXECUTE FUNCTION review.guard_approval_policy();
CREATE TRIGGER approval_policies_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.approval_policies
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER approval_policies_require_context BEFORE INSERT ON review.approval_policies
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
ALTER TABLE review.approval_policies ENABLE ALWAYS TRIGGER approval_policies_guard;
ALTER TABLE review.approval_policies ENABLE ALWAYS TRIGGER approval_policies_are_only_added;

CREATE FUNCTION review.keep_policy_proposal() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_jsonb(NEW) - ARRAY['state', 'decided_by', 'decided_at'] <> to_jsonb(OLD) - ARRAY['state', 'decided_by', 'decided_at']
     OR NOT ((OLD.state = 'PENDING' AND NEW.state IN ('CONFIRMED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'))
          OR (OLD.state = 'CONFIRMED' AND NEW.state = 'APPLIED' AND NEW.decided_by = OLD.decided_by)) THEN
    RAISE EXCEPTION 'proposal % never changes what it asks, and ends once', OLD.proposal_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER policy_proposals_keep BEFORE UPDATE ON review.policy_proposals FOR EACH ROW EXECUTE FUNCTION review.keep_policy_proposal();
CREATE TRIGGER policy_proposals_need_fresh_session BEFORE UPDATE ON review.policy_proposals
  FOR EACH ROW WHEN (OLD.state = 'PENDING' AND NEW.state = 'CONFIRMED') EXECUTE FUNCTION review.require_fresh_session();
CREATE TRIGGER policy_proposals_stay BEFORE DELETE OR TRUNCATE ON review.policy_proposals
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER policy_proposals_require_context BEFORE INSERT OR UPDATE ON review.policy_proposals
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
ALTER TABLE review.policy_proposals ENABLE ALWAYS TRIGGER policy_proposals_keep;
ALTER TABLE review.policy_proposals ENABLE ALWAYS TRIGGER policy_proposals_need_fresh_session;
ALTER TABLE review.policy_proposals ENABLE ALWAYS TRIGGER policy_proposals_stay;
GRANT SELECT ON review.approval_policies, review.policy_proposals TO onceover_app;

-- The version in force: the operation's own newest, the built-in default where it never had one; null where it was removed.
CREATE FUNCTION review.approval_policy_for(p_tenant_id text, p_operation text) RETURNS review.approval_policies
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN NOT a.removes THEN a END FROM review.approval_policies a
  WHERE (a.tenant_id, a.operation) IN ((p_tenant_id, p_operation), ('*', '*'))
  ORDER BY (a.tenant_id = '*'), a.version DESC LIMIT 1
$$;

-- The value at stake by the operation policy's value field; null when it is unknown. lib/domain/amount.ts reads the same for pages.
CREATE FUNCTION review.value_at_stake(p_display_fields jsonb, p_policy ledger.operation_policies) RETURNS numeric
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN kept ~ '^-?\d{1,30}(\.\d{1,12})?$' THEN abs(kept::numeric) END
  FROM (SELECT coalesce(p_display_fields->>p_policy.value_field, p_display_fields #>> ARRAY(
          SELECT replace(replace(token, '~1', '/'), '~0', '~') FROM unnest((string_to_array(p_policy.value_field, '/'))[2:]) token)) AS kept) found
$$;

-- What a request of that kind takes under the policy in force: {"own", "version", "steps", "minRationale", "approvalSeconds",
-- "executionSeconds"}. Null: no policy, nothing is approved. An amount that nobody knows counts as above every threshold; of an
-- original and the content that replaces it the larger one counts.
CREATE FUNCTION review.approval_terms(p_kind text, p_row ledger.executions, p_intake_id uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(p_row.tenant_id, p_row.operation);
  a review.approval_policies := review.approval_policy_for(p_row.tenant_id, p_row.operation);
  v_fields jsonb := coalesce(p_row.display_fields, (SELECT i.display_fields FROM ledger.intakes i
    WHERE i.execution_id = p_row.execution_id AND i.fingerprint = p_row.fingerprint AND i.display_fields IS NOT NULL ORDER BY i.received_at LIMIT 1));
  v_amount numeric := review.value_at_stake(v_fields, v_policy);
  v_other numeric;
  v_steps jsonb;
BEGIN
  IF p_intake_id IS NOT NULL AND v_amount IS NOT NULL THEN
    SELECT review.value_at_stake(display_fields, v_policy) INTO v_other FROM ledger.intakes WHERE intake_id = p_intake_id;
    v_amount := CASE WHEN v_other IS NOT NULL THEN greatest(v_amount, v_other) END;
  END IF;
  SELECT jsonb_agg(step ORDER BY n) INTO v_steps FROM jsonb_array_elements(a.steps) WITH ORDINALITY AS steps (step, n)
    WHERE step->'kinds' ? p_kind
      AND (step->>'fromEffect' IS NULL OR review.effect_rank(v_policy.effect_class) >= review.effect_rank(step->>'fromEffect'))
      AND (step->>'fromAmount' IS NULL OR v_amount IS NULL OR v_amount >= (step->>'fromAmount')::numeric);
  RETURN CASE WHEN v_steps IS NOT NULL THEN jsonb_build_object('own', a.tenant_id <> '*', 'version', a.version, 'steps', v_steps,
    'minRationale', a.min_rationale, 'approvalSeconds', a.approval_ttl_seconds, 'executionSeconds', a.execution_ttl_seconds) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.approval_policy_for(text, text), review.approval_terms(text, ledger.executions, uuid) TO onceover_app;
