-- A claim that was abandoned before its effect ranks one step lower, like the kinds where nothing can have happened twice
-- (R-050, R-076). Otherwise as before.
CREATE OR REPLACE FUNCTION review.open_exception(p_execution_id uuid, p_kind text, p_reason text, p_detail jsonb) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_policy ledger.operation_policies;
  v_now timestamptz := ledger.clock();
  v_id uuid;
  v_lower smallint := 0;
BEGIN
  SELECT * INTO STRICT v_row FROM ledger.executions WHERE execution_id = p_execution_id;
  v_policy := ledger.policy_for(v_row.tenant_id, v_row.operation);
  -- An abandoned claim before its effect: nothing can have happened, and taking over is safe.
  IF p_kind = 'STUCK_PROCESSING' AND v_row.effect_started_at IS NULL THEN
    v_lower := 1;
  END IF;
  INSERT INTO review.exceptions (tenant_id, kind, execution_id, lineage_id, principal_id, operation, severity, due_at, reason_code, detail,
                                 next_check_at, opened_at, updated_at)
    VALUES (v_row.tenant_id, p_kind, p_execution_id, v_row.lineage_id, v_row.principal_id, v_row.operation,
            least(4, review.severity_of(v_policy.effect_class, p_kind) + v_lower), v_now + make_interval(secs => v_policy.sla_seconds), p_reason, p_detail,
            v_now + make_interval(secs => v_policy.negative_proof_horizon_seconds), v_now, v_now)
    ON CONFLICT (execution_id, kind) WHERE state = 'OPEN' AND execution_id IS NOT NULL DO NOTHING
    RETURNING exception_id INTO v_id;
  IF v_id IS NULL THEN
    SELECT exception_id INTO v_id FROM review.exceptions WHERE execution_id = p_execution_id AND kind = p_kind AND state = 'OPEN';
    IF v_id IS NOT NULL AND p_detail <> '{}' THEN
      PERFORM review.note_event(v_id, 'joined', jsonb_build_object('reason', p_reason) || p_detail);
    END IF;
    RETURN v_id;
  END IF;
  PERFORM review.note_event(v_id, 'opened', jsonb_build_object('kind', p_kind, 'reason', p_reason));
  PERFORM review.start_lookup(v_id, p_kind, v_policy.connector_id);
  RETURN v_id;
END
$$;
