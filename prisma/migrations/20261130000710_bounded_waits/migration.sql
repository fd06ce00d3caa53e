-- R-018: how long the holder of a lease may still work says little about when it is done. A caller who is told the whole rest of
-- a lease of a day comes back after a day; within a minute it learns of a result, of a failure, or of the owner's progress.
CREATE FUNCTION ledger.bounded_wait(p_rest interval) RETURNS integer
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT least(60, greatest(1, floor(extract(epoch FROM p_rest))))::integer $$;

CREATE OR REPLACE FUNCTION ledger.busy_executor(p_tenant_id text, p_operation text, p_single_executor_key text, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('disposition', 'SINGLE_EXECUTOR_BUSY', 'code', 'SINGLE_EXECUTOR_BUSY',
    'retryAfterSeconds', coalesce(ledger.bounded_wait(max(lease_expires_at) - p_now), 1))
  FROM ledger.executions
  WHERE tenant_id = p_tenant_id AND operation = p_operation AND single_executor_key = p_single_executor_key AND state = 'PROCESSING'
$$;

CREATE OR REPLACE FUNCTION ledger.judge_arrival(p_row ledger.executions, p_arrival ledger.executions, p_claim jsonb, p_now timestamptz, p_register boolean,
  p_locked boolean)
RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(p_row.tenant_id, p_row.operation);
  v_next ledger.executions;
  v_blocking record;
  v_retry_after integer;
  v_constraint text;
BEGIN
  IF p_arrival.attempt_id = p_row.attempt_id AND p_row.state = 'PROCESSING' AND NOT p_register
     AND NOT ledger.is_conflict(p_row, p_arrival, p_claim) THEN
    -- Only under the lock: the answer carries the token, and a takeover in between would hand over its owner's.
    IF NOT p_locked THEN RETURN NULL; END IF;
    RETURN jsonb_build_object('disposition', 'SAME_ATTEMPT', 'code', NULL);
  END IF;
  IF ledger.is_conflict(p_row, p_arrival, p_claim) THEN
    v_next := ledger.successor(p_row);
    RETURN jsonb_build_object('disposition', 'CONTENT_CONFLICT', 'code', 'IDEMPOTENCY_KEY_REUSED',
      'conflictingFields', ledger.conflicting_members(p_row, p_arrival, p_claim), 'newKey', v_next.idempotency_key, 'newExecutionId', v_next.execution_id);
  END IF;
  IF p_row.superseded_by IS NOT NULL THEN
    v_next := ledger.successor(p_row);
    RETURN jsonb_build_object('disposition', 'SUPERSEDED', 'code', 'IDEMPOTENCY_KEY_SUPERSEDED',
      'newKey', v_next.idempotency_key, 'newExecutionId', v_next.execution_id);
  END IF;
  IF p_row.state = 'EXPIRED' OR (p_row.state IN ('SUCCEEDED', 'FAILED_FINAL') AND p_row.expires_at <= p_now) THEN
    RETURN jsonb_build_object('disposition', 'RECORD_EXPIRED', 'code', 'IDEMPOTENCY_KEY_EXPIRED',
      'resultId', p_row.result_id, 'resultUrl', p_row.result_url);
  END IF;
  IF p_register THEN
    RETURN jsonb_build_object('disposition', 'REGISTERED', 'code', NULL);
  END IF;
  IF p_row.state IN ('SUCCEEDED', 'FAILED_FINAL') THEN
    IF p_row.state = 'SUCCEEDED' AND p_row.result_id IS NULL AND v_policy.result_id_required THEN
      IF NOT p_locked THEN RETURN NULL; END IF;
      PERFORM review.open_exception(p_row.execution_id, 'MISSING_RESULT_ID', 'RESULT_ID_CLEARED', '{}');
      RETURN jsonb_build_object('disposition', 'RECONCILE_REQUIRED', 'code', 'RECONCILE_REQUIRED');
    END IF;
    RETURN jsonb_build_object('disposition', 'RESULT_REUSED',
      'code', CASE WHEN p_row.state = 'FAILED_FINAL' AND p_row.response_status IS NULL THEN 'EXECUTION_FAILED_FINAL' END,
      'failureCode', p_row.failure_code, 'failureMessage', p_row.failure_message,
      'replay', CASE WHEN p_row.response_status IS NOT NULL THEN jsonb_build_object(
        'status', p_row.response_status, 'headers', coalesce(p_row.response_headers, '{}'), 'body', p_row.response_body) END);
  END IF;

  SELECT * INTO v_blocking FROM review.blocking_exception(p_row.lineage_id);
  IF p_row.state = 'UNKNOWN' OR v_blocking.exception_id IS NOT NULL THEN
    RETURN jsonb_build_object('disposition', 'RECONCILE_REQUIRED', 'code', 'RECONCILE_REQUIRED');
  END IF;
  IF p_row.state = 'PROCESSING' AND p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at <= p_now THEN
    IF NOT p_locked THEN RETURN NULL; END IF;
    PERFORM review.open_exception(p_row.execution_id, 'STUCK_PROCESSING', 'LEASE_OVER', '{}');
    RETURN jsonb_build_object('disposition', 'RECONCILE_REQUIRED', 'code', 'RECONCILE_REQUIRED');
  END IF;
  IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at > p_now THEN
    v_retry_after := ledger.bounded_wait(p_row.lease_expires_at - p_now);
    RETURN jsonb_build_object('disposition', 'DUPLICATE_HELD', 'code', 'REQUEST_IN_PROGRESS', 'retryAfterSeconds', v_retry_after,
      'owner', p_row.owner, 'since', ledger.instant(p_row.state_since), 'progress', p_row.progress);
  END IF;
  IF EXISTS (SELECT 1 FROM ledger.operation_pauses WHERE tenant_id = p_row.tenant_id AND operation = p_row.operation) THEN
    RETURN jsonb_build_object('disposition', 'OPERATION_PAUSED', 'code', 'OPERATION_PAUSED', 'retryAfterSeconds', 60);
  END IF;
  -- Told before the attempts are counted; the unique index still decides between two that pass here at once.
  IF EXISTS (SELECT 1 FROM ledger.executions other WHERE other.tenant_id = p_row.tenant_id AND other.operation = p_row.operation
      AND other.single_executor_key = p_row.single_executor_key AND other.state = 'PROCESSING' AND other.execution_id <> p_row.execution_id) THEN
    RETURN ledger.busy_executor(p_row.tenant_id, p_row.operation, p_row.single_executor_key, p_now);
  END IF;
  IF p_row.state <> 'PROCESSING' AND p_row.attempts_spent >= p_row.attempts_allowed THEN
    IF NOT p_locked THEN RETURN NULL; END IF;
    PERFORM review.open_exception(p_row.execution_id, 'RETRY_STALLED', 'ATTEMPTS_EXHAUSTED', '{}');
    RETURN jsonb_build_object('disposition', 'ATTEMPTS_EXHAUSTED', 'code', 'ATTEMPTS_EXHAUSTED');
  END IF;
  IF NOT p_locked THEN RETURN NULL; END IF;
  -- A claim that comes once more after its attempt has ended starts no second one: its sender is not at work any more.
  IF EXISTS (SELECT 1 FROM ledger.attempts a WHERE a.execution_id = p_row.execution_id AND a.attempt_id = p_arrival.attempt_id) THEN
    RETURN jsonb_build_object('disposition', 'SAME_ATTEMPT', 'code', 'INVALID_STATE');
  END IF;
  IF p_arrival.approval_ref <> p_row.approval_ref THEN
    RAISE EXCEPTION 'approvalRef: a retry stays inside the approval of its first claim' USING ERRCODE = 'OO005';
  END IF;
  IF p_arrival.external_request_key <> p_row.external_request_key AND ledger.protection_of(v_policy) = 'PROVIDER_KEY' THEN
    RAISE EXCEPTION 'externalRequestKey: a retry keeps the key under which the effect was sent' USING ERRCODE = 'OO005';
  END IF;

  BEGIN
    UPDATE ledger.executions SET
      state = 'PROCESSING', moved_by = 'claim', fencing_token = fencing_token + 1, attempt = attempt + 1,
      attempts_spent = attempts_spent + CASE state WHEN 'PROCESSING' THEN 0 ELSE 1 END,
      attempt_id = p_arrival.attempt_id, owner = coalesce(p_arrival.owner, p_row.principal_id),
      claimed_at = p_now, effect_started_at = NULL,
      lease_expires_at = p_now + make_interval(secs => coalesce((p_claim->>'leaseSeconds')::integer, v_policy.lease_seconds)),
      content_version = coalesce(content_version, p_arrival.content_version),
      target_system = coalesce(target_system, p_arrival.target_system),
      target_account = coalesce(target_account, p_arrival.target_account),
      request_id = coalesce(request_id, p_arrival.request_id), workflow_id = coalesce(workflow_id, p_arrival.workflow_id),
      step = coalesce(step, p_arrival.step), business_ref = coalesce(business_ref, p_arrival.business_ref),
      deadline = coalesce(p_arrival.deadline, deadline),
      approval_ref = coalesce(approval_ref, p_arrival.approval_ref),
      external_request_key = coalesce(p_arrival.external_request_key, external_request_key),
      field_hashes = coalesce(field_hashes, p_arrival.field_hashes), display_fields = coalesce(display_fields, p_arrival.display_fields),
      failure_code = NULL, failure_message = NULL, failure_basis = NULL
    WHERE execution_id = p_row.execution_id AND fencing_token = p_row.fencing_token;
  EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    -- The reference may have come with this claim: the record was registered without one.
    IF v_constraint = 'executions_business_reference_is_unique' THEN
      RETURN ledger.taken_reference(p_row.tenant_id, p_row.operation, coalesce(p_row.business_ref, p_arrival.business_ref));
    END IF;
    IF v_constraint <> 'executions_single_executor' THEN RAISE; END IF;
    RETURN ledger.busy_executor(p_row.tenant_id, p_row.operation,
      CASE ledger.single_executor_of(v_policy) WHEN 'OPERATION' THEN '*' ELSE coalesce(p_row.business_ref, p_arrival.business_ref) END, p_now);
  END;
  RETURN jsonb_build_object('disposition', CASE p_row.state WHEN 'FAILED_RETRYABLE' THEN 'RETRY_SAME_KEY' ELSE 'CLAIMED' END, 'code', NULL);
END
$$;
