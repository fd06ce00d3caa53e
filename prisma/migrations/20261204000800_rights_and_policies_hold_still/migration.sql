-- R-070, R-078a, R-081: whoever's right is counted besides the caller's own is locked until COMMIT, and so are the policies that are
-- read. A demotion or a stricter policy that commits first wins; one that commits later comes after.
-- One order for all: request, people by id, operation policy, approval policy, rows, the audit's head.

-- Guarantee: nobody's rights among these and the actor's go away before this transaction ends. Before any row but people's.
CREATE FUNCTION review.hold_people(p_person_ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM review.people p WHERE p.person_id = ANY (p_person_ids) OR p.person_id::text = current_setting('onceover.actor_id', true)
    ORDER BY p.person_id FOR SHARE;
END
$$;

-- The one number of the lock between an operation's approval policy and those who decide by it.
CREATE FUNCTION review.approval_policy_lock(p_tenant_id text, p_operation text) RETURNS bigint
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
RETURN hashtextextended('onceover decisions by policy ' || p_tenant_id || ' ' || p_operation, 0);

-- Guarantee: the policies read next stay in force until this transaction ends. After people, before any other row.
CREATE FUNCTION review.hold_policies(p_tenant_id text, p_operation text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM ledger.hold_policy(p_tenant_id, p_operation);
  PERFORM pg_advisory_xact_lock_shared(review.approval_policy_lock('*', '*'));
  PERFORM pg_advisory_xact_lock_shared(review.approval_policy_lock(p_tenant_id, p_operation));
END
$$;

-- Guarantee: what a request rests on beside its rows stays as it is. The request's own lock comes first: whoever adds a verdict
-- holds it, so the people named are all there are, and no rival names one more while this one waits.
CREATE FUNCTION review.hold_basis(p_request_id uuid) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover request ' || p_request_id, 0));
  SELECT * INTO r FROM review.approval_requests WHERE request_id = p_request_id;
  PERFORM review.hold_people(ARRAY(
    SELECT r.requested_by
    UNION SELECT approver_id FROM review.approval_decisions WHERE request_id = p_request_id
    UNION SELECT used_by FROM review.break_glass_uses WHERE request_id = p_request_id));
  PERFORM review.hold_policies(r.tenant_id, r.operation);
END
$$;
REVOKE ALL ON FUNCTION review.hold_people(uuid[]), review.approval_policy_lock(text, text), review.hold_policies(text, text),
  review.hold_basis(uuid) FROM PUBLIC;

-- Whoever writes a policy, in whatever way, waits for those who decide under the one before. It fires before the guard reads.
CREATE FUNCTION review.meet_decisions() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(review.approval_policy_lock(NEW.tenant_id, NEW.operation));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION review.meet_decisions() FROM PUBLIC;
CREATE TRIGGER approval_policies_0_meet_decisions BEFORE INSERT ON review.approval_policies
  FOR EACH ROW EXECUTE FUNCTION review.meet_decisions();
ALTER TABLE review.approval_policies ENABLE ALWAYS TRIGGER approval_policies_0_meet_decisions;

-- Changed: it holds everybody whom the request names once nobody can add a name, and the policies.
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
  PERFORM review.hold_basis((p_input->>'requestId')::uuid);
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
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  v_code := CASE WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'
    ELSE review.may_decide(v_actor.roles, review.roles_for_request(r.kind), v_actor.authorities, (f.policy).authority) END;
  IF v_code IS NULL THEN v_code := review.judge_operation_id('request ' || v_step, p_input); END IF;
  IF v_code = 'REPEATED' THEN
    -- The same click once more, when the first one found the request over: its answer stays what it was.
    v_ended := (SELECT split_part(event, '.', 2) FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid
                  AND split_part(event, '.', 2) IN ('voided', 'expired') AND outcome = 'done');
    RETURN CASE v_ended
      WHEN 'voided' THEN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', r.state, 'voidReason', r.void_reason)
      WHEN 'expired' THEN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_EXPIRED', 'state', r.state)
      ELSE jsonb_build_object('outcome', 'done', 'repeated', true, 'state', r.state, 'newExecutionId', r.new_execution_id) END;
  END IF;
  v_then := review.terms_of(r);
  v_terms := review.terms_now(r);
  v_code := CASE
    WHEN v_code IS NOT NULL THEN v_code
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

-- Changed: the same.
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
  PERFORM review.hold_basis(p_request_id);
  SELECT * INTO STRICT r FROM review.approval_requests WHERE request_id = p_request_id;
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

-- Changed: the same, for the requester whose right is counted as well.
CREATE OR REPLACE FUNCTION review.break_glass(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  r review.approval_requests;
  v_row ledger.executions;
  v_now timestamptz;
  v_code text;
BEGIN
  PERFORM review.hold_basis((p_input->>'requestId')::uuid);
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  r := review.held_request(r.request_id);
  v_now := ledger.clock();
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = r.execution_id;
  v_code := CASE
    WHEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority)
    WHEN NOT 'break-glass' = ANY (v_actor.authorities) THEN 'BREAK_GLASS_AUTHORITY_MISSING'
    WHEN review.may_break_glass(v_actor.person_id, r.request_id) IS NOT TRUE THEN 'RIGHT_TOO_NEW'
    ELSE review.judge_operation_id('break_glass.used', p_input) END;
  IF v_code = 'REPEATED' THEN RETURN review.first_answer((p_input->>'operationId')::uuid); END IF;
  v_code := CASE
    WHEN v_code IS NOT NULL THEN v_code
    WHEN r.kind <> 'REISSUE' THEN 'DECISION_NOT_FOR_KIND'
    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'
    WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 20 AND 4000 THEN 'RATIONALE_SHORT'
    WHEN review.decide_until(r) <= v_now THEN 'REQUEST_EXPIRED'
    WHEN review.request_basis_lost(r, v_row) IS NOT NULL THEN 'CHANGED_SINCE_SEEN'
    WHEN review.terms_now(r) IS NULL THEN 'NO_APPROVAL_POLICY'
    -- What ranks lower can wait for its approver.
    WHEN (SELECT severity FROM review.exceptions WHERE exception_id = r.exception_id) > 2 THEN 'NOT_AN_EMERGENCY'
    WHEN EXISTS (SELECT FROM review.break_glass_uses WHERE used_by = v_actor.person_id AND reviewed_at IS NULL) THEN 'BREAK_GLASS_UNREVIEWED' END;
  IF v_code IS NULL THEN
    INSERT INTO review.break_glass_uses (request_id, operation_id, tenant_id, used_by, roles, reason, used_at, expires_at)
      VALUES (r.request_id, (p_input->>'operationId')::uuid, r.tenant_id, v_actor.person_id, v_actor.roles, p_input->>'reason', v_now, v_now + interval '15 minutes');
    PERFORM review.end_request(r, 'APPROVED', NULL, v_now + interval '15 minutes', NULL);
    PERFORM review.enqueue('execute-reissue', jsonb_build_object('requestId', r.request_id), 'execute-reissue:' || r.request_id);
    PERFORM review.enqueue('tell-managers', jsonb_build_object('requestId', r.request_id), 'tell-managers:' || r.request_id);
  END IF;
  RETURN review.answer_break_glass(r, 'break_glass.used', v_code, (p_input->>'operationId')::uuid, jsonb_build_object('reason', p_input->>'reason'));
END
$$;

-- Changed: a policy that makes a decision take more is met before the rows.
CREATE OR REPLACE FUNCTION review.open_decision(p_decision text, p_input jsonb) RETURNS review.decision_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_actor record;
  v_execution_id uuid;
  v_rule review.decision_rules;
  v_rights text;
  v_told text;
BEGIN
  f.decision := p_decision;
  f.input := p_input;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person decides' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.actor_roles := v_actor.roles;
  SELECT execution_id INTO v_execution_id FROM review.exceptions WHERE exception_id = (p_input->>'exceptionId')::uuid;
  PERFORM review.hold_policies(tenant_id, operation) FROM review.exceptions WHERE exception_id = (p_input->>'exceptionId')::uuid;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = v_execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = (p_input->>'exceptionId')::uuid FOR NO KEY UPDATE;
  -- Another tenant's exception and a missing one are the same answer.
  IF NOT FOUND OR NOT (f.exception).tenant_id = ANY (v_actor.tenant_ids) THEN
    f.exception := NULL;
    f.execution := NULL;
    f.refusal := 'NOT_FOUND';
    RETURN f;
  END IF;
  f.now := ledger.clock();
  f.policy := ledger.policy_for((f.exception).tenant_id, (f.exception).operation);
  SELECT * INTO v_rule FROM review.decision_rules WHERE kind = (f.exception).kind AND decision = p_decision;
  -- What was decided may have made it another kind of exception, which changes nothing about who may hear of it.
  v_rights := review.may_decide(v_actor.roles, coalesce(v_rule.roles, ARRAY(SELECT unnest(roles) FROM review.decision_rules WHERE decision = p_decision)),
    v_actor.authorities, (f.policy).authority);
  -- Asked under the locks: the same click, sent twice at the same moment, decides once and is told so twice.
  IF v_rights IS NULL THEN
    v_told := review.judge_operation_id(p_decision, p_input);
    IF v_told = 'REPEATED' THEN
      f.repeated := review.first_answer((p_input->>'operationId')::uuid);
      RETURN f;
    END IF;
  END IF;
  f.refusal := CASE
    WHEN v_told IS NOT NULL THEN v_told
    WHEN (f.exception).state = 'CLOSED' THEN 'EXCEPTION_CLOSED'
    WHEN v_rule.kind IS NULL THEN 'DECISION_NOT_FOR_KIND'
    ELSE coalesce(
      v_rights,
      CASE WHEN (f.exception).version <> (p_input->>'exceptionVersion')::bigint
             OR (f.execution).version IS DISTINCT FROM (p_input->>'executionVersion')::bigint THEN 'CHANGED_SINCE_SEEN' END,
      CASE WHEN p_decision NOT IN ('LINK_RESULT', 'CONFIRM_KNOWN_RESULT')
             AND review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END)
  END;
  RETURN f;
END
$$;

-- Changed: whoever asked for a grant, a policy or a connector is held with the one who confirms it.
CREATE OR REPLACE FUNCTION review.open_people(p_event text, p_input jsonb) RETURNS review.people_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame;
  v_actor record;
BEGIN
  f.event := p_event;
  f.input := p_input;
  -- One order for all, so that two administrators who act on each other do not wait in a circle. Whoever gave the first
  -- word for what is decided is one of them: it counts only with their right, and nothing ever names another one.
  PERFORM 1 FROM review.people
    WHERE person_id::text IN (p_input->>'personId', current_setting('onceover.actor_id', true))
      OR person_id IN (SELECT requested_by FROM review.right_grants WHERE grant_id = (p_input->>'grantId')::uuid
           UNION SELECT requested_by FROM review.policy_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid
           UNION SELECT requested_by FROM review.connector_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid)
    ORDER BY person_id FOR NO KEY UPDATE;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person manages people' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.tenant_ids := v_actor.tenant_ids;
  f.now := ledger.clock();
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = (p_input->>'personId')::uuid;
  f.refusal := CASE
    -- One's own sessions are everybody's.
    WHEN p_event = 'session.ended' AND (f.person).person_id = f.actor_id THEN NULL
    WHEN NOT 'ADMIN' = ANY (v_actor.roles) THEN 'ROLE_MISSING'
    WHEN NOT p_input ? 'personId' THEN NULL
    WHEN (f.person).person_id IS NULL
      -- R-098: somebody of other tenants only is simply not there.
      OR NOT ((f.person).tenant_ids && v_actor.tenant_ids OR cardinality((f.person).tenant_ids) = 0) THEN 'NOT_FOUND' END;
  IF f.refusal IS NULL THEN
    f.refusal := review.judge_operation_id(p_event, p_input);
    f.repeated := f.refusal = 'REPEATED';
  END IF;
  RETURN f;
END
$$;

-- Changed: whoever is put in charge is held with the one who assigns.
CREATE OR REPLACE FUNCTION review.assign_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_assignee uuid := (p_input->>'assigneeId')::uuid;
  v_detail jsonb;
BEGIN
  PERFORM review.hold_people(ARRAY[v_assignee]);
  f := review.open_desk_act('exception.assigned', p_input);
  v_detail := jsonb_build_object('from', (f.exception).assignee_id, 'to', v_assignee);
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL AND v_assignee IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM review.people WHERE person_id = v_assignee AND disabled_at IS NULL AND (f.exception).tenant_id = ANY (tenant_ids)
        AND roles && ARRAY['OPERATOR', 'APPROVER']) THEN
    f.refusal := 'ASSIGNEE_NOT_SUITABLE';
  END IF;
  IF f.refusal IS NULL THEN
    UPDATE review.exceptions SET assignee_id = v_assignee,
        deferred_until = CASE WHEN v_assignee IS NULL THEN NULL ELSE deferred_until END
      WHERE exception_id = (f.exception).exception_id;
  END IF;
  RETURN review.end_desk_act(f, 'exception.assigned', f.refusal, 'assigned', v_detail);
END
$$;
