-- The protocol's verbs. Each inner function (…_as) takes the principal that the caller authenticated and is for the
-- product's own roles; the outer one takes it from session_user and is for SQL producers. jsonb in, jsonb out; member
-- names are those of the HTTP API. An expected "no" is a value: {"code": …}; a malformed call raises OO005.

-- RFC 3339 in UTC with microseconds.
CREATE FUNCTION ledger.instant(p_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

CREATE FUNCTION ledger.execution_json(p_row ledger.executions) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object(
    'executionId', p_row.execution_id, 'operation', p_row.operation, 'key', p_row.idempotency_key,
    'state', p_row.state, 'stateSince', ledger.instant(p_row.state_since),
    'attempt', p_row.attempt, 'fencingToken', p_row.fencing_token::text, 'owner', p_row.owner,
    'leaseExpiresAt', ledger.instant(p_row.lease_expires_at), 'effectStartedAt', ledger.instant(p_row.effect_started_at),
    'fingerprint', p_row.fingerprint, 'contentVersion', p_row.content_version, 'requestId', p_row.request_id,
    'workflowId', p_row.workflow_id, 'step', p_row.step,
    'target', CASE WHEN p_row.target_system IS NULL THEN NULL
                   ELSE jsonb_build_object('system', p_row.target_system, 'account', p_row.target_account) END,
    'businessRef', p_row.business_ref, 'externalRequestKey', p_row.external_request_key,
    'resultId', p_row.result_id, 'resultUrl', p_row.result_url,
    'supersededBy', p_row.superseded_by, 'reissueOf', p_row.reissue_of,
    'underReview', x.exception_id IS NOT NULL, 'nextCheckAt', ledger.instant(x.next_check_at),
    'createdAt', ledger.instant(p_row.created_at), 'updatedAt', ledger.instant(p_row.updated_at), 'expiresAt', ledger.instant(p_row.expires_at))
  FROM (SELECT 1) one LEFT JOIN LATERAL review.blocking_exception(p_row.lineage_id) x ON true
$$;
GRANT EXECUTE ON FUNCTION ledger.execution_json(ledger.executions) TO onceover_app, onceover_worker;
GRANT EXECUTE ON FUNCTION ledger.instant(timestamptz) TO onceover_app, onceover_worker;

-- JSON pointers of the fields whose keyed hashes differ (R-008); null when either side kept no hashes.
CREATE FUNCTION ledger.differing_fields(p_stored jsonb, p_arrived jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_stored IS NULL OR p_arrived IS NULL THEN NULL ELSE (
    SELECT coalesce(jsonb_agg(name ORDER BY name), '[]') FROM (
      SELECT coalesce(s.key, a.key) AS name
      FROM jsonb_each(p_stored) s FULL JOIN jsonb_each(p_arrived) a ON a.key = s.key
      WHERE s.value IS DISTINCT FROM a.value) differing) END
$$;

-- What a claim or registration says, checked for form. OO005 names the member at fault.
CREATE FUNCTION ledger.read_claim(p_claim jsonb) RETURNS ledger.executions
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
BEGIN
  IF coalesce(p_claim->>'operation', '') !~ '^[\x21-\x7e]{1,128}$' THEN
    RAISE EXCEPTION 'operation: 1 to 128 visible ASCII characters' USING ERRCODE = 'OO005';
  END IF;
  IF coalesce(p_claim->>'key', '') !~ '^[\x21-\x7e]{1,255}$' THEN
    RAISE EXCEPTION 'key: 1 to 255 visible ASCII characters' USING ERRCODE = 'OO005';
  END IF;
  IF coalesce(p_claim->>'fingerprint', '') !~ '^sha256:[0-9a-f]{64}$' THEN
    RAISE EXCEPTION 'fingerprint: sha256: and 64 lower-case hexadecimal digits' USING ERRCODE = 'OO005';
  END IF;
  IF (p_claim->>'leaseSeconds')::integer NOT BETWEEN 1 AND 86400 THEN
    RAISE EXCEPTION 'leaseSeconds: 1 to 86400' USING ERRCODE = 'OO005';
  END IF;
  v_row.operation := p_claim->>'operation';
  v_row.idempotency_key := p_claim->>'key';
  v_row.request_id := p_claim->>'requestId';
  v_row.fingerprint := p_claim->>'fingerprint';
  v_row.fingerprint_algorithm := coalesce(p_claim->>'fingerprintAlgorithm', 'rfc8785-sha256.1');
  v_row.policy_version := (p_claim->>'policyVersion')::integer;
  v_row.field_hashes := nullif(p_claim->'fieldHashes', 'null');
  v_row.display_fields := nullif(p_claim->'displayFields', 'null');
  v_row.input_ref := p_claim->>'inputRef';
  v_row.content_version := p_claim->>'contentVersion';
  v_row.target_system := p_claim#>>'{target,system}';
  v_row.target_account := p_claim#>>'{target,account}';
  v_row.workflow_id := p_claim->>'workflowId';
  v_row.step := p_claim->>'step';
  v_row.business_ref := p_claim->>'businessRef';
  v_row.approval_ref := nullif(p_claim->'approvalRef', 'null');
  v_row.external_request_key := p_claim->>'externalRequestKey';
  v_row.deadline := (p_claim->>'deadline')::timestamptz;
  v_row.owner := p_claim->>'owner';
  v_row.attempt_id := (p_claim->>'attemptId')::uuid;
  RETURN v_row;
END
$$;

-- R-012: is this arrival another request under the same key? The fingerprint is compared under the policy version
-- with which the record was made, when the caller sent that one along (R-006).
CREATE FUNCTION ledger.is_conflict(p_row ledger.executions, p_arrival ledger.executions, p_claim jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(p_claim->'fingerprints'->>p_row.policy_version::text, p_arrival.fingerprint) <> p_row.fingerprint
    OR coalesce(p_arrival.content_version <> p_row.content_version, false)
    OR coalesce(p_arrival.target_system <> p_row.target_system, false)
    OR coalesce(p_arrival.target_account <> p_row.target_account, false)
$$;

-- The last execution that took this one's place.
CREATE FUNCTION ledger.successor(p_row ledger.executions) RETURNS ledger.executions
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE chain (execution_id, superseded_by, depth) AS (
    SELECT e.execution_id, e.superseded_by, 1 FROM ledger.executions e WHERE e.execution_id = p_row.superseded_by
    UNION ALL
    SELECT e.execution_id, e.superseded_by, c.depth + 1 FROM chain c JOIN ledger.executions e ON e.execution_id = c.superseded_by
  )
  SELECT e FROM ledger.executions e WHERE e.execution_id = (SELECT c.execution_id FROM chain c ORDER BY c.depth DESC LIMIT 1)
$$;

-- One arrival at an existing record: the order of checks of R-018 from "same attempt id" to "claim". Judged first on a
-- plain read: an answer that changes nothing needs no lock, so duplicates do not queue behind each other. Null = the
-- row would be written; the caller locks it and asks again. Guarantee: of any number of equal arrivals at most one gets
-- PROCESSING with a new token.
CREATE FUNCTION ledger.judge_arrival(p_row ledger.executions, p_arrival ledger.executions, p_claim jsonb, p_now timestamptz, p_register boolean,
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
    v_retry_after := greatest(1, floor(extract(epoch FROM p_row.lease_expires_at - p_now))::integer);
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
      CASE v_policy.single_executor WHEN 'OPERATION' THEN '*' ELSE coalesce(p_row.business_ref, p_arrival.business_ref) END, p_now);
  END;
  RETURN jsonb_build_object('disposition', CASE p_row.state WHEN 'FAILED_RETRYABLE' THEN 'RETRY_SAME_KEY' ELSE 'CLAIMED' END, 'code', NULL);
END
$$;

-- Which members make this arrival another request: payload fields where hashes are kept, and the labels beside them.
CREATE FUNCTION ledger.conflicting_members(p_row ledger.executions, p_arrival ledger.executions, p_claim jsonb) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(CASE WHEN coalesce(p_claim->'fingerprints'->>p_row.policy_version::text, p_arrival.fingerprint) <> p_row.fingerprint
                       THEN coalesce(ledger.differing_fields(p_row.field_hashes, p_arrival.field_hashes), '["payload"]') END, '[]')
    || CASE WHEN p_arrival.content_version <> p_row.content_version THEN '["contentVersion"]'::jsonb ELSE '[]' END
    || CASE WHEN p_arrival.target_system <> p_row.target_system THEN '["target.system"]'::jsonb ELSE '[]' END
    || CASE WHEN p_arrival.target_account <> p_row.target_account THEN '["target.account"]'::jsonb ELSE '[]' END
$$;

-- The execution that stands for a business reference; no row when none does.
CREATE FUNCTION ledger.taken_reference(p_tenant_id text, p_operation text, p_business_ref text) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('disposition', 'BUSINESS_REFERENCE_TAKEN', 'code', 'BUSINESS_REFERENCE_TAKEN', 'firstExecutionId', execution_id)
  FROM ledger.executions
  WHERE tenant_id = p_tenant_id AND operation = p_operation AND business_ref = p_business_ref AND business_ref_unique AND superseded_by IS NULL
$$;

CREATE FUNCTION ledger.busy_executor(p_tenant_id text, p_operation text, p_single_executor_key text, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('disposition', 'SINGLE_EXECUTOR_BUSY', 'code', 'SINGLE_EXECUTOR_BUSY',
    'retryAfterSeconds', greatest(1, coalesce(floor(extract(epoch FROM max(lease_expires_at) - p_now))::integer, 1)))
  FROM ledger.executions
  WHERE tenant_id = p_tenant_id AND operation = p_operation AND single_executor_key = p_single_executor_key AND state = 'PROCESSING'
$$;

-- Claim (or register) one key. Guarantee: the unique scope decides who wins; there is one INSERT … ON CONFLICT and no
-- read before it. Locks: the rival's insert, if it is not committed yet; then the scope's own row, if it is to be
-- written. Index: executions_scope_is_unique.
CREATE FUNCTION ledger.arrive(p_principal_id text, p_claim jsonb, p_register boolean) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_arrival ledger.executions := ledger.read_claim(p_claim);
  v_tenant_id text;
  v_policy ledger.operation_policies;
  v_row ledger.executions;
  v_now timestamptz;
  v_paused boolean;
  v_answer jsonb;
BEGIN
  SELECT tenant_id INTO v_tenant_id FROM ledger.principals WHERE principal_id = p_principal_id;
  IF v_tenant_id IS NULL THEN
    RAISE EXCEPTION 'no such principal' USING ERRCODE = 'OO002';
  END IF;
  v_policy := ledger.policy_for(v_tenant_id, v_arrival.operation);
  IF v_policy.approval_ref_required AND v_arrival.approval_ref IS NULL THEN
    RAISE EXCEPTION 'approvalRef: operation % requires one', v_arrival.operation USING ERRCODE = 'OO005';
  END IF;
  v_paused := NOT p_register AND EXISTS (
    SELECT 1 FROM ledger.operation_pauses WHERE tenant_id = v_tenant_id AND operation = v_arrival.operation);

  FOR v_try IN 1..5 LOOP
    v_now := ledger.clock();
    INSERT INTO ledger.executions (tenant_id, principal_id, operation, idempotency_key, request_id, fingerprint, fingerprint_algorithm,
        policy_version, field_hashes, display_fields, input_ref, content_version, target_system, target_account, workflow_id, step,
        business_ref, approval_ref, external_request_key, deadline, state, state_since, moved_by, attempt, attempts_spent,
        fencing_token, attempt_id, owner, claimed_at, lease_expires_at)
      SELECT v_tenant_id, p_principal_id, v_arrival.operation, v_arrival.idempotency_key, v_arrival.request_id, v_arrival.fingerprint,
        v_arrival.fingerprint_algorithm, coalesce(v_arrival.policy_version, v_policy.version), v_arrival.field_hashes, v_arrival.display_fields,
        v_arrival.input_ref, v_arrival.content_version, v_arrival.target_system, v_arrival.target_account, v_arrival.workflow_id,
        v_arrival.step, v_arrival.business_ref, v_arrival.approval_ref, v_arrival.external_request_key, v_arrival.deadline,
        CASE WHEN p_register THEN 'RECEIVED' ELSE 'PROCESSING' END, v_now, CASE WHEN p_register THEN 'register' ELSE 'claim' END,
        CASE WHEN p_register THEN 0 ELSE 1 END, CASE WHEN p_register THEN 0 ELSE 1 END, CASE WHEN p_register THEN 0 ELSE 1 END,
        CASE WHEN p_register THEN NULL ELSE v_arrival.attempt_id END,
        CASE WHEN p_register THEN NULL ELSE coalesce(v_arrival.owner, p_principal_id) END,
        CASE WHEN p_register THEN NULL ELSE v_now END,
        CASE WHEN p_register THEN NULL ELSE v_now + make_interval(secs => coalesce((p_claim->>'leaseSeconds')::integer, v_policy.lease_seconds)) END
      WHERE NOT v_paused
      ON CONFLICT DO NOTHING
      RETURNING * INTO v_row;
    IF FOUND THEN
      v_answer := jsonb_build_object('disposition', CASE WHEN p_register THEN 'REGISTERED' ELSE 'CLAIMED' END, 'code', NULL);
      EXIT;
    END IF;

    -- A new statement: it sees the row of the rival whose commit we waited for.
    SELECT * INTO v_row FROM ledger.executions
      WHERE principal_id = p_principal_id AND operation = v_arrival.operation AND idempotency_key = v_arrival.idempotency_key;
    IF FOUND THEN
      v_now := ledger.clock();
      v_answer := ledger.judge_arrival(v_row, v_arrival, p_claim, v_now, p_register, false);
      IF v_answer IS NULL THEN
        SELECT * INTO v_row FROM ledger.executions WHERE execution_id = v_row.execution_id FOR NO KEY UPDATE;
        v_now := ledger.clock();
        v_answer := ledger.judge_arrival(v_row, v_arrival, p_claim, v_now, p_register, true);
        SELECT * INTO v_row FROM ledger.executions WHERE execution_id = v_row.execution_id;
      END IF;
      EXIT;
    END IF;
    IF v_paused THEN
      v_answer := jsonb_build_object('disposition', 'OPERATION_PAUSED', 'code', 'OPERATION_PAUSED', 'retryAfterSeconds', 60);
      EXIT;
    END IF;
    IF v_policy.business_ref_unique THEN
      v_answer := ledger.taken_reference(v_tenant_id, v_arrival.operation, v_arrival.business_ref);
      EXIT WHEN v_answer IS NOT NULL;
    END IF;
    v_answer := ledger.busy_executor(v_tenant_id, v_arrival.operation,
      CASE v_policy.single_executor WHEN 'OPERATION' THEN '*' WHEN 'BUSINESS_REFERENCE' THEN v_arrival.business_ref END, v_now);
    EXIT WHEN NOT p_register AND v_policy.single_executor <> 'NONE' AND EXISTS (
      SELECT 1 FROM ledger.executions WHERE tenant_id = v_tenant_id AND operation = v_arrival.operation AND state = 'PROCESSING'
        AND single_executor_key = CASE v_policy.single_executor WHEN 'OPERATION' THEN '*' ELSE v_arrival.business_ref END);
    -- The rival rolled back between the two statements: nothing stands in the way any more, try again.
    v_answer := NULL;
  END LOOP;

  IF v_answer IS NULL THEN
    RETURN jsonb_build_object('disposition', NULL, 'code', 'REQUEST_STATUS_UNCONFIRMED', 'retryAfterSeconds', 1);
  END IF;

  INSERT INTO ledger.intakes (execution_id, tenant_id, principal_id, operation, idempotency_key, request_id, trace_id, attempt_id,
      fingerprint, field_hashes, display_fields, content_version, target_system, target_account, conflicting_fields, disposition, received_at)
    VALUES (v_row.execution_id, v_tenant_id, p_principal_id, v_arrival.operation, v_arrival.idempotency_key, v_arrival.request_id,
      p_claim->>'traceId', v_arrival.attempt_id, v_arrival.fingerprint, v_arrival.field_hashes, v_arrival.display_fields,
      v_arrival.content_version, v_arrival.target_system, v_arrival.target_account, v_answer->'conflictingFields', v_answer->>'disposition', v_now);

  IF v_row.execution_id IS NOT NULL THEN
    -- The row as it was judged, or as this call has just written it; never a later one.
    v_answer := v_answer || jsonb_build_object('execution', ledger.execution_json(v_row));
  END IF;
  RETURN v_answer;
END
$$;

CREATE FUNCTION ledger.claim_as(p_principal_id text, p_claim jsonb) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT ledger.arrive(p_principal_id, p_claim, false) $$;

CREATE FUNCTION ledger.register_as(p_principal_id text, p_claim jsonb) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT ledger.arrive(p_principal_id, p_claim, true) $$;

-- An arrival without a key (R-003): recorded, never executed in its name.
CREATE FUNCTION ledger.keyless_as(p_principal_id text, p_arrival jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_tenant_id text;
  v_intake_id uuid;
  v_passes boolean;
BEGIN
  SELECT tenant_id INTO v_tenant_id FROM ledger.principals WHERE principal_id = p_principal_id;
  IF v_tenant_id IS NULL THEN
    RAISE EXCEPTION 'no such principal' USING ERRCODE = 'OO002';
  END IF;
  IF coalesce(p_arrival->>'operation', '') !~ '^[\x21-\x7e]{1,128}$' THEN
    RAISE EXCEPTION 'operation: 1 to 128 visible ASCII characters' USING ERRCODE = 'OO005';
  END IF;
  v_passes := (ledger.policy_for(v_tenant_id, p_arrival->>'operation')).keyless = 'PASS';
  INSERT INTO ledger.intakes (tenant_id, principal_id, operation, request_id, trace_id, fingerprint, field_hashes, display_fields, disposition)
    VALUES (v_tenant_id, p_principal_id, p_arrival->>'operation', p_arrival->>'requestId', p_arrival->>'traceId',
            p_arrival->>'fingerprint', nullif(p_arrival->'fieldHashes', 'null'), nullif(p_arrival->'displayFields', 'null'), 'KEY_MISSING')
    RETURNING intake_id INTO v_intake_id;
  RETURN jsonb_build_object('disposition', 'KEY_MISSING', 'intakeId', v_intake_id, 'unprotected', v_passes,
    'code', CASE WHEN NOT v_passes THEN 'IDEMPOTENCY_KEY_MISSING' END);
END
$$;
