-- What a person saw before the execution was there says nothing about it: review.record_evidence refuses such a time (R-059i).
-- Forms ask for minutes, so the minute in which the execution began counts. Nothing else of the function changes.

CREATE OR REPLACE FUNCTION review.record_evidence(p_evidence jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.lookups;
  v_exception review.exceptions;
  v_row ledger.executions;
  v_operation_id uuid := (p_evidence->>'operationId')::uuid;
  v_code text;
BEGIN
  -- The lock orders two halves of a double click; the second one finds what the first one recorded.
  SELECT * INTO v_exception FROM review.exceptions WHERE exception_id = (p_evidence->>'exceptionId')::uuid FOR NO KEY UPDATE;
  v_code := review.lookup_refusal(v_exception);
  -- An exception that was closed since leaves a repetition one.
  IF v_code IS NULL OR v_code IN ('EXCEPTION_CLOSED', 'NO_EXECUTION') THEN
    v_code := coalesce(review.judge_operation_id('evidence.recorded', p_evidence), v_code);
    IF v_code = 'REPEATED' THEN RETURN review.first_answer(v_operation_id); END IF;
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = v_exception.execution_id;
  p.execution_id := v_row.execution_id;
  p.exception_id := v_exception.exception_id;
  p.outcome := p_evidence->>'outcome';
  p.external_status := p_evidence->>'externalStatus';
  p.verdict := p_evidence->>'verdict';
  p.result_id := p_evidence->>'resultId';
  p.result_url := p_evidence->>'resultUrl';
  p.target_system := v_row.target_system;
  p.target_account := p_evidence->>'targetAccount';
  p.account_match := v_row.target_account IS NULL OR p.target_account = v_row.target_account;
  p.content_match := (p_evidence->>'contentAgrees')::boolean;
  p.comparison := '[]';
  p.candidates := '[]';
  p.place := p_evidence->>'place';
  p.seen := p_evidence->>'seen';
  p.checked_at := (p_evidence->>'checkedAt')::timestamptz;
  p.usable_from := (p_evidence->>'usableFrom')::timestamptz;
  v_code := coalesce(v_code, p_evidence->>'refusal', CASE
    WHEN v_row.version <> (p_evidence->>'executionVersion')::bigint THEN 'CHANGED_SINCE_SEEN'
    WHEN p.checked_at > ledger.clock() THEN 'CHECKED_IN_THE_FUTURE'
    WHEN p.checked_at < date_trunc('minute', v_row.created_at) THEN 'CHECKED_BEFORE_THE_EXECUTION'
    WHEN p.outcome = 'FOUND' AND p.account_match IS NOT TRUE THEN 'ACCOUNT_DIFFERS'
    WHEN p.outcome = 'FOUND' AND p.content_match IS NOT TRUE THEN 'CONTENT_NOT_CONFIRMED'
  END);
  IF v_code IS NULL THEN
    RETURN jsonb_build_object('outcome', 'done',
      'lookupId', review.add_lookup(p, v_row.version, 'evidence.recorded', NULL, v_operation_id));
  END IF;
  IF v_code = 'NOT_FOUND' THEN
    v_exception := NULL;
  END IF;
  PERFORM review.append_audit('evidence.recorded', 'refused', v_code, v_exception.tenant_id, v_exception.exception_id,
    v_exception.execution_id, NULL, v_exception.operation, v_operation_id, jsonb_build_object('verdict', p.verdict));
  RETURN jsonb_build_object('outcome', 'refused', 'code', v_code);
END
$$;
