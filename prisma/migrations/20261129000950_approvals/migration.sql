-- What needs a second person: a reissue, "not applied" for an irreversible effect, and which of two effects counts.
-- A request is immutable and carries a digest over everything it stands on; the approver's form echoes the digest.

CREATE TABLE review.approval_requests (
  request_id          uuid PRIMARY KEY DEFAULT ledger.new_id(),
  operation_id        uuid NOT NULL UNIQUE,
  kind                text NOT NULL CHECK (kind IN ('REISSUE', 'CONFIRM_NOT_APPLIED', 'SETTLE_EFFECT')),
  tenant_id           text NOT NULL REFERENCES review.tenants (tenant_id),
  exception_id        uuid NOT NULL REFERENCES review.exceptions (exception_id),
  execution_id        uuid NOT NULL REFERENCES ledger.executions (execution_id),
  execution_version   bigint NOT NULL,
  operation           text NOT NULL,
  fingerprint         text NOT NULL,
  target_system       text,
  target_account      text,
  evidence_id         uuid REFERENCES review.lookups (lookup_id),
  relation            text CHECK (relation IN ('RETRY_AS_NEW', 'CORRECTION', 'NEW_WORK')),
  intake_id           uuid REFERENCES ledger.intakes (intake_id),
  params              jsonb NOT NULL,
  rationale           text NOT NULL CONSTRAINT approval_requests_say_why CHECK (review.visible_length(rationale) BETWEEN 10 AND 4000),
  policy_version      integer NOT NULL,
  approvals_required  integer NOT NULL CHECK (approvals_required >= 1),
  digest              text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  requested_by        uuid NOT NULL REFERENCES review.people (person_id),
  requested_at        timestamptz(6) NOT NULL,
  decide_by           timestamptz(6) NOT NULL,
  execute_by          timestamptz(6),
  state               text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'APPROVED', 'EXECUTED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID')),
  state_since         timestamptz(6) NOT NULL,
  void_reason         text,
  new_execution_id    uuid UNIQUE REFERENCES ledger.executions (execution_id),
  UNIQUE (request_id, requested_by),
  CONSTRAINT approval_requests_reissue_has_relation CHECK ((kind = 'REISSUE') = (relation IS NOT NULL)),
  CONSTRAINT approval_requests_correction_names_intake CHECK (relation IS DISTINCT FROM 'CORRECTION' OR intake_id IS NOT NULL),
  CONSTRAINT approval_requests_void_says_why CHECK ((state = 'VOID') = (void_reason IS NOT NULL)),
  CONSTRAINT approval_requests_key_only_when_executed CHECK ((new_execution_id IS NOT NULL) = (state = 'EXECUTED' AND kind = 'REISSUE'))
);
-- One request in flight per execution.
CREATE UNIQUE INDEX approval_requests_one_in_flight ON review.approval_requests (execution_id) WHERE state IN ('PENDING', 'APPROVED');
CREATE INDEX approval_requests_waiting ON review.approval_requests (tenant_id, state, requested_at DESC, request_id DESC);
CREATE INDEX approval_requests_by_exception ON review.approval_requests (exception_id);
ALTER TABLE review.decisions ADD CONSTRAINT decisions_approval_request_exists
  FOREIGN KEY (approval_request_id) REFERENCES review.approval_requests (request_id);

CREATE TABLE review.approval_decisions (
  request_id   uuid NOT NULL,
  approver_id  uuid NOT NULL REFERENCES review.people (person_id),
  requested_by uuid NOT NULL,
  operation_id uuid NOT NULL UNIQUE,
  verdict      text NOT NULL CHECK (verdict IN ('APPROVE', 'REJECT')),
  rationale    text NOT NULL CONSTRAINT approval_decisions_say_why CHECK (review.visible_length(rationale) BETWEEN 10 AND 4000),
  digest       text NOT NULL,
  evidence_id  uuid REFERENCES review.lookups (lookup_id),
  roles        text[] NOT NULL,
  decided_at   timestamptz(6) NOT NULL,
  PRIMARY KEY (request_id, approver_id),
  FOREIGN KEY (request_id, requested_by) REFERENCES review.approval_requests (request_id, requested_by),
  -- Four eyes, judged by the database: the requester of the request itself, by the foreign key above.
  CONSTRAINT decisions_approver_is_not_requester CHECK (approver_id <> requested_by)
);

