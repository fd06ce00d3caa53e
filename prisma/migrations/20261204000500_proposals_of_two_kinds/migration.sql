-- Operation policies change as approval policies do: one table of proposals holds both kinds, with one content column, so that
-- states, two administrators, the fresh session, expiry and erasure are the same rules for both.
-- Replaced here: guard_approval_policy (compares the content), policy_refusal, answer_policy (told the kind), propose_policy and
-- decide_policy (file and apply by kind).

INSERT INTO review.audit_event_types (event)
  VALUES ('policy.operation_change_requested'), ('policy.operation_changed'), ('policy.operation_change_ended');

ALTER TABLE review.policy_proposals
  ADD COLUMN kind    text NOT NULL DEFAULT 'APPROVAL' CONSTRAINT policy_proposals_kind_known CHECK (kind IN ('APPROVAL', 'OPERATION')),
  ADD COLUMN content jsonb;
ALTER TABLE review.policy_proposals
  ALTER COLUMN content TYPE jsonb USING review.policy_content(removes, steps, min_rationale, approval_ttl_seconds, execution_ttl_seconds);
ALTER TABLE review.policy_proposals
  ALTER COLUMN kind DROP DEFAULT,
  ALTER COLUMN content SET NOT NULL,
  ADD CONSTRAINT policy_proposals_content_form CHECK (jsonb_typeof(content) = 'object'),
  DROP COLUMN removes, DROP COLUMN steps, DROP COLUMN min_rationale, DROP COLUMN approval_ttl_seconds, DROP COLUMN execution_ttl_seconds;
DROP INDEX review.policy_proposals_one_pending;
CREATE UNIQUE INDEX policy_proposals_one_pending ON review.policy_proposals (tenant_id, operation, kind) WHERE state = 'PENDING';

CREATE OR REPLACE FUNCTION review.guard_approval_policy() RETURNS trigger
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
      AND (tenant_id, operation, kind) = (NEW.tenant_id, NEW.operation, 'APPROVAL')
      AND content = review.policy_content(NEW.removes, NEW.steps, NEW.min_rationale, NEW.approval_ttl_seconds, NEW.execution_ttl_seconds);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a second administrator has to confirm it' USING ERRCODE = 'OA014';
  END IF;
  RETURN NEW;
END
$$;

