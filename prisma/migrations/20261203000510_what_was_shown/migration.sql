-- R-086: an event tells a look as it was judged then, and a decision by what the person was shown when they pressed, apart from
-- the look that the system made inside the decision. For approvals it tells what was at stake and what the policy asked for.
-- Replaced here: add_lookup (horizon and whether it proves anything), record_decision, file_request, decide_request,
-- execute_reissue and answer_break_glass (what was shown, and the members of review.approval_basis). A verdict that found its
-- request over leaves an event of its own beside the request's end, and only a request that was decided names who did.

-- The look that the form showed; null where it showed none. What carries the decision is evidence_id.
ALTER TABLE review.decisions ADD COLUMN shown_evidence_id uuid REFERENCES review.lookups (lookup_id);
ALTER TABLE review.approval_decisions ADD COLUMN shown_evidence_id uuid REFERENCES review.lookups (lookup_id);

-- What a form says that it showed counts only if it is a look at this execution.
CREATE FUNCTION review.shown_look(p_input jsonb, p_execution_id uuid) RETURNS uuid
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT lookup_id FROM review.lookups WHERE lookup_id = (p_input->>'shownEvidenceId')::uuid AND execution_id = p_execution_id $$;

-- What approvals are judged by, as it is at this moment: the authority, the policy's version and the steps that the person's word
-- counts for (without a person all of them), and for a new key what stands together.
CREATE FUNCTION review.approval_basis(r review.approval_requests, p_person_id uuid) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'authorityNeeded', (ledger.policy_for(r.tenant_id, r.operation)).authority,
    'approvalPolicyVersion', review.terms_of(r)->'version',
    'approvalSteps', (SELECT jsonb_agg(n ORDER BY n) FROM jsonb_array_elements(review.terms_of(r)->'steps') WITH ORDINALITY AS steps (step, n)
      WHERE p_person_id IS NULL OR review.fits_step(p_person_id, r, step)),
    'exposure', CASE WHEN r.kind = 'REISSUE' THEN
      (SELECT review.reissue_exposure(e, r.intake_id) FROM ledger.executions e WHERE e.execution_id = r.execution_id) END))
$$;

-- Adds the row, as before; the event tells as well from when on it proves something, and whether it did when it was recorded.
CREATE OR REPLACE FUNCTION review.add_lookup(p review.lookups, p_version bigint, p_event text, p_ending text, p_operation_id uuid) RETURNS uuid
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_policy ledger.operation_policies;
  v_proves_from timestamptz;
