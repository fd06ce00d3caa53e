-- R-056 Outage mode, carrying a confirmed report out: one row a transaction, once, by the same link as a person's.
-- Replaced here: link_result (its judgement is link_evidence now, which a report's row goes through as well), sweep (reports nobody
-- confirmed lapse).

-- The link that a person's decision and a report's row share: judged on the evidence that f.input names. Null: linked.
CREATE FUNCTION review.link_evidence(f review.decision_frame) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_lookup review.lookups;
  v_code text;
  v_constraint text;
BEGIN
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = ((f).input->>'evidenceId')::uuid;
  v_code := coalesce(
    CASE WHEN ((f).execution).state NOT IN ('PROCESSING', 'UNKNOWN', 'EXPIRED') OR ((f).execution).superseded_by IS NOT NULL THEN 'STATE_NOT_SUITABLE' END,
    review.evidence_refusal(v_lookup.lookup_id, (f).execution, (f).policy, 'APPLIED', (f).now),
    -- A connector's empty answer about a thing that was to go has nothing to compare: the question named the thing.
    CASE WHEN v_lookup.account_match IS FALSE OR v_lookup.content_match IS FALSE THEN 'EVIDENCE_DOES_NOT_MATCH'
         WHEN (v_lookup.outcome = 'FOUND' OR v_lookup.connector_id IS NULL)
           AND (v_lookup.account_match IS NULL OR v_lookup.content_match IS NULL) THEN 'EVIDENCE_DOES_NOT_MATCH'
         WHEN v_lookup.result_id IS NULL AND ((f).policy).result_id_required THEN 'RESULT_ID_MISSING'
         WHEN ((f).execution).result_id <> v_lookup.result_id THEN 'OTHER_RESULT_LINKED' END);
  IF v_code IS NOT NULL THEN RETURN v_code; END IF;
  UPDATE ledger.executions SET
      state = CASE state WHEN 'EXPIRED' THEN 'EXPIRED' ELSE 'SUCCEEDED' END,
      moved_by = 'person', fencing_token = fencing_token + 1,
      result_id = coalesce(result_id, v_lookup.result_id), result_url = coalesce(result_url, v_lookup.result_url),
      target_system = coalesce(target_system, v_lookup.target_system), target_account = coalesce(target_account, v_lookup.target_account)
    WHERE execution_id = ((f).execution).execution_id AND version = ((f).execution).version;
  RETURN NULL;
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
  IF v_constraint <> 'executions_result_is_linked_once' THEN RAISE; END IF;
  RETURN 'RESULT_LINKED_ELSEWHERE';
END
$$;

