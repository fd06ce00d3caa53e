-- An owner that is heard from after it was given up, by a late report of any kind, was alive then and may have sent until
-- then. The report is a fact about the past of the effect: "not there", asked before it, has proved nothing (R-064).
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
  IF v_row.state = 'UNKNOWN' THEN
    -- The sweep had given this owner up, and it was alive: it may have sent until now. Its repetition tells nothing new.
    IF v_row.unknown_reason = 'LEASE_OVER' AND NOT EXISTS (
        SELECT 1 FROM ledger.late_reports WHERE execution_id = v_row.execution_id AND fencing_token = v_row.fencing_token AND verb = 'report_unknown') THEN
      PERFORM ledger.keep_late_report(v_row, 'report_unknown', p_report);
    END IF;
    RETURN ledger.acceptance(v_row.execution_id);
  END IF;
  IF v_row.state <> 'PROCESSING' THEN
    RETURN ledger.refusal('INVALID_STATE', 'NOT_IN_PROGRESS', v_row);
  END IF;
  UPDATE ledger.executions SET state = 'UNKNOWN', moved_by = 'executor', unknown_reason = 'REPORTED',
      failure_code = p_report->>'code', failure_message = p_report->>'message'
    WHERE execution_id = v_row.execution_id;
  RETURN ledger.acceptance(v_row.execution_id);
END
$$;

-- From when a look's "not there" counts. A report that came after the look moves it: the look cannot have seen what its
-- sender did meanwhile, so the outside system has to be asked again, a grace and a visibility delay after the report.
CREATE FUNCTION review.usable_from(p_execution_id uuid, p_checked_at timestamptz, p_usable_from timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT greatest(p_usable_from, (
    SELECT max(l.received_at) + make_interval(secs => p.grace_seconds + p.negative_proof_horizon_seconds)
      FROM ledger.executions e
      CROSS JOIN LATERAL ledger.policy_for(e.tenant_id, e.operation) p
      JOIN ledger.late_reports l ON l.execution_id = e.execution_id AND l.received_at >= p_checked_at
      WHERE e.execution_id = p_execution_id
      GROUP BY p.grace_seconds, p.negative_proof_horizon_seconds))
$$;
REVOKE ALL ON FUNCTION review.usable_from(uuid, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.usable_from(uuid, timestamptz, timestamptz) TO onceover_app, onceover_worker;

-- As before, with review.usable_from in place of the look's own.
CREATE OR REPLACE FUNCTION review.looks_contradict(p_row ledger.executions) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.lookups := review.newest_telling(p_row, false);
  m review.lookups := review.newest_telling(p_row, true);
BEGIN
  RETURN coalesce((m.checked_at, m.lookup_id) > (c.checked_at, c.lookup_id)
    AND NOT (c.verdict = 'NOT_APPLIED' AND c.checked_at < review.usable_from(c.execution_id, c.checked_at, c.usable_from))
    AND (m.verdict <> c.verdict OR m.result_id <> c.result_id), false);
END
$$;

CREATE OR REPLACE FUNCTION review.evidence_refusal(p_lookup_id uuid, p_row ledger.executions, p_policy ledger.operation_policies, p_verdict text, p_now timestamptz)
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_lookup review.lookups;
BEGIN
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  RETURN CASE
    WHEN review.looks_contradict(p_row) THEN 'EVIDENCE_CONTRADICTED'
    WHEN v_lookup.lookup_id IS NULL THEN 'EVIDENCE_MISSING'
    WHEN v_lookup.execution_id <> p_row.execution_id OR v_lookup.execution_version <> p_row.version THEN 'EVIDENCE_WRONG_SUBJECT'
    WHEN v_lookup.verdict <> p_verdict THEN 'EVIDENCE_SHOWS_OTHERWISE'
    WHEN v_lookup.checked_at + make_interval(secs => p_policy.evidence_max_age_seconds) < p_now THEN 'EVIDENCE_STALE'
    WHEN p_verdict = 'NOT_APPLIED' AND v_lookup.checked_at < review.usable_from(v_lookup.execution_id, v_lookup.checked_at, v_lookup.usable_from) THEN 'HORIZON_NOT_OVER'
    WHEN v_lookup.usable_until <= p_now THEN 'EVIDENCE_PROVES_NOTHING'
    WHEN EXISTS (SELECT 1 FROM review.lookups newer WHERE newer.execution_id = p_row.execution_id AND newer.execution_version = p_row.version
                   AND newer.lookup_id <> v_lookup.lookup_id AND newer.checked_at > v_lookup.checked_at
                   AND newer.outcome NOT IN ('INACCESSIBLE', 'INCONCLUSIVE')
                   AND (newer.verdict <> v_lookup.verdict OR newer.result_id IS DISTINCT FROM v_lookup.result_id
                        AND NOT (newer.connector_id IS NULL AND newer.result_id IS NULL))) THEN 'EVIDENCE_CONTRADICTED'
  END;
END
$$;
