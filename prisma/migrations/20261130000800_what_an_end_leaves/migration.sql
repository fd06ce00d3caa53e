-- What an attempt leaves behind when it ends, and what it must not: an answer, a failure or a proof of one outcome is never
-- that of the next, and a result that comes after its own end is kept like any other late one.

-- With every blank of Unicode by name: what [:space:] holds depends on the database's locale, and no-break space was not in it.
CREATE OR REPLACE FUNCTION review.visible_length(p_text text) RETURNS integer
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(length(btrim(regexp_replace(p_text,
    '[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff[:space:]]+', ' ', 'g'))), 0)
$$;

-- R-014: an id that nobody can see is none.
CREATE FUNCTION ledger.result_id_of(p_text text) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN review.visible_length(p_text) > 0 THEN p_text END $$;

-- R-032: what was sent under a key that the provider is known to keep is told from a second one by that key. A proof that has
-- run out since makes nobody surer: it counts here for ever.
CREATE FUNCTION ledger.keeps_external_key(p_row ledger.executions, p_policy ledger.operation_policies) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p_row.external_request_key IS NOT NULL AND (ledger.protection_of(p_policy) = 'PROVIDER_KEY'
    OR p_policy.protection_class = 'PROVIDER_KEY' AND p_policy.protection_checked_at IS NOT NULL)
$$;

-- A fingerprint says nothing without the policy that it was made under (R-006).
ALTER TABLE ledger.intakes ADD COLUMN fingerprint_algorithm text, ADD COLUMN policy_version integer;

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
    IF NEW.external_request_key IS DISTINCT FROM OLD.external_request_key AND ledger.keeps_external_key(OLD, v_policy) THEN
      RAISE EXCEPTION 'the external request key of execution % never changes', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    IF NEW.effect_started_at IS NOT NULL AND OLD.effect_started_at IS NULL AND NEW.external_request_key IS NULL
       AND ledger.protection_of(v_policy) = 'PROVIDER_KEY' THEN
      NEW.external_request_key := NEW.idempotency_key;
    END IF;
    -- An answer goes with the outcome that it was given for: the next one brings its own or has none (R-011).
    IF NEW.state <> OLD.state AND (NEW.response_status, NEW.response_headers, NEW.response_body)
       IS NOT DISTINCT FROM (OLD.response_status, OLD.response_headers, OLD.response_body) THEN
      NEW.response_status := NULL;
      NEW.response_headers := NULL;
      NEW.response_body := NULL;
    END IF;
    -- At work there is no outcome yet: what was said of an earlier attempt, or before the effect, proves nothing of this one (R-037).
    IF NEW.state = 'PROCESSING' THEN
      NEW.failure_code := NULL;
      NEW.failure_message := NULL;
      NEW.failure_basis := NULL;
      NEW.response_status := NULL;
      NEW.response_headers := NULL;
      NEW.response_body := NULL;
    END IF;
    -- The outside job is its attempt's; the attempt's own row keeps it.
    IF NEW.moved_by = 'claim' AND NEW.fencing_token <> OLD.fencing_token THEN
      NEW.external_job_id := CASE WHEN NEW.external_job_id IS DISTINCT FROM OLD.external_job_id THEN NEW.external_job_id END;
      NEW.progress := CASE WHEN NEW.progress IS DISTINCT FROM OLD.progress THEN NEW.progress END;
    END IF;
  END IF;
  NEW.result_id := ledger.result_id_of(NEW.result_id);

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
      NEW.response_status := NULL;
      NEW.response_headers := NULL;
      NEW.response_body := NULL;
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

