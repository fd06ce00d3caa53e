-- Reviewing one's own emergency is an attempted self-approval, and an emergency ends with the request's time by the terms then and now.
-- Replaced here: break_glass (time by decide_until), review_break_glass (one's own).

-- input: requestId, digest (of what was shown), reason, operationId. The request waits; everything but the approvals has to hold.
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
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  r := review.held_request(r.request_id);
  v_now := ledger.clock();
  IF EXISTS (SELECT FROM review.break_glass_uses WHERE operation_id = (p_input->>'operationId')::uuid AND used_by = v_actor.person_id) THEN
    RETURN '{"outcome": "done", "repeated": true}';
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = r.execution_id;
  v_code := CASE
    WHEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority)
    WHEN NOT 'break-glass' = ANY (v_actor.authorities) THEN 'BREAK_GLASS_AUTHORITY_MISSING'
    WHEN review.may_break_glass(v_actor.person_id, r.request_id) IS NOT TRUE THEN 'RIGHT_TOO_NEW'
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

-- input: requestId, finding JUSTIFIED | NOT_JUSTIFIED, rationale, operationId.
CREATE OR REPLACE FUNCTION review.review_break_glass(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  r review.approval_requests;
  u review.break_glass_uses;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids)
     OR NOT EXISTS (SELECT FROM review.break_glass_uses WHERE request_id = r.request_id) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  SELECT * INTO u FROM review.break_glass_uses WHERE request_id = r.request_id FOR NO KEY UPDATE;
  IF u.reviewed_by = v_actor.person_id AND EXISTS (SELECT FROM review.audit_events
       WHERE operation_id = (p_input->>'operationId')::uuid AND actor_id = v_actor.person_id::text AND outcome = 'done') THEN
    RETURN '{"outcome": "done", "repeated": true}';
  END IF;
  v_code := coalesce(
    CASE WHEN v_actor.person_id IN (u.used_by, r.requested_by) THEN 'SELF_APPROVAL' END,
    review.may_decide(v_actor.roles, ARRAY['APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority),
    CASE WHEN review.took_part(v_actor.person_id, r.request_id) THEN 'TOOK_PART'
         WHEN u.reviewed_at IS NOT NULL THEN 'REQUEST_ENDED'
         WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  IF v_code IS NULL THEN
    UPDATE review.break_glass_uses SET reviewed_by = v_actor.person_id, reviewed_at = ledger.clock(), finding = p_input->>'finding',
        review_rationale = p_input->>'rationale' WHERE request_id = r.request_id;
  END IF;
  RETURN review.answer_break_glass(r, 'break_glass.reviewed', v_code, (p_input->>'operationId')::uuid,
    jsonb_build_object('finding', p_input->>'finding', 'rationale', p_input->>'rationale', 'usedBy', u.used_by));
END
$$;