-- What was asked never changes; only how it went on is written down, and only forwards.
CREATE FUNCTION review.keep_request() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_jsonb(NEW) - ARRAY['state', 'state_since', 'void_reason', 'execute_by', 'new_execution_id']
     <> to_jsonb(OLD) - ARRAY['state', 'state_since', 'void_reason', 'execute_by', 'new_execution_id'] THEN
    RAISE EXCEPTION 'request % never changes what it asks', OLD.request_id USING ERRCODE = 'OO004';
  END IF;
  IF NEW.state = OLD.state OR NOT (
       (OLD.state = 'PENDING' AND NEW.state IN ('APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'))
       OR (OLD.state = 'APPROVED' AND NEW.state IN ('EXECUTED', 'WITHDRAWN', 'EXPIRED', 'VOID'))) THEN
    RAISE EXCEPTION 'request % may not go from % to %', OLD.request_id, OLD.state, NEW.state USING ERRCODE = 'OO004';
  END IF;
  IF NEW.state IN ('APPROVED', 'EXECUTED') AND (
       SELECT count(*) FROM review.approval_decisions d WHERE d.request_id = NEW.request_id AND d.verdict = 'APPROVE' AND d.digest = NEW.digest
     ) < NEW.approvals_required THEN
    RAISE EXCEPTION 'request % lacks approvals', OLD.request_id USING ERRCODE = 'OO004';
  END IF;
  NEW.state_since := ledger.clock();
  RETURN NEW;
END
$$;
CREATE TRIGGER approval_requests_keep BEFORE UPDATE ON review.approval_requests FOR EACH ROW EXECUTE FUNCTION review.keep_request();
CREATE TRIGGER approval_requests_are_not_deleted BEFORE DELETE ON review.approval_requests FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER approval_requests_are_not_truncated BEFORE TRUNCATE ON review.approval_requests FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER approval_decisions_are_only_added BEFORE UPDATE OR DELETE ON review.approval_decisions FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER approval_decisions_are_not_truncated BEFORE TRUNCATE ON review.approval_decisions FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE review.approval_requests ENABLE ALWAYS TRIGGER approval_requests_keep;
ALTER TABLE review.approval_requests ENABLE ALWAYS TRIGGER approval_requests_are_not_deleted;
ALTER TABLE review.approval_requests ENABLE ALWAYS TRIGGER approval_requests_are_not_truncated;
ALTER TABLE review.approval_decisions ENABLE ALWAYS TRIGGER approval_decisions_are_only_added;
ALTER TABLE review.approval_decisions ENABLE ALWAYS TRIGGER approval_decisions_are_not_truncated;
GRANT SELECT ON review.approval_requests, review.approval_decisions TO onceover_app, onceover_worker;

-- Audit events of a request's life, by its kind.
CREATE TABLE review.request_events (
  kind  text NOT NULL,
  step  text NOT NULL,
  event text NOT NULL REFERENCES review.audit_event_types (event),
  PRIMARY KEY (kind, step)
);
INSERT INTO review.request_events (kind, step, event) VALUES
  ('REISSUE', 'REQUESTED', 'reissue.requested'), ('REISSUE', 'APPROVED', 'reissue.approved'), ('REISSUE', 'REJECTED', 'reissue.rejected'),
  ('REISSUE', 'WITHDRAWN', 'reissue.withdrawn'), ('REISSUE', 'EXPIRED', 'reissue.expired'), ('REISSUE', 'VOID', 'reissue.voided'),
  ('CONFIRM_NOT_APPLIED', 'REQUESTED', 'decision.confirm_not_applied_requested'), ('CONFIRM_NOT_APPLIED', 'APPROVED', 'decision.not_applied_confirmed'),
  ('CONFIRM_NOT_APPLIED', 'REJECTED', 'confirmation.rejected'), ('CONFIRM_NOT_APPLIED', 'WITHDRAWN', 'confirmation.withdrawn'),
  ('CONFIRM_NOT_APPLIED', 'EXPIRED', 'confirmation.expired'), ('CONFIRM_NOT_APPLIED', 'VOID', 'confirmation.voided'),
  ('SETTLE_EFFECT', 'REQUESTED', 'decision.effect_settle_requested'), ('SETTLE_EFFECT', 'APPROVED', 'decision.effect_settled'),
  ('SETTLE_EFFECT', 'REJECTED', 'confirmation.rejected'), ('SETTLE_EFFECT', 'WITHDRAWN', 'confirmation.withdrawn'),
  ('SETTLE_EFFECT', 'EXPIRED', 'confirmation.expired'), ('SETTLE_EFFECT', 'VOID', 'confirmation.voided');
GRANT SELECT ON review.request_events TO onceover_app, onceover_worker;

-- Hashes the stored values, length-prefixed, so that two different requests never share a digest.
CREATE FUNCTION review.request_digest(r review.approval_requests) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT encode(sha256(convert_to('onceover approval request v1', 'UTF8') || '\x00'::bytea || string_agg(review.audit_field(convert_to(part, 'UTF8')), '' ORDER BY n)), 'hex')
  FROM unnest(ARRAY[r.kind, r.exception_id::text, r.execution_id::text, r.execution_version::text, r.fingerprint, r.target_system,
    r.target_account, r.evidence_id::text, r.relation, r.intake_id::text, r.params::text, r.rationale, r.policy_version::text,
    r.approvals_required::text, r.requested_by::text]) WITH ORDINALITY AS parts (part, n)
$$;

