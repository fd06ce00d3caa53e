-- R-056 A confirmed report is carried out however often its job fails: what stopped it is kept, and it is tried again, more and more
-- slowly and without end. Any person with the authority may send a judged report on, so that whoever uploaded it may be gone; the
-- second person is then neither of the two.
-- Replaced here: keep_report, open_report, report_told, keep_judged_report, propose_report, check_sample_row, decide_report, sweep.

ALTER TABLE review.provider_reports
  ADD COLUMN judged_by uuid REFERENCES review.people (person_id),
  ADD COLUMN held_up_since timestamptz(6),
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- A class or code, never a message: messages may hold values.
  ADD COLUMN last_error text CHECK (last_error ~ '^[A-Za-z0-9_]{1,64}$'),
  ADD COLUMN next_try_at timestamptz(6),
  ALTER COLUMN proposed_by DROP NOT NULL;
ALTER TABLE review.report_checks ADD COLUMN judged_by uuid;

-- Until now whoever judged was the only one who proposed.
ALTER TABLE review.provider_reports DISABLE TRIGGER USER;
ALTER TABLE review.report_checks DISABLE TRIGGER USER;
UPDATE review.report_checks SET judged_by = proposed_by;
UPDATE review.provider_reports r SET judged_by = proposed_by,
  proposed_by = CASE WHEN r.state IN ('PROPOSED', 'CONFIRMED', 'APPLIED', 'REFUSED')
    OR EXISTS (SELECT FROM review.report_rows w WHERE w.report_id = r.report_id AND w.sampled) THEN proposed_by END;
ALTER TABLE review.report_checks ENABLE ALWAYS TRIGGER report_checks_are_only_added;
ALTER TABLE review.provider_reports ENABLE TRIGGER provider_reports_require_context;
ALTER TABLE review.provider_reports ENABLE ALWAYS TRIGGER provider_reports_keep;
ALTER TABLE review.provider_reports ENABLE ALWAYS TRIGGER provider_reports_need_fresh_session;
ALTER TABLE review.provider_reports ENABLE ALWAYS TRIGGER provider_reports_stay;

ALTER TABLE review.provider_reports ALTER COLUMN judged_by SET NOT NULL,
  ADD UNIQUE (report_id, judged_by),
  DROP CONSTRAINT provider_reports_two_people,
  ADD CONSTRAINT provider_reports_two_people CHECK (state NOT IN ('CONFIRMED', 'APPLIED')
    OR (decided_by IS NOT NULL AND decided_by <> proposed_by AND decided_by <> judged_by)),
  ADD CONSTRAINT provider_reports_somebody_proposed CHECK (state NOT IN ('PROPOSED', 'CONFIRMED', 'APPLIED') OR proposed_by IS NOT NULL),
  ADD CONSTRAINT provider_reports_held_up_says_how CHECK ((failures > 0) = (held_up_since IS NOT NULL)
    AND (failures > 0) = (last_error IS NOT NULL) AND (failures > 0) = (next_try_at IS NOT NULL));
ALTER TABLE review.report_checks ALTER COLUMN judged_by SET NOT NULL,
  ADD FOREIGN KEY (report_id, judged_by) REFERENCES review.provider_reports (report_id, judged_by),
  DROP CONSTRAINT report_checks_by_another,
  ADD CONSTRAINT report_checks_by_another CHECK (checked_by <> proposed_by AND checked_by <> judged_by);
CREATE INDEX provider_reports_confirmed ON review.provider_reports (report_id) WHERE state = 'CONFIRMED';

-- Changed: whoever sends a report on is named with that step, and what holds its application up is written while it is confirmed.
CREATE OR REPLACE FUNCTION review.keep_report() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- What an application that is held up has left behind.
  v_trouble constant text[] := ARRAY['held_up_since', 'failures', 'last_error', 'next_try_at'];
  v_kept constant text[] := ARRAY['state', 'expires_at', 'proposed_by', 'decided_by', 'decided_at', 'applied_at'] || v_trouble;
