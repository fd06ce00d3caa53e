-- What only time shows: lease over, long-running, nobody came, retention over. Any number of sweepers may run at once.

-- Moves one due row. The row is locked by the caller. Returns what was found, or null.
CREATE FUNCTION ledger.sweep_row(p_row ledger.executions, p_now timestamptz) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(p_row.tenant_id, p_row.operation);
  v_lease_and_grace timestamptz := p_row.lease_expires_at + make_interval(secs => v_policy.grace_seconds);
  v_found text;
  v_next timestamptz;
BEGIN
  IF p_row.state IN ('SUCCEEDED', 'FAILED_FINAL') THEN
    IF EXISTS (SELECT 1 FROM review.exceptions x WHERE x.execution_id = p_row.execution_id AND x.state = 'OPEN') THEN
      UPDATE ledger.executions SET sweep_at = p_now + interval '1 minute' WHERE execution_id = p_row.execution_id;
      RETURN NULL;
    END IF;
    -- The tombstone keeps scope, fingerprint, content version, target, result id and address; the body goes (R-040).
    UPDATE ledger.executions SET state = 'EXPIRED', moved_by = 'retention', expired_from = p_row.state,
        response_status = NULL, response_headers = NULL, response_body = NULL, display_fields = NULL, field_hashes = NULL,
        input_ref = NULL, approval_ref = NULL, progress = NULL
      WHERE execution_id = p_row.execution_id;
    RETURN 'EXPIRED';
  END IF;

  IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at <= p_now AND p_row.effect_started_at IS NOT NULL AND v_lease_and_grace <= p_now THEN
    UPDATE ledger.executions SET state = 'UNKNOWN', moved_by = 'sweep', unknown_reason = 'LEASE_OVER' WHERE execution_id = p_row.execution_id;
    RETURN 'UNKNOWN_RESULT';
  END IF;

  IF p_row.state = 'PROCESSING' AND p_row.lease_expires_at <= p_now THEN
    IF p_row.effect_started_at IS NOT NULL OR v_lease_and_grace <= p_now THEN
      PERFORM review.open_exception(p_row.execution_id, 'STUCK_PROCESSING',
        CASE WHEN p_row.effect_started_at IS NULL THEN 'NOBODY_TOOK_OVER' ELSE 'LEASE_OVER' END, '{}');
      v_found := 'STUCK_PROCESSING';
    END IF;
    v_next := CASE WHEN v_lease_and_grace > p_now THEN v_lease_and_grace END;
  ELSIF p_row.state = 'PROCESSING' AND ledger.long_running_from(p_row, v_policy) <= p_now THEN
    PERFORM review.open_exception(p_row.execution_id, 'LONG_RUNNING', 'OVER_LIMIT', '{}');
    v_found := 'LONG_RUNNING';
    v_next := p_row.lease_expires_at;
  ELSIF p_row.state = 'RECEIVED' AND ledger.unclaimed_from(p_row, v_policy) <= p_now THEN
    PERFORM review.open_exception(p_row.execution_id, 'UNCLAIMED', 'NOT_CLAIMED_IN_TIME', '{}');
    v_found := 'UNCLAIMED';
  ELSIF p_row.state = 'FAILED_RETRYABLE' AND ledger.stalled_from(p_row, v_policy) <= p_now THEN
    PERFORM review.open_exception(p_row.execution_id, 'RETRY_STALLED', 'NOBODY_CAME_BACK', '{}');
    v_found := 'RETRY_STALLED';
  END IF;

  IF p_row.expires_at <= p_now THEN
    PERFORM review.open_exception(p_row.execution_id, 'EXPIRED_KEY', 'RETENTION_OVER', '{}');
    v_found := coalesce(v_found, 'EXPIRED_KEY');
  ELSE
    v_next := least(v_next, p_row.expires_at);
  END IF;
  UPDATE ledger.executions SET sweep_at = v_next WHERE execution_id = p_row.execution_id;
  RETURN v_found;
END
$$;

-- Looks at up to p_limit due rows and answers how many of each kind it found, e.g. {"STUCK_PROCESSING": 2}; rows that
-- could not be moved are counted as FAILED_ and the SQLSTATE.
-- Guarantee: SKIP LOCKED, so two sweepers never wait for each other and no row is handled twice; a row that a claim or
-- a decision holds at this moment is looked at by the next run. Index: executions_sweep.
CREATE FUNCTION ledger.sweep(p_limit integer DEFAULT 500) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  v_row ledger.executions;
  v_found text;
  v_counts jsonb := '{}';
BEGIN
  FOR v_row IN
    SELECT * FROM ledger.executions WHERE sweep_at <= v_now ORDER BY sweep_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    -- A row that cannot be moved must not keep the others from being looked at: it is counted and tried again later.
    BEGIN
      v_found := ledger.sweep_row(v_row, v_now);
    EXCEPTION WHEN OTHERS THEN
      v_found := 'FAILED_' || SQLSTATE;
      UPDATE ledger.executions SET sweep_at = v_now + interval '5 minutes' WHERE execution_id = v_row.execution_id;
    END;
    IF v_found IS NOT NULL THEN
      v_counts := jsonb_set(v_counts, ARRAY[v_found], to_jsonb(coalesce((v_counts->>v_found)::integer, 0) + 1));
    END IF;
  END LOOP;
  IF v_counts <> '{}' THEN
    PERFORM review.append_audit('sweep.ran_with_changes', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, v_counts);
  END IF;
  RETURN v_counts;
END
$$;
GRANT EXECUTE ON FUNCTION ledger.sweep(integer) TO onceover_worker;
