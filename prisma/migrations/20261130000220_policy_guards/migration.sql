-- The protocol under these policies: what holds for every writer (keep_execution), and the verbs that say the same as a value.

CREATE OR REPLACE FUNCTION ledger.keep_execution() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  v_policy ledger.operation_policies := ledger.policy_for(NEW.tenant_id, NEW.operation);
  v_from text := CASE TG_OP WHEN 'INSERT' THEN '' ELSE OLD.state END;
  v_doubt text;
  v_moves boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.lineage_id := coalesce(NEW.lineage_id, NEW.execution_id);
    NEW.created_at := v_now;
    NEW.expires_at := coalesce(NEW.expires_at, v_now + make_interval(secs => v_policy.retention_seconds));
    NEW.attempts_allowed := v_policy.max_attempts;
    IF NOT v_policy.allow_personal_keys AND ledger.personal_kind(NEW.idempotency_key) IS NOT NULL THEN
      RAISE EXCEPTION 'the key looks like personal data: %', ledger.personal_kind(NEW.idempotency_key) USING ERRCODE = 'OO005';
    END IF;
    NEW.result_shared := v_policy.shared_results;
  ELSE
    IF (NEW.execution_id, NEW.tenant_id, NEW.principal_id, NEW.operation, NEW.idempotency_key, NEW.fingerprint, NEW.lineage_id, NEW.created_at)
       IS DISTINCT FROM
       (OLD.execution_id, OLD.tenant_id, OLD.principal_id, OLD.operation, OLD.idempotency_key, OLD.fingerprint, OLD.lineage_id, OLD.created_at) THEN
      RAISE EXCEPTION 'scope and fingerprint of execution % never change', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    -- What a record is about can be told later, and only once; a success about something else is judged below (R-014).
    IF ((OLD.target_system IS NOT NULL AND NEW.target_system IS DISTINCT FROM OLD.target_system)
        OR (OLD.target_account IS NOT NULL AND NEW.target_account IS DISTINCT FROM OLD.target_account))
       AND NOT (NEW.moved_by = 'executor' AND NEW.state = 'SUCCEEDED' AND OLD.state <> 'SUCCEEDED') THEN
      RAISE EXCEPTION 'the target of execution % never changes', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    IF OLD.business_ref IS NOT NULL AND NEW.business_ref IS DISTINCT FROM OLD.business_ref THEN
      RAISE EXCEPTION 'the business reference of execution % never changes', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    IF NEW.fencing_token NOT IN (OLD.fencing_token, OLD.fencing_token + 1) THEN
      RAISE EXCEPTION 'fenced: the token of execution % only grows by one', OLD.execution_id USING ERRCODE = 'OO003';
    END IF;
    IF OLD.superseded_by IS NOT NULL AND NEW.superseded_by IS DISTINCT FROM OLD.superseded_by THEN
      RAISE EXCEPTION 'execution % is superseded already', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    -- What an execution was approved for it stays approved for; only its tombstone forgets it.
    IF OLD.approval_ref IS NOT NULL AND NEW.approval_ref IS DISTINCT FROM OLD.approval_ref AND NEW.moved_by <> 'retention' THEN
      RAISE EXCEPTION 'the approval of execution % never changes', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    -- A provider that keeps our key tells a repetition by it: another key would be another effect (R-032).
    IF OLD.external_request_key IS NOT NULL AND NEW.external_request_key IS DISTINCT FROM OLD.external_request_key
       AND ledger.protection_of(v_policy) = 'PROVIDER_KEY' THEN
      RAISE EXCEPTION 'the external request key of execution % never changes', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    IF NEW.effect_started_at IS NOT NULL AND OLD.effect_started_at IS NULL AND NEW.external_request_key IS NULL
       AND ledger.protection_of(v_policy) = 'PROVIDER_KEY' THEN
      NEW.external_request_key := NEW.idempotency_key;
    END IF;
  END IF;

  IF NEW.result_id IS NOT NULL AND NEW.state NOT IN ('SUCCEEDED', 'EXPIRED') THEN
    RAISE EXCEPTION 'a result id comes with the success that it belongs to' USING ERRCODE = 'OO004';
  END IF;
  -- What is in doubt for a person is not settled by the executor that raised the doubt, or was declared silent.
  IF TG_OP = 'UPDATE' AND NEW.moved_by = 'executor' AND OLD.state = 'UNKNOWN' AND NEW.state <> 'UNKNOWN'
     AND OLD.unknown_reason IN ('RESULT_MISMATCH', 'CONTRADICTED', 'DECLARED') THEN
    RAISE EXCEPTION 'execution % is under review', OLD.execution_id USING ERRCODE = 'OO004';
  END IF;
  IF TG_OP = 'INSERT' OR NEW.business_ref IS DISTINCT FROM OLD.business_ref THEN
    NEW.business_ref_unique := v_policy.business_ref_unique AND NEW.business_ref IS NOT NULL
                               AND NEW.reissue_relation IS DISTINCT FROM 'NEW_WORK';
  END IF;
  -- Judged at each claim: a reference can come with it, and a proof of protection may have ended since the last one (R-016).
  IF TG_OP = 'INSERT' OR NEW.moved_by = 'claim' AND NEW.fencing_token <> OLD.fencing_token THEN
    NEW.single_executor_key := CASE ledger.single_executor_of(v_policy)
      WHEN 'OPERATION' THEN '*' WHEN 'BUSINESS_REFERENCE' THEN NEW.business_ref END;
  END IF;
  -- A lease is a promise to be heard from; one without an end would hide its owner's silence for ever.
  IF NEW.state = 'PROCESSING' AND (TG_OP = 'INSERT' OR NEW.lease_expires_at IS DISTINCT FROM OLD.lease_expires_at)
     AND NEW.lease_expires_at > v_now + interval '86400 seconds' THEN
    RAISE EXCEPTION 'a lease lasts 86400 seconds at most' USING ERRCODE = 'OO005';
  END IF;

  IF TG_OP = 'UPDATE' AND NEW.moved_by = 'executor' AND OLD.state = 'PROCESSING' AND NEW.state IN ('FAILED_RETRYABLE', 'FAILED_FINAL') THEN
    NEW.state := ledger.failed_state(NEW.state, NEW.failure_code, NEW.failure_basis, NEW.effect_started_at IS NOT NULL, v_policy);
    -- Only a final failure has an answer to repeat; left behind, it would be the answer of a success that comes later.
    IF NEW.state <> 'FAILED_FINAL' THEN
      NEW.response_status := NULL;
      NEW.response_headers := NULL;
      NEW.response_body := NULL;
    END IF;
    IF NEW.state = 'UNKNOWN' THEN
      NEW.unknown_reason := 'NO_PROOF';
    ELSIF NEW.state = 'FAILED_RETRYABLE' AND ledger.outcome_class(v_policy, NEW.failure_code) = 'FIX_FIRST' THEN
      -- No attempts are left until a person allows some: the same call would be refused again.
      NEW.attempts_allowed := NEW.attempts_spent;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.moved_by = 'executor' AND NEW.state = 'SUCCEEDED' AND OLD.state <> 'SUCCEEDED' THEN
    v_doubt := ledger.doubt_about_result(NEW, OLD, v_policy.result_id_required);
    IF v_doubt IS NOT NULL THEN
      NEW.state := 'UNKNOWN';
      NEW.unknown_reason := v_doubt;
      NEW.reported_result_id := coalesce(NEW.result_id, OLD.reported_result_id);
      NEW.result_id := NULL;
      NEW.target_system := OLD.target_system;
      NEW.target_account := OLD.target_account;
    END IF;
  END IF;

  v_moves := TG_OP = 'INSERT' OR NEW.state <> OLD.state
             OR (NEW.moved_by = 'claim' AND NEW.fencing_token <> OLD.fencing_token);
  IF v_moves AND NOT EXISTS (
      SELECT 1 FROM ledger.transitions t WHERE t.from_state = v_from AND t.to_state = NEW.state AND t.moved_by = NEW.moved_by) THEN
    RAISE EXCEPTION 'execution %: % may not move it from % to %', NEW.execution_id, NEW.moved_by, nullif(v_from, ''), NEW.state
      USING ERRCODE = 'OO004';
  END IF;

  IF v_moves AND NEW.moved_by IN ('register', 'claim') AND v_policy.approval_ref_required AND NEW.approval_ref IS NULL THEN
    RAISE EXCEPTION 'approvalRef: operation % requires one', NEW.operation USING ERRCODE = 'OO005';
  END IF;

  IF NEW.state <> 'UNKNOWN' THEN
    NEW.unknown_reason := NULL;
  END IF;
  IF TG_OP = 'INSERT' OR NEW.state <> OLD.state THEN
    NEW.state_since := v_now;
    IF NEW.state IN ('SUCCEEDED', 'FAILED_FINAL') THEN
      NEW.expires_at := v_now + make_interval(secs => v_policy.retention_seconds);
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.state, NEW.fencing_token, NEW.target_system, NEW.target_account, NEW.result_id, NEW.reported_result_id, NEW.superseded_by, NEW.effect_started_at)
     IS DISTINCT FROM (OLD.state, OLD.fencing_token, OLD.target_system, OLD.target_account, OLD.result_id, OLD.reported_result_id, OLD.superseded_by, OLD.effect_started_at) THEN
    NEW.version := OLD.version + 1;
  END IF;
  NEW.updated_at := v_now;
  NEW.sweep_at := ledger.next_sweep(NEW, v_policy);
  RETURN NEW;