BEGIN
  IF OLD.state = 'CONFIRMED' AND to_jsonb(NEW) - v_trouble = to_jsonb(OLD) - v_trouble THEN RETURN NEW; END IF;
  IF to_jsonb(NEW) - v_kept <> to_jsonb(OLD) - v_kept
     OR (NEW.proposed_by IS DISTINCT FROM OLD.proposed_by AND NOT (OLD.state = 'JUDGED' AND NEW.state = 'PROPOSED'))
     OR NOT ((OLD.state = 'JUDGED' AND NEW.state IN ('PROPOSED', 'WITHDRAWN', 'EXPIRED'))
          OR (OLD.state = 'PROPOSED' AND NEW.state IN ('CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED'))
          OR (OLD.state = 'CONFIRMED' AND NEW.state = 'APPLIED' AND NEW.decided_by = OLD.decided_by)) THEN
    RAISE EXCEPTION 'report % never changes what it asks, and ends once', OLD.report_id USING ERRCODE = 'OA002';
  END IF;
  IF NEW.state = 'CONFIRMED' AND review.sample_missing(OLD.report_id) > 0 THEN
    RAISE EXCEPTION 'the sample of report % is not complete', OLD.report_id USING ERRCODE = 'OA002';
  END IF;
  IF NEW.state = 'APPLIED' AND EXISTS (SELECT FROM review.report_rows r
      WHERE r.report_id = OLD.report_id AND r.verdict IN ('LINK', 'ORPHAN') AND r.outcome IS NULL) THEN
    RAISE EXCEPTION 'rows of report % wait', OLD.report_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;

-- Changed: whoever judged the file may not be who proposed it, and stands beside them; each is held. Acts about one report wait for
-- each other first of all, so that the people named are all there are (as hold_basis has it for requests).
CREATE OR REPLACE FUNCTION review.open_report(p_event text, p_input jsonb) RETURNS review.incident_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover report ' || (p_input->>'reportId')::uuid, 0));
  SELECT * INTO r FROM review.provider_reports WHERE report_id = (p_input->>'reportId')::uuid;
  RETURN review.open_incident(p_event, p_input, r.incident_id, r.operation, array_remove(ARRAY[r.judged_by, r.proposed_by], NULL));
END
$$;

-- Changed: both are told.
CREATE OR REPLACE FUNCTION review.report_told(r review.provider_reports) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('reportId', r.report_id, 'sha256', r.sha256, 'judgedBy', r.judged_by, 'proposedBy', r.proposed_by))
$$;

-- Changed: whoever uploads has judged, and proposed nothing yet.
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
                    OR m.incident_id IS DISTINCT FROM (f.incident).incident_id)) THEN
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

-- Changed: anybody who may decide about the operation sends it on, and is then no second person. input: reportId, operationId.
CREATE OR REPLACE FUNCTION review.propose_report(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.incident_frame;
  r review.provider_reports;
  v_sample integer;
  v_code text;
BEGIN
  f := review.open_report('incident.report_proposed', p_input);
  SELECT * INTO r FROM review.provider_reports WHERE report_id = (p_input->>'reportId')::uuid FOR NO KEY UPDATE;
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN r.state <> 'JUDGED' THEN 'REQUEST_ENDED'
    WHEN r.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN NOT EXISTS (SELECT FROM review.report_rows WHERE report_id = r.report_id AND verdict IN ('LINK', 'ORPHAN')) THEN 'NOTHING_TO_APPLY' END);
  IF v_code IS NULL THEN
    v_sample := review.draw_sample(r.report_id);
    UPDATE review.provider_reports SET state = 'PROPOSED', proposed_by = f.actor_id, expires_at = f.now + interval '1 day'
      WHERE report_id = r.report_id RETURNING * INTO r;
  END IF;
  RETURN review.answer_incident(f, v_code, review.report_told(r) || jsonb_build_object('sample', v_sample));
END
$$;

