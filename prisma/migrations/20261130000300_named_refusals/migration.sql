-- What the ledger would refuse inside a decision is a named refusal of the desk, told and audited: at the request where the
-- facts are known, and again at the verdict (R-066, R-083).

-- R-014: the first link of a result stands. Judged as the index executions_result_is_linked_once does.
CREATE FUNCTION review.is_linked_elsewhere(p_row ledger.executions, p_result_id text) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT NOT p_row.result_shared AND EXISTS (
    SELECT 1 FROM ledger.executions other
    WHERE other.tenant_id = p_row.tenant_id AND other.result_id = p_result_id AND NOT other.result_shared
      AND other.execution_id <> p_row.execution_id
      AND coalesce(other.target_system, '') = coalesce(p_row.target_system, '')
      AND coalesce(other.target_account, '') = coalesce(p_row.target_account, ''))
$$;

-- For pages: which of these results cannot count for the execution, because another one has them.
CREATE FUNCTION review.results_linked_elsewhere(p_execution_id uuid, p_result_ids text[]) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(named.id), '{}') FROM unnest(p_result_ids) AS named (id)
  JOIN ledger.executions e ON e.execution_id = p_execution_id
  WHERE review.is_linked_elsewhere(e, named.id)
$$;
GRANT EXECUTE ON FUNCTION review.results_linked_elsewhere(uuid, text[]) TO onceover_app;

-- Which effect counts, the impact, and the other's fate (RESULT_MISMATCH, DUPLICATE_RESULT, CONTRADICTED_DECISION).
-- input: outcome APPLIED | NOT_OURS, resultId, resultUrl, businessImpact, otherFate KEPT | COMPENSATED | ATTRIBUTED, compensationId.
CREATE OR REPLACE FUNCTION review.request_effect_settlement(p_input jsonb) RETURNS jsonb
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
    WHEN p_input->>'outcome' = 'APPLIED' AND review.is_linked_elsewhere(f.execution, p_input->>'resultId') THEN 'RESULT_LINKED_ELSEWHERE'
    WHEN coalesce(p_input->>'otherFate', '') NOT IN ('KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE') THEN 'OTHER_FATE_MISSING'
    WHEN p_input->>'otherFate' = 'COMPENSATED' AND coalesce(p_input->>'compensationId', '') = '' THEN 'COMPENSATION_ID_MISSING'
    WHEN review.visible_length(p_input->>'businessImpact') NOT BETWEEN 3 AND 1000 THEN 'BUSINESS_IMPACT_MISSING' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.file_request(f, 'SETTLE_EFFECT', NULL, NULL, jsonb_build_object('outcome', p_input->>'outcome', 'resultId', p_input->>'resultId',
    'resultUrl', p_input->>'resultUrl', 'businessImpact', p_input->>'businessImpact', 'otherFate', p_input->>'otherFate', 'compensationId', p_input->>'compensationId'));
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

  -- The verdict and what it brings about stand or fall together: what is refused on the way takes the verdict back.
  BEGIN
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