BEGIN
  SELECT * INTO STRICT v_row FROM ledger.executions WHERE execution_id = p.execution_id;
  v_policy := ledger.policy_for(v_row.tenant_id, v_row.operation);
  p.lookup_id := ledger.new_id();
  p.tenant_id := v_row.tenant_id;
  p.execution_version := p_version;
  p.subject_key := v_row.idempotency_key;
  p.subject_fingerprint := v_row.fingerprint;
  p.subject_content_version := v_row.content_version;
  p.subject_account := v_row.target_account;
  p.checked_by := current_setting('onceover.actor_id', true);
  p.automatic := p.connector_id IS NOT NULL AND current_setting('onceover.actor_kind', true) = 'system';
  p.recorded_at := ledger.clock();
  p.evidence_digest := review.evidence_digest(p);
  IF p.exception_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM review.exceptions x WHERE x.exception_id = p.exception_id AND x.execution_id = p.execution_id) THEN
    RAISE EXCEPTION 'exception % is not about execution %', p.exception_id, p.execution_id USING ERRCODE = 'OO005';
  END IF;
  v_proves_from := review.usable_from(p.execution_id, p.checked_at, p.usable_from);
  INSERT INTO review.lookups SELECT p.*;

  IF p.exception_id IS NOT NULL THEN
    PERFORM review.note_event(p.exception_id, 'evidence', jsonb_build_object('lookupId', p.lookup_id, 'outcome', p.outcome,
      'verdict', p.verdict, 'connectorId', p.connector_id, 'resultId', p.result_id));
    IF p_ending IS NOT NULL THEN
      PERFORM review.note_event(p.exception_id, 'lookup_ended', jsonb_build_object('lookupId', p.lookup_id, 'because', p_ending));
    END IF;
    -- Callers are told when to ask again; a person's own date stands.
    UPDATE review.exceptions SET next_check_at = p.next_check_at
      WHERE exception_id = p.exception_id AND state = 'OPEN' AND deferred_until IS NULL AND p.next_check_at IS NOT NULL;
  END IF;
  -- R-061: several effects of one intent. A set of effects that a person has settled does not open again.
  IF p.outcome = 'MULTIPLE' AND v_policy.proof = 'PRESENCE' AND NOT EXISTS (
      SELECT 1 FROM review.exceptions x WHERE x.execution_id = p.execution_id AND x.kind = 'DUPLICATE_RESULT' AND x.closing = 'DECISION'
        AND x.detail->'candidateIds' = review.candidate_ids(p.candidates)) THEN
    PERFORM review.open_exception(p.execution_id, 'DUPLICATE_RESULT', 'LOOKUP_FOUND_SEVERAL', jsonb_build_object('lookupId', p.lookup_id,
      'matches', p.matches, 'candidateIds', review.candidate_ids(p.candidates)));
  END IF;
  PERFORM review.append_audit(p_event, 'done', NULL, p.tenant_id, p.exception_id, p.execution_id, NULL, v_row.operation, p_operation_id,
    jsonb_build_object('lookupId', p.lookup_id, 'connectorId', p.connector_id, 'connectorVersion', p.connector_version,
      'outcome', p.outcome, 'externalStatus', p.external_status, 'verdict', p.verdict, 'resultId', p.result_id,
      'errorClass', p.error_class, 'place', p.place, 'seen', p.seen, 'automatic', p.automatic, 'executionVersion', p.execution_version,
      'checkedAt', ledger.instant(p.checked_at), 'evidenceDigest', p.evidence_digest,
      'provesFrom', CASE WHEN p.verdict = 'NOT_APPLIED' THEN ledger.instant(v_proves_from) END,
      'provesUntil', ledger.instant(p.usable_until),
      'conclusive', p.verdict IN ('APPLIED', 'NOT_APPLIED') AND NOT (p.verdict = 'NOT_APPLIED' AND p.checked_at < v_proves_from)
        AND coalesce(p.usable_until > p.checked_at, true)));
  RETURN p.lookup_id;
END
$$;

