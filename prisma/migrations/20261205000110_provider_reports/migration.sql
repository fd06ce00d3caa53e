-- R-056 Outage mode, the provider's report: its rows as they were judged (lib/domain/report-verdict), a proposal over them, a random
-- sample that somebody else checks by hand, and the word of a second person. The file itself is not kept: its digest, its name, and
-- of each row the values of the columns that were named.

INSERT INTO review.audit_event_types (event, app_outcomes) VALUES
  ('incident.report_judged', '{refused}'), ('incident.report_proposed', '{refused}'), ('incident.sample_checked', '{refused}'),
  ('incident.report_confirmed', '{refused}'), ('incident.report_ended', '{refused}'), ('incident.report_applied', '{}');

CREATE TABLE review.provider_reports (
  report_id    uuid PRIMARY KEY DEFAULT ledger.new_id(),
  incident_id  uuid NOT NULL REFERENCES review.incidents (incident_id),
  tenant_id    text NOT NULL REFERENCES review.tenants (tenant_id),
  operation    text COLLATE "C" NOT NULL,
  file_name    text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 200),
  sha256       text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  row_count    integer NOT NULL CHECK (row_count BETWEEN 1 AND 20000),
  -- Until when the report tells: what happened later is not in it.
  as_of        timestamptz(6) NOT NULL,
  -- Which column holds what, and which words mean what.
  reading      jsonb NOT NULL CHECK (jsonb_typeof(reading) = 'object' AND pg_column_size(reading) <= 32768),
  state        text NOT NULL DEFAULT 'JUDGED'
               CHECK (state IN ('JUDGED', 'PROPOSED', 'CONFIRMED', 'APPLIED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  proposed_by  uuid NOT NULL REFERENCES review.people (person_id),
  judged_at    timestamptz(6) NOT NULL,
  expires_at   timestamptz(6) NOT NULL,
  decided_by   uuid REFERENCES review.people (person_id),
  decided_at   timestamptz(6),
  applied_at   timestamptz(6),
  UNIQUE (report_id, proposed_by),
  CONSTRAINT provider_reports_tell_the_past CHECK (as_of <= judged_at),
  CONSTRAINT provider_reports_two_people CHECK (state NOT IN ('CONFIRMED', 'APPLIED') OR (decided_by IS NOT NULL AND decided_by <> proposed_by)),
  CONSTRAINT provider_reports_applied_says_when CHECK ((state = 'APPLIED') = (applied_at IS NOT NULL))
);
-- The same file for the same work stands once, unless it came to nothing.
CREATE UNIQUE INDEX provider_reports_one_of_a_file ON review.provider_reports (incident_id, operation, sha256)
  WHERE state NOT IN ('REFUSED', 'WITHDRAWN', 'EXPIRED');
CREATE INDEX provider_reports_by_incident ON review.provider_reports (incident_id, judged_at);
CREATE INDEX provider_reports_waiting ON review.provider_reports (expires_at) WHERE state IN ('JUDGED', 'PROPOSED');

CREATE TABLE review.report_rows (
  report_id     uuid NOT NULL REFERENCES review.provider_reports (report_id),
  -- The line of the file on which the row begins.
  row_number    integer NOT NULL CHECK (row_number >= 2),
  verdict       text NOT NULL CHECK (verdict IN ('LINK', 'ORPHAN', 'PENDING', 'FAILED', 'REVERSED', 'MISMATCH', 'MULTIPLE', 'SETTLED', 'OUTSIDE', 'UNREADABLE')),
  -- Of a row that cannot be read or does not belong here: why.
  reason        text,
  match_value   text,
  result_id     text CHECK (length(result_id) BETWEEN 1 AND 255),
  status_word   text,
  account       text,
  exception_id  uuid REFERENCES review.exceptions (exception_id),
  execution_id  uuid REFERENCES ledger.executions (execution_id),
  execution_version bigint,
  account_match boolean,
  content_match boolean,
  comparison    jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(comparison) = 'array'),
  sampled       boolean NOT NULL DEFAULT false,
  -- Under which its link is made, once.
  operation_id  uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  outcome       text CHECK (outcome IN ('LINKED', 'REFUSED', 'ORPHAN_OPENED', 'FAILED')),
  outcome_code  text,
  orphan_id     uuid UNIQUE REFERENCES review.exceptions (exception_id),
  applied_at    timestamptz(6),
  PRIMARY KEY (report_id, row_number),
  -- R-058, R-061: only what is done, and whose account and content were compared and agree, is ever linked.
  CONSTRAINT report_rows_link_agrees CHECK (verdict <> 'LINK' OR (exception_id IS NOT NULL AND execution_id IS NOT NULL
    AND execution_version IS NOT NULL AND result_id IS NOT NULL AND account_match IS TRUE AND content_match IS TRUE
    AND jsonb_array_length(comparison) > 0 AND NOT comparison @? '$[*] ? (!(@.agrees == true))')),
  CONSTRAINT report_rows_orphan_is_nobodys CHECK (verdict <> 'ORPHAN' OR (execution_id IS NULL AND result_id IS NOT NULL)),
  CONSTRAINT report_rows_outcome_of_its_verdict CHECK (outcome IS NULL OR (applied_at IS NOT NULL AND CASE outcome
    WHEN 'LINKED' THEN verdict = 'LINK' WHEN 'ORPHAN_OPENED' THEN verdict = 'ORPHAN' AND orphan_id IS NOT NULL
    ELSE verdict IN ('LINK', 'ORPHAN') AND outcome_code IS NOT NULL END)),
  CONSTRAINT report_rows_sample_of_what_counts CHECK (NOT sampled OR verdict IN ('LINK', 'ORPHAN'))
);
-- Two rows for one execution, or for one result, are both left to people.
CREATE UNIQUE INDEX report_rows_one_link ON review.report_rows (report_id, execution_id) WHERE verdict = 'LINK';
CREATE UNIQUE INDEX report_rows_one_result ON review.report_rows (report_id, result_id) WHERE verdict IN ('LINK', 'ORPHAN');
CREATE INDEX report_rows_waiting ON review.report_rows (report_id, row_number) WHERE verdict IN ('LINK', 'ORPHAN') AND outcome IS NULL;
CREATE INDEX report_rows_by_execution ON review.report_rows (execution_id) WHERE execution_id IS NOT NULL;

