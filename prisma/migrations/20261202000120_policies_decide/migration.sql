-- R-081: requests are filed, approved and carried out under the approval policies. A request keeps the terms that held when it was
-- made; the policy of the moment counts as well, in the stricter of the two everywhere: steps, rationale, both expiries.
-- Replaced here: request_digest (with the terms), file_request, keep_request, refuse_later_rights, decide_request; execute_reissue follows with the
-- emergencies.

-- As review.approval_terms told them; null for requests from before approval policies.
ALTER TABLE review.approval_requests ADD COLUMN terms jsonb;

CREATE FUNCTION review.terms_of(r review.approval_requests) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(r.terms, jsonb_build_object('minRationale', 10, 'approvalSeconds', 7776000, 'executionSeconds', 7776000, 'steps', jsonb_build_array(
    jsonb_build_object('kinds', jsonb_build_array(r.kind), 'count', r.approvals_required, 'role', NULL, 'authority', NULL, 'fromAmount', NULL, 'fromEffect', NULL))))
$$;

CREATE FUNCTION review.terms_now(r review.approval_requests) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT review.approval_terms(r.kind, e, r.intake_id) FROM ledger.executions e WHERE e.execution_id = r.execution_id $$;

-- Whether somebody belongs to a step's group for this request: with rights that are held now and were when it was made.
CREATE FUNCTION review.fits_step(p_person_id uuid, r review.approval_requests, p_step jsonb) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.rights_are_older(p_person_id, r.request_id)
    AND EXISTS (SELECT FROM review.people WHERE person_id = p_person_id AND disabled_at IS NULL)
    AND (p_step->>'role' IS NULL OR EXISTS (SELECT FROM review.person_rights
           WHERE person_id = p_person_id AND kind = 'ROLE' AND name = p_step->>'role' AND since <= r.requested_at))
    AND (coalesce(p_step->>'authority', 'general') = 'general' OR EXISTS (SELECT FROM review.person_rights
           WHERE person_id = p_person_id AND kind = 'AUTHORITY' AND name = p_step->>'authority' AND since <= r.requested_at))
$$;

-- Whether each step has its number of approvals. One approval counts for every step whose group its giver belongs to.
CREATE FUNCTION review.steps_pass(r review.approval_requests, p_terms jsonb) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) > 0 AND bool_and((step->>'count')::integer <= (
    SELECT count(*) FROM review.approval_decisions d
    WHERE d.request_id = r.request_id AND d.verdict = 'APPROVE' AND d.digest = r.digest AND review.fits_step(d.approver_id, r, step)))
  FROM jsonb_array_elements(p_terms->'steps') step
$$;

-- Why the approvals that are there do not carry the request at this moment; null = they do.
CREATE FUNCTION review.approvals_refusal(r review.approval_requests) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN terms IS NULL THEN 'NO_APPROVAL_POLICY'
              WHEN review.steps_pass(r, review.terms_of(r)) IS NOT TRUE THEN 'APPROVERS_NOT_ENTITLED'
              WHEN review.steps_pass(r, terms) IS NOT TRUE THEN 'POLICY_STRICTER' END
  FROM review.terms_now(r) AS terms
$$;
GRANT EXECUTE ON FUNCTION review.terms_of(review.approval_requests), review.terms_now(review.approval_requests),
  review.fits_step(uuid, review.approval_requests, jsonb) TO onceover_app;

-- The terms are part of what a request stands on.
CREATE OR REPLACE FUNCTION review.request_digest(r review.approval_requests) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT encode(sha256(convert_to('onceover approval request v1', 'UTF8') || '\x00'::bytea || string_agg(review.audit_field(convert_to(part, 'UTF8')), '' ORDER BY n)), 'hex')
  FROM unnest(ARRAY[r.kind, r.exception_id::text, r.execution_id::text, r.execution_version::text, r.fingerprint, r.target_system,
    r.target_account, r.evidence_id::text, r.relation, r.intake_id::text, r.params::text, r.rationale, r.policy_version::text,
    r.approvals_required::text, r.requested_by::text] || CASE WHEN r.terms IS NOT NULL THEN ARRAY[r.terms::text] END) WITH ORDINALITY AS parts (part, n)