-- Changed: nor does whoever judged the file check its sample.
CREATE OR REPLACE FUNCTION review.check_sample_row(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.incident_frame;
  r review.provider_reports;
  v_row integer := (p_input->>'rowNumber')::integer;
  v_agrees boolean := (p_input->>'agrees')::boolean;
  v_code text;
BEGIN
  f := review.open_report('incident.sample_checked', p_input);
  SELECT * INTO r FROM review.provider_reports WHERE report_id = (p_input->>'reportId')::uuid FOR NO KEY UPDATE;
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN f.actor_id IN (r.judged_by, r.proposed_by) THEN 'SELF_APPROVAL'
    WHEN r.state <> 'PROPOSED' THEN 'REQUEST_ENDED'
    WHEN r.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN NOT EXISTS (SELECT FROM review.report_rows WHERE report_id = r.report_id AND row_number = v_row AND sampled) THEN 'NOT_IN_SAMPLE'
    WHEN EXISTS (SELECT FROM review.report_checks WHERE report_id = r.report_id AND row_number = v_row) THEN 'CHECKED_ALREADY'
    WHEN review.visible_length(p_input->>'place') NOT BETWEEN 3 AND 300 THEN 'TEXT_LENGTH' END);
  IF v_code IS NULL THEN
    INSERT INTO review.report_checks (report_id, row_number, judged_by, proposed_by, checked_by, checked_at, agrees, place, address, remark)
      VALUES (r.report_id, v_row, r.judged_by, r.proposed_by, f.actor_id, f.now, v_agrees, p_input->>'place', p_input->>'address', p_input->>'text');
    IF NOT v_agrees THEN
      UPDATE review.provider_reports SET state = 'REFUSED', decided_by = f.actor_id, decided_at = f.now WHERE report_id = r.report_id;
    END IF;
  END IF;
  RETURN review.answer_incident(f, v_code, review.report_told(r) || jsonb_build_object('rowNumber', v_row, 'agrees', v_agrees,
    'place', p_input->>'place', 'address', p_input->>'address', 'text', p_input->>'text',
    'ended', CASE WHEN v_code IS NULL AND NOT v_agrees THEN 'REFUSED' END));
END
$$;