-- What somebody saw of a sampled row in the outside system itself.
CREATE TABLE review.report_checks (
  report_id   uuid NOT NULL,
  row_number  integer NOT NULL,
  proposed_by uuid NOT NULL,
  checked_by  uuid NOT NULL REFERENCES review.people (person_id),
  checked_at  timestamptz(6) NOT NULL,
  agrees      boolean NOT NULL,
  place       text NOT NULL CONSTRAINT report_checks_say_where CHECK (review.visible_length(place) BETWEEN 3 AND 300),
  address     text CHECK (address ~ '^https?://' AND length(address) <= 2000),
  remark      text CHECK (length(remark) <= 4000),
  PRIMARY KEY (report_id, row_number),
  FOREIGN KEY (report_id, row_number) REFERENCES review.report_rows (report_id, row_number),
  FOREIGN KEY (report_id, proposed_by) REFERENCES review.provider_reports (report_id, proposed_by),
  CONSTRAINT report_checks_by_another CHECK (checked_by <> proposed_by)
);

-- For every writer: a report keeps what it asks, and is confirmed only when each row of its sample was checked and agrees.
CREATE FUNCTION review.keep_report() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_jsonb(NEW) - ARRAY['state', 'expires_at', 'decided_by', 'decided_at', 'applied_at']
       <> to_jsonb(OLD) - ARRAY['state', 'expires_at', 'decided_by', 'decided_at', 'applied_at']
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

-- How many sampled rows nobody has seen to agree.
CREATE FUNCTION review.sample_missing(p_report_id uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*)::integer FROM review.report_rows r WHERE r.report_id = p_report_id AND r.sampled AND NOT EXISTS (
    SELECT FROM review.report_checks c WHERE c.report_id = r.report_id AND c.row_number = r.row_number AND c.agrees)
$$;

-- For every writer: a row is drawn before its report is proposed, and has one outcome, once its report is confirmed.
CREATE FUNCTION review.keep_report_row() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_state text := (SELECT state FROM review.provider_reports WHERE report_id = OLD.report_id);
BEGIN
  IF to_jsonb(NEW) - ARRAY['sampled', 'outcome', 'outcome_code', 'orphan_id', 'applied_at']
       <> to_jsonb(OLD) - ARRAY['sampled', 'outcome', 'outcome_code', 'orphan_id', 'applied_at']
     OR NOT ((NEW.sampled AND NOT OLD.sampled AND NEW.outcome IS NULL AND v_state = 'JUDGED')
          OR (NEW.sampled = OLD.sampled AND OLD.outcome IS NULL AND NEW.outcome IS NOT NULL AND v_state = 'CONFIRMED')) THEN
    RAISE EXCEPTION 'row % of report % has one outcome', OLD.row_number, OLD.report_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER provider_reports_keep BEFORE UPDATE ON review.provider_reports FOR EACH ROW EXECUTE FUNCTION review.keep_report();