$$;

-- For every writer: nothing is approved or carried out whose steps have not passed.
CREATE OR REPLACE FUNCTION review.keep_request() RETURNS trigger
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
  IF NEW.state IN ('APPROVED', 'EXECUTED') AND review.approvals_refusal(NEW) IS NOT NULL THEN
    RAISE EXCEPTION 'request % lacks approvals: %', OLD.request_id, review.approvals_refusal(NEW) USING ERRCODE = 'OO004';
  END IF;
  NEW.state_since := ledger.clock();
  RETURN NEW;
END
$$;

-- An approval belongs to the group of a step, by rights that are older than the request.
CREATE OR REPLACE FUNCTION review.refuse_later_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
BEGIN
  SELECT * INTO r FROM review.approval_requests WHERE request_id = NEW.request_id;
  IF review.rights_are_older(NEW.approver_id, NEW.request_id) IS NOT TRUE
     OR NEW.verdict = 'APPROVE' AND NOT EXISTS (
       SELECT FROM (SELECT review.terms_of(r) AS terms UNION ALL SELECT review.terms_now(r)) known, jsonb_array_elements(terms->'steps') step
       WHERE review.fits_step(NEW.approver_id, r, step)) THEN
    RAISE EXCEPTION 'the right is newer than request %', NEW.request_id USING ERRCODE = 'OA013';
  END IF;
  RETURN NULL;
END
$$;

-- Files a request on an opened decision; f has passed every check of its kind.
CREATE OR REPLACE FUNCTION review.file_request(f review.decision_frame, p_kind text, p_relation text, p_intake_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  v_constraint text;
  -- What a person saw is part of what the request stands on, and of its digest.
  v_contrary review.lookups;
BEGIN
  r.terms := review.approval_terms(p_kind, (f).execution, p_intake_id);
  IF r.terms IS NULL THEN RETURN review.refuse_decision(f, 'NO_APPROVAL_POLICY'); END IF;
  IF review.visible_length((f).input->>'rationale') < (r.terms->>'minRationale')::integer THEN RETURN review.refuse_decision(f, 'RATIONALE_SHORT'); END IF;
  IF p_kind = 'CONFIRM_NOT_APPLIED' OR p_relation = 'RETRY_AS_NEW' THEN
    v_contrary := review.contrary_look((f).execution);
  END IF;
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
  r.params := CASE WHEN (v_contrary).lookup_id IS NULL THEN p_params ELSE p_params || jsonb_build_object('contraryLookId', (v_contrary).lookup_id) END;
  r.rationale := (f).input->>'rationale';
  r.policy_version := ((f).policy).version;
  r.approvals_required := (SELECT max((step->>'count')::integer) FROM jsonb_array_elements(r.terms->'steps') step);
  r.requested_by := (f).actor_id;
  r.requested_at := (f).now;
  r.decide_by := (f).now + make_interval(secs => (r.terms->>'approvalSeconds')::integer);
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
      'intakeId', p_intake_id, 'params', r.params, 'digest', r.digest));
  RETURN jsonb_build_object('outcome', 'requested', 'requestId', r.request_id);
END
$$;

-- R-070 One verdict of one person. input: requestId, digest (of what was shown), verdict, rationale, operationId.
CREATE OR REPLACE FUNCTION review.decide_request(p_input jsonb) RETURNS jsonb
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
  v_then jsonb;
  v_terms jsonb;
  v_evidence_id uuid;
  v_result jsonb;
