-- R-063: connectors change by two administrators: one proposes, another confirms; nobody of ours writes them directly any more.
-- Compare and swap on the version that was seen (LC-18). Every version stays readable; a retired connector is asked no more.
-- Replaced here: keep_connector (people need a confirmed proposal), request_lookup (a retired connector is none).

INSERT INTO review.audit_event_types (event) VALUES ('connector.change_requested'), ('connector.changed'), ('connector.change_ended');

ALTER TABLE review.connectors ADD COLUMN retired_at timestamptz(6);
REVOKE INSERT (connector_id, tenant_id, recipe), UPDATE (tenant_id, recipe) ON review.connectors FROM onceover_app;

-- What one administrator asks for and another has to confirm.
CREATE TABLE review.connector_proposals (
  proposal_id   uuid PRIMARY KEY DEFAULT ledger.new_id(),
  connector_id  text NOT NULL CONSTRAINT connector_proposals_id_form CHECK (connector_id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  -- Null: for every tenant. A connector keeps the one that it began with.
  tenant_id     text REFERENCES review.tenants (tenant_id),
  -- The version that was seen, 0 = there is none; the change becomes the next one.
  base_version  integer NOT NULL CHECK (base_version >= 0),
  retires       boolean NOT NULL,
  -- Of one that retires: what is in force.
  recipe        jsonb NOT NULL CONSTRAINT connector_proposals_recipe_is_a_get
                CHECK (jsonb_typeof(recipe) = 'object' AND coalesce(recipe->>'method', 'GET') = 'GET' AND NOT recipe ? 'body'
                       AND pg_column_size(recipe) <= 32768),
  reason        text NOT NULL CONSTRAINT connector_proposals_say_why CHECK (review.visible_length(reason) BETWEEN 10 AND 4000),
  requested_by  uuid NOT NULL REFERENCES review.people (person_id),
  requested_at  timestamptz(6) NOT NULL,
  expires_at    timestamptz(6) NOT NULL,
  -- CONFIRMED lasts within one transaction only: the connector's new version uses it up.
  state         text NOT NULL DEFAULT 'PENDING'
                CONSTRAINT connector_proposals_state_known CHECK (state IN ('PENDING', 'CONFIRMED', 'APPLIED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  decided_by    uuid REFERENCES review.people (person_id),
  decided_at    timestamptz(6),
  CONSTRAINT connector_proposals_two_administrators CHECK (state NOT IN ('CONFIRMED', 'APPLIED') OR (decided_by IS NOT NULL AND decided_by <> requested_by))
);
CREATE UNIQUE INDEX connector_proposals_one_pending ON review.connector_proposals (connector_id) WHERE state = 'PENDING';

-- What a connector said at each time; the evidence names the version that was asked.
CREATE TABLE review.connector_versions (
  connector_id  text NOT NULL REFERENCES review.connectors (connector_id),
  version       integer NOT NULL,
  retired       boolean NOT NULL,
  recipe        jsonb NOT NULL,
  allow_private boolean NOT NULL,
  proposal_id   uuid UNIQUE REFERENCES review.connector_proposals (proposal_id),
  created_at    timestamptz(6) NOT NULL,
  created_by    text NOT NULL,
  PRIMARY KEY (connector_id, version)
);
INSERT INTO review.connector_versions (connector_id, version, retired, recipe, allow_private, created_at, created_by)
  SELECT connector_id, version, false, recipe, allow_private, updated_at, updated_by FROM review.connectors;

-- For every writer who is a person a new version is exactly what another administrator confirmed in this transaction. What is
-- installed (system actors, run by the owner) answers by itself.
CREATE OR REPLACE FUNCTION review.keep_connector() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.updated_by := current_setting('onceover.actor_id', true);
  NEW.updated_at := ledger.clock();
  NEW.version := CASE WHEN TG_OP = 'INSERT' THEN 1 ELSE OLD.version + 1 END;
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RETURN NEW;
  END IF;
  -- The permission for this machine was the deployment's own, and for one address; no person gives it.
  NEW.allow_private := TG_OP = 'UPDATE' AND OLD.allow_private AND NEW.recipe->>'baseUrl' = OLD.recipe->>'baseUrl';
  UPDATE review.connector_proposals SET state = 'APPLIED'
    WHERE connector_id = NEW.connector_id AND state = 'CONFIRMED' AND decided_by::text = NEW.updated_by AND base_version = NEW.version - 1
      AND tenant_id IS NOT DISTINCT FROM NEW.tenant_id AND recipe = NEW.recipe AND retires = (NEW.retired_at IS NOT NULL);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a second administrator has to confirm it' USING ERRCODE = 'OA014';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION review.keep_connector_version() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO review.connector_versions (connector_id, version, retired, recipe, allow_private, proposal_id, created_at, created_by)
    VALUES (NEW.connector_id, NEW.version, NEW.retired_at IS NOT NULL, NEW.recipe, NEW.allow_private,
      (SELECT proposal_id FROM review.connector_proposals
        WHERE connector_id = NEW.connector_id AND base_version = NEW.version - 1 AND state = 'APPLIED'),
      NEW.updated_at, NEW.updated_by);
  RETURN NULL;
END
$$;
CREATE TRIGGER connectors_keep_versions AFTER INSERT OR UPDATE ON review.connectors FOR EACH ROW EXECUTE FUNCTION review.keep_connector_version();
CREATE TRIGGER connectors_stay BEFORE DELETE OR TRUNCATE ON review.connectors
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER connector_versions_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.connector_versions
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.connectors ENABLE ALWAYS TRIGGER connectors_keep;
ALTER TABLE review.connectors ENABLE ALWAYS TRIGGER connectors_keep_versions;
ALTER TABLE review.connectors ENABLE ALWAYS TRIGGER connectors_stay;
ALTER TABLE review.connector_versions ENABLE ALWAYS TRIGGER connector_versions_are_only_added;

CREATE FUNCTION review.keep_connector_proposal() RETURNS trigger
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
CREATE TRIGGER connector_proposals_keep BEFORE UPDATE ON review.connector_proposals FOR EACH ROW EXECUTE FUNCTION review.keep_connector_proposal();
CREATE TRIGGER connector_proposals_need_fresh_session BEFORE UPDATE ON review.connector_proposals
  FOR EACH ROW WHEN (OLD.state = 'PENDING' AND NEW.state = 'CONFIRMED') EXECUTE FUNCTION review.require_fresh_session();
CREATE TRIGGER connector_proposals_stay BEFORE DELETE OR TRUNCATE ON review.connector_proposals
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER connector_proposals_require_context BEFORE INSERT OR UPDATE ON review.connector_proposals
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
ALTER TABLE review.connector_proposals ENABLE ALWAYS TRIGGER connector_proposals_keep;
ALTER TABLE review.connector_proposals ENABLE ALWAYS TRIGGER connector_proposals_need_fresh_session;
ALTER TABLE review.connector_proposals ENABLE ALWAYS TRIGGER connector_proposals_stay;
GRANT SELECT ON review.connector_proposals, review.connector_versions TO onceover_app;

-- Whether these tenants carry a connector of that tenant (null: of all). For all of them takes every tenant there is.
CREATE FUNCTION review.carries_connector(p_tenant_ids text[], p_tenant_id text) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_tenant_id IS NULL THEN NOT EXISTS (SELECT FROM review.tenants t WHERE NOT t.tenant_id = ANY (p_tenant_ids))
              ELSE p_tenant_id = ANY (p_tenant_ids) END
$$;

-- Locks the connector against other changes of it; answers what stands in the way. Of another tenant's nothing is told but that the
-- name is taken.
CREATE FUNCTION review.connector_refusal(f review.people_frame, p_connector_id text, p_tenant_id text, p_seen integer) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.connectors;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover connector ' || p_connector_id, 0));
  SELECT * INTO c FROM review.connectors WHERE connector_id = p_connector_id;
  RETURN coalesce((f).refusal, CASE
    WHEN NOT coalesce(p_tenant_id = ANY ((f).tenant_ids), true) THEN 'NOT_FOUND'
    WHEN NOT coalesce(c.tenant_id = ANY ((f).tenant_ids), true) THEN CASE WHEN p_seen = 0 THEN 'CONNECTOR_ID_TAKEN' ELSE 'NOT_FOUND' END
    WHEN NOT review.carries_connector((f).tenant_ids, p_tenant_id) THEN 'CONNECTOR_FOR_ALL'
    WHEN review.visible_length((f).input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'
    WHEN c.version IS NULL AND p_seen > 0 THEN 'NOT_FOUND'
    WHEN coalesce(c.version, 0) <> p_seen THEN 'CHANGED_SINCE_SEEN' END);
END
$$;

-- What is in force, or what waits, for whoever was refused because of it.
CREATE FUNCTION review.connector_told(p_connector_id text, p_refusal text) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE p_refusal
    WHEN 'CHANGED_SINCE_SEEN' THEN (SELECT jsonb_build_object('version', version, 'retired', retired_at IS NOT NULL, 'recipe', recipe)
      FROM review.connectors WHERE connector_id = p_connector_id)
    WHEN 'PROPOSAL_IN_FLIGHT' THEN (SELECT jsonb_build_object('version', base_version, 'retired', retires, 'recipe', recipe)
      FROM review.connector_proposals WHERE connector_id = p_connector_id AND state = 'PENDING') END
$$;

CREATE FUNCTION review.answer_connector(f review.people_frame, p_event text, p_refusal text, p_connector_id text, p_tenant_id text, p_body jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_told jsonb := review.connector_told(p_connector_id, p_refusal);
BEGIN
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal,
    CASE WHEN p_tenant_id = ANY ((f).tenant_ids) THEN p_tenant_id END, NULL, NULL, NULL, NULL, ((f).input->>'operationId')::uuid,
    -- Only what is not there at all is left out: a recipe's own nulls are part of what was asked.
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(p_body || jsonb_build_object('connectorId', p_connector_id, 'reason', (f).input->>'reason'))
      WHERE value <> 'null'));
  RETURN CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb
    ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal)
      || CASE WHEN v_told IS NULL THEN '{}' ELSE jsonb_build_object('connector', v_told) END END;
END
$$;

-- input: connectorId, tenantId (of a new one; null = every tenant), version (seen, 0 = new), retires, recipe, reason, operationId.
-- The caller has checked the recipe (lib/domain/connector.ts) and its address.
CREATE FUNCTION review.propose_connector(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('connector.change_requested', p_input);
  c review.connectors;
  p review.connector_proposals;
  v_id text := p_input->>'connectorId';
  v_retires boolean := (p_input->>'retires')::boolean;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO c FROM review.connectors WHERE connector_id = v_id;
  p.tenant_id := CASE WHEN c.connector_id IS NULL THEN p_input->>'tenantId' ELSE c.tenant_id END;
  v_code := review.connector_refusal(f, v_id, CASE WHEN (p_input->>'version')::integer = 0 THEN p_input->>'tenantId' ELSE p.tenant_id END,
    (p_input->>'version')::integer);
  IF v_code IS NULL THEN
    -- Under the lock now.
    SELECT * INTO c FROM review.connectors WHERE connector_id = v_id;
    p.recipe := CASE WHEN v_retires THEN c.recipe ELSE p_input->'recipe' END;
    UPDATE review.connector_proposals SET state = 'EXPIRED' WHERE connector_id = v_id AND state = 'PENDING' AND expires_at <= f.now;
    SELECT CASE WHEN coalesce(w.tenant_id = ANY (f.tenant_ids), true) THEN 'PROPOSAL_IN_FLIGHT' ELSE 'CONNECTOR_ID_TAKEN' END INTO v_code
      FROM review.connector_proposals w WHERE w.connector_id = v_id AND w.state = 'PENDING';
    v_code := coalesce(v_code, CASE
      WHEN p.recipe IS NULL THEN 'NOT_FOUND'
      WHEN p.recipe = c.recipe AND v_retires = (c.retired_at IS NOT NULL) THEN 'NOTHING_CHANGED' END);
  END IF;
  IF v_code IS NULL THEN
    INSERT INTO review.connector_proposals (connector_id, tenant_id, base_version, retires, recipe, reason, requested_by, requested_at, expires_at)
      VALUES (v_id, p.tenant_id, (p_input->>'version')::integer, v_retires, p.recipe, p_input->>'reason', f.actor_id, f.now, f.now + interval '7 days')
      RETURNING * INTO p;
  END IF;
  RETURN review.answer_connector(f, 'connector.change_requested', v_code, v_id, p.tenant_id, jsonb_build_object(
    'proposalId', p.proposal_id, 'versionSeen', p_input->>'version', 'retires', v_retires, 'after', CASE WHEN NOT v_retires THEN p_input->'recipe' END));
END
$$;

-- The second administrator's word, or the first one's second thoughts. input: proposalId, verdict CONFIRM | REJECT, reason, operationId.
CREATE FUNCTION review.decide_connector(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_confirms boolean := p_input->>'verdict' = 'CONFIRM';
  v_event text := CASE WHEN p_input->>'verdict' = 'CONFIRM' THEN 'connector.changed' ELSE 'connector.change_ended' END;
  f review.people_frame := review.open_people(v_event, p_input);
  p review.connector_proposals;
  v_before jsonb;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO p FROM review.connector_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid;
  IF NOT FOUND OR NOT coalesce(p.tenant_id = ANY (f.tenant_ids), true) THEN
    RETURN review.answer_connector(f, v_event, coalesce(f.refusal, 'NOT_FOUND'), NULL, NULL, jsonb_build_object('proposalId', p_input->>'proposalId'));
  END IF;
  v_code := review.connector_refusal(f, p.connector_id, p.tenant_id, p.base_version);
  SELECT * INTO p FROM review.connector_proposals WHERE proposal_id = p.proposal_id FOR NO KEY UPDATE;
  v_code := CASE
    WHEN f.refusal IS NOT NULL THEN f.refusal
    WHEN p.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN NOT v_confirms AND v_code = 'CHANGED_SINCE_SEEN' THEN NULL
    WHEN v_code IS NOT NULL OR NOT v_confirms THEN v_code
    WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'
    WHEN p.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    -- The first word counts only as long as whoever gave it could give it again.
    WHEN NOT EXISTS (SELECT FROM review.people q WHERE q.person_id = p.requested_by AND q.disabled_at IS NULL
           AND 'ADMIN' = ANY (q.roles) AND review.carries_connector(q.tenant_ids, p.tenant_id)) THEN 'REQUESTER_NOT_ENTITLED' END;
  v_before := (SELECT recipe FROM review.connectors WHERE connector_id = p.connector_id);
  IF v_code IS NULL THEN
    UPDATE review.connector_proposals SET decided_by = f.actor_id, decided_at = f.now,
        state = CASE WHEN v_confirms THEN 'CONFIRMED' WHEN p.requested_by = f.actor_id THEN 'WITHDRAWN' ELSE 'REJECTED' END
      WHERE proposal_id = p.proposal_id;
    IF v_confirms AND p.base_version = 0 THEN
      INSERT INTO review.connectors (connector_id, tenant_id, recipe) VALUES (p.connector_id, p.tenant_id, p.recipe);
    ELSIF v_confirms THEN
      UPDATE review.connectors SET recipe = p.recipe, retired_at = CASE WHEN p.retires THEN f.now END WHERE connector_id = p.connector_id;
    END IF;
  END IF;
  RETURN review.answer_connector(f, v_event, v_code, p.connector_id, p.tenant_id, jsonb_build_object('proposalId', p.proposal_id,
    'requestedBy', p.requested_by, 'version', p.base_version + 1, 'retires', p.retires,
    'before', CASE WHEN v_confirms AND NOT p.retires THEN v_before END, 'after', CASE WHEN NOT p.retires THEN p.recipe END));
END
$$;
GRANT EXECUTE ON FUNCTION review.propose_connector(jsonb), review.decide_connector(jsonb) TO onceover_app;

-- A person asks for a lookup now (R-062). Done: {"outcome": "done", "executionId": …}; the caller then asks outside this
-- transaction and records. Refused: {"outcome": "refused", "code": …}, audited as well.
CREATE OR REPLACE FUNCTION review.request_lookup(p_exception_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_exception review.exceptions;
  v_code text;
BEGIN
  SELECT * INTO v_exception FROM review.exceptions WHERE exception_id = p_exception_id;
  v_code := coalesce(review.lookup_refusal(v_exception),
    CASE WHEN NOT EXISTS (SELECT 1 FROM review.connectors c
      WHERE c.connector_id = (ledger.policy_for(v_exception.tenant_id, v_exception.operation)).connector_id AND c.retired_at IS NULL
        AND (c.tenant_id IS NULL OR c.tenant_id = v_exception.tenant_id)) THEN 'NO_CONNECTOR' END);
  IF v_code = 'NOT_FOUND' THEN
    v_exception := NULL;
  END IF;
  PERFORM review.append_audit('lookup.requested', CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code, v_exception.tenant_id,
    v_exception.exception_id, v_exception.execution_id, NULL, v_exception.operation, NULL, '{}');
  RETURN CASE WHEN v_code IS NULL THEN jsonb_build_object('outcome', 'done', 'executionId', v_exception.execution_id)
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;
