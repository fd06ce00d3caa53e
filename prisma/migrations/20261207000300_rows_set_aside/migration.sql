-- R-056 A row that fails with what is not its own (a lock, a time limit, the database) is set aside: its error is kept on it, the rows behind
-- it go on, and it is tried again later, more and more slowly. What stops many in a row is the whole report's matter, as before.
-- Replaced here: keep_report_row; apply_report_row (which row it is about is chosen by take_report_row, so that whatever ends its
-- transaction, it is known by the next one), hold_report_up (while all that waits is set aside it is tried when the first of them is due).

ALTER TABLE review.report_rows
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- A class or code, never a message: messages may hold values.
  ADD COLUMN last_error text CHECK (last_error ~ '^[A-Za-z0-9_]{1,64}$'),
  ADD COLUMN next_try_at timestamptz(6),
  ADD CONSTRAINT report_rows_set_aside_says_how CHECK ((failures > 0) = (last_error IS NOT NULL) AND (failures > 0) = (next_try_at IS NOT NULL)
    AND (failures = 0 OR outcome IS NULL AND verdict IN ('LINK', 'ORPHAN')));
-- Those never tried first, then those that failed least.
DROP INDEX review.report_rows_waiting;
CREATE INDEX report_rows_waiting ON review.report_rows (report_id, failures, row_number) WHERE verdict IN ('LINK', 'ORPHAN') AND outcome IS NULL;

-- Changed: a row of a confirmed report may be set aside until it has its outcome.
CREATE OR REPLACE FUNCTION review.keep_report_row() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_state text := (SELECT state FROM review.provider_reports WHERE report_id = OLD.report_id);
  v_trouble constant text[] := ARRAY['failures', 'last_error', 'next_try_at'];
  v_free constant text[] := ARRAY['sampled', 'outcome', 'outcome_code', 'orphan_id', 'applied_at'] || v_trouble;
BEGIN
  IF v_state = 'CONFIRMED' AND OLD.outcome IS NULL AND to_jsonb(NEW) - v_trouble = to_jsonb(OLD) - v_trouble THEN RETURN NEW; END IF;
  IF to_jsonb(NEW) - v_free <> to_jsonb(OLD) - v_free
     OR NOT ((NEW.sampled AND NOT OLD.sampled AND NEW.outcome IS NULL AND v_state = 'JUDGED')
          OR (NEW.sampled = OLD.sampled AND OLD.outcome IS NULL AND NEW.outcome IS NOT NULL AND v_state = 'CONFIRMED')) THEN
    RAISE EXCEPTION 'row % of report % has one outcome', OLD.row_number, OLD.report_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;

-- The confirmed report with those held who answer for it; null: there is nothing to carry out.
CREATE FUNCTION review.hold_confirmed_report(p_report_id uuid) RETURNS review.provider_reports
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports;
BEGIN
  SELECT * INTO r FROM review.provider_reports WHERE report_id = p_report_id;
  PERFORM review.hold_people(ARRAY[r.proposed_by, r.decided_by]);
  PERFORM review.hold_policies(r.tenant_id, r.operation);
  SELECT * INTO r FROM review.provider_reports WHERE report_id = p_report_id AND state = 'CONFIRMED' FOR SHARE;
  RETURN r;
END
$$;

