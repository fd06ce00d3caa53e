-- Four eyes, what was still open: replaying a verdict, prolonging a request, carrying a verdict over to another one.
-- Replaced here: decide_request (a verdict that ended its request is answered again as it was; its time by decide_until),
-- execute_reissue (its time by execute_until), refuse_later_rights (no verdict from before its request).

-- Until when a request may be decided: its own instant, and the terms of then and of now. What the digest covers counts, so that
-- an instant that was moved prolongs nothing.
CREATE FUNCTION review.decide_until(r review.approval_requests) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT least(r.decide_by, r.requested_at + make_interval(secs => (review.terms_of(r)->>'approvalSeconds')::integer),
    r.requested_at + make_interval(secs => (review.terms_now(r)->>'approvalSeconds')::integer))
$$;

-- The same for carrying an approved one out.
CREATE FUNCTION review.execute_until(r review.approval_requests) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT least(r.execute_by, r.state_since + make_interval(secs => (review.terms_of(r)->>'executionSeconds')::integer),
    r.state_since + make_interval(secs => (review.terms_now(r)->>'executionSeconds')::integer))
$$;
GRANT EXECUTE ON FUNCTION review.decide_until(review.approval_requests), review.execute_until(review.approval_requests) TO onceover_app;

-- For every writer: a request begins waiting, with nothing decided and nothing made, and with the digest of what it asks.
CREATE FUNCTION review.begin_request() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NEW.state <> 'PENDING' OR num_nonnulls(NEW.execute_by, NEW.new_execution_id) > 0 OR NEW.digest <> review.request_digest(NEW) THEN
    RAISE EXCEPTION 'request % does not begin like this', NEW.request_id USING ERRCODE = 'OO004';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER approval_requests_begin BEFORE INSERT ON review.approval_requests FOR EACH ROW EXECUTE FUNCTION review.begin_request();
ALTER TABLE review.approval_requests ENABLE ALWAYS TRIGGER approval_requests_begin;

-- A verdict is about its own request: one from before cannot be carried over to it. An approval belongs to the group of a step, by
-- rights that are older than the request.
CREATE OR REPLACE FUNCTION review.refuse_later_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
BEGIN
  SELECT * INTO r FROM review.approval_requests WHERE request_id = NEW.request_id;
  IF NEW.decided_at < r.requested_at THEN
    RAISE EXCEPTION 'the verdict is older than request %', NEW.request_id USING ERRCODE = 'OA013';
  END IF;
  IF review.rights_are_older(NEW.approver_id, NEW.request_id) IS NOT TRUE
     OR NEW.verdict = 'APPROVE' AND NOT EXISTS (
       SELECT FROM (SELECT review.terms_of(r) AS terms UNION ALL SELECT review.terms_now(r)) known, jsonb_array_elements(terms->'steps') step
       WHERE review.fits_step(NEW.approver_id, r, step)) THEN
    RAISE EXCEPTION 'the right is newer than request %', NEW.request_id USING ERRCODE = 'OA013';
  END IF;
  RETURN NULL;
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
        WHERE d.request_id = r.request_id ORDER BY d.decided_at DESC LIMIT 1));
  END IF;
  IF review.decide_until(r) <= v_now THEN
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
  f.input := jsonb_build_object('operationId', r.operation_id, 'rationale', v_approval.rationale, 'evidenceId', p_lookup_id);
  -- New work does not answer what became of the original: only the conflict that asked for it is settled.
  PERFORM review.record_decision(f, r.relation <> 'NEW_WORK' OR (f.exception).kind = 'CONTENT_CONFLICT', r.request_id,
    jsonb_build_object('newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id, 'relation', r.relation));
  RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id);
END
$$;