CREATE TRIGGER provider_reports_need_fresh_session BEFORE UPDATE ON review.provider_reports
  FOR EACH ROW WHEN (OLD.state = 'PROPOSED' AND NEW.state = 'CONFIRMED') EXECUTE FUNCTION review.require_fresh_session();
CREATE TRIGGER provider_reports_stay BEFORE DELETE OR TRUNCATE ON review.provider_reports
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER provider_reports_require_context BEFORE INSERT OR UPDATE ON review.provider_reports
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
CREATE TRIGGER report_rows_keep BEFORE UPDATE ON review.report_rows FOR EACH ROW EXECUTE FUNCTION review.keep_report_row();
CREATE TRIGGER report_rows_stay BEFORE DELETE OR TRUNCATE ON review.report_rows
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER report_checks_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.report_checks
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.provider_reports ENABLE ALWAYS TRIGGER provider_reports_keep;
ALTER TABLE review.provider_reports ENABLE ALWAYS TRIGGER provider_reports_need_fresh_session;
ALTER TABLE review.provider_reports ENABLE ALWAYS TRIGGER provider_reports_stay;
ALTER TABLE review.report_rows ENABLE ALWAYS TRIGGER report_rows_keep;
ALTER TABLE review.report_rows ENABLE ALWAYS TRIGGER report_rows_stay;
ALTER TABLE review.report_checks ENABLE ALWAYS TRIGGER report_checks_are_only_added;
GRANT SELECT ON review.provider_reports, review.report_rows, review.report_checks TO onceover_app, onceover_worker;

-- The dry run, kept. input: incidentId, operation, fileName, sha256, rowCount, asOf, reading, rows (as judged), operationId. Told: reportId.
CREATE FUNCTION review.keep_judged_report(p_input jsonb) RETURNS jsonb
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
    INSERT INTO review.provider_reports (incident_id, tenant_id, operation, file_name, sha256, row_count, as_of, reading, proposed_by, judged_at, expires_at)
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

-- The rows that are drawn for checking by hand: at least five, or one in twenty, at most twenty.
CREATE FUNCTION review.draw_sample(p_report_id uuid) RETURNS integer
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  WITH counting AS (
    SELECT row_number FROM review.report_rows WHERE report_id = p_report_id AND verdict IN ('LINK', 'ORPHAN')
  ), drawn AS (
    UPDATE review.report_rows SET sampled = true WHERE report_id = p_report_id AND row_number IN (
      SELECT row_number FROM counting ORDER BY gen_random_uuid()
       LIMIT least(20, greatest(5, ceil((SELECT count(*) FROM counting) * 0.05)::integer)))
    RETURNING 1)
  SELECT count(*)::integer FROM drawn
$$;

-- An act about a report: whoever proposed it is held as well, since their word counts only with their right.
CREATE FUNCTION review.open_report(p_event text, p_input jsonb) RETURNS review.incident_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports;
BEGIN
  SELECT * INTO r FROM review.provider_reports WHERE report_id = (p_input->>'reportId')::uuid;
  RETURN review.open_incident(p_event, p_input, r.incident_id, r.operation, ARRAY[r.proposed_by]);
END
$$;

CREATE FUNCTION review.report_told(r review.provider_reports) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT jsonb_build_object('reportId', r.report_id, 'sha256', r.sha256, 'proposedBy', r.proposed_by) $$;

-- Whoever judged the file sends it on for a second person. input: reportId, operationId.
CREATE FUNCTION review.propose_report(p_input jsonb) RETURNS jsonb
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
    WHEN r.proposed_by <> f.actor_id THEN 'NOT_YOUR_REQUEST'
    WHEN r.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN NOT EXISTS (SELECT FROM review.report_rows WHERE report_id = r.report_id AND verdict IN ('LINK', 'ORPHAN')) THEN 'NOTHING_TO_APPLY' END);
  IF v_code IS NULL THEN
    v_sample := review.draw_sample(r.report_id);
    UPDATE review.provider_reports SET state = 'PROPOSED', expires_at = f.now + interval '1 day'
      WHERE report_id = r.report_id;
  END IF;
  RETURN review.answer_incident(f, v_code, review.report_told(r) || jsonb_build_object('sample', v_sample));
END
$$;