BEGIN
  -- Whoever the outcome rests on, in one order: nobody's rights go away between here and COMMIT.
  PERFORM 1 FROM review.people p WHERE p.person_id::text = current_setting('onceover.actor_id', true)
      OR p.person_id IN (SELECT q.requested_by FROM review.approval_requests q WHERE q.request_id = (p_input->>'requestId')::uuid)
      OR p.person_id IN (SELECT d.approver_id FROM review.approval_decisions d WHERE d.request_id = (p_input->>'requestId')::uuid)
    ORDER BY p.person_id FOR SHARE;
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
  v_then := review.terms_of(r);
  v_terms := review.terms_now(r);
  v_code := CASE
    WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'
    WHEN review.may_decide(v_actor.roles, review.roles_for_request(r.kind), v_actor.authorities, (f.policy).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, review.roles_for_request(r.kind), v_actor.authorities, (f.policy).authority)
    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'
    WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'
    WHEN review.visible_length(p_input->>'rationale') < greatest((v_then->>'minRationale')::integer, (v_terms->>'minRationale')::integer) THEN 'RATIONALE_SHORT'
    WHEN EXISTS (SELECT 1 FROM review.approval_decisions WHERE request_id = r.request_id AND approver_id = v_actor.person_id) THEN 'DECIDED_BY_YOU_ALREADY'
    -- Saying no takes nobody's agreement; saying yes takes a policy in force and a step to say it for.
    WHEN v_step = 'APPROVED' AND v_terms IS NULL THEN 'NO_APPROVAL_POLICY'
    WHEN v_step = 'APPROVED' AND NOT EXISTS (
      SELECT FROM jsonb_array_elements((v_then->'steps') || (v_terms->'steps')) step
      WHERE (step->>'role' IS NULL OR step->>'role' = ANY (v_actor.roles))
        AND coalesce(step->>'authority', 'general') = ANY (v_actor.authorities || 'general'::text)) THEN 'NOT_IN_GROUP' END;
  IF v_code IS NOT NULL THEN
    PERFORM review.audit_request(r, v_step, v_code, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state, 'decidedBy',
      (SELECT p.display_name FROM review.approval_decisions d JOIN review.people p ON p.person_id = d.approver_id
        WHERE d.request_id = r.request_id ORDER BY d.decided_at DESC LIMIT 1));
  END IF;
  IF r.decide_by <= v_now OR r.requested_at + make_interval(secs => (v_terms->>'approvalSeconds')::integer) <= v_now THEN
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

  -- The verdict and what it brings about stand or fall together: what is refused on the way takes the verdict back.
  BEGIN
    INSERT INTO review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, evidence_id, roles, decided_at)
      VALUES (r.request_id, v_actor.person_id, r.requested_by, (p_input->>'operationId')::uuid, p_input->>'verdict', p_input->>'rationale', r.digest,
              v_evidence_id, v_actor.roles, v_now);
    IF v_step = 'REJECTED' THEN
      PERFORM review.end_request(r, 'REJECTED', NULL, NULL, NULL);
    ELSIF review.approvals_refusal(r) IS NULL THEN
      PERFORM review.end_request(r, 'APPROVED', NULL,
        v_now + make_interval(secs => least((v_then->>'executionSeconds')::integer, (v_terms->>'executionSeconds')::integer)), NULL);
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
            RAISE EXCEPTION 'settlement refused' USING ERRCODE = 'OO007', DETAIL = v_code;
          END IF;
        END IF;
        PERFORM review.end_request((SELECT q FROM review.approval_requests q WHERE q.request_id = r.request_id), 'EXECUTED', NULL, NULL, NULL);
        v_result := review.record_decision(f, true, r.request_id, r.params);
        RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'after', v_result->'after');
      END IF;
    END IF;
  EXCEPTION WHEN SQLSTATE 'OO007' THEN
    GET STACKED DIAGNOSTICS v_void = PG_EXCEPTION_DETAIL;
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, (p_input->>'operationId')::uuid, jsonb_build_object('reason', v_void));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', 'VOID', 'voidReason', v_void);
  END;
  PERFORM review.audit_request(r, v_step, NULL, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale', 'evidenceId', v_evidence_id));
  RETURN jsonb_build_object('outcome', 'done', 'state', (SELECT state FROM review.approval_requests WHERE request_id = r.request_id));
END
$$;

DROP FUNCTION review.entitled_approvals(review.approval_requests, text);
