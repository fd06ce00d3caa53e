-- What an executor reports about its own attempt. Every verb locks the row, compares the fencing token before it looks
-- at the state, and answers {"code": null, "execution": …} or a refusal. A stale token changes nothing (R-029).

CREATE FUNCTION ledger.refusal(p_code text, p_detail text, p_row ledger.executions) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT jsonb_build_object('code', p_code, 'detail', p_detail, 'execution', ledger.execution_json(p_row)) $$;

CREATE FUNCTION ledger.acceptance(p_execution_id uuid) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT jsonb_build_object('code', NULL, 'execution', ledger.execution_json(e)) FROM ledger.executions e WHERE e.execution_id = p_execution_id $$;

-- A report with an old token: kept, compared with what happened since, never applied. Evidence that the effect exists
-- after somebody decided otherwise blocks the lineage.
CREATE FUNCTION ledger.keep_late_report(p_row ledger.executions, p_verb text, p_report jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_result_id text := p_report->>'resultId';
  v_detail jsonb;
BEGIN
  IF (p_report->>'fencingToken')::bigint <> p_row.fencing_token AND NOT EXISTS (
      SELECT 1 FROM ledger.attempts WHERE execution_id = p_row.execution_id AND fencing_token = (p_report->>'fencingToken')::bigint) THEN
    RETURN; -- a token that was never issued proves nothing about this execution
  END IF;
  INSERT INTO ledger.late_reports (execution_id, fencing_token, verb, result_id, result_url, body, state_found)
    VALUES (p_row.execution_id, (p_report->>'fencingToken')::bigint, p_verb, v_result_id, p_report->>'resultUrl', p_report - 'response', p_row.state);
  IF p_verb <> 'complete' THEN
    RETURN;
  END IF;
  v_detail := jsonb_build_object('reportedResultId', v_result_id, 'staleToken', p_report->>'fencingToken', 'stateFound', p_row.state);
  IF p_row.superseded_by IS NOT NULL OR p_row.state = 'FAILED_FINAL' OR p_row.expired_from = 'FAILED_FINAL' THEN
    PERFORM review.open_exception(p_row.execution_id, 'CONTRADICTED_DECISION', 'LATE_SUCCESS', v_detail);
  ELSIF p_row.state = 'FAILED_RETRYABLE' THEN
    UPDATE ledger.executions SET state = 'UNKNOWN', moved_by = 'ledger', unknown_reason = 'CONTRADICTED', reported_result_id = v_result_id
      WHERE execution_id = p_row.execution_id;
  ELSIF p_row.state IN ('SUCCEEDED', 'EXPIRED') THEN
    IF v_result_id IS DISTINCT FROM p_row.result_id THEN
      PERFORM review.open_exception(p_row.execution_id, 'DUPLICATE_RESULT', 'LATE_SUCCESS', v_detail);
    END IF;
  ELSIF p_row.state = 'UNKNOWN' THEN
    PERFORM review.open_exception(p_row.execution_id, 'UNKNOWN_RESULT', 'LATE_SUCCESS', v_detail);
  ELSIF EXISTS (SELECT 1 FROM ledger.attempts WHERE execution_id = p_row.execution_id AND outcome = 'DECIDED') THEN
    PERFORM review.open_exception(p_row.execution_id, 'CONTRADICTED_DECISION', 'LATE_SUCCESS', v_detail);
  ELSE
    PERFORM review.open_exception(p_row.execution_id, 'DUPLICATE_RESULT', 'LATE_SUCCESS', v_detail);
  END IF;
END
$$;

CREATE FUNCTION ledger.effect_started_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_now timestamptz;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  v_now := ledger.clock();
  IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state <> 'PROCESSING' THEN
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  IF v_row.effect_started_at IS NULL THEN
    IF v_row.lease_expires_at <= v_now THEN
      RETURN ledger.refusal('INVALID_STATE', 'LEASE_OVER', v_row);
    END IF;
    IF review.is_under_review(v_row.lineage_id) THEN
      RETURN ledger.refusal('RECONCILE_REQUIRED', NULL, v_row);
    END IF;
    UPDATE ledger.executions SET effect_started_at = v_now, moved_by = 'executor',
        external_job_id = coalesce(p_report->>'externalJobId', external_job_id),
        external_request_key = coalesce(external_request_key, p_report->>'externalRequestKey')
      WHERE execution_id = v_row.execution_id;
  END IF;
  RETURN ledger.acceptance(v_row.execution_id)
    || jsonb_build_object('sendBefore', ledger.instant(least(v_row.lease_expires_at, v_row.deadline)));
END
$$;

CREATE FUNCTION ledger.heartbeat_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_policy ledger.operation_policies;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state <> 'PROCESSING' THEN
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  v_policy := ledger.policy_for(v_row.tenant_id, v_row.operation);
  UPDATE ledger.executions SET moved_by = 'executor',
      lease_expires_at = greatest(lease_expires_at,
        ledger.clock() + make_interval(secs => coalesce((p_report->>'leaseSeconds')::integer, v_policy.lease_seconds))),
      external_job_id = coalesce(p_report->>'externalJobId', external_job_id),
      progress = coalesce(nullif(p_report->'progress', 'null'), progress)
    WHERE execution_id = v_row.execution_id;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

-- Success. Whether it is believed is decided by the trigger that guards every writer (R-014), so the answer's state
-- may be UNKNOWN. A rival that linked the same result first surfaces as a unique violation and is judged again.
CREATE FUNCTION ledger.complete_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_result_id text := p_report->>'resultId';
  v_constraint text;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN
    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
    SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id;
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state = 'SUCCEEDED' OR v_row.expired_from = 'SUCCEEDED' THEN
    IF v_result_id IS NOT DISTINCT FROM v_row.result_id THEN RETURN ledger.acceptance(v_row.execution_id); END IF;
    RETURN ledger.refusal('RESULT_CONFLICT', 'OTHER_RESULT_STORED', v_row);
  END IF;
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason IN ('RESULT_MISMATCH', 'MISSING_RESULT_ID')
     AND v_result_id IS NOT DISTINCT FROM v_row.reported_result_id THEN
    RETURN ledger.acceptance(v_row.execution_id);
  END IF;
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason = 'RESULT_MISMATCH' THEN
    RETURN ledger.refusal('RESULT_CONFLICT', 'UNDER_REVIEW', v_row);
  END IF;
  -- The token was raised by a person or by a contradiction and belongs to no attempt: whoever shows it has read it.
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason IN ('DECLARED', 'CONTRADICTED') THEN
    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
    RETURN ledger.refusal('FENCED', 'UNDER_REVIEW', v_row);
  END IF;
  IF v_row.state NOT IN ('PROCESSING', 'UNKNOWN') THEN
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  FOR v_try IN 1..2 LOOP
    BEGIN
      UPDATE ledger.executions SET state = 'SUCCEEDED', moved_by = 'executor', result_id = v_result_id,
          result_url = coalesce(p_report->>'resultUrl', result_url),
          target_system = coalesce(p_report#>>'{target,system}', target_system),
          target_account = coalesce(p_report#>>'{target,account}', target_account),
          response_status = (p_report#>>'{response,status}')::integer,
          response_headers = nullif(p_report#>'{response,headers}', 'null'),
          response_body = p_report#>>'{response,bodyText}',
          failure_code = NULL, failure_message = NULL, failure_basis = NULL
        WHERE execution_id = v_row.execution_id;
      EXIT;
    EXCEPTION WHEN unique_violation THEN
      GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
      IF v_constraint <> 'executions_result_is_linked_once' OR v_try = 2 THEN RAISE; END IF;
    END;
  END LOOP;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

CREATE FUNCTION ledger.fail_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_wanted text := CASE WHEN (p_report->>'retryable')::boolean THEN 'FAILED_RETRYABLE' ELSE 'FAILED_FINAL' END;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN
    PERFORM ledger.keep_late_report(v_row, 'fail', p_report);
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state <> 'PROCESSING' THEN
    IF v_row.moved_by = 'executor' AND v_row.failure_code IS NOT DISTINCT FROM p_report->>'code'
       AND (v_row.state = v_wanted OR v_row.state = 'UNKNOWN' AND v_row.unknown_reason = 'NO_PROOF') THEN
      RETURN ledger.acceptance(v_row.execution_id);
    END IF;
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  UPDATE ledger.executions SET state = v_wanted, moved_by = 'executor',
      failure_code = p_report->>'code', failure_message = p_report->>'message', failure_basis = p_report->>'basis',
      response_status = (p_report#>>'{response,status}')::integer,
      response_headers = nullif(p_report#>'{response,headers}', 'null'),
      response_body = p_report#>>'{response,bodyText}'
    WHERE execution_id = v_row.execution_id;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

CREATE FUNCTION ledger.report_unknown_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN
    PERFORM ledger.keep_late_report(v_row, 'report_unknown', p_report);
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state = 'UNKNOWN' THEN RETURN ledger.acceptance(v_row.execution_id); END IF;
  IF v_row.state <> 'PROCESSING' THEN
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  UPDATE ledger.executions SET state = 'UNKNOWN', moved_by = 'executor', unknown_reason = 'REPORTED',
      failure_code = p_report->>'code', failure_message = p_report->>'message'
    WHERE execution_id = v_row.execution_id;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

-- Cancelling is a state change of its own and has its own race with effect_started: the row lock orders the two.
CREATE FUNCTION ledger.cancel_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  -- Cancelling took the token away; the same call again gets the same answer.
  IF v_row.state = 'FAILED_FINAL' AND v_row.failure_code = 'CANCELLED'
     AND coalesce((p_report->>'fencingToken')::bigint, v_row.fencing_token - 1) IN (v_row.fencing_token - 1, v_row.fencing_token) THEN
    RETURN ledger.acceptance(v_row.execution_id);
  END IF;
  IF p_report->>'fencingToken' IS NOT NULL AND (p_report->>'fencingToken')::bigint <> v_row.fencing_token THEN
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state = 'PROCESSING' AND v_row.effect_started_at IS NOT NULL THEN
    RETURN ledger.refusal('EFFECT_ALREADY_STARTED', NULL, v_row);
  END IF;
  IF v_row.state NOT IN ('RECEIVED', 'PROCESSING') OR v_row.superseded_by IS NOT NULL THEN
    RETURN ledger.refusal('INVALID_STATE', 'NOT_CANCELLABLE', v_row);
  END IF;
  -- The token grows: the executor that still holds the old one can no longer start the effect.
  UPDATE ledger.executions SET state = 'FAILED_FINAL', moved_by = 'cancel', fencing_token = fencing_token + 1,
      failure_code = 'CANCELLED', failure_message = p_report->>'reason'
    WHERE execution_id = v_row.execution_id;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

GRANT EXECUTE ON FUNCTION ledger.claim_as(text, jsonb), ledger.register_as(text, jsonb), ledger.keyless_as(text, jsonb),
  ledger.effect_started_as(text, uuid, jsonb), ledger.heartbeat_as(text, uuid, jsonb), ledger.complete_as(text, uuid, jsonb),
  ledger.fail_as(text, uuid, jsonb), ledger.report_unknown_as(text, uuid, jsonb), ledger.cancel_as(text, uuid, jsonb) TO onceover_app;

-- The same verbs for SQL producers: the principal is the login's own.

CREATE FUNCTION ledger.require_session_principal() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_principal text := ledger.session_principal();
BEGIN
  IF v_principal IS NULL THEN
    RAISE EXCEPTION 'the login % has no principal', session_user USING ERRCODE = 'OO002';
  END IF;
  RETURN v_principal;
END
$$;

CREATE FUNCTION ledger.claim_document(
  operation text, idempotency_key text, fingerprint text, request_id text, content_version text, target_system text, target_account text,
  workflow_id text, step text, business_ref text, approval_ref jsonb, external_request_key text, input_ref text, deadline timestamptz,
  owner text, lease_seconds integer, attempt_id uuid, trace_id text, display_fields jsonb) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('operation', operation, 'key', idempotency_key, 'fingerprint', fingerprint, 'requestId', request_id,
    'contentVersion', content_version, 'target', jsonb_build_object('system', target_system, 'account', target_account),
    'workflowId', workflow_id, 'step', step, 'businessRef', business_ref, 'approvalRef', approval_ref,
    'externalRequestKey', external_request_key, 'inputRef', input_ref, 'deadline', ledger.instant(deadline), 'owner', owner,
    'leaseSeconds', lease_seconds, 'attemptId', attempt_id, 'traceId', trace_id, 'displayFields', display_fields)
$$;

CREATE FUNCTION ledger.claim(
  operation text, idempotency_key text, fingerprint text, request_id text DEFAULT NULL, content_version text DEFAULT NULL,
  target_system text DEFAULT NULL, target_account text DEFAULT NULL, workflow_id text DEFAULT NULL, step text DEFAULT NULL,
  business_ref text DEFAULT NULL, approval_ref jsonb DEFAULT NULL, external_request_key text DEFAULT NULL, input_ref text DEFAULT NULL,
  deadline timestamptz DEFAULT NULL, owner text DEFAULT NULL, lease_seconds integer DEFAULT NULL, attempt_id uuid DEFAULT NULL,
  trace_id text DEFAULT NULL, display_fields jsonb DEFAULT NULL) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.arrive(ledger.require_session_principal(), ledger.claim_document(operation, idempotency_key, fingerprint, request_id,
    content_version, target_system, target_account, workflow_id, step, business_ref, approval_ref, external_request_key, input_ref,
    deadline, owner, lease_seconds, attempt_id, trace_id, display_fields), false)
$$;

CREATE FUNCTION ledger.register(
  operation text, idempotency_key text, fingerprint text, request_id text DEFAULT NULL, content_version text DEFAULT NULL,
  target_system text DEFAULT NULL, target_account text DEFAULT NULL, workflow_id text DEFAULT NULL, step text DEFAULT NULL,
  business_ref text DEFAULT NULL, approval_ref jsonb DEFAULT NULL, external_request_key text DEFAULT NULL, input_ref text DEFAULT NULL,
  deadline timestamptz DEFAULT NULL, trace_id text DEFAULT NULL, display_fields jsonb DEFAULT NULL) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.arrive(ledger.require_session_principal(), ledger.claim_document(operation, idempotency_key, fingerprint, request_id,
    content_version, target_system, target_account, workflow_id, step, business_ref, approval_ref, external_request_key, input_ref,
    deadline, NULL, NULL, NULL, trace_id, display_fields), true)
$$;

CREATE FUNCTION ledger.effect_started(execution_id uuid, fencing_token bigint, external_job_id text DEFAULT NULL, external_request_key text DEFAULT NULL)
RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.effect_started_as(ledger.require_session_principal(), execution_id, jsonb_build_object(
    'fencingToken', fencing_token, 'externalJobId', external_job_id, 'externalRequestKey', external_request_key))
$$;

CREATE FUNCTION ledger.heartbeat(execution_id uuid, fencing_token bigint, lease_seconds integer DEFAULT NULL, external_job_id text DEFAULT NULL, progress jsonb DEFAULT NULL)
RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.heartbeat_as(ledger.require_session_principal(), execution_id, jsonb_build_object(
    'fencingToken', fencing_token, 'leaseSeconds', lease_seconds, 'externalJobId', external_job_id, 'progress', progress))
$$;

CREATE FUNCTION ledger.complete(execution_id uuid, fencing_token bigint, result_id text DEFAULT NULL, result_url text DEFAULT NULL,
  target_system text DEFAULT NULL, target_account text DEFAULT NULL, response_status integer DEFAULT NULL,
  response_headers jsonb DEFAULT NULL, response_body text DEFAULT NULL)
RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.complete_as(ledger.require_session_principal(), execution_id, jsonb_build_object(
    'fencingToken', fencing_token, 'resultId', result_id, 'resultUrl', result_url,
    'target', jsonb_build_object('system', target_system, 'account', target_account),
    'response', jsonb_build_object('status', response_status, 'headers', response_headers, 'bodyText', response_body)))
$$;

CREATE FUNCTION ledger.fail(execution_id uuid, fencing_token bigint, retryable boolean, code text, message text, basis text DEFAULT NULL,
  response_status integer DEFAULT NULL, response_headers jsonb DEFAULT NULL, response_body text DEFAULT NULL)
RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.fail_as(ledger.require_session_principal(), execution_id, jsonb_build_object(
    'fencingToken', fencing_token, 'retryable', retryable, 'code', code, 'message', message, 'basis', basis,
    'response', jsonb_build_object('status', response_status, 'headers', response_headers, 'bodyText', response_body)))
$$;

CREATE FUNCTION ledger.report_unknown(execution_id uuid, fencing_token bigint, code text, message text) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.report_unknown_as(ledger.require_session_principal(), execution_id, jsonb_build_object(
    'fencingToken', fencing_token, 'code', code, 'message', message))
$$;

CREATE FUNCTION ledger.cancel(execution_id uuid, reason text, fencing_token bigint DEFAULT NULL) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ledger.cancel_as(ledger.require_session_principal(), execution_id, jsonb_build_object('fencingToken', fencing_token, 'reason', reason))
$$;

GRANT EXECUTE ON FUNCTION
  ledger.claim(text, text, text, text, text, text, text, text, text, text, jsonb, text, text, timestamptz, text, integer, uuid, text, jsonb),
  ledger.register(text, text, text, text, text, text, text, text, text, text, jsonb, text, text, timestamptz, text, jsonb),
  ledger.effect_started(uuid, bigint, text, text), ledger.heartbeat(uuid, bigint, integer, text, jsonb),
  ledger.complete(uuid, bigint, text, text, text, text, integer, jsonb, text),
  ledger.fail(uuid, bigint, boolean, text, text, text, integer, jsonb, text),
  ledger.report_unknown(uuid, bigint, text, text), ledger.cancel(uuid, text, bigint)
  TO onceover_producer;
