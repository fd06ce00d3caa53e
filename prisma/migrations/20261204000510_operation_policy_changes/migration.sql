-- Operation policies change by two administrators as well: what one asks for, another confirms, from the version that was seen.
-- A version is only added; the one before is retired and stays readable, with the proposal that it stands on.

ALTER TABLE ledger.operation_policies
  ADD COLUMN proposal_id uuid UNIQUE REFERENCES review.policy_proposals (proposal_id);

-- What a version says: the columns in lowerCamelCase, as in ONCEOVER_CONFIG, without who, when and which. In one spelling:
-- no list and an empty list are the same, and so are no guide and an empty one.
CREATE FUNCTION review.operation_policy_content(p ledger.operation_policies) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_object_agg(lower(left(words, 1)) || substr(replace(words, ' ', ''), 2), value)
  FROM jsonb_each(to_jsonb(p) - ARRAY['tenant_id', 'operation', 'version', 'demo', 'created_at', 'created_by', 'retired_at', 'proposal_id']
    || jsonb_build_object(
      'include_fields', coalesce(p.include_fields, '{}'), 'exclude_fields', coalesce(p.exclude_fields, '{}'), 'guide', nullif(p.guide, '{}'),
      'protection_valid_until', ledger.instant(p.protection_valid_until), 'protection_checked_at', ledger.instant(p.protection_checked_at))) member,
    initcap(replace(member.key, '_', ' ')) words
$$;
GRANT EXECUTE ON FUNCTION review.operation_policy_content(ledger.operation_policies) TO onceover_app;

-- The row that says it. Null: not the members that a policy has.
CREATE FUNCTION review.operation_policy_of(p_content jsonb) RETURNS ledger.operation_policies
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_populate_record(NULL::ledger.operation_policies, jsonb_object_agg(lower(regexp_replace(key, '([A-Z])', '_\1', 'g')),
    CASE WHEN key = 'guide' AND value = 'null' THEN '{}' ELSE value END))
  FROM jsonb_each(p_content)
  WHERE (SELECT array_agg(key ORDER BY key) FROM jsonb_object_keys(p_content) key)
      = (SELECT array_agg(key ORDER BY key) FROM ledger.policy_for('*', '*') built_in, jsonb_object_keys(review.operation_policy_content(built_in)) key)
  HAVING count(*) > 0
$$;

-- R-039, R-016: what no administrator can want, told by name. The table's own constraints judge again when it is applied.
CREATE FUNCTION review.operation_policy_refusal(p_tenant_id text, p_content jsonb) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p ledger.operation_policies := review.operation_policy_of(p_content);
BEGIN
  RETURN CASE
    WHEN p.effect_class IS NULL
      OR num_nonnulls(p.protection_document, p.protection_key_scope, p.protection_valid_until, p.protection_checked_by, p.protection_checked_at)
         NOT IN (0, 5) THEN 'OPERATION_POLICY_INCOMPLETE'
    WHEN p.retention_seconds < ledger.least_retention(p.retransmission_seconds, p.offline_return_seconds, p.manual_reprocessing_seconds,
      p.dedupe_window_seconds, p.investigation_seconds) THEN 'RETENTION_TOO_SHORT'
    WHEN p.connector_id IS NOT NULL AND NOT EXISTS (SELECT FROM review.connectors c
      WHERE c.connector_id = p.connector_id AND (c.tenant_id IS NULL OR c.tenant_id = p_tenant_id)) THEN 'CONNECTOR_UNKNOWN' END;
END
$$;

-- input: tenantId, operation, version (seen, 0 = none of its own), content, reason, operationId.
CREATE FUNCTION review.propose_operation_policy(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('policy.operation_change_requested', p_input);
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  -- Spelled as a version that says it would be, so that equal is equal.
  RETURN review.file_policy(f, 'OPERATION', f.event,
    coalesce(review.operation_policy_content(review.operation_policy_of(p_input->'content')), p_input->'content'));
END
$$;
GRANT EXECUTE ON FUNCTION review.propose_operation_policy(jsonb) TO onceover_app;

-- For every writer who is a person a version is exactly what another administrator confirmed in this transaction, and the one
-- before only retires for it. What is installed (ONCEOVER_CONFIG, the demo, run by the owner) answers by itself.
CREATE FUNCTION review.guard_operation_policy() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_person text := current_setting('onceover.actor_id', true);
  v_newest integer;
BEGIN
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (to_jsonb(NEW) - 'retired_at' <> to_jsonb(OLD) - 'retired_at' OR OLD.retired_at IS NOT NULL)) THEN
    RAISE EXCEPTION 'version % of the policy of % stays as it is', OLD.version, OLD.operation USING ERRCODE = 'OA002';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    NEW.retired_at := ledger.clock();
    PERFORM FROM review.policy_proposals WHERE (tenant_id, operation, kind) = (NEW.tenant_id, NEW.operation, 'OPERATION')
      AND state = 'CONFIRMED' AND decided_by::text = v_person AND base_version = NEW.version;
  ELSE
    NEW.created_at := ledger.clock();
    NEW.created_by := v_person;
    SELECT coalesce(max(version), 0) INTO v_newest FROM ledger.operation_policies WHERE tenant_id = NEW.tenant_id AND operation = NEW.operation;
    UPDATE review.policy_proposals SET state = 'APPLIED'
      WHERE proposal_id = NEW.proposal_id AND state = 'CONFIRMED' AND decided_by::text = v_person AND base_version IN (v_newest, 0)
        AND (tenant_id, operation, kind) = (NEW.tenant_id, NEW.operation, 'OPERATION') AND NEW.version = v_newest + 1
        AND content = review.operation_policy_content(NEW);
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a second administrator has to confirm it' USING ERRCODE = 'OA014';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER operation_policies_1_guard BEFORE INSERT OR UPDATE OR DELETE ON ledger.operation_policies
  FOR EACH ROW EXECUTE FUNCTION review.guard_operation_policy();
ALTER TABLE ledger.operation_policies ENABLE ALWAYS TRIGGER operation_policies_1_guard;

-- Retires the version in force and adds the next one. Claims that began under the old one have committed before it is read, and
-- none begins meanwhile (20261202000000): the lock comes before any row. OO005: the records at hand cannot keep it.
CREATE FUNCTION review.apply_operation_policy(p review.policy_proposals) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  n ledger.operation_policies := review.operation_policy_of(p.content);
BEGIN
  PERFORM pg_advisory_xact_lock(ledger.policy_lock(p.tenant_id, p.operation));
  UPDATE ledger.operation_policies SET retired_at = ledger.clock()
    WHERE tenant_id = p.tenant_id AND operation = p.operation AND retired_at IS NULL;
  n.tenant_id := p.tenant_id;
  n.operation := p.operation;
  n.version := 1 + coalesce((SELECT max(version) FROM ledger.operation_policies WHERE tenant_id = p.tenant_id AND operation = p.operation), 0);
  n.demo := coalesce((SELECT o.demo FROM ledger.operation_policies o
    WHERE o.tenant_id = p.tenant_id AND o.operation = p.operation ORDER BY o.version DESC LIMIT 1), false);
  n.created_at := ledger.clock();
  n.created_by := p.decided_by::text;
  n.proposal_id := p.proposal_id;
  INSERT INTO ledger.operation_policies SELECT n.*;
  RETURN n.version;
END
$$;