-- Records the decision, closes what it settles, appends the audit event: always the last step.
CREATE OR REPLACE FUNCTION review.record_decision(f review.decision_frame, p_closes boolean, p_request_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_id uuid := ledger.new_id();
  v_after jsonb;
  v_closed uuid;
  v_closed_ids uuid[] := '{}';
  v_row ledger.executions;
  v_shown uuid := review.shown_look((f).input, ((f).execution).execution_id);
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = ((f).execution).execution_id;
  v_after := review.snapshot(v_row);
  INSERT INTO review.decisions (decision_id, operation_id, tenant_id, exception_id, exception_kind, execution_id, operation, decision, actor_id,
                                actor_roles, rationale, evidence_id, shown_evidence_id, approval_request_id, params, before, after, decided_at)
    VALUES (v_id, ((f).input->>'operationId')::uuid, ((f).exception).tenant_id, ((f).exception).exception_id, ((f).exception).kind,
            ((f).execution).execution_id, ((f).exception).operation, (f).decision, (f).actor_id, (f).actor_roles, (f).input->>'rationale',
            ((f).input->>'evidenceId')::uuid, v_shown, p_request_id, p_params, review.snapshot((f).execution), v_after, (f).now);
  PERFORM review.note_event(((f).exception).exception_id, 'decided', jsonb_build_object('decision', (f).decision, 'decisionId', v_id));
  IF p_closes THEN
    FOR v_closed IN
      UPDATE review.exceptions SET state = 'CLOSED', closed_at = (f).now, closed_by = (f).actor_id::text, closing = 'DECISION',
          closing_code = (f).decision, decision_id = v_id, deferred_until = NULL
        WHERE state = 'OPEN' AND (exception_id = ((f).exception).exception_id
          OR (execution_id = ((f).execution).execution_id AND kind = ANY (review.kinds_settled_by((f).decision, ((f).exception).kind))))
        RETURNING exception_id
    LOOP
      v_closed_ids := v_closed_ids || v_closed;
      PERFORM review.note_event(v_closed, 'closed', jsonb_build_object('by', 'decision', 'decisionId', v_id));
    END LOOP;
  END IF;
  PERFORM review.append_audit((SELECT event FROM review.decision_events WHERE decision = (f).decision), 'done', NULL,
    ((f).exception).tenant_id, ((f).exception).exception_id, ((f).execution).execution_id, p_request_id, ((f).exception).operation,
    ((f).input->>'operationId')::uuid,
    jsonb_build_object('decision', (f).decision, 'decisionId', v_id, 'kind', ((f).exception).kind, 'before', review.snapshot((f).execution), 'after', v_after,
      'rationale', (f).input->>'rationale', 'evidenceId', (f).input->>'evidenceId', 'shownEvidenceId', v_shown, 'authorityNeeded', ((f).policy).authority,
      'params', p_params, 'closed', to_jsonb(v_closed_ids))
    || coalesce((SELECT review.approval_basis(r, (f).actor_id) FROM review.approval_requests r WHERE r.request_id = p_request_id), '{}')
    || CASE WHEN current_setting('onceover.actor_kind', true) = 'person' THEN '{}'::jsonb ELSE jsonb_build_object('onBehalfOf', (f).actor_id) END);
  RETURN jsonb_build_object('outcome', 'done', 'decisionId', v_id, 'after', v_after, 'closed', to_jsonb(v_closed_ids));
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
  r.terms := review.approval_terms(p_kind, (f).execution, p_intake_id, p_relation);
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
    jsonb_build_object('before', review.snapshot((f).execution), 'rationale', r.rationale, 'evidenceId', r.evidence_id,
      'shownEvidenceId', review.shown_look((f).input, r.execution_id), 'relation', p_relation,
      'intakeId', p_intake_id, 'params', r.params, 'digest', r.digest) || review.approval_basis(r, NULL));
  RETURN jsonb_build_object('outcome', 'requested', 'requestId', r.request_id);
END
$$;

