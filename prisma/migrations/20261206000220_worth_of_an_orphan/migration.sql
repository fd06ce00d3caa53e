-- R-081 What an effect that no execution knows is worth counts for the thresholds of its settlement, as every other amount does: the
-- report's column for the policy's value field. Until now it was unknown, so that every threshold counted, and nobody was shown an amount.
-- R-056 Of such an effect its own result counts, or none.
-- Replaced here: file_request and terms_now (the subject by its exception), approval_basis (an orphan's value and account are told),
-- request_effect_settlement (another result is refused).

-- Whom approval terms are asked for: the execution, or of an effect that none knows a row with what its report says.
CREATE FUNCTION review.subject_of_terms(p_row ledger.executions, p_exception_id uuid) RETURNS ledger.executions
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  x review.exceptions;
BEGIN
  IF p_row.execution_id IS NULL THEN
    SELECT * INTO x FROM review.exceptions WHERE exception_id = p_exception_id;
    p_row.tenant_id := x.tenant_id;
    p_row.operation := x.operation;
    p_row.target_system := x.detail->>'system';
    p_row.target_account := x.detail->>'account';
    p_row.display_fields := (SELECT jsonb_object_agg(substring(f->>'field' FROM '^\{display:(.*)\}$'), f->'found')
      FROM jsonb_array_elements(CASE jsonb_typeof(x.detail->'found') WHEN 'array' THEN x.detail->'found' ELSE '[]' END) f
      WHERE f->>'field' ~ '^\{display:.+\}$');
  END IF;
  RETURN p_row;
END
$$;
REVOKE EXECUTE ON FUNCTION review.subject_of_terms(ledger.executions, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.subject_of_terms(ledger.executions, uuid) TO onceover_app;

CREATE OR REPLACE FUNCTION review.file_request(f review.decision_frame, p_kind text, p_relation text, p_intake_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  v_constraint text;
  -- What a person saw is part of what the request stands on, and of its digest.
  v_contrary review.lookups;
  v_subject ledger.executions := review.subject_of_terms((f).execution, ((f).exception).exception_id);
BEGIN
  r.terms := review.approval_terms(p_kind, v_subject, p_intake_id, p_relation);
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
    IF v_constraint NOT IN ('approval_requests_one_in_flight', 'approval_requests_one_in_flight_alone') THEN RAISE; END IF;
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

CREATE OR REPLACE FUNCTION review.terms_now(r review.approval_requests) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.approval_terms(r.kind, review.subject_of_terms(
    (SELECT e FROM ledger.executions e WHERE e.execution_id = r.execution_id), r.exception_id), r.intake_id, r.relation)
$$;

DROP FUNCTION review.subject_of_terms(ledger.executions, text, text);

CREATE OR REPLACE FUNCTION review.approval_basis(r review.approval_requests, p_person_id uuid) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'authorityNeeded', (ledger.policy_for(r.tenant_id, r.operation)).authority,
    'approvalPolicyVersion', review.terms_of(r)->'version',
    'approvalSteps', (SELECT jsonb_agg(n ORDER BY n) FROM jsonb_array_elements(review.terms_of(r)->'steps') WITH ORDINALITY AS steps (step, n)
      WHERE p_person_id IS NULL OR review.fits_step(p_person_id, r, step)),
    'exposure', CASE WHEN r.kind = 'REISSUE' THEN
      (SELECT review.reissue_exposure(e, r.intake_id) FROM ledger.executions e WHERE e.execution_id = r.execution_id) END)
    || CASE WHEN r.execution_id IS NULL THEN (
      SELECT jsonb_build_object('stakeAmount', v.amount::text,
        'stakeCurrency', CASE WHEN v.amount IS NOT NULL AND p.value_currency ~ '^[A-Z]{3}$' THEN p.value_currency END,
        'targetSystem', s.target_system, 'targetAccount', s.target_account)
        FROM review.subject_of_terms(NULL, r.exception_id) s CROSS JOIN LATERAL ledger.policy_for(r.tenant_id, r.operation) p
        CROSS JOIN LATERAL (SELECT review.value_at_stake(s.display_fields, p) AS amount) v) ELSE '{}' END)
$$;

CREATE OR REPLACE FUNCTION review.request_effect_settlement(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_code text;
BEGIN
  f := review.open_decision('SETTLE_EFFECT', p_input);
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN coalesce(p_input->>'outcome', '') NOT IN ('APPLIED', 'NOT_OURS') THEN 'OUTCOME_MISSING'
    WHEN p_input->>'outcome' = 'APPLIED' AND coalesce(p_input->>'resultId', '') = '' THEN 'RESULT_ID_MISSING'
    WHEN p_input->>'outcome' = 'APPLIED' AND (f.exception).kind = 'ORPHAN_EFFECT' AND (f.execution).execution_id IS NULL
      AND p_input->>'resultId' IS DISTINCT FROM (f.exception).detail->>'resultId' THEN 'NOT_THIS_EFFECT'
    WHEN p_input->>'outcome' = 'APPLIED' AND review.is_linked_elsewhere(f.execution, p_input->>'resultId') THEN 'RESULT_LINKED_ELSEWHERE'
    WHEN coalesce(p_input->>'otherFate', '') NOT IN ('KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE') THEN 'OTHER_FATE_MISSING'
    WHEN p_input->>'otherFate' = 'COMPENSATED' AND coalesce(p_input->>'compensationId', '') = '' THEN 'COMPENSATION_ID_MISSING'
    WHEN review.visible_length(p_input->>'businessImpact') NOT BETWEEN 3 AND 1000 THEN 'BUSINESS_IMPACT_MISSING' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.file_request(f, 'SETTLE_EFFECT', NULL, NULL, jsonb_build_object('outcome', p_input->>'outcome', 'resultId', p_input->>'resultId',
    'resultUrl', p_input->>'resultUrl', 'businessImpact', p_input->>'businessImpact', 'otherFate', p_input->>'otherFate', 'compensationId', p_input->>'compensationId'));
END
$$;
