-- R-016, R-017: a claim that began under the old policy and commits after the new one would keep marks that the new one no
-- longer means. Claims share a lock on their operation's policy until they commit; a change of policy holds it alone, so that
-- it finds every record of before, and every claim after it reads the new policy.

-- The one number of the lock on the policy of an operation.
CREATE FUNCTION ledger.policy_lock(p_tenant_id text, p_operation text) RETURNS bigint
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
RETURN hashtextextended(p_tenant_id || ' policy ' || p_operation, 0);

-- Guarantee: the policy read next stays in force until this transaction ends. Taken before any row, in the order of a change.
CREATE FUNCTION ledger.hold_policy(p_tenant_id text, p_operation text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(ledger.policy_lock(p_tenant_id, p_operation));
END
$$;
REVOKE ALL ON FUNCTION ledger.policy_lock(text, text), ledger.hold_policy(text, text) FROM PUBLIC;

-- Work that is written by SQL comes without a call of ours before it.
-- Named to fire once the guard of direct writes has filled in the tenant, and before the policy is read.
CREATE FUNCTION ledger.hold_policy_of_record() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM ledger.hold_policy(NEW.tenant_id, NEW.operation);
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION ledger.hold_policy_of_record() FROM PUBLIC;
CREATE TRIGGER executions_2_hold_policy_on_insert BEFORE INSERT ON ledger.executions
  FOR EACH ROW EXECUTE FUNCTION ledger.hold_policy_of_record();
-- Where the marks are judged anew, and nowhere else: a person's decision never waits for a change of policy.
CREATE TRIGGER executions_2_hold_policy_on_claim BEFORE UPDATE OF fencing_token, business_ref ON ledger.executions
  FOR EACH ROW WHEN (NEW.business_ref IS DISTINCT FROM OLD.business_ref
                     OR NEW.moved_by = 'claim' AND NEW.fencing_token <> OLD.fencing_token) EXECUTE FUNCTION ledger.hold_policy_of_record();

CREATE OR REPLACE FUNCTION ledger.apply_policy_to_records() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_constraint text;
  v_detail text;
BEGIN
  PERFORM pg_advisory_xact_lock(ledger.policy_lock(NEW.tenant_id, NEW.operation));
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
  PERFORM ledger.hold_policy(v_tenant_id, v_arrival.operation);
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