-- The content in force, of either kind; version 0 = the operation has none of its own.
CREATE FUNCTION review.policy_in_force(p_kind text, p_tenant_id text, p_operation text, OUT version integer, OUT content jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p ledger.operation_policies;
BEGIN
  IF p_kind = 'APPROVAL' THEN
    SELECT a.version, a.content INTO version, content FROM review.policy_in_force(p_tenant_id, p_operation) a;
  ELSE
    p := ledger.policy_for(p_tenant_id, p_operation);
    version := CASE WHEN p.tenant_id = '*' THEN 0 ELSE p.version END;
    content := review.operation_policy_content(p);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION review.policy_in_force(text, text, text) TO onceover_app;

-- Locks the operation's policies against other changes of them; answers what stands in the way. f.input: reason.
DROP FUNCTION review.policy_refusal(review.people_frame, text, text, integer, jsonb);
CREATE OR REPLACE FUNCTION review.policy_refusal(
  f review.people_frame, p_kind text, p_tenant_id text, p_operation text, p_seen integer, p_content jsonb) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover approval policy ' || p_tenant_id || ' ' || p_operation, 0));
  RETURN coalesce((f).refusal, CASE
    WHEN NOT p_tenant_id = ANY ((f).tenant_ids) THEN 'NOT_FOUND'
    WHEN review.visible_length((f).input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'
    WHEN (SELECT version FROM review.policy_in_force(p_kind, p_tenant_id, p_operation)) IS DISTINCT FROM p_seen THEN 'CHANGED_SINCE_SEEN'
    WHEN p_kind = 'OPERATION' THEN review.operation_policy_refusal(p_tenant_id, p_content)
    WHEN NOT (p_content->>'removes')::boolean THEN CASE
      WHEN review.are_policy_steps(p_content->'steps') IS NOT TRUE OR (p_content->>'minRationale')::integer NOT BETWEEN 10 AND 1000
        OR (p_content->>'approvalTtlSeconds')::integer NOT BETWEEN 60 AND 7776000
        OR (p_content->>'executionTtlSeconds')::integer NOT BETWEEN 60 AND 7776000 THEN 'POLICY_INCOMPLETE'
      WHEN review.step_without_people(p_tenant_id, p_operation, p_content->'steps') IS NOT NULL THEN 'POLICY_UNSATISFIABLE' END END);
END
$$;

-- What of a content goes into the chain: all of an approval policy; of an operation policy what holds nobody's words, and a
-- digest over the whole of it. The words stay where they can be erased.
CREATE FUNCTION review.policy_on_record(p_kind text, p_content jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_kind = 'APPROVAL' OR p_content IS NULL THEN p_content
    ELSE p_content - ARRAY['guide', 'protectionDocument', 'protectionKeyScope', 'protectionCheckedBy', 'outcomeCodes', 'fieldDefaults']
      || jsonb_build_object('digest', 'sha256:' || encode(sha256(convert_to(p_content::text, 'utf8')), 'hex')) END
$$;

DROP FUNCTION review.answer_policy(review.people_frame, text, text, text, text, jsonb);
CREATE OR REPLACE FUNCTION review.answer_policy(
  f review.people_frame, p_kind text, p_event text, p_refusal text, p_tenant_id text, p_operation text, p_body jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- Of a foreign tenant nothing is told.
  v_known boolean := p_tenant_id = ANY ((f).tenant_ids);
BEGIN
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, CASE WHEN v_known THEN p_tenant_id END,
    NULL, NULL, NULL, p_operation, ((f).input->>'operationId')::uuid,
    -- Only what is not there at all is left out: a step's own nulls are part of what was asked.
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(p_body || jsonb_build_object('reason', (f).input->>'reason')) WHERE value <> 'null'));
  RETURN CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb
    ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) || review.told_policy(p_kind, CASE
      WHEN p_refusal = 'CHANGED_SINCE_SEEN' AND v_known
        THEN jsonb_build_object('policy', (SELECT content FROM review.policy_in_force(p_kind, p_tenant_id, p_operation)))
      WHEN p_refusal = 'PROPOSAL_IN_FLIGHT' THEN jsonb_build_object('policy', (
        SELECT p.content FROM review.policy_proposals p
        WHERE p.tenant_id = p_tenant_id AND p.operation = p_operation AND p.kind = p_kind AND p.state = 'PENDING'))
      ELSE '{}' END) END;
END
$$;

CREATE OR REPLACE FUNCTION review.expire_proposal(p review.policy_proposals) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.policy_proposals SET state = 'EXPIRED' WHERE proposal_id = p.proposal_id;
  PERFORM review.append_audit('policy.change_expired', 'done', NULL, p.tenant_id, NULL, NULL, NULL, p.operation, NULL, jsonb_build_object(
    'proposalId', p.proposal_id, 'requestedBy', p.requested_by, 'after', review.policy_on_record(p.kind, p.content)));
END
$$;

-- A content is told under the name of its kind.
CREATE FUNCTION review.told_policy(p_kind text, p_told jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_kind = 'OPERATION' AND p_told ? 'policy' THEN jsonb_build_object('operationPolicy', p_told->'policy') ELSE p_told END
$$;

-- Files what a second administrator has to confirm. f.input: tenantId, operation, version (seen), reason, operationId.
CREATE FUNCTION review.file_policy(f review.people_frame, p_kind text, p_event text, p_content jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.policy_proposals;
  v_tenant_id text := (f).input->>'tenantId';
  v_operation text := (f).input->>'operation';
  v_seen integer := ((f).input->>'version')::integer;
  v_code text := review.policy_refusal(f, p_kind, v_tenant_id, v_operation, v_seen, p_content);
BEGIN
  IF v_code IS NULL THEN
    SELECT * INTO p FROM review.policy_proposals
      WHERE tenant_id = v_tenant_id AND operation = v_operation AND kind = p_kind AND state = 'PENDING' AND expires_at <= (f).now FOR NO KEY UPDATE;
    IF FOUND THEN PERFORM review.expire_proposal(p); END IF;
    p := NULL;
    v_code := CASE
      WHEN EXISTS (SELECT FROM review.policy_proposals WHERE tenant_id = v_tenant_id AND operation = v_operation AND kind = p_kind AND state = 'PENDING')
        THEN 'PROPOSAL_IN_FLIGHT'
      WHEN p_content = (SELECT content FROM review.policy_in_force(p_kind, v_tenant_id, v_operation)) THEN 'NOTHING_CHANGED' END;
  END IF;
  IF v_code IS NULL THEN
    INSERT INTO review.policy_proposals (kind, tenant_id, operation, base_version, content, reason, requested_by, requested_at, expires_at)
      VALUES (p_kind, v_tenant_id, v_operation, v_seen, p_content, (f).input->>'reason', (f).actor_id, (f).now, (f).now + interval '7 days')
      RETURNING * INTO p;
  END IF;
  RETURN review.answer_policy(f, p_kind, p_event, v_code, v_tenant_id, v_operation, jsonb_build_object(
    'proposalId', p.proposal_id, 'versionSeen', v_seen::text, 'after', review.policy_on_record(p_kind, p_content)));
END
$$;

CREATE OR REPLACE FUNCTION review.propose_policy(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('policy.change_requested', p_input);
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  RETURN review.file_policy(f, 'APPROVAL', f.event, review.policy_content((p_input->>'removes')::boolean,
    CASE WHEN (p_input->>'removes')::boolean THEN '[]' ELSE p_input->'steps' END, (p_input->>'minRationale')::integer,
    (p_input->>'approvalTtlSeconds')::integer, (p_input->>'executionTtlSeconds')::integer));
END
$$;

-- Makes the confirmed content the next version. An approval policy's numbers go on from the one that was seen.
CREATE FUNCTION review.apply_policy(p review.policy_proposals) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF p.kind = 'OPERATION' THEN
    RETURN review.apply_operation_policy(p);
  END IF;
  INSERT INTO review.approval_policies (tenant_id, operation, version, removes, steps, min_rationale, approval_ttl_seconds, execution_ttl_seconds, proposal_id)
    VALUES (p.tenant_id, p.operation, p.base_version + 1, (p.content->>'removes')::boolean, p.content->'steps', (p.content->>'minRationale')::integer,
      (p.content->>'approvalTtlSeconds')::integer, (p.content->>'executionTtlSeconds')::integer, p.proposal_id);
  RETURN p.base_version + 1;
END
$$;

-- The second administrator's word, or the first one's second thoughts. input: proposalId, verdict CONFIRM | REJECT, reason, operationId.
CREATE OR REPLACE FUNCTION review.decide_policy(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_confirms boolean := p_input->>'verdict' = 'CONFIRM';
  p review.policy_proposals;
  v_event text := 'policy.' || CASE WHEN (SELECT kind FROM review.policy_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid) = 'OPERATION'
    THEN 'operation_' ELSE '' END || CASE WHEN p_input->>'verdict' = 'CONFIRM' THEN 'changed' ELSE 'change_ended' END;
  f review.people_frame := review.open_people(v_event, p_input);
  v_before jsonb;
  v_version integer;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO p FROM review.policy_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid;
  IF NOT FOUND OR NOT p.tenant_id = ANY (f.tenant_ids) THEN
    RETURN review.answer_policy(f, 'APPROVAL', v_event, coalesce(f.refusal, 'NOT_FOUND'), NULL, NULL,
      jsonb_build_object('proposalId', p_input->>'proposalId'));
  END IF;
  v_code := review.policy_refusal(f, p.kind, p.tenant_id, p.operation, p.base_version, p.content);
  SELECT * INTO p FROM review.policy_proposals WHERE proposal_id = p.proposal_id FOR NO KEY UPDATE;
  v_code := CASE
    WHEN f.refusal IS NOT NULL THEN f.refusal
    WHEN p.state <> 'PENDING' THEN 'REQUEST_ENDED'
    -- Whoever says no does not ask whether it could be.
    WHEN NOT v_confirms AND v_code NOT IN ('NOT_FOUND', 'RATIONALE_LENGTH') THEN NULL
    WHEN v_code IS NOT NULL OR NOT v_confirms THEN v_code
    WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'
    WHEN p.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    -- The first word counts only as long as whoever gave it could give it again.
    WHEN NOT EXISTS (SELECT FROM review.people q WHERE q.person_id = p.requested_by AND q.disabled_at IS NULL
           AND 'ADMIN' = ANY (q.roles) AND p.tenant_id = ANY (q.tenant_ids)) THEN 'REQUESTER_NOT_ENTITLED' END;
  v_before := (SELECT content FROM review.policy_in_force(p.kind, p.tenant_id, p.operation));
  IF v_code IS NULL THEN
    BEGIN
      UPDATE review.policy_proposals SET decided_by = f.actor_id, decided_at = f.now,
          state = CASE WHEN v_confirms THEN 'CONFIRMED' WHEN p.requested_by = f.actor_id THEN 'WITHDRAWN' ELSE 'REJECTED' END
        WHERE proposal_id = p.proposal_id;
      IF v_confirms THEN
        v_version := review.apply_policy(p);
      END IF;
    EXCEPTION
      -- What the ledger holds cannot keep it now; nothing of the word remains.
      WHEN SQLSTATE 'OO005' THEN v_code := 'POLICY_AGAINST_RECORDS';
      WHEN check_violation OR not_null_violation THEN v_code := 'OPERATION_POLICY_INCOMPLETE';
    END;
  END IF;
  RETURN review.answer_policy(f, p.kind, v_event, v_code, p.tenant_id, p.operation, jsonb_build_object('proposalId', p.proposal_id,
    'requestedBy', p.requested_by, 'version', coalesce(v_version, p.base_version + 1),
    'before', CASE WHEN v_confirms THEN review.policy_on_record(p.kind, v_before) END, 'after', review.policy_on_record(p.kind, p.content)));
END
$$;