-- R-070 One verdict of one person. input: requestId, digest (of what was shown), verdict, rationale, shownEvidenceId, operationId.
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
  v_ended text;
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
  -- The same click once more, when the first one found the request over: its answer stays what it was.
  v_ended := (SELECT split_part(event, '.', 2) FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid
                AND actor_id = v_actor.person_id::text AND approval_request_id = r.request_id AND outcome = 'done');
  IF v_ended IN ('voided', 'expired') THEN
    RETURN jsonb_build_object('outcome', 'refused', 'code', CASE v_ended WHEN 'voided' THEN 'REQUEST_VOID' ELSE 'REQUEST_EXPIRED' END,
      'state', r.state) || CASE v_ended WHEN 'voided' THEN jsonb_build_object('voidReason', r.void_reason) ELSE '{}' END;
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
        WHERE d.request_id = r.request_id AND r.state IN ('APPROVED', 'REJECTED', 'EXECUTED') ORDER BY d.decided_at DESC LIMIT 1));
  END IF;
  IF review.decide_until(r) <= v_now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, (p_input->>'operationId')::uuid, '{"limit": "decision"}');
    PERFORM review.audit_request(r, v_step, 'REQUEST_EXPIRED', (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_EXPIRED', 'state', 'EXPIRED');
  END IF;
  v_void := review.request_basis_lost(r, f.execution);
  IF v_void IS NOT NULL THEN
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, (p_input->>'operationId')::uuid, jsonb_build_object('reason', v_void));
    PERFORM review.audit_request(r, v_step, 'REQUEST_VOID', (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
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
    INSERT INTO review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, evidence_id,
        shown_evidence_id, roles, decided_at)
      VALUES (r.request_id, v_actor.person_id, r.requested_by, (p_input->>'operationId')::uuid, p_input->>'verdict', p_input->>'rationale', r.digest,
              v_evidence_id, review.shown_look(p_input, r.execution_id), v_actor.roles, v_now);
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
        f.input := jsonb_build_object('operationId', p_input->>'operationId', 'rationale', p_input->>'rationale', 'evidenceId', coalesce(v_evidence_id, r.evidence_id),
          'shownEvidenceId', p_input->>'shownEvidenceId');
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
    PERFORM review.audit_request(r, v_step, 'REQUEST_VOID', (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', 'VOID', 'voidReason', v_void);
  END;
  PERFORM review.audit_request(r, v_step, NULL, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale', 'evidenceId', v_evidence_id,
      'shownEvidenceId', review.shown_look(p_input, r.execution_id)) || review.approval_basis(r, v_actor.person_id));
  RETURN jsonb_build_object('outcome', 'done', 'state', (SELECT state FROM review.approval_requests WHERE request_id = r.request_id));
END
$$;

-- Makes the approved key, once. Every step has to pass at this moment, under the policy of the request and that of now; for
-- the key of a broken glass its user answers.
CREATE OR REPLACE FUNCTION review.execute_reissue(p_request_id uuid, p_lookup_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  f review.decision_frame;
  v_lookup review.lookups;
  v_intake ledger.intakes;
  v_approval review.approval_decisions;
  v_use record;
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
  IF review.execute_until(r) <= f.now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, '{"limit": "execution"}');
    RETURN '{"outcome": "ended", "state": "EXPIRED"}';
  END IF;
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  SELECT * INTO v_approval FROM review.approval_decisions WHERE request_id = r.request_id AND verdict = 'APPROVE' ORDER BY decided_at DESC LIMIT 1;
  -- Whoever broke the glass answers for it in the place of those who approve.
  SELECT used_by, reason, roles, used_at INTO v_use FROM review.break_glass_uses WHERE request_id = r.request_id;
  IF FOUND THEN
    v_approval.approver_id := v_use.used_by;
    v_approval.rationale := v_use.reason;
    v_approval.roles := v_use.roles;
    v_approval.decided_at := v_use.used_at;
    v_approval.shown_evidence_id := NULL;
  END IF;

  v_void := coalesce(
    review.request_basis_lost(r, f.execution),
    CASE WHEN review.reissue_is_blocked((f.execution).lineage_id) THEN 'LINEAGE_UNDER_REVIEW' END,
    review.approvals_refusal(r),
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
      coalesce(v_intake.fingerprint, o.fingerprint), coalesce(v_intake.fingerprint_algorithm, o.fingerprint_algorithm),
      coalesce(v_intake.policy_version, CASE WHEN v_intake.intake_id IS NULL THEN o.policy_version ELSE (f.policy).version END),
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
  f.input := jsonb_build_object('operationId', r.operation_id, 'rationale', v_approval.rationale, 'evidenceId', p_lookup_id,
    'shownEvidenceId', v_approval.shown_evidence_id);
  -- New work does not answer what became of the original: only the conflict that asked for it is settled.
  PERFORM review.record_decision(f, r.relation <> 'NEW_WORK' OR (f.exception).kind = 'CONTENT_CONFLICT', r.request_id,
    jsonb_build_object('newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id, 'relation', r.relation));
  RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id);
END
$$;

CREATE OR REPLACE FUNCTION review.answer_break_glass(r review.approval_requests, p_event text, p_refusal text, p_operation_id uuid, p_body jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, r.tenant_id, r.exception_id,
    r.execution_id, r.request_id, r.operation, p_operation_id, p_body || jsonb_build_object('digest', r.digest, 'requestedBy', r.requested_by)
      || CASE WHEN p_event = 'break_glass.used' THEN review.approval_basis(r, NULL) ELSE '{}'::jsonb END);
  RETURN CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) END;
END
$$;