-- One row of the sample, looked up by hand. One that does not agree ends the proposal. input: reportId, rowNumber, agrees, place, address,
-- text, operationId.
CREATE FUNCTION review.check_sample_row(p_input jsonb) RETURNS jsonb
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
    WHEN r.proposed_by = f.actor_id THEN 'SELF_APPROVAL'
    WHEN r.state <> 'PROPOSED' THEN 'REQUEST_ENDED'
    WHEN r.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN NOT EXISTS (SELECT FROM review.report_rows WHERE report_id = r.report_id AND row_number = v_row AND sampled) THEN 'NOT_IN_SAMPLE'
    WHEN EXISTS (SELECT FROM review.report_checks WHERE report_id = r.report_id AND row_number = v_row) THEN 'CHECKED_ALREADY'
    WHEN review.visible_length(p_input->>'place') NOT BETWEEN 3 AND 300 THEN 'TEXT_LENGTH' END);
  IF v_code IS NULL THEN
    INSERT INTO review.report_checks (report_id, row_number, proposed_by, checked_by, checked_at, agrees, place, address, remark)
      VALUES (r.report_id, v_row, r.proposed_by, f.actor_id, f.now, v_agrees, p_input->>'place', p_input->>'address', p_input->>'text');
    IF NOT v_agrees THEN
      UPDATE review.provider_reports SET state = 'REFUSED', decided_by = f.actor_id, decided_at = f.now WHERE report_id = r.report_id;
    END IF;
  END IF;
  RETURN review.answer_incident(f, v_code, review.report_told(r) || jsonb_build_object('rowNumber', v_row, 'agrees', v_agrees,
    'place', p_input->>'place', 'address', p_input->>'address', 'text', p_input->>'text',
    'ended', CASE WHEN v_code IS NULL AND NOT v_agrees THEN 'REFUSED' END));
END
$$;

-- The second person's word, or the first one's second thoughts. input: reportId, verdict CONFIRM | REJECT, reason, operationId.
CREATE FUNCTION review.decide_report(p_input jsonb) RETURNS jsonb
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
    WHEN r.state <> 'PROPOSED' AND NOT (r.state = 'JUDGED' AND NOT v_confirms AND r.proposed_by = f.actor_id) THEN 'REQUEST_ENDED'
    WHEN NOT v_confirms THEN NULL
    WHEN r.proposed_by = f.actor_id THEN 'SELF_APPROVAL'
    WHEN r.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN review.report_bar(r, r.proposed_by) IS NOT NULL THEN 'REQUESTER_NOT_ENTITLED'
    WHEN review.sample_missing(r.report_id) > 0 THEN 'SAMPLE_INCOMPLETE' END,
    CASE WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  IF v_code IS NULL THEN
    v_state := CASE WHEN v_confirms THEN 'CONFIRMED' WHEN r.proposed_by = f.actor_id THEN 'WITHDRAWN' ELSE 'REFUSED' END;
    UPDATE review.provider_reports SET state = v_state, decided_by = f.actor_id, decided_at = f.now WHERE report_id = r.report_id;
    IF v_confirms THEN
      PERFORM review.enqueue('apply-report', jsonb_build_object('reportId', r.report_id), 'apply-report:' || r.report_id);
    END IF;
  END IF;
  RETURN review.answer_incident(f, v_code, review.report_told(r) || jsonb_build_object('text', p_input->>'reason', 'ended', v_state,
    'authorityNeeded', (f.policy).authority));
END
$$;

-- What keeps a person's word from counting for the report; null: it counts.
CREATE FUNCTION review.report_bar(r review.provider_reports, p_person_id uuid) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p.disabled_at IS NOT NULL OR NOT r.tenant_id = ANY (p.tenant_ids) THEN 'ROLE_MISSING'
      ELSE review.may_decide(p.roles, ARRAY['OPERATOR', 'APPROVER'], p.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority) END
    FROM review.people p WHERE p.person_id = p_person_id
$$;

-- Nobody confirmed it in time: nobody's act. The caller holds the row.
CREATE FUNCTION review.expire_report(r review.provider_reports) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.provider_reports SET state = 'EXPIRED' WHERE report_id = r.report_id;
  PERFORM review.append_audit('incident.report_ended', 'done', NULL, r.tenant_id, NULL, NULL, NULL, r.operation, NULL,
    review.report_told(r) || jsonb_build_object('incidentId', r.incident_id, 'ended', 'EXPIRED'));
END
$$;

REVOKE EXECUTE ON FUNCTION review.keep_judged_report(jsonb), review.propose_report(jsonb), review.check_sample_row(jsonb),
  review.decide_report(jsonb), review.sample_missing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.keep_judged_report(jsonb), review.propose_report(jsonb), review.check_sample_row(jsonb),
  review.decide_report(jsonb) TO onceover_app;
-- For judging a report: which executions its rows name.
GRANT EXECUTE ON FUNCTION review.outside_system_of(ledger.executions) TO onceover_app;
CREATE INDEX executions_by_external_key ON ledger.executions (tenant_id, external_request_key) WHERE external_request_key IS NOT NULL;