-- Which row comes next, held until the end of this transaction. Answers {"outcome": "row", rowNumber | "aside": all that wait have failed
-- and are not due yet | "busy": another worker is at the last ones | "ended"}; with "ended" the report's figures are on record.
CREATE FUNCTION review.take_report_row(p_report_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports := review.hold_confirmed_report(p_report_id);
  v_now timestamptz := ledger.clock();
  v_row integer;
BEGIN
  IF r.report_id IS NULL THEN RETURN '{"outcome": "ended"}'; END IF;
  SELECT w.row_number INTO v_row FROM review.report_rows w WHERE w.report_id = p_report_id AND w.verdict IN ('LINK', 'ORPHAN') AND w.outcome IS NULL
    AND (w.next_try_at IS NULL OR w.next_try_at <= v_now) ORDER BY w.failures, w.row_number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN RETURN jsonb_build_object('outcome', 'row', 'rowNumber', v_row); END IF;
  IF NOT EXISTS (SELECT FROM review.report_rows w WHERE w.report_id = p_report_id AND w.verdict IN ('LINK', 'ORPHAN') AND w.outcome IS NULL) THEN
    PERFORM review.end_application(r);
    RETURN '{"outcome": "ended"}';
  END IF;
  RETURN CASE WHEN EXISTS (SELECT FROM review.report_rows w WHERE w.report_id = p_report_id AND w.verdict IN ('LINK', 'ORPHAN') AND w.outcome IS NULL
      AND (w.next_try_at IS NULL OR w.next_try_at <= v_now)) THEN '{"outcome": "busy"}'::jsonb ELSE '{"outcome": "aside"}' END;
END
$$;

-- Carries this row of a confirmed report out, in this transaction: killed before its end it has not happened, and afterwards the row has its
-- outcome. Answers whether it was still to do.
DROP FUNCTION review.apply_report_row(uuid);
CREATE FUNCTION review.apply_report_row(p_report_id uuid, p_row_number integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports := review.hold_confirmed_report(p_report_id);
  w review.report_rows;
  v_outcome text;
  v_code text;
  v_orphan uuid;
BEGIN
  SELECT * INTO w FROM review.report_rows WHERE report_id = r.report_id AND row_number = p_row_number AND verdict IN ('LINK', 'ORPHAN')
    AND outcome IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
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
  UPDATE review.report_rows SET outcome = v_outcome, outcome_code = v_code, orphan_id = v_orphan, applied_at = ledger.clock(),
      failures = 0, last_error = NULL, next_try_at = NULL
    WHERE report_id = w.report_id AND row_number = w.row_number;
  RETURN true;
END
$$;

-- What stopped a row is kept on it, and when it is tried again. Nothing, where the row has its outcome after all.
CREATE FUNCTION review.set_report_row_aside(p_report_id uuid, p_row_number integer, p_error text) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE review.report_rows w SET failures = w.failures + 1, last_error = p_error, next_try_at = ledger.clock() + review.report_wait(w.failures + 1)
    FROM review.provider_reports r WHERE r.report_id = p_report_id AND r.state = 'CONFIRMED' AND w.report_id = p_report_id
      AND w.row_number = p_row_number AND w.verdict IN ('LINK', 'ORPHAN') AND w.outcome IS NULL
$$;

-- Changed: where all that waits is set aside, it is tried again as soon as the first of them is due, and no error is named but theirs.
CREATE OR REPLACE FUNCTION review.hold_report_up(p_report_id uuid, p_error text, p_went_on boolean) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.provider_reports;
  v_now timestamptz := ledger.clock();
  v_due timestamptz;
  v_error text;
BEGIN
  SELECT * INTO r FROM review.provider_reports WHERE report_id = p_report_id AND state = 'CONFIRMED' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  r.failures := CASE WHEN p_went_on THEN 1 ELSE r.failures + 1 END;
  SELECT w.next_try_at, w.last_error INTO v_due, v_error FROM review.report_rows w
    WHERE w.report_id = p_report_id AND w.verdict IN ('LINK', 'ORPHAN') AND w.outcome IS NULL ORDER BY w.next_try_at NULLS FIRST LIMIT 1;
  UPDATE review.provider_reports SET failures = r.failures, last_error = coalesce(p_error, v_error, last_error, 'NOT_RECORDED'),
      held_up_since = CASE WHEN p_went_on THEN v_now ELSE coalesce(held_up_since, v_now) END,
      next_try_at = CASE WHEN v_due > v_now THEN v_due ELSE v_now + review.report_wait(r.failures) END
    WHERE report_id = p_report_id RETURNING * INTO r;
  PERFORM review.enqueue('apply-report', jsonb_build_object('reportId', r.report_id), 'apply-report:' || r.report_id, r.next_try_at);
  RETURN r.next_try_at;
END
$$;
REVOKE EXECUTE ON FUNCTION review.hold_confirmed_report(uuid), review.take_report_row(uuid), review.apply_report_row(uuid, integer),
  review.set_report_row_aside(uuid, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.take_report_row(uuid), review.apply_report_row(uuid, integer), review.set_report_row_aside(uuid, integer, text)
  TO onceover_worker;
