-- In a doubt that a person declared or a contradiction made, no attempt owns the present token: whoever shows it is fenced,
-- whatever is reported, and the report is kept. `unknown` was accepted there although `complete` was fenced, so that one
-- owner could be told both (R-029).
CREATE OR REPLACE FUNCTION ledger.report_unknown_as(p_principal_id text, p_execution_id uuid, p_report jsonb) RETURNS jsonb
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
  IF v_row.state = 'UNKNOWN' AND v_row.unknown_reason IN ('DECLARED', 'CONTRADICTED') THEN
    PERFORM ledger.keep_late_report(v_row, 'report_unknown', p_report);
    RETURN ledger.refusal('FENCED', 'UNDER_REVIEW', v_row);
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