-- R-066 Changed: the judgement is link_evidence.
CREATE OR REPLACE FUNCTION review.link_result(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('LINK_RESULT', p_input);
  v_code text;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  v_code := coalesce(f.refusal, review.link_evidence(f));
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.record_decision(f, true, NULL, (SELECT jsonb_build_object('resultId', l.result_id, 'resultUrl', l.result_url)
    FROM review.lookups l WHERE l.lookup_id = (p_input->>'evidenceId')::uuid));
END
$$;

-- An effect that no execution knows, once for ever: settled, it does not open again.
CREATE UNIQUE INDEX exceptions_one_orphan ON review.exceptions (tenant_id, (detail->>'system'), (detail->>'resultId')) WHERE kind = 'ORPHAN_EFFECT';

-- The frame of a report's link: as the second person's decision, on the execution as it was when the row was judged. The age of the
-- evidence counts from the confirmation, when the sample had just been checked by hand.
CREATE FUNCTION review.report_decision(r review.provider_reports, w review.report_rows) RETURNS review.decision_frame
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
    WHEN review.report_bar(r, r.proposed_by) IS NOT NULL OR review.report_bar(r, r.decided_by) IS NOT NULL THEN 'REQUESTER_NOT_ENTITLED' END;
  RETURN f;
END
$$;

-- The row as evidence: what the report said, of which file and where in it.
CREATE FUNCTION review.report_evidence(r review.provider_reports, w review.report_rows, p_row ledger.executions) RETURNS uuid
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.lookups;
BEGIN
  p.execution_id := w.execution_id;
  p.exception_id := w.exception_id;
  p.outcome := 'FOUND';
  p.external_status := 'done';
  p.verdict := 'APPLIED';
  p.result_id := w.result_id;
  p.target_system := review.outside_system_of(p_row);
  p.target_account := w.account;
  p.account_match := p_row.target_account IS NULL OR w.account = p_row.target_account;
  p.content_match := w.content_match;
  p.comparison := w.comparison;
  p.matches := 1;
  p.candidates := '[]';
  p.place := format('%s · SHA-256 %s · %s', r.file_name, r.sha256, w.row_number);
  p.seen := coalesce(w.status_word, 'done');
  p.checked_at := r.as_of;
  p.usable_from := r.as_of;
  RETURN review.add_lookup(p, p_row.version, 'evidence.recorded', NULL, NULL);
END
$$;

-- Answers why not; null: linked, recorded and closed.
CREATE FUNCTION review.link_report_row(r review.provider_reports, w review.report_rows) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.report_decision(r, w);
  v_code text := f.refusal;
BEGIN
  IF v_code IS NULL THEN
    -- What is refused takes its evidence along: nothing has changed then.
    BEGIN
      f.input := f.input || jsonb_build_object('evidenceId', review.report_evidence(r, w, f.execution));
      v_code := review.link_evidence(f);
      IF v_code IS NOT NULL THEN
        RAISE EXCEPTION 'row % is refused', w.row_number USING ERRCODE = 'OO008', DETAIL = v_code;
      END IF;
      PERFORM review.record_decision(f, true, NULL,
        jsonb_build_object('resultId', w.result_id, 'reportId', r.report_id, 'rowNumber', w.row_number));
    EXCEPTION WHEN SQLSTATE 'OO008' THEN
      GET STACKED DIAGNOSTICS v_code = PG_EXCEPTION_DETAIL;
      f.input := f.input - 'evidenceId';
    END;
  END IF;
  IF v_code IS NOT NULL THEN PERFORM review.refuse_decision(f, v_code); END IF;
  RETURN v_code;
END
$$;

-- Opens the exception of an effect that no execution knows. Answers its id, or null: somebody knows it by now.
CREATE FUNCTION review.open_orphan(r review.provider_reports, w review.report_rows) RETURNS uuid
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(r.tenant_id, r.operation);
  v_system text := (SELECT system FROM review.incidents WHERE incident_id = r.incident_id);
  v_now timestamptz := ledger.clock();
  v_id uuid;
BEGIN
  IF EXISTS (SELECT FROM ledger.executions e WHERE e.tenant_id = r.tenant_id AND (e.result_id = w.result_id OR e.idempotency_key = w.match_value)
               AND review.outside_system_of(e) IS NOT DISTINCT FROM v_system) THEN
    RETURN NULL;
  END IF;
  INSERT INTO review.exceptions (tenant_id, kind, operation, severity, due_at, reason_code, detail, opened_at, updated_at)
    VALUES (r.tenant_id, 'ORPHAN_EFFECT', r.operation, review.severity_of(v_policy.effect_class, 'ORPHAN_EFFECT'),
      v_now + make_interval(secs => v_policy.sla_seconds), 'IN_PROVIDER_REPORT',
      jsonb_build_object('system', v_system, 'resultId', w.result_id, 'account', w.account, 'status', w.status_word, 'matchValue', w.match_value,
        'found', w.comparison, 'reportId', r.report_id, 'fileName', r.file_name, 'sha256', r.sha256, 'rowNumber', w.row_number), v_now, v_now)
    ON CONFLICT (tenant_id, (detail->>'system'), (detail->>'resultId')) WHERE kind = 'ORPHAN_EFFECT' DO NOTHING
    RETURNING exception_id INTO v_id;
  IF v_id IS NOT NULL THEN
    PERFORM review.note_event(v_id, 'opened', jsonb_build_object('kind', 'ORPHAN_EFFECT', 'reason', 'IN_PROVIDER_REPORT'));
  END IF;
  RETURN v_id;
END
$$;

-- The last step: the figures of a report that is carried out.
CREATE FUNCTION review.end_application(r review.provider_reports) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.provider_reports SET state = 'APPLIED', applied_at = ledger.clock() WHERE report_id = r.report_id;
  PERFORM review.append_audit('incident.report_applied', 'done', NULL, r.tenant_id, NULL, NULL, NULL, r.operation, NULL,
    review.report_told(r) || jsonb_build_object('incidentId', r.incident_id, 'onBehalfOf', r.decided_by,
      'outcomes', (SELECT coalesce(jsonb_object_agg(outcome, so_many), '{}') FROM (SELECT w.outcome, count(*) AS so_many FROM review.report_rows w
        WHERE w.report_id = r.report_id AND w.outcome IS NOT NULL GROUP BY w.outcome) sums)));
END
$$;

-- Carries out the next row of a confirmed report, in this transaction: killed before its end it has not happened, and afterwards the row
-- has its outcome. Answers {"outcome": "row" | "ended" | "busy"}; busy: another worker is at the last rows.
CREATE FUNCTION review.apply_report_row(p_report_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports;
  w review.report_rows;
  v_outcome text;
  v_code text;
  v_orphan uuid;
BEGIN
  SELECT * INTO r FROM review.provider_reports WHERE report_id = p_report_id;
  PERFORM review.hold_people(ARRAY[r.proposed_by, r.decided_by]);
  PERFORM review.hold_policies(r.tenant_id, r.operation);
  SELECT * INTO r FROM review.provider_reports WHERE report_id = p_report_id FOR SHARE;
  IF r.state IS DISTINCT FROM 'CONFIRMED' THEN RETURN '{"outcome": "ended"}'; END IF;
  SELECT * INTO w FROM review.report_rows WHERE report_id = p_report_id AND verdict IN ('LINK', 'ORPHAN') AND outcome IS NULL
    ORDER BY row_number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM review.report_rows WHERE report_id = p_report_id AND verdict IN ('LINK', 'ORPHAN') AND outcome IS NULL) THEN
      RETURN '{"outcome": "busy"}';
    END IF;
    PERFORM review.end_application(r);
    RETURN '{"outcome": "ended"}';
  END IF;
  BEGIN
    IF w.verdict = 'LINK' THEN
      v_code := review.link_report_row(r, w);
      v_outcome := CASE WHEN v_code IS NULL THEN 'LINKED' ELSE 'REFUSED' END;
    ELSE
      v_orphan := review.open_orphan(r, w);
      v_outcome := CASE WHEN v_orphan IS NULL THEN 'REFUSED' ELSE 'ORPHAN_OPENED' END;
      v_code := CASE WHEN v_orphan IS NULL THEN 'EFFECT_KNOWN' END;
    END IF;
  EXCEPTION WHEN OTHERS THEN
      -- What the row's own data meet (a value, a constraint, a guard of the ledger) is the row's; anything else passes, and the row
      -- is tried again.
      IF SQLSTATE !~ '^(22|23|OO)' THEN RAISE; END IF;
      v_outcome := 'FAILED';
      v_code := SQLSTATE;
  END;
  UPDATE review.report_rows SET outcome = v_outcome, outcome_code = v_code, orphan_id = v_orphan, applied_at = ledger.clock()
    WHERE report_id = w.report_id AND row_number = w.row_number;
  RETURN jsonb_build_object('outcome', 'row', 'rowNumber', w.row_number, 'became', v_outcome);
END
$$;
REVOKE EXECUTE ON FUNCTION review.apply_report_row(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.apply_report_row(uuid) TO onceover_worker;

-- Changed: a report that nobody confirmed in time lapses, as proposals do.
CREATE OR REPLACE FUNCTION review.sweep() RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  r review.approval_requests;
  x record;
  g review.right_grants;
  p review.policy_proposals;
  v_report review.provider_reports;
  v_expired integer := 0;
  v_resumed integer := 0;
  v_lapsed integer := 0;
BEGIN
  FOR x IN
    SELECT c.exception_id, c.tenant_id, c.execution_id, c.operation, c.deferred_until FROM review.exceptions c
      WHERE c.state = 'OPEN' AND c.deferred_until <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    UPDATE review.exceptions SET deferred_until = NULL WHERE exception_id = x.exception_id;
    PERFORM review.note_event(x.exception_id, 'resumed', '{"reason": "DEFERRAL_OVER"}');
    PERFORM review.append_audit('exception.deferral_ended', 'done', NULL, x.tenant_id, x.exception_id, x.execution_id, NULL, x.operation, NULL,
      jsonb_build_object('until', ledger.instant(x.deferred_until)));
    v_resumed := v_resumed + 1;
  END LOOP;
  FOR r IN
    SELECT * FROM review.approval_requests
      WHERE (state = 'PENDING' AND decide_by <= v_now) OR (state = 'APPROVED' AND execute_by <= v_now)
      ORDER BY request_id LIMIT 500
  LOOP
    -- Exception before request, as everywhere; whoever holds either is deciding at this moment.
    PERFORM 1 FROM review.exceptions WHERE exception_id = r.exception_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id AND state = r.state FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, jsonb_build_object('limit', CASE r.state WHEN 'PENDING' THEN 'decision' ELSE 'execution' END));
    v_expired := v_expired + 1;
  END LOOP;
  -- Whoever holds one is deciding at this moment.
  FOR g IN SELECT * FROM review.right_grants WHERE state = 'PENDING' AND expires_at <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_grant(g);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  FOR p IN SELECT * FROM review.policy_proposals WHERE state = 'PENDING' AND expires_at <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_proposal(p);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  FOR v_report IN SELECT * FROM review.provider_reports WHERE state IN ('JUDGED', 'PROPOSED') AND expires_at <= v_now LIMIT 500
      FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_report(v_report);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  RETURN jsonb_build_object('requestsExpired', v_expired, 'deferralsOver', v_resumed, 'proposalsLapsed', v_lapsed) || review.follow_incidents();
END
$$;