-- Files a request on an opened decision; f has passed every check of its kind.
CREATE FUNCTION review.file_request(f review.decision_frame, p_kind text, p_relation text, p_intake_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  v_constraint text;
BEGIN
  r.request_id := ledger.new_id();
  r.operation_id := ((f).input->>'operationId')::uuid;
  r.kind := p_kind;
  r.tenant_id := ((f).exception).tenant_id;
  r.exception_id := ((f).exception).exception_id;
  r.execution_id := ((f).execution).execution_id;
  r.execution_version := ((f).execution).version;
  r.operation := ((f).exception).operation;
  r.fingerprint := ((f).execution).fingerprint;
  r.target_system := ((f).execution).target_system;
  r.target_account := ((f).execution).target_account;
  r.evidence_id := ((f).input->>'evidenceId')::uuid;
  r.relation := p_relation;
  r.intake_id := p_intake_id;
  r.params := p_params;
  r.rationale := (f).input->>'rationale';
  r.policy_version := ((f).policy).version;
  r.approvals_required := CASE p_kind WHEN 'REISSUE' THEN ((f).policy).approvals_required ELSE 1 END;
  r.requested_by := (f).actor_id;
  r.requested_at := (f).now;
  r.decide_by := (f).now + make_interval(secs => ((f).policy).approval_ttl_seconds);
  r.state := 'PENDING';
  r.state_since := (f).now;
  r.digest := review.request_digest(r);
  BEGIN
    INSERT INTO review.approval_requests SELECT (r).*;
  EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint <> 'approval_requests_one_in_flight' THEN RAISE; END IF;
    RETURN review.refuse_decision(f, 'REQUEST_IN_FLIGHT');
  END;
  PERFORM review.note_event(r.exception_id, 'requested', jsonb_build_object('requestId', r.request_id, 'kind', p_kind));
  PERFORM review.append_audit((SELECT event FROM review.request_events WHERE kind = p_kind AND step = 'REQUESTED'), 'done', NULL,
    r.tenant_id, r.exception_id, r.execution_id, r.request_id, r.operation, r.operation_id,
    jsonb_build_object('before', review.snapshot((f).execution), 'rationale', r.rationale, 'evidenceId', r.evidence_id, 'relation', p_relation,
      'intakeId', p_intake_id, 'params', p_params, 'digest', r.digest));
  RETURN jsonb_build_object('outcome', 'requested', 'requestId', r.request_id);
END
$$;

-- Call it under the locks of open_decision: a new statement sees the commit of the same click's other half.
CREATE FUNCTION review.repeated_request(p_input jsonb) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('outcome', 'requested', 'repeated', true, 'requestId', request_id)
  FROM review.approval_requests WHERE operation_id = (p_input->>'operationId')::uuid
    AND requested_by::text = current_setting('onceover.actor_id', true)
$$;

-- Moves an unresolved execution to "retry with the same key". The version, not the state, makes it conditional.
CREATE FUNCTION review.apply_not_applied(p_row ledger.executions, p_policy ledger.operation_policies, p_now timestamptz) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE ledger.executions SET state = 'FAILED_RETRYABLE', moved_by = 'person', fencing_token = fencing_token + 1,
      failure_code = 'CONFIRMED_NOT_APPLIED', failure_message = NULL, failure_basis = 'LOOKUP', reported_result_id = NULL,
      attempts_allowed = greatest(attempts_allowed, attempts_spent + 1),
      expires_at = greatest(expires_at, p_now + make_interval(secs => p_policy.retention_seconds))
    WHERE execution_id = p_row.execution_id AND version = p_row.version AND p_row.state <> 'EXPIRED'
$$;

-- R-067 Confirm not applied. Recovers the same work. A second person confirms where the effect is irreversible.
CREATE FUNCTION review.confirm_not_applied(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_code text;
BEGIN
  f := review.open_decision('CONFIRM_NOT_APPLIED', p_input);
  IF review.repeated_request(p_input) IS NOT NULL THEN RETURN review.repeated_request(p_input); END IF;
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  v_code := coalesce(f.refusal,
    CASE WHEN (f.execution).state NOT IN ('PROCESSING', 'UNKNOWN', 'EXPIRED') OR (f.execution).superseded_by IS NOT NULL THEN 'STATE_NOT_SUITABLE' END,
    review.evidence_refusal((p_input->>'evidenceId')::uuid, f.execution, f.policy, 'NOT_APPLIED', f.now));
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  IF (f.policy).effect_class = 'IRREVERSIBLE' THEN
    RETURN review.file_request(f, 'CONFIRM_NOT_APPLIED', NULL, NULL, '{}');
  END IF;
  PERFORM review.apply_not_applied(f.execution, f.policy, f.now);
  RETURN review.record_decision(f, true, NULL, '{}');
END
$$;

-- R-052: two effects in doubt are settled before anything new is made in their lineage.
CREATE FUNCTION review.reissue_is_blocked(p_lineage_id uuid) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT 1 FROM review.exceptions WHERE lineage_id = p_lineage_id AND state = 'OPEN'
                   AND kind IN ('RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION'))
$$;

-- R-069 Request reissue. Makes new work, so no key exists until another person approves.
-- input: relation, originalFate, intakeId (CORRECTION and NEW_WORK of a conflict), evidenceId (RETRY_AS_NEW).
CREATE FUNCTION review.request_reissue(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_relation text := p_input->>'relation';
  v_intake_id uuid := (p_input->>'intakeId')::uuid;
  v_code text;
BEGIN
  f := review.open_decision('REQUEST_REISSUE', p_input);
  IF review.repeated_request(p_input) IS NOT NULL THEN RETURN review.repeated_request(p_input); END IF;
  v_code := coalesce(f.refusal,
    CASE WHEN v_relation IS NULL OR v_relation NOT IN ('RETRY_AS_NEW', 'CORRECTION', 'NEW_WORK') THEN 'RELATION_MISSING'
         WHEN (f.execution).superseded_by IS NOT NULL THEN 'STATE_NOT_SUITABLE'
         WHEN review.reissue_is_blocked((f.execution).lineage_id) THEN 'LINEAGE_UNDER_REVIEW'
         WHEN v_relation = 'RETRY_AS_NEW' AND (f.exception).kind = 'CONTENT_CONFLICT' THEN 'RELATION_NOT_FOR_KIND'
         WHEN v_relation = 'RETRY_AS_NEW' AND ((f.execution).state = 'SUCCEEDED' OR (f.execution).expired_from = 'SUCCEEDED') THEN 'STATE_NOT_SUITABLE'
         WHEN review.visible_length(p_input->>'originalFate') NOT BETWEEN 3 AND 1000 THEN 'ORIGINAL_FATE_MISSING'
         WHEN (v_relation = 'CORRECTION' OR v_intake_id IS NOT NULL) AND NOT EXISTS (
           SELECT 1 FROM ledger.intakes WHERE intake_id = v_intake_id AND execution_id = (f.execution).execution_id AND disposition = 'CONTENT_CONFLICT')
           THEN 'INTAKE_MISSING'
         -- Work under way ends first: nobody may put a second executor beside it.
         WHEN (f.execution).state = 'PROCESSING' AND v_relation <> 'NEW_WORK' AND (f.execution).lease_expires_at > f.now THEN 'STATE_NOT_SUITABLE' END,
    CASE WHEN v_relation = 'RETRY_AS_NEW' AND (f.execution).state NOT IN ('RECEIVED', 'FAILED_RETRYABLE') AND (f.execution).expired_from IS DISTINCT FROM 'FAILED_FINAL'
         THEN review.evidence_refusal((p_input->>'evidenceId')::uuid, f.execution, f.policy, 'NOT_APPLIED', f.now) END,
    -- Whatever the new work is called: beside an effect in doubt it may be the second one. What became of the original
    -- has to be shown, one way or the other.
    CASE WHEN v_relation <> 'RETRY_AS_NEW' AND (f.execution).state = 'UNKNOWN'
           AND review.evidence_refusal(review.newest_evidence(f.execution, 'APPLIED'), f.execution, f.policy, 'APPLIED', f.now) IS NOT NULL
         THEN review.evidence_refusal(review.newest_evidence(f.execution, 'NOT_APPLIED'), f.execution, f.policy, 'NOT_APPLIED', f.now) END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.file_request(f, 'REISSUE', v_relation, v_intake_id, jsonb_build_object('originalFate', p_input->>'originalFate'));
END
$$;

-- Which effect counts, the impact, and the other's fate (RESULT_MISMATCH, DUPLICATE_RESULT, CONTRADICTED_DECISION).
-- input: outcome APPLIED | NOT_OURS, resultId, resultUrl, businessImpact, otherFate KEPT | COMPENSATED | ATTRIBUTED, compensationId.
CREATE FUNCTION review.request_effect_settlement(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_code text;
BEGIN
  f := review.open_decision('SETTLE_EFFECT', p_input);
  IF review.repeated_request(p_input) IS NOT NULL THEN RETURN review.repeated_request(p_input); END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN coalesce(p_input->>'outcome', '') NOT IN ('APPLIED', 'NOT_OURS') THEN 'OUTCOME_MISSING'
    WHEN p_input->>'outcome' = 'APPLIED' AND coalesce(p_input->>'resultId', '') = '' THEN 'RESULT_ID_MISSING'
    WHEN coalesce(p_input->>'otherFate', '') NOT IN ('KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE') THEN 'OTHER_FATE_MISSING'
    WHEN p_input->>'otherFate' = 'COMPENSATED' AND coalesce(p_input->>'compensationId', '') = '' THEN 'COMPENSATION_ID_MISSING'
    WHEN review.visible_length(p_input->>'businessImpact') NOT BETWEEN 3 AND 1000 THEN 'BUSINESS_IMPACT_MISSING' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.file_request(f, 'SETTLE_EFFECT', NULL, NULL, jsonb_build_object('outcome', p_input->>'outcome', 'resultId', p_input->>'resultId',
    'resultUrl', p_input->>'resultUrl', 'businessImpact', p_input->>'businessImpact', 'otherFate', p_input->>'otherFate', 'compensationId', p_input->>'compensationId'));
END
$$;

CREATE FUNCTION review.apply_settlement(p_row ledger.executions, p_request review.approval_requests) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_constraint text;
BEGIN
  -- A record that is superseded, expired or already carries its result keeps it: the decision settles the exception.
  IF p_row.superseded_by IS NOT NULL OR p_row.state IN ('SUCCEEDED', 'EXPIRED', 'RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE') THEN
    RETURN NULL;
  END IF;
  IF p_request.params->>'outcome' = 'APPLIED' THEN
    UPDATE ledger.executions SET state = 'SUCCEEDED', moved_by = 'person', fencing_token = fencing_token + 1,
        result_id = p_request.params->>'resultId', result_url = coalesce(p_request.params->>'resultUrl', result_url)
      WHERE execution_id = p_row.execution_id AND version = p_row.version;
  ELSIF p_row.state = 'UNKNOWN' THEN
    UPDATE ledger.executions SET state = 'FAILED_FINAL', moved_by = 'person', fencing_token = fencing_token + 1, failure_code = 'EFFECT_NOT_OURS'
      WHERE execution_id = p_row.execution_id AND version = p_row.version;
  END IF;
  RETURN NULL;
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
  IF v_constraint <> 'executions_result_is_linked_once' THEN RAISE; END IF;
  RETURN 'RESULT_LINKED_ELSEWHERE';
END
$$;

-- Who may decide a request: an approver for new keys, a second operator or an approver for confirmations.
CREATE FUNCTION review.roles_for_request(p_kind text) RETURNS text[]
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE p_kind WHEN 'REISSUE' THEN ARRAY['APPROVER'] ELSE ARRAY['OPERATOR', 'APPROVER'] END $$;

-- What of its basis has changed since the request was made; null = nothing.
CREATE FUNCTION review.request_basis_lost(r review.approval_requests, p_row ledger.executions) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_row.version <> r.execution_version THEN 'EXECUTION_CHANGED'
    WHEN p_row.fingerprint <> r.fingerprint OR p_row.target_system IS DISTINCT FROM r.target_system
      OR p_row.target_account IS DISTINCT FROM r.target_account THEN 'SUBJECT_CHANGED'
    WHEN review.request_digest(r) <> r.digest THEN 'DIGEST_BROKEN'
    WHEN NOT EXISTS (SELECT 1 FROM review.exceptions x WHERE x.exception_id = r.exception_id AND x.state = 'OPEN') THEN 'EXCEPTION_CLOSED'
    WHEN NOT EXISTS (SELECT 1 FROM review.people p WHERE p.person_id = r.requested_by AND p.disabled_at IS NULL) THEN 'REQUESTER_DISABLED'
  END
$$;

CREATE FUNCTION review.end_request(r review.approval_requests, p_state text, p_void_reason text, p_execute_by timestamptz, p_new_execution_id uuid) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.approval_requests SET state = p_state, void_reason = p_void_reason, execute_by = coalesce(p_execute_by, execute_by),
      new_execution_id = p_new_execution_id
    WHERE request_id = r.request_id;
  PERFORM review.note_event(r.exception_id, 'request_ended', jsonb_build_object('requestId', r.request_id, 'state', p_state, 'voidReason', p_void_reason));
END
$$;

CREATE FUNCTION review.audit_request(r review.approval_requests, p_step text, p_refusal text, p_operation_id uuid, p_body jsonb) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.append_audit((SELECT event FROM review.request_events WHERE kind = r.kind AND step = p_step),
    CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, r.tenant_id, r.exception_id, r.execution_id, r.request_id, r.operation,
    p_operation_id, p_body || jsonb_build_object('digest', r.digest, 'relation', r.relation, 'requestedBy', r.requested_by))
$$;

-- Another tenant's request and a missing one are the same answer; the attempt is audited.
CREATE FUNCTION review.refuse_unknown_request(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit('access.denied', 'refused', 'NOT_FOUND', NULL, NULL, NULL, NULL, NULL, (p_input->>'operationId')::uuid,
    jsonb_build_object('approvalRequestId', p_input->>'requestId'));
  RETURN '{"outcome": "refused", "code": "NOT_FOUND"}';
END
$$;

-- R-070 One verdict of one person. input: requestId, digest (of what was shown), verdict, rationale, operationId.
CREATE FUNCTION review.decide_request(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  f review.decision_frame;
  v_actor record;
  v_step text := CASE p_input->>'verdict' WHEN 'APPROVE' THEN 'APPROVED' WHEN 'REJECT' THEN 'REJECTED' END;
  v_now timestamptz;
  v_code text;
  v_void text;
  v_required integer;
  v_evidence_id uuid;
  v_result jsonb;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person decides' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR NOT r.tenant_id = ANY (v_actor.tenant_ids) OR v_step IS NULL THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id FOR NO KEY UPDATE;
  v_now := ledger.clock();
  IF EXISTS (SELECT 1 FROM review.approval_decisions WHERE operation_id = (p_input->>'operationId')::uuid AND approver_id = v_actor.person_id) THEN
    RETURN jsonb_build_object('outcome', 'done', 'repeated', true, 'state', r.state, 'newExecutionId', r.new_execution_id);
  END IF;
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  v_code := CASE
    WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'
    WHEN review.may_decide(v_actor.roles, review.roles_for_request(r.kind), v_actor.authorities, (f.policy).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, review.roles_for_request(r.kind), v_actor.authorities, (f.policy).authority)
    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'
    WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'
    WHEN EXISTS (SELECT 1 FROM review.approval_decisions WHERE request_id = r.request_id AND approver_id = v_actor.person_id) THEN 'DECIDED_BY_YOU_ALREADY' END;
  IF v_code IS NOT NULL THEN
    PERFORM review.audit_request(r, v_step, v_code, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state, 'decidedBy',
      (SELECT p.display_name FROM review.approval_decisions d JOIN review.people p ON p.person_id = d.approver_id
        WHERE d.request_id = r.request_id ORDER BY d.decided_at DESC LIMIT 1));
  END IF;
  IF r.decide_by <= v_now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, (p_input->>'operationId')::uuid, '{}');
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_EXPIRED', 'state', 'EXPIRED');
  END IF;
  v_void := review.request_basis_lost(r, f.execution);
  IF v_void IS NOT NULL THEN
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, (p_input->>'operationId')::uuid, jsonb_build_object('reason', v_void));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', 'VOID', 'voidReason', v_void);
  END IF;
  -- The newest look carries the confirmation: what was fresh for the first person may be stale for the second.
  IF v_step = 'APPROVED' AND r.kind = 'CONFIRM_NOT_APPLIED' THEN
    v_evidence_id := review.newest_evidence(f.execution, 'NOT_APPLIED');
    v_code := review.evidence_refusal(v_evidence_id, f.execution, f.policy, 'NOT_APPLIED', v_now);
  END IF;
  -- With no connector a person has to look once more: the second lookup before the key is theirs.
  IF v_step = 'APPROVED' AND r.relation = 'RETRY_AS_NEW' AND (f.policy).connector_id IS NULL
     AND (f.execution).expired_from IS DISTINCT FROM 'FAILED_FINAL' AND (f.execution).state NOT IN ('RECEIVED', 'FAILED_RETRYABLE') THEN
    v_code := review.evidence_refusal(r.evidence_id, f.execution, f.policy, 'NOT_APPLIED', v_now);
  END IF;
  IF v_code IS NOT NULL THEN
    PERFORM review.audit_request(r, v_step, v_code, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state);
  END IF;

  INSERT INTO review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, evidence_id, roles, decided_at)
    VALUES (r.request_id, v_actor.person_id, r.requested_by, (p_input->>'operationId')::uuid, p_input->>'verdict', p_input->>'rationale', r.digest,
            v_evidence_id, v_actor.roles, v_now);
  v_required := greatest(r.approvals_required, CASE r.kind WHEN 'REISSUE' THEN (f.policy).approvals_required ELSE 1 END);
  IF v_step = 'REJECTED' THEN
    PERFORM review.end_request(r, 'REJECTED', NULL, NULL, NULL);
  ELSIF (SELECT count(*) FROM review.approval_decisions WHERE request_id = r.request_id AND verdict = 'APPROVE') >= v_required THEN
    PERFORM review.end_request(r, 'APPROVED', NULL, v_now + make_interval(secs => (f.policy).execution_ttl_seconds), NULL);
    IF r.kind = 'REISSUE' THEN
      PERFORM review.enqueue('execute-reissue', jsonb_build_object('requestId', r.request_id), 'execute-reissue:' || r.request_id);
    ELSE
      f.now := v_now;
      f.decision := r.kind;
      f.actor_id := v_actor.person_id;
      f.actor_roles := v_actor.roles;
      f.input := jsonb_build_object('operationId', p_input->>'operationId', 'rationale', p_input->>'rationale', 'evidenceId', coalesce(v_evidence_id, r.evidence_id));
      IF r.kind = 'CONFIRM_NOT_APPLIED' THEN
        PERFORM review.apply_not_applied(f.execution, f.policy, v_now);
      ELSE
        v_code := review.apply_settlement(f.execution, r);
        IF v_code IS NOT NULL THEN
          RAISE EXCEPTION 'settlement refused: %', v_code USING ERRCODE = 'OO005';
        END IF;
      END IF;
      PERFORM review.end_request((SELECT q FROM review.approval_requests q WHERE q.request_id = r.request_id), 'EXECUTED', NULL, NULL, NULL);
      v_result := review.record_decision(f, true, r.request_id, r.params);
      RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'after', v_result->'after');
    END IF;
  END IF;
  PERFORM review.audit_request(r, v_step, NULL, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale', 'evidenceId', v_evidence_id));
  RETURN jsonb_build_object('outcome', 'done', 'state', (SELECT state FROM review.approval_requests WHERE request_id = r.request_id));
END
$$;

-- R-084 The requester takes the request back, as long as it has not been carried out.
CREATE FUNCTION review.withdraw_request(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  v_actor record;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  PERFORM 1 FROM ledger.executions WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  PERFORM 1 FROM review.exceptions WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id FOR NO KEY UPDATE;
  IF r.state = 'WITHDRAWN' AND EXISTS (SELECT 1 FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid
      AND actor_id = v_actor.person_id::text AND outcome = 'done') THEN
    RETURN '{"outcome": "done", "state": "WITHDRAWN", "repeated": true}';
  END IF;
  v_code := CASE WHEN r.requested_by <> v_actor.person_id THEN 'NOT_YOUR_REQUEST'
                 WHEN r.state NOT IN ('PENDING', 'APPROVED') THEN 'REQUEST_ENDED' END;
  IF v_code IS NULL THEN
    PERFORM review.end_request(r, 'WITHDRAWN', NULL, NULL, NULL);
  END IF;
  PERFORM review.audit_request(r, 'WITHDRAWN', v_code, (p_input->>'operationId')::uuid, '{}');
  RETURN CASE WHEN v_code IS NULL THEN '{"outcome": "done", "state": "WITHDRAWN"}'::jsonb
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state) END;
END
$$;

GRANT EXECUTE ON FUNCTION review.confirm_not_applied(jsonb), review.request_reissue(jsonb), review.request_effect_settlement(jsonb),
  review.decide_request(jsonb), review.withdraw_request(jsonb) TO onceover_app;

-- Approvals whose givers still have the role, the authority and the tenant at this moment.
CREATE FUNCTION review.entitled_approvals(r review.approval_requests, p_authority text) RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) FROM review.approval_decisions d JOIN review.people p ON p.person_id = d.approver_id
  WHERE d.request_id = r.request_id AND d.verdict = 'APPROVE' AND p.disabled_at IS NULL AND r.tenant_id = ANY (p.tenant_ids)
    AND review.may_decide(p.roles, review.roles_for_request(r.kind), p.authorities, p_authority) IS NULL
$$;

-- Makes the approved key, once. The worker calls it after the second lookup, which it made outside any transaction.
-- Answers {"outcome": "done" | "waiting" | "ended"}. Guarantee: one key per request (state, new_execution_id unique),
-- one live key per lineage, and every approver still entitled at this moment.
CREATE FUNCTION review.execute_reissue(p_request_id uuid, p_lookup_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  f review.decision_frame;
  v_lookup review.lookups;
  v_intake ledger.intakes;
  v_approval review.approval_decisions;
  v_void text;
  n ledger.executions;
BEGIN
  SELECT * INTO STRICT r FROM review.approval_requests WHERE request_id = p_request_id;
  PERFORM 1 FROM review.people
    WHERE person_id = r.requested_by OR person_id IN (SELECT approver_id FROM review.approval_decisions WHERE request_id = p_request_id)
    ORDER BY person_id FOR SHARE;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = p_request_id FOR NO KEY UPDATE;
  IF r.kind <> 'REISSUE' OR r.state <> 'APPROVED' THEN
    RETURN jsonb_build_object('outcome', 'ended', 'state', r.state, 'newExecutionId', r.new_execution_id);
  END IF;
  f.now := ledger.clock();
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  IF r.execute_by <= f.now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, '{"limit": "execution"}');
    RETURN '{"outcome": "ended", "state": "EXPIRED"}';
  END IF;
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  SELECT * INTO v_approval FROM review.approval_decisions WHERE request_id = r.request_id AND verdict = 'APPROVE' ORDER BY decided_at DESC LIMIT 1;

  v_void := coalesce(
    review.request_basis_lost(r, f.execution),
    CASE WHEN review.reissue_is_blocked((f.execution).lineage_id) THEN 'LINEAGE_UNDER_REVIEW' END,
    CASE WHEN review.entitled_approvals(r, (f.policy).authority) < greatest(r.approvals_required, (f.policy).approvals_required) THEN 'APPROVERS_NOT_ENTITLED' END,
    CASE WHEN r.relation = 'RETRY_AS_NEW' AND v_lookup.execution_id = r.execution_id AND v_lookup.verdict = 'APPLIED' THEN 'EFFECT_FOUND' END);
  IF v_void IS NOT NULL THEN
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, NULL, jsonb_build_object('reason', v_void, 'evidenceId', p_lookup_id));
    RETURN jsonb_build_object('outcome', 'ended', 'state', 'VOID', 'voidReason', v_void);
  END IF;
  -- The second look must be younger than the approval, and for a retry it must show that nothing was applied.
  IF (f.policy).connector_id IS NOT NULL AND (
       v_lookup.lookup_id IS NULL OR v_lookup.execution_id <> r.execution_id OR v_lookup.execution_version <> r.execution_version
       OR v_lookup.checked_at < v_approval.decided_at
       OR (r.relation = 'RETRY_AS_NEW' AND v_lookup.verdict <> 'NOT_APPLIED')) THEN
    RETURN '{"outcome": "waiting"}';
  END IF;

  SELECT * INTO v_intake FROM ledger.intakes WHERE intake_id = r.intake_id;
  n.execution_id := ledger.new_id();
  IF r.relation <> 'NEW_WORK' THEN
    UPDATE ledger.executions SET superseded_by = n.execution_id, moved_by = 'person', fencing_token = fencing_token + 1
      WHERE execution_id = r.execution_id AND version = r.execution_version;
  END IF;
  INSERT INTO ledger.executions (execution_id, tenant_id, principal_id, operation, idempotency_key, request_id, fingerprint, fingerprint_algorithm,
      policy_version, field_hashes, display_fields, input_ref, content_version, target_system, target_account, workflow_id, step, business_ref,
      state, state_since, moved_by, lineage_id, reissue_of, reissue_relation, created_at, updated_at)
    SELECT n.execution_id, o.tenant_id, o.principal_id, o.operation, 'reissue-' || n.execution_id, coalesce(v_intake.request_id, o.request_id),
      coalesce(v_intake.fingerprint, o.fingerprint), o.fingerprint_algorithm,
      CASE WHEN v_intake.intake_id IS NULL THEN o.policy_version ELSE (f.policy).version END,
      coalesce(v_intake.field_hashes, CASE WHEN v_intake.intake_id IS NULL THEN o.field_hashes END),
      coalesce(v_intake.display_fields, CASE WHEN v_intake.intake_id IS NULL THEN o.display_fields END), o.input_ref,
      coalesce(v_intake.content_version, o.content_version), coalesce(v_intake.target_system, o.target_system),
      coalesce(v_intake.target_account, o.target_account), o.workflow_id, o.step, o.business_ref,
      'RECEIVED', f.now, 'person', CASE WHEN r.relation <> 'NEW_WORK' THEN o.lineage_id END, o.execution_id, r.relation, f.now, f.now
    FROM ledger.executions o WHERE o.execution_id = r.execution_id;
  PERFORM review.end_request(r, 'EXECUTED', NULL, NULL, n.execution_id);

  f.decision := CASE r.relation WHEN 'NEW_WORK' THEN 'REISSUE_AS_NEW_WORK' ELSE 'REISSUE' END;
  f.actor_id := v_approval.approver_id;
  f.actor_roles := v_approval.roles;
  f.input := jsonb_build_object('operationId', r.operation_id, 'rationale', v_approval.rationale, 'evidenceId', p_lookup_id);
  -- New work does not answer what became of the original: only the conflict that asked for it is settled.
  PERFORM review.record_decision(f, r.relation <> 'NEW_WORK' OR (f.exception).kind = 'CONTENT_CONFLICT', r.request_id,
    jsonb_build_object('newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id, 'relation', r.relation));
  RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id);
END
$$;
GRANT EXECUTE ON FUNCTION review.execute_reissue(uuid, uuid) TO onceover_worker;

-- Requests whose time is over, and deferred exceptions that come back. Runs beside ledger.sweep; any number at once.
CREATE FUNCTION review.sweep() RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  r review.approval_requests;
  v_id uuid;
  v_expired integer := 0;
  v_resumed integer := 0;
BEGIN
  FOR v_id IN
    SELECT exception_id FROM review.exceptions WHERE state = 'OPEN' AND deferred_until <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    UPDATE review.exceptions SET deferred_until = NULL WHERE exception_id = v_id;
    PERFORM review.note_event(v_id, 'resumed', '{"reason": "DEFERRAL_OVER"}');
    v_resumed := v_resumed + 1;
  END LOOP;
  FOR r IN
    SELECT * FROM review.approval_requests
      WHERE (state = 'PENDING' AND decide_by <= v_now) OR (state = 'APPROVED' AND execute_by <= v_now)
      ORDER BY request_id LIMIT 500
  LOOP
    -- Exception before request, as everywhere; whoever holds either is deciding at this moment.
    PERFORM 1 FROM review.exceptions WHERE exception_id = r.exception_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id AND state = r.state FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, jsonb_build_object('limit', CASE r.state WHEN 'PENDING' THEN 'decision' ELSE 'execution' END));
    v_expired := v_expired + 1;
  END LOOP;
  RETURN jsonb_build_object('requestsExpired', v_expired, 'deferralsOver', v_resumed);
END
$$;
GRANT EXECUTE ON FUNCTION review.sweep() TO onceover_worker;