END
$$;

-- What a claim or registration says, checked for form. OO005 names the member at fault.
CREATE OR REPLACE FUNCTION ledger.read_claim(p_claim jsonb) RETURNS ledger.executions
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
  v_row.approval_ref := ledger.read_approval(nullif(p_claim->'approvalRef', 'null'));
  -- R-019: what is done is what was approved, said or not.
  v_row.content_version := coalesce(p_claim->>'contentVersion', v_row.approval_ref->>'contentVersion');
  v_row.target_system := coalesce(p_claim#>>'{target,system}', v_row.approval_ref#>>'{target,system}');
  v_row.target_account := coalesce(p_claim#>>'{target,account}', v_row.approval_ref#>>'{target,account}');
  IF v_row.content_version <> v_row.approval_ref->>'contentVersion' THEN
    RAISE EXCEPTION 'contentVersion: is not what approvalRef approved' USING ERRCODE = 'OO005';
  END IF;
  IF v_row.target_system <> v_row.approval_ref#>>'{target,system}' OR v_row.target_account <> v_row.approval_ref#>>'{target,account}' THEN
    RAISE EXCEPTION 'target: is not what approvalRef approved' USING ERRCODE = 'OO005';
  END IF;
  v_row.workflow_id := p_claim->>'workflowId';
  v_row.step := p_claim->>'step';
  v_row.business_ref := p_claim->>'businessRef';
  v_row.external_request_key := p_claim->>'externalRequestKey';
  v_row.deadline := (p_claim->>'deadline')::timestamptz;
  v_row.owner := p_claim->>'owner';
  v_row.attempt_id := (p_claim->>'attemptId')::uuid;
  RETURN v_row;
END
$$;

-- One arrival at an existing record: the order of checks of R-018 from "same attempt id" to "claim". Judged first on a
-- plain read: an answer that changes nothing needs no lock, so duplicates do not queue behind each other. Null = the
-- row would be written; the caller locks it and asks again. Guarantee: of any number of equal arrivals at most one gets
-- PROCESSING with a new token.
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

-- Claim (or register) one key. Guarantee: the unique scope decides who wins; there is one INSERT … ON CONFLICT and no
-- read before it. Locks: the rival's insert, if it is not committed yet; then the scope's own row, if it is to be
-- written. Index: executions_scope_is_unique.
CREATE OR REPLACE FUNCTION ledger.arrive(p_principal_id text, p_claim jsonb, p_register boolean) RETURNS jsonb
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
  v_single_executor text;
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
  v_single_executor := ledger.single_executor_of(v_policy);
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
      CASE v_single_executor WHEN 'OPERATION' THEN '*' WHEN 'BUSINESS_REFERENCE' THEN v_arrival.business_ref END, v_now);
    EXIT WHEN NOT p_register AND v_single_executor <> 'NONE' AND EXISTS (
      SELECT 1 FROM ledger.executions WHERE tenant_id = v_tenant_id AND operation = v_arrival.operation AND state = 'PROCESSING'
        AND single_executor_key = CASE v_single_executor WHEN 'OPERATION' THEN '*' ELSE v_arrival.business_ref END);
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

-- R-032: a provider that keeps our key is always given the same one; other systems get whichever is recorded here.
CREATE OR REPLACE FUNCTION ledger.effect_started_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_now timestamptz;
  v_keeps_key boolean;
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
  v_keeps_key := ledger.protection_of(ledger.policy_for(v_row.tenant_id, v_row.operation)) = 'PROVIDER_KEY';
  IF v_keeps_key AND p_report->>'externalRequestKey' <> v_row.external_request_key THEN
    RETURN ledger.refusal('INVALID_STATE', 'OTHER_EXTERNAL_REQUEST_KEY', v_row);
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
        external_request_key = coalesce(p_report->>'externalRequestKey', external_request_key)
      WHERE execution_id = v_row.execution_id;
  END IF;
  RETURN ledger.acceptance(v_row.execution_id)
    || jsonb_build_object('sendBefore', ledger.instant(least(v_row.lease_expires_at, v_row.deadline)));
END
$$;

-- Failure. What it leads to is decided by the trigger that guards every writer (R-037), so the answer's state may be another.
CREATE OR REPLACE FUNCTION ledger.fail_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_told text := CASE WHEN (p_report->>'retryable')::boolean THEN 'FAILED_RETRYABLE' ELSE 'FAILED_FINAL' END;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id AND principal_id = p_principal_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('code', 'NOT_FOUND'); END IF;
  IF (p_report->>'fencingToken')::bigint IS DISTINCT FROM v_row.fencing_token THEN
    PERFORM ledger.keep_late_report(v_row, 'fail', p_report);
    RETURN ledger.refusal('FENCED', NULL, v_row);
  END IF;
  IF v_row.state <> 'PROCESSING' THEN
    IF v_row.moved_by = 'executor' AND v_row.failure_code IS NOT DISTINCT FROM p_report->>'code'
       AND (v_row.state = 'UNKNOWN' AND v_row.unknown_reason = 'NO_PROOF'
            OR v_row.state = ledger.failed_state(v_told, p_report->>'code', p_report->>'basis', v_row.effect_started_at IS NOT NULL,
                                                 ledger.policy_for(v_row.tenant_id, v_row.operation))) THEN
      RETURN ledger.acceptance(v_row.execution_id);
    END IF;
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  UPDATE ledger.executions SET state = v_told, moved_by = 'executor',
      failure_code = p_report->>'code', failure_message = p_report->>'message', failure_basis = p_report->>'basis',
      response_status = (p_report#>>'{response,status}')::integer,
      response_headers = nullif(p_report#>'{response,headers}', 'null'),
      response_body = p_report#>>'{response,bodyText}'
    WHERE execution_id = v_row.execution_id;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

-- R-037: what is refused until somebody changes something waits for a person at once, not for the sweep or the next claim.
CREATE FUNCTION review.exceptions_follow_fix_first() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF ledger.outcome_class(ledger.policy_for(NEW.tenant_id, NEW.operation), NEW.failure_code) = 'FIX_FIRST' THEN
    PERFORM review.open_exception(NEW.execution_id, 'RETRY_STALLED', 'FIX_FIRST', jsonb_build_object('failureCode', NEW.failure_code));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER executions_7_exceptions_follow_fix_first AFTER UPDATE OF state ON ledger.executions
  FOR EACH ROW WHEN (NEW.state = 'FAILED_RETRYABLE' AND OLD.state = 'PROCESSING' AND NEW.moved_by = 'executor')
  EXECUTE FUNCTION review.exceptions_follow_fix_first();