-- Changed: the same; either of the first two may withdraw what they sent on.
CREATE OR REPLACE FUNCTION review.decide_report(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_confirms boolean := p_input->>'verdict' = 'CONFIRM';
  f review.incident_frame;
  r review.provider_reports;
  v_code text;
  v_state text;
BEGIN
  f := review.open_report(CASE WHEN v_confirms THEN 'incident.report_confirmed' ELSE 'incident.report_ended' END, p_input);
  SELECT * INTO r FROM review.provider_reports WHERE report_id = (p_input->>'reportId')::uuid FOR NO KEY UPDATE;
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN r.state <> 'PROPOSED' AND NOT (r.state = 'JUDGED' AND NOT v_confirms AND r.judged_by = f.actor_id) THEN 'REQUEST_ENDED'
    WHEN NOT v_confirms THEN NULL
    WHEN f.actor_id IN (r.judged_by, r.proposed_by) THEN 'SELF_APPROVAL'
    WHEN r.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN review.report_bar(r, r.proposed_by) IS NOT NULL THEN 'REQUESTER_NOT_ENTITLED'
    WHEN review.sample_missing(r.report_id) > 0 THEN 'SAMPLE_INCOMPLETE' END,
    CASE WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  IF v_code IS NULL THEN
    v_state := CASE WHEN v_confirms THEN 'CONFIRMED' WHEN f.actor_id IN (r.judged_by, r.proposed_by) THEN 'WITHDRAWN' ELSE 'REFUSED' END;
    UPDATE review.provider_reports SET state = v_state, decided_by = f.actor_id, decided_at = f.now WHERE report_id = r.report_id;
    IF v_confirms THEN
      PERFORM review.enqueue('apply-report', jsonb_build_object('reportId', r.report_id), 'apply-report:' || r.report_id);
    END IF;
  END IF;
  RETURN review.answer_incident(f, v_code, review.report_told(r) || jsonb_build_object('text', p_input->>'reason', 'ended', v_state,
    'authorityNeeded', (f.policy).authority));
END
$$;

-- How long after how many failures in a row it is tried again: ten seconds at first, an hour at most.
CREATE FUNCTION review.report_wait(p_failures integer) RETURNS interval
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT least(interval '1 hour', interval '10 seconds' * power(2, least(p_failures, 20) - 1)) $$;

-- Keeps what stopped a confirmed report (null: nobody recorded it) and plans the next try. Rows that were carried out before it stopped begin the count anew.
-- Null: there is nothing to carry out any more.
CREATE FUNCTION review.hold_report_up(p_report_id uuid, p_error text, p_went_on boolean) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports;
  v_now timestamptz := ledger.clock();
BEGIN
  SELECT * INTO r FROM review.provider_reports WHERE report_id = p_report_id AND state = 'CONFIRMED' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  r.failures := CASE WHEN p_went_on THEN 1 ELSE r.failures + 1 END;
  UPDATE review.provider_reports SET failures = r.failures, last_error = coalesce(p_error, last_error, 'NOT_RECORDED'),
      held_up_since = CASE WHEN p_went_on THEN v_now ELSE coalesce(held_up_since, v_now) END,
      next_try_at = v_now + review.report_wait(r.failures)
    WHERE report_id = p_report_id RETURNING * INTO r;
  PERFORM review.enqueue('apply-report', jsonb_build_object('reportId', r.report_id), 'apply-report:' || r.report_id, r.next_try_at);
  RETURN r.next_try_at;
END
$$;

-- Rows were carried out, and more wait: nothing holds it up any more.
CREATE FUNCTION review.go_on_with_report(p_report_id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.provider_reports SET failures = 0, last_error = NULL, held_up_since = NULL, next_try_at = NULL
    WHERE report_id = p_report_id AND state = 'CONFIRMED' AND failures > 0;
  PERFORM review.enqueue('apply-report', jsonb_build_object('reportId', p_report_id), 'apply-report:' || p_report_id);
END
$$;

-- Confirmed reports whose job is gone or has used up its tries, as when a worker was killed each time. What a worker is at, or what is
-- planned, is left alone; twice at once would be harmless, since a row has one outcome.
CREATE FUNCTION review.take_up_reports() RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_id uuid;
  v_taken_up integer := 0;
BEGIN
  FOR v_id IN
    SELECT r.report_id FROM review.provider_reports r WHERE r.state = 'CONFIRMED' AND NOT EXISTS (
        SELECT FROM graphile_worker.jobs j WHERE j.key = 'apply-report:' || r.report_id AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
      LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    PERFORM review.hold_report_up(v_id, NULL, false);
    v_taken_up := v_taken_up + 1;
  END LOOP;
  RETURN v_taken_up;
END
$$;
REVOKE EXECUTE ON FUNCTION review.hold_report_up(uuid, text, boolean), review.go_on_with_report(uuid), review.take_up_reports(),
  review.report_wait(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.hold_report_up(uuid, text, boolean), review.go_on_with_report(uuid) TO onceover_worker;


-- Changed: confirmed reports that no job carries out are taken up again.
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
  w review.connector_proposals;
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
    SELECT q.* FROM review.approval_requests q
      WHERE (q.state = 'PENDING' AND review.decide_until(q) <= v_now) OR (q.state = 'APPROVED' AND review.execute_until(q) <= v_now)
      ORDER BY q.request_id LIMIT 500
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
  FOR w IN SELECT * FROM review.connector_proposals WHERE state = 'PENDING' AND expires_at <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_connector_proposal(w);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  FOR v_report IN SELECT * FROM review.provider_reports WHERE state IN ('JUDGED', 'PROPOSED') AND expires_at <= v_now LIMIT 500
      FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_report(v_report);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  RETURN jsonb_build_object('requestsExpired', v_expired, 'deferralsOver', v_resumed, 'proposalsLapsed', v_lapsed)
    || jsonb_build_object('reportsTakenUp', review.take_up_reports()) || review.follow_incidents();
END
$$;
