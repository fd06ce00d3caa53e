-- What holds for every write on ledger.executions, whoever writes: our verbs, a person's decision, the sweep, or a
-- program in plain SQL. Private SQLSTATEs (class OO): OO001 only added · OO002 foreign principal · OO003 fenced ·
-- OO004 transition refused · OO005 impossible request · OO006 operation paused.

-- The policy in force for an operation; the built-in default where it has none of its own.
CREATE FUNCTION ledger.policy_for(p_tenant_id text, p_operation text) RETURNS ledger.operation_policies
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p FROM ledger.operation_policies p
  WHERE p.retired_at IS NULL
    AND ((p.tenant_id = p_tenant_id AND p.operation = p_operation) OR (p.tenant_id = '*' AND p.operation = '*'))
  ORDER BY (p.tenant_id = '*')
  LIMIT 1
$$;
GRANT EXECUTE ON FUNCTION ledger.policy_for(text, text) TO onceover_app, onceover_worker;

-- R-004: what personal data a key as a whole looks like, or null. lib/domain/personal-keys.ts is the same for the API and
-- explains the forms; a test holds the two equal.
CREATE FUNCTION ledger.personal_kind(p_key text) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_key ~ '^[^@]{1,64}@([A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}$' THEN 'EMAIL'
    WHEN p_key ~ '^\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-\d{7}$' THEN 'NATIONAL_ID'
    WHEN p_key ~ '^\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{7}$' THEN (
      SELECT CASE WHEN right(p_key, 1)::integer IN ((11 - total % 11) % 10, (13 - total % 11) % 10) THEN 'NATIONAL_ID' END
      FROM (SELECT sum(substr(p_key, place::integer, 1)::integer * weight)::integer AS total
            FROM unnest(ARRAY[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) WITH ORDINALITY AS w (weight, place)) digits)
    WHEN p_key ~ '^\+[1-9]([-.()]?\d){6,14}$' OR p_key ~ '^\(?01[016789]\)?[-.]?\d{3,4}[-.]?\d{4}$'
      OR p_key ~ '^\(?0(2|[3-6]\d|70|80)\)?[-.]\d{3,4}[-.]\d{4}$' OR p_key ~ '^(\(\d{3}\)|\d{3}[-.])\d{3}[-.]\d{4}$' THEN 'PHONE'
  END
$$;

-- Fires only when the direct writer names fencing_token in its SET list; that is how a writer presents its token.
CREATE FUNCTION ledger.note_presented_token() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.token_presented := true;
  RETURN NEW;
END
$$;

-- A direct INSERT is a claim or a registration; the unique scope decides who wins.
CREATE FUNCTION ledger.guard_direct_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_principal text := ledger.session_principal();
  v_policy ledger.operation_policies;
  v_now timestamptz := ledger.clock();
BEGIN
  IF v_principal IS NULL OR NEW.principal_id IS DISTINCT FROM v_principal AND NEW.principal_id IS NOT NULL THEN
    RAISE EXCEPTION 'the login % may not write for principal %', session_user, NEW.principal_id USING ERRCODE = 'OO002';
  END IF;
  NEW.principal_id := v_principal;
  SELECT tenant_id INTO NEW.tenant_id FROM ledger.principals WHERE principal_id = v_principal;
  v_policy := ledger.policy_for(NEW.tenant_id, NEW.operation);
  IF v_policy.approval_ref_required THEN
    RAISE EXCEPTION 'operation % requires an approval reference: claim it by ledger.claim', NEW.operation USING ERRCODE = 'OO005';
  END IF;
  NEW.policy_version := v_policy.version;
  NEW.state := coalesce(NEW.state, 'PROCESSING');
  NEW.moved_by := CASE NEW.state WHEN 'RECEIVED' THEN 'register' ELSE 'claim' END;
  NEW.fencing_token := 0;
  NEW.attempt := 0;
  IF NEW.state = 'PROCESSING' THEN
    IF EXISTS (SELECT 1 FROM ledger.operation_pauses WHERE tenant_id = NEW.tenant_id AND operation = NEW.operation) THEN
      RAISE EXCEPTION 'operation % is paused', NEW.operation USING ERRCODE = 'OO006';
    END IF;
    NEW.fencing_token := 1;
    NEW.attempt := 1;
    NEW.attempts_spent := 1;
    NEW.owner := coalesce(NEW.owner, session_user);
    NEW.claimed_at := v_now;
    NEW.lease_expires_at := coalesce(NEW.lease_expires_at, v_now + make_interval(secs => v_policy.lease_seconds));
  ELSE
    NEW.owner := NULL;
    NEW.lease_expires_at := NULL;
  END IF;
  RETURN NEW;
END
$$;

-- A direct UPDATE must present the present token: SET fencing_token = <token>, ….
CREATE FUNCTION ledger.guard_direct_update() RETURNS trigger
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

-- R-014: may this success be believed? Null = yes, else the reason why the result stays in doubt.
CREATE FUNCTION ledger.doubt_about_result(p_new ledger.executions, p_old ledger.executions, p_result_id_required boolean) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN (p_old.target_system IS NOT NULL AND p_new.target_system IS DISTINCT FROM p_old.target_system)
      OR (p_old.target_account IS NOT NULL AND p_new.target_account IS DISTINCT FROM p_old.target_account) THEN 'RESULT_MISMATCH'
    WHEN p_new.result_id IS NULL AND p_result_id_required THEN 'MISSING_RESULT_ID'
    WHEN NOT p_new.result_shared AND EXISTS (
      SELECT 1 FROM ledger.executions other
      WHERE other.tenant_id = p_new.tenant_id AND other.result_id = p_new.result_id AND NOT other.result_shared
        AND other.execution_id <> p_new.execution_id
        AND coalesce(other.target_system, '') = coalesce(p_new.target_system, '')
        AND coalesce(other.target_account, '') = coalesce(p_new.target_account, '')) THEN 'RESULT_MISMATCH'
  END
$$;

-- R-037: once the effect has started, "failed" without a proof that nothing happened is not a failure.
CREATE FUNCTION ledger.proves_no_effect(p_basis text, p_code text, p_policy ledger.operation_policies) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(p_basis IN ('NOT_SENT', 'LOOKUP')
    OR (p_basis = 'PROVIDER_TRANSIENT' AND p_policy.protection_class = 'PROVIDER_KEY' AND p_code = ANY (p_policy.transient_codes)), false)
$$;

-- From when on work counts as long-running, unclaimed or stalled; a person's extension moves each of them.
CREATE FUNCTION ledger.long_running_from(p_row ledger.executions, p_policy ledger.operation_policies) RETURNS timestamptz
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT greatest(p_row.claimed_at + make_interval(secs => p_policy.long_running_seconds), p_row.extended_until) $$;
CREATE FUNCTION ledger.unclaimed_from(p_row ledger.executions, p_policy ledger.operation_policies) RETURNS timestamptz
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT greatest(p_row.state_since + make_interval(secs => p_policy.claim_within_seconds), p_row.extended_until) $$;
CREATE FUNCTION ledger.stalled_from(p_row ledger.executions, p_policy ledger.operation_policies) RETURNS timestamptz
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT greatest(p_row.state_since + make_interval(secs => p_policy.retry_within_seconds), p_row.extended_until) $$;

-- When must the sweep look at this row next? Null = never.
CREATE FUNCTION ledger.next_sweep(p_row ledger.executions, p_policy ledger.operation_policies) RETURNS timestamptz
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_row.superseded_by IS NOT NULL AND p_row.state NOT IN ('SUCCEEDED', 'FAILED_FINAL') THEN NULL
    WHEN p_row.state = 'PROCESSING' THEN least(p_row.lease_expires_at, ledger.long_running_from(p_row, p_policy), p_row.expires_at)
    WHEN p_row.state = 'RECEIVED' THEN least(ledger.unclaimed_from(p_row, p_policy), p_row.expires_at)
    WHEN p_row.state = 'FAILED_RETRYABLE' THEN least(ledger.stalled_from(p_row, p_policy), p_row.expires_at)
    WHEN p_row.state IN ('SUCCEEDED', 'FAILED_FINAL', 'UNKNOWN') THEN p_row.expires_at
  END
$$;

CREATE FUNCTION ledger.keep_execution() RETURNS trigger
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
    NEW.single_executor_key := CASE v_policy.single_executor
      WHEN 'OPERATION' THEN '*' WHEN 'BUSINESS_REFERENCE' THEN NEW.business_ref END;
  END IF;
  -- A lease is a promise to be heard from; one without an end would hide its owner's silence for ever.
  IF NEW.state = 'PROCESSING' AND (TG_OP = 'INSERT' OR NEW.lease_expires_at IS DISTINCT FROM OLD.lease_expires_at)
     AND NEW.lease_expires_at > v_now + interval '86400 seconds' THEN
    RAISE EXCEPTION 'a lease lasts 86400 seconds at most' USING ERRCODE = 'OO005';
  END IF;

  IF TG_OP = 'UPDATE' AND NEW.moved_by = 'executor' AND OLD.state = 'PROCESSING' AND NEW.state = 'FAILED_RETRYABLE'
     AND OLD.effect_started_at IS NOT NULL AND NOT ledger.proves_no_effect(NEW.failure_basis, NEW.failure_code, v_policy) THEN
    NEW.state := 'UNKNOWN';
    NEW.unknown_reason := 'NO_PROOF';
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

-- The attempts follow the execution, whoever wrote it.
CREATE FUNCTION ledger.keep_attempts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.attempt > 0 AND (NEW.attempt <> OLD.attempt OR NEW.state <> OLD.state) THEN
    UPDATE ledger.attempts
      SET ended_at = v_now,
          outcome = CASE WHEN NEW.attempt <> OLD.attempt THEN 'TAKEN_OVER' WHEN NEW.moved_by = 'person' THEN 'DECIDED'
                         WHEN NEW.moved_by = 'cancel' THEN 'CANCELLED' ELSE NEW.state END,
          failure_code = NEW.failure_code, failure_message = NEW.failure_message
      WHERE execution_id = NEW.execution_id AND attempt = OLD.attempt AND (ended_at IS NULL OR outcome = 'UNKNOWN' AND NEW.state = 'SUCCEEDED');
  END IF;
  IF NEW.attempt > 0 AND (TG_OP = 'INSERT' OR NEW.attempt <> OLD.attempt) THEN
    INSERT INTO ledger.attempts (execution_id, attempt, attempt_id, fencing_token, owner, started_at)
      VALUES (NEW.execution_id, NEW.attempt, NEW.attempt_id, NEW.fencing_token, NEW.owner, NEW.claimed_at);
  ELSIF TG_OP = 'UPDATE' AND (NEW.effect_started_at, NEW.external_job_id) IS DISTINCT FROM (OLD.effect_started_at, OLD.external_job_id) THEN
    UPDATE ledger.attempts SET effect_started_at = NEW.effect_started_at, external_job_id = NEW.external_job_id
      WHERE execution_id = NEW.execution_id AND attempt = NEW.attempt;
  END IF;
  RETURN NULL;
END
$$;

-- A direct claim or registration is an arrival too.
CREATE FUNCTION ledger.record_direct_arrival() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.attempt <> OLD.attempt THEN
    INSERT INTO ledger.intakes (execution_id, tenant_id, principal_id, operation, idempotency_key, request_id, attempt_id, fingerprint,
                                display_fields, content_version, target_system, target_account, disposition, via)
    VALUES (NEW.execution_id, NEW.tenant_id, NEW.principal_id, NEW.operation, NEW.idempotency_key, NEW.request_id, NEW.attempt_id, NEW.fingerprint,
            NEW.display_fields, NEW.content_version, NEW.target_system, NEW.target_account,
            CASE WHEN NEW.state = 'RECEIVED' THEN 'REGISTERED'
                 WHEN TG_OP = 'UPDATE' AND OLD.state = 'FAILED_RETRYABLE' THEN 'RETRY_SAME_KEY' ELSE 'CLAIMED' END,
            'DIRECT');
  END IF;
  RETURN NULL;
END
$$;

-- Triggers of one event fire in the order of their names: 1 token, 2 direct guard, 3 the rules for everybody.
-- "Direct" is whoever does not run as the owner of this schema, that is, not inside one of our definer functions.
DO $triggers$
BEGIN
  EXECUTE format('CREATE TRIGGER executions_1_present_token BEFORE UPDATE OF fencing_token ON ledger.executions
    FOR EACH ROW WHEN (current_user <> %L) EXECUTE FUNCTION ledger.note_presented_token()', current_user);
  EXECUTE format('CREATE TRIGGER executions_2_guard_direct_insert BEFORE INSERT ON ledger.executions
    FOR EACH ROW WHEN (current_user <> %L) EXECUTE FUNCTION ledger.guard_direct_insert()', current_user);
  EXECUTE format('CREATE TRIGGER executions_2_guard_direct_update BEFORE UPDATE ON ledger.executions
    FOR EACH ROW WHEN (current_user <> %L) EXECUTE FUNCTION ledger.guard_direct_update()', current_user);
  EXECUTE format('CREATE TRIGGER executions_5_record_direct_arrival AFTER INSERT OR UPDATE ON ledger.executions
    FOR EACH ROW WHEN (current_user <> %L) EXECUTE FUNCTION ledger.record_direct_arrival()', current_user);
END
$triggers$;

CREATE TRIGGER executions_3_keep_insert BEFORE INSERT ON ledger.executions
  FOR EACH ROW EXECUTE FUNCTION ledger.keep_execution();
-- Every column but sweep_at: the sweep may postpone its next look without touching the record.
CREATE TRIGGER executions_3_keep_update BEFORE UPDATE OF
    execution_id, tenant_id, principal_id, operation, idempotency_key, request_id, fingerprint, fingerprint_algorithm, policy_version,
    field_hashes, display_fields, input_ref, content_version, target_system, target_account, workflow_id, step, business_ref,
    business_ref_unique, single_executor_key, approval_ref, external_request_key, external_job_id, progress, deadline, state,
    state_since, moved_by, unknown_reason, attempt, attempts_spent, attempts_allowed, fencing_token, token_presented, attempt_id,
    owner, claimed_at, lease_expires_at, extended_until, effect_started_at, result_id, result_url, result_shared, reported_result_id,
    response_status, response_headers, response_body, failure_code, failure_message, failure_basis, superseded_by, reissue_of,
    reissue_relation, lineage_id, expired_from, version, created_at, updated_at, expires_at
  ON ledger.executions FOR EACH ROW EXECUTE FUNCTION ledger.keep_execution();
CREATE TRIGGER executions_4_keep_attempts AFTER INSERT OR UPDATE ON ledger.executions
  FOR EACH ROW EXECUTE FUNCTION ledger.keep_attempts();