CREATE OR REPLACE FUNCTION ledger.guard_direct_update() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  v_policy ledger.operation_policies;
BEGIN
  IF OLD.principal_id IS DISTINCT FROM ledger.session_principal() THEN
    RAISE EXCEPTION 'the login % may not write for principal %', session_user, OLD.principal_id USING ERRCODE = 'OO002';
  END IF;
  IF NEW.token_presented IS NOT TRUE THEN
    RAISE EXCEPTION 'present your fencing token: SET fencing_token = <token>' USING ERRCODE = 'OO003';
  END IF;
  NEW.token_presented := NULL;
  IF NEW.fencing_token <> OLD.fencing_token THEN
    RAISE EXCEPTION 'fenced: the present token is not %', NEW.fencing_token USING ERRCODE = 'OO003';
  END IF;
  IF NEW.state = 'PROCESSING' AND (OLD.state <> 'PROCESSING'
      OR NEW.owner IS DISTINCT FROM OLD.owner OR NEW.attempt_id IS DISTINCT FROM OLD.attempt_id) THEN
    IF OLD.state = 'PROCESSING' AND (OLD.lease_expires_at > v_now OR OLD.effect_started_at IS NOT NULL)
       OR OLD.superseded_by IS NOT NULL OR review.is_under_review(OLD.lineage_id) THEN
      RAISE EXCEPTION 'execution % cannot be claimed in its present state', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    IF EXISTS (SELECT 1 FROM ledger.operation_pauses WHERE tenant_id = OLD.tenant_id AND operation = OLD.operation) THEN
      RAISE EXCEPTION 'operation % is paused', OLD.operation USING ERRCODE = 'OO006';
    END IF;
    IF OLD.state <> 'PROCESSING' AND OLD.attempts_spent >= OLD.attempts_allowed THEN
      RAISE EXCEPTION 'execution % has no attempts left', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    v_policy := ledger.policy_for(OLD.tenant_id, OLD.operation);
    NEW.moved_by := 'claim';
    NEW.fencing_token := OLD.fencing_token + 1;
    NEW.attempt := OLD.attempt + 1;
    NEW.attempts_spent := OLD.attempts_spent + CASE OLD.state WHEN 'PROCESSING' THEN 0 ELSE 1 END;
    -- An attempt id names one attempt: the ended one, repeated, must not be taken for this.
    NEW.attempt_id := CASE WHEN NEW.attempt_id IS DISTINCT FROM OLD.attempt_id THEN NEW.attempt_id END;
    NEW.owner := coalesce(NEW.owner, session_user);
    NEW.claimed_at := v_now;
    NEW.effect_started_at := NULL;
    NEW.lease_expires_at := CASE WHEN NEW.lease_expires_at IS DISTINCT FROM OLD.lease_expires_at THEN NEW.lease_expires_at
                                 ELSE v_now + make_interval(secs => v_policy.lease_seconds) END;
  ELSE
    NEW.moved_by := 'executor';
    IF OLD.state <> 'PROCESSING' AND NEW.state = OLD.state THEN
      RAISE EXCEPTION 'execution % is not in progress', OLD.execution_id USING ERRCODE = 'OO004';
    END IF;
    IF NEW.state = 'SUCCEEDED' AND OLD.state IN ('FAILED_RETRYABLE', 'FAILED_FINAL', 'EXPIRED') THEN
      RAISE EXCEPTION 'execution % has ended', OLD.execution_id USING ERRCODE = 'OO004',
        HINT = 'Report the late result with ledger.complete(...): it is refused, kept, and shown to a person.';
    END IF;
    IF NEW.effect_started_at IS DISTINCT FROM OLD.effect_started_at THEN
      IF OLD.effect_started_at IS NOT NULL OR OLD.lease_expires_at <= v_now OR review.is_under_review(OLD.lineage_id) THEN
        RAISE EXCEPTION 'the effect of execution % cannot be started now', OLD.execution_id USING ERRCODE = 'OO004';
      END IF;
      NEW.effect_started_at := v_now;
    END IF;
    IF NEW.state = 'UNKNOWN' AND OLD.state <> 'UNKNOWN' THEN
      NEW.unknown_reason := 'REPORTED';
    END IF;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION ledger.keep_late_report(p_row ledger.executions, p_verb text, p_report jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_result_id text := ledger.result_id_of(p_report->>'resultId');
  v_detail jsonb;
BEGIN
  IF p_report->>'fencingToken' IS NULL THEN
    RETURN; -- whoever shows none owns nothing
  END IF;
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
  ELSIF p_row.state = 'UNKNOWN' AND v_result_id <> p_row.reported_result_id THEN
    PERFORM review.open_exception(p_row.execution_id, 'DUPLICATE_RESULT', 'LATE_SUCCESS', v_detail);
  ELSIF p_row.state = 'UNKNOWN' THEN
    PERFORM review.open_exception(p_row.execution_id, 'UNKNOWN_RESULT', 'LATE_SUCCESS', v_detail);
  ELSIF EXISTS (SELECT 1 FROM ledger.attempts WHERE execution_id = p_row.execution_id AND outcome = 'DECIDED') THEN
    PERFORM review.open_exception(p_row.execution_id, 'CONTRADICTED_DECISION', 'LATE_SUCCESS', v_detail);
  ELSE
    PERFORM review.open_exception(p_row.execution_id, 'DUPLICATE_RESULT', 'LATE_SUCCESS', v_detail);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION ledger.complete_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_result_id text := ledger.result_id_of(p_report->>'resultId');
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
    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
    RETURN ledger.refusal('RESULT_CONFLICT', 'OTHER_RESULT_STORED', v_row);
  END IF;
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason IN ('RESULT_MISMATCH', 'MISSING_RESULT_ID')
     AND v_result_id IS NOT DISTINCT FROM v_row.reported_result_id THEN
    RETURN ledger.acceptance(v_row.execution_id);
  END IF;
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason = 'RESULT_MISMATCH' THEN
    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
    RETURN ledger.refusal('RESULT_CONFLICT', 'UNDER_REVIEW', v_row);
  END IF;
  -- The token was raised by a person or by a contradiction and belongs to no attempt: whoever shows it has read it.
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason IN ('DECLARED', 'CONTRADICTED') THEN
    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
    RETURN ledger.refusal('FENCED', 'UNDER_REVIEW', v_row);
  END IF;
  IF v_row.state NOT IN ('PROCESSING', 'UNKNOWN') THEN
    -- The owner itself said that it had failed or was cancelled, and now there is a result: a contradiction like a stranger's.
    IF v_row.attempt > 0 THEN
      PERFORM ledger.keep_late_report(v_row, 'complete', p_report);
      SELECT * INTO v_row FROM ledger.executions WHERE execution_id = p_execution_id;
    END IF;
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

CREATE OR REPLACE FUNCTION ledger.fail_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_told text := CASE WHEN (p_report->>'retryable')::boolean THEN 'FAILED_RETRYABLE' ELSE 'FAILED_FINAL' END;
BEGIN
  IF p_report->>'retryable' IS NULL THEN
    RAISE EXCEPTION 'retryable: true or false' USING ERRCODE = 'OO005';
  END IF;
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

CREATE OR REPLACE FUNCTION ledger.read_claim(p_claim jsonb) RETURNS ledger.executions
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_long text;
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
  -- The limits of the HTTP door, for every door.
  SELECT member INTO v_long FROM (VALUES ('requestId', 255), ('traceId', 128), ('owner', 128), ('contentVersion', 128), ('workflowId', 255),
      ('step', 128), ('businessRef', 255), ('externalRequestKey', 255), ('inputRef', 2048)) AS l (member, most)
    WHERE length(p_claim->>member) > most;
  IF v_long IS NOT NULL THEN
    RAISE EXCEPTION '%: too long', v_long USING ERRCODE = 'OO005';
  END IF;
  IF length(p_claim#>>'{target,system}') > 64 OR length(p_claim#>>'{target,account}') > 255 THEN
    RAISE EXCEPTION 'target: too long' USING ERRCODE = 'OO005';
  END IF;
  IF NOT isfinite((p_claim->>'deadline')::timestamptz) THEN
    RAISE EXCEPTION 'deadline: an instant' USING ERRCODE = 'OO005';
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

CREATE OR REPLACE FUNCTION review.apply_settlement(p_row ledger.executions, p_request review.approval_requests) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_constraint text;
BEGIN
  -- A record that is superseded, expired or already carries its result keeps it: the decision settles the exception.
  IF p_row.superseded_by IS NOT NULL OR p_row.state IN ('SUCCEEDED', 'EXPIRED', 'RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE') THEN
    RETURN NULL;
  END IF;
  IF p_request.params->>'outcome' = 'APPLIED' THEN
    UPDATE ledger.executions SET state = 'SUCCEEDED', moved_by = 'person', fencing_token = fencing_token + 1,
        result_id = p_request.params->>'resultId',
        -- An address belongs to its result: the one that was reported is no address of another.
        result_url = coalesce(p_request.params->>'resultUrl', CASE WHEN p_request.params->>'resultId' = reported_result_id THEN result_url END)
      WHERE execution_id = p_row.execution_id AND version = p_row.version;
  ELSIF p_row.state = 'UNKNOWN' THEN
    UPDATE ledger.executions SET state = 'FAILED_FINAL', moved_by = 'person', fencing_token = fencing_token + 1, failure_code = 'EFFECT_NOT_OURS'
      WHERE execution_id = p_row.execution_id AND version = p_row.version;
  END IF;
  RETURN NULL;
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
  IF v_constraint <> 'executions_result_is_linked_once' THEN RAISE; END IF;
  RETURN 'RESULT_LINKED_ELSEWHERE';
END
$$;

-- R-006: a success is held to what was asked of it when it was made; a later policy asks it of later ones.
CREATE FUNCTION ledger.result_id_was_required(p_row ledger.executions) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce((SELECT p.result_id_required FROM ledger.operation_policies p
    WHERE p.version = p_row.policy_version AND (p.tenant_id, p.operation) IN ((p_row.tenant_id, p_row.operation), ('*', '*'))
    ORDER BY p.tenant_id = '*' LIMIT 1), true)
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
    IF p_row.state = 'SUCCEEDED' AND p_row.result_id IS NULL AND v_policy.result_id_required
       AND ledger.result_id_was_required(p_row) THEN
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
  IF p_arrival.external_request_key <> p_row.external_request_key AND ledger.keeps_external_key(p_row, v_policy) THEN
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
  -- Why the policy in force takes no new record of this; a record that is there already is answered under its own (R-006).
  v_refused text;
BEGIN
  SELECT tenant_id INTO v_tenant_id FROM ledger.principals WHERE principal_id = p_principal_id;
  IF v_tenant_id IS NULL THEN
    RAISE EXCEPTION 'no such principal' USING ERRCODE = 'OO002';
  END IF;
  v_policy := ledger.policy_for(v_tenant_id, v_arrival.operation);
  v_refused := CASE
    WHEN v_policy.approval_ref_required AND v_arrival.approval_ref IS NULL
      THEN format('approvalRef: operation %s requires one', v_arrival.operation)
    WHEN NOT v_policy.allow_personal_keys AND ledger.personal_kind(v_arrival.idempotency_key) IS NOT NULL
      THEN format('key: looks like personal data: %s', ledger.personal_kind(v_arrival.idempotency_key))
    WHEN (p_claim->>'onlyExisting')::boolean THEN 'payload: the policy in force does not take it' END;
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
      WHERE NOT v_paused AND v_refused IS NULL
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
      -- A record under the policy that refuses this was made of something else: the form comes before the conflict (R-018).
      IF (p_claim->>'onlyExisting')::boolean AND v_row.policy_version <> v_arrival.policy_version
         AND NOT p_claim->'fingerprints' ? v_row.policy_version::text THEN
        RAISE EXCEPTION '%', v_refused USING ERRCODE = 'OO005';
      END IF;
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
    IF v_refused IS NOT NULL THEN
      RAISE EXCEPTION '%', v_refused USING ERRCODE = 'OO005';
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
      fingerprint, fingerprint_algorithm, policy_version, field_hashes, display_fields, content_version, target_system, target_account,
      conflicting_fields, disposition, received_at)
    VALUES (v_row.execution_id, v_tenant_id, p_principal_id, v_arrival.operation, v_arrival.idempotency_key, v_arrival.request_id,
      p_claim->>'traceId', v_arrival.attempt_id, v_arrival.fingerprint, v_arrival.fingerprint_algorithm,
      coalesce(v_arrival.policy_version, v_policy.version), v_arrival.field_hashes, v_arrival.display_fields,
      v_arrival.content_version, v_arrival.target_system, v_arrival.target_account, v_answer->'conflictingFields', v_answer->>'disposition', v_now);

  IF v_row.execution_id IS NOT NULL THEN
    -- The row as it was judged, or as this call has just written it; never a later one.
    v_answer := v_answer || jsonb_build_object('execution', ledger.execution_json(v_row));
  END IF;
  RETURN v_answer;
END
$$;

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
  IF r.execute_by <= f.now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, '{"limit": "execution"}');
    RETURN '{"outcome": "ended", "state": "EXPIRED"}';
  END IF;
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  SELECT * INTO v_approval FROM review.approval_decisions WHERE request_id = r.request_id AND verdict = 'APPROVE' ORDER BY decided_at DESC LIMIT 1;

  v_void := coalesce(
    review.request_basis_lost(r, f.execution),
    CASE WHEN review.reissue_is_blocked((f.execution).lineage_id) THEN 'LINEAGE_UNDER_REVIEW' END,
    CASE WHEN review.entitled_approvals(r, (f.policy).authority) < greatest(r.approvals_required, (f.policy).approvals_required) THEN 'APPROVERS_NOT_ENTITLED' END,
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

-- R-016, R-017: what a policy asks of later claims it asks against the records that are there already. It is refused while they
-- cannot keep it, and names the reference.
CREATE FUNCTION ledger.apply_policy_to_records() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_constraint text;
  v_detail text;
BEGIN
  IF NEW.business_ref_unique THEN
    UPDATE ledger.executions SET business_ref_unique = true
      WHERE tenant_id = NEW.tenant_id AND operation = NEW.operation AND business_ref IS NOT NULL AND NOT business_ref_unique
        AND superseded_by IS NULL AND reissue_relation IS DISTINCT FROM 'NEW_WORK';
  END IF;
  UPDATE ledger.executions SET single_executor_key = CASE ledger.single_executor_of(NEW) WHEN 'OPERATION' THEN '*' ELSE business_ref END
    WHERE tenant_id = NEW.tenant_id AND operation = NEW.operation AND state = 'PROCESSING' AND ledger.single_executor_of(NEW) <> 'NONE'
      AND single_executor_key IS DISTINCT FROM CASE ledger.single_executor_of(NEW) WHEN 'OPERATION' THEN '*' ELSE business_ref END;
  RETURN NULL;
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME, v_detail = PG_EXCEPTION_DETAIL;
  RAISE EXCEPTION 'operation % cannot take this policy now: %', NEW.operation, v_detail USING ERRCODE = 'OO005', CONSTRAINT = v_constraint,
    HINT = CASE v_constraint WHEN 'executions_single_executor' THEN 'Wait until one of the running executions has ended.'
                             ELSE 'Two records carry one business reference; settle which of them counts first.' END;
END
$$;
CREATE TRIGGER operation_policies_9_apply AFTER INSERT OR UPDATE ON ledger.operation_policies
  FOR EACH ROW WHEN (NEW.retired_at IS NULL AND NEW.tenant_id <> '*') EXECUTE FUNCTION ledger.apply_policy_to_records();
