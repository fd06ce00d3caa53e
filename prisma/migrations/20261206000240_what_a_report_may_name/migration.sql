-- R-059, R-056 What a report cannot know and what its rows may name. A report that was made before an execution began says nothing
-- about it, as a person's look of that time (R-059i). Whatever a row's verdict, it names executions of the report's own tenant alone.
-- Replaced here: report_decision (the time), keep_judged_report (every row, not only those that would be linked).

CREATE OR REPLACE FUNCTION review.report_decision(r review.provider_reports, w review.report_rows) RETURNS review.decision_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
BEGIN
  f.decision := 'LINK_RESULT';
  f.actor_id := r.decided_by;
  f.actor_roles := (SELECT roles FROM review.people WHERE person_id = r.decided_by);
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = w.execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = w.exception_id FOR NO KEY UPDATE;
  f.now := ledger.clock();
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  f.policy.evidence_max_age_seconds := (f.policy).evidence_max_age_seconds + extract(epoch FROM r.decided_at - r.as_of)::integer;
  f.input := jsonb_build_object('operationId', w.operation_id, 'exceptionVersion', (f.exception).version, 'executionVersion', w.execution_version);
  f.refusal := CASE
    WHEN (f.exception).state = 'CLOSED' THEN 'EXCEPTION_CLOSED'
    WHEN NOT EXISTS (SELECT FROM review.decision_rules d WHERE d.kind = (f.exception).kind AND d.decision = 'LINK_RESULT') THEN 'DECISION_NOT_FOR_KIND'
    WHEN (f.execution).version <> w.execution_version THEN 'CHANGED_SINCE_SEEN'
    WHEN r.as_of < date_trunc('minute', (f.execution).created_at) THEN 'CHECKED_BEFORE_THE_EXECUTION'
    WHEN review.report_bar(r, r.proposed_by) IS NOT NULL OR review.report_bar(r, r.decided_by) IS NOT NULL THEN 'REQUESTER_NOT_ENTITLED' END;
  RETURN f;
END
$$;

CREATE OR REPLACE FUNCTION review.keep_judged_report(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.incident_frame := review.open_incident('incident.report_judged', p_input, (p_input->>'incidentId')::uuid, p_input->>'operation', '{}');
  v_id uuid;
  v_code text := f.refusal;
BEGIN
  IF f.repeated THEN
    RETURN jsonb_build_object('outcome', 'done', 'repeated', true, 'reportId', (SELECT r.report_id FROM review.provider_reports r
      WHERE r.incident_id = (f.incident).incident_id AND r.operation = p_input->>'operation' AND r.sha256 = p_input->>'sha256'
      ORDER BY r.judged_at DESC LIMIT 1));
  END IF;
  v_code := coalesce(v_code, CASE
    WHEN (f.incident).state <> 'OPEN' THEN 'INCIDENT_CLOSED'
    WHEN (f.policy).proof <> 'PRESENCE' THEN 'PROOF_NOT_BY_PRESENCE'
    WHEN (p_input->>'asOf')::timestamptz > f.now THEN 'CHECKED_IN_THE_FUTURE' END);
  IF v_code IS NULL THEN
    INSERT INTO review.provider_reports (incident_id, tenant_id, operation, file_name, sha256, row_count, as_of, reading, judged_by, judged_at, expires_at)
      VALUES ((f.incident).incident_id, (f.incident).tenant_id, p_input->>'operation', p_input->>'fileName', p_input->>'sha256',
        (p_input->>'rowCount')::integer, (p_input->>'asOf')::timestamptz, p_input->'reading', f.actor_id, f.now,
        f.now + interval '1 day')
      ON CONFLICT (incident_id, operation, sha256) WHERE state NOT IN ('REFUSED', 'WITHDRAWN', 'EXPIRED') DO NOTHING
      RETURNING report_id INTO v_id;
    IF v_id IS NULL THEN
      v_code := 'REPORT_KNOWN';
      v_id := (SELECT r.report_id FROM review.provider_reports r WHERE r.incident_id = (f.incident).incident_id
        AND r.operation = p_input->>'operation' AND r.sha256 = p_input->>'sha256' AND r.state NOT IN ('REFUSED', 'WITHDRAWN', 'EXPIRED'));
    ELSE
      INSERT INTO review.report_rows (report_id, row_number, verdict, reason, match_value, result_id, status_word, account, exception_id, execution_id,
          execution_version, account_match, content_match, comparison)
        SELECT v_id, w."rowNumber", w.verdict, w.reason, w."matchValue", w."resultId", w."statusWord", w.account, w."exceptionId", w."executionId",
          w."executionVersion", w."accountMatch", w."contentMatch", coalesce(w.comparison, '[]')
        FROM jsonb_to_recordset(p_input->'rows') AS w ("rowNumber" integer, verdict text, reason text, "matchValue" text, "resultId" text,
          "statusWord" text, account text, "exceptionId" uuid, "executionId" uuid, "executionVersion" bigint, "accountMatch" boolean,
          "contentMatch" boolean, comparison jsonb);
      -- Whoever calls this has judged; what a row may name is not the caller's to say.
      IF EXISTS (SELECT FROM review.report_rows w LEFT JOIN review.exceptions x ON x.exception_id = w.exception_id
                   LEFT JOIN review.incident_members m ON m.exception_id = w.exception_id
                  WHERE w.report_id = v_id AND w.verdict = 'LINK' AND (x.execution_id <> w.execution_id OR x.operation <> p_input->>'operation'
                    OR m.incident_id IS DISTINCT FROM (f.incident).incident_id))
         OR EXISTS (SELECT FROM review.report_rows w JOIN ledger.executions e ON e.execution_id = w.execution_id
                     WHERE w.report_id = v_id AND e.tenant_id <> (f.incident).tenant_id)
         OR EXISTS (SELECT FROM review.report_rows w JOIN review.exceptions x ON x.exception_id = w.exception_id
                     WHERE w.report_id = v_id AND x.execution_id IS DISTINCT FROM w.execution_id) THEN
        RAISE EXCEPTION 'a row names what is not of the incident' USING ERRCODE = 'OA002';
      END IF;
    END IF;
  END IF;
  RETURN review.answer_incident(f, v_code, jsonb_build_object('reportId', v_id, 'fileName', p_input->>'fileName', 'sha256', p_input->>'sha256',
      'reportRows', (p_input->>'rowCount')::integer, 'asOf', p_input->>'asOf', 'authorityNeeded', (f.policy).authority,
      'verdicts', (SELECT jsonb_object_agg(verdict, so_many) FROM (SELECT w.verdict, count(*) AS so_many FROM review.report_rows w
        WHERE w.report_id = v_id GROUP BY w.verdict) sums)),
    CASE WHEN v_id IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('reportId', v_id) END);
END
$$;
