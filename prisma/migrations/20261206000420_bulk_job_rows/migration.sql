-- R-053 Bulk jobs, what the worker does with them: a row comes about by the same function as a person's own act, under the name of
-- whoever started the job and with the rights that they have at that moment, in one transaction with the row's outcome. The worker has
-- no right to those functions itself: it acts for whom the job names, and only while the job runs.
-- Order of locks: people, the job, then what the act locks. One row of a job is written at a time.

-- How long a worker that asks an outside system for a row keeps others from it: longer than a question and its pages take.
CREATE FUNCTION review.bulk_lease() RETURNS interval
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT interval '45 seconds' $$;

-- From here on the job's starter acts in this transaction; the request names job and row, so that every event of the act does.
CREATE FUNCTION review.act_for_bulk_job(j review.bulk_jobs, p_row_number integer) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT set_config('onceover.actor_kind', 'person', true), set_config('onceover.actor_id', j.started_by::text, true),
         set_config('onceover.request_id', format('bulk-job:%s:%s', j.job_id, p_row_number), true)
$$;

-- The job with its people held, locked.
CREATE FUNCTION review.hold_bulk_job(p_job_id uuid) RETURNS review.bulk_jobs
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  j review.bulk_jobs;
BEGIN
  SELECT * INTO j FROM review.bulk_jobs WHERE job_id = p_job_id;
  PERFORM review.hold_people(array_remove(ARRAY[j.started_by, (j.params->>'assigneeId')::uuid], NULL));
  SELECT * INTO j FROM review.bulk_jobs WHERE job_id = p_job_id FOR NO KEY UPDATE;
  RETURN j;
END
$$;

-- A refusal that no act has put on record, under the act's own event.
CREATE FUNCTION review.refuse_bulk_row(j review.bulk_jobs, w review.bulk_job_rows, p_code text) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit(
      CASE j.act WHEN 'assign' THEN 'exception.assigned' WHEN 'defer' THEN 'exception.deferred' WHEN 'look-up' THEN 'lookup.requested'
                 WHEN 'link' THEN 'decision.result_linked' END,
      'refused', p_code, x.tenant_id, x.exception_id, x.execution_id, NULL, x.operation, w.operation_id, jsonb_build_object('jobId', j.job_id))
    FROM review.exceptions x WHERE x.exception_id = w.exception_id;
  RETURN jsonb_build_object('outcome', 'refused', 'code', p_code);
END
$$;

-- A look made for a link must show what was previewed; what one of the two could not compare is no difference.
CREATE FUNCTION review.shows_the_same(p_seen uuid, p_present uuid) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.lookups a, review.lookups b WHERE a.lookup_id = p_seen AND b.lookup_id = p_present
    AND (a.verdict, a.result_id, a.external_status) IS NOT DISTINCT FROM (b.verdict, b.result_id, b.external_status)
    AND coalesce(a.account_match = b.account_match, true) AND coalesce(a.content_match = b.content_match, true))
$$;

-- The row's act, as its starter. Answers as the act does, or {"outcome": "ask"}: an outside system is to be asked first.
CREATE FUNCTION review.act_on_bulk_row(j review.bulk_jobs, w review.bulk_job_rows, p_lookup_id uuid) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_input jsonb := jsonb_build_object('exceptionId', w.exception_id, 'exceptionVersion', w.exception_version, 'operationId', w.operation_id);
  v_answer jsonb;
BEGIN
  IF j.act = 'assign' THEN RETURN review.assign_exception(v_input || j.params); END IF;
  IF j.act = 'defer' THEN RETURN review.defer_exception(v_input || j.params); END IF;
  -- Left out by the preview: it named nothing that could be linked.
  IF j.act = 'link' AND w.foreseen IS NOT NULL THEN RETURN review.refuse_bulk_row(j, w, w.foreseen); END IF;
  IF p_lookup_id IS NULL AND (j.act = 'look-up' OR w.look_again) THEN
    IF EXISTS (SELECT FROM review.exceptions x WHERE x.exception_id = w.exception_id AND x.state = 'OPEN' AND x.version <> w.exception_version) THEN
      RETURN review.refuse_bulk_row(j, w, 'CHANGED_SINCE_SEEN');
    END IF;
    v_answer := review.request_lookup(w.exception_id);
    RETURN CASE v_answer->>'outcome' WHEN 'done' THEN v_answer || '{"outcome": "ask"}' ELSE v_answer END;
  END IF;
  IF j.act = 'look-up' THEN RETURN '{"outcome": "done"}'; END IF;
  IF p_lookup_id IS NOT NULL AND NOT review.shows_the_same(w.evidence_id, p_lookup_id) THEN
    RETURN review.refuse_bulk_row(j, w, 'EVIDENCE_CHANGED');
  END IF;
  RETURN review.link_result(v_input || jsonb_build_object('executionVersion', w.execution_version, 'evidenceId', coalesce(p_lookup_id, w.evidence_id),
    'shownEvidenceId', w.evidence_id, 'lookAgain', w.look_again, 'rationale', ''));
END
$$;

-- Carries the row on: what its own data meet is the row's, anything else passes and the row is tried again. Answers what became of it.
CREATE FUNCTION review.carry_bulk_row(j review.bulk_jobs, w review.bulk_job_rows, p_lookup_id uuid) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_answer jsonb;
BEGIN
  PERFORM review.act_for_bulk_job(j, w.row_number);
  BEGIN
    v_answer := review.act_on_bulk_row(j, w, p_lookup_id);
  EXCEPTION WHEN OTHERS THEN
    IF SQLSTATE = 'OA003' THEN v_answer := review.refuse_bulk_row(j, w, 'ACCOUNT_DISABLED');
    ELSIF SQLSTATE ~ '^OO00[1-7]$' THEN v_answer := review.refuse_bulk_row(j, w, 'LEDGER_REFUSED');
    ELSIF SQLSTATE ~ '^(22|23)' THEN v_answer := jsonb_build_object('outcome', 'failed', 'code', SQLSTATE);
    ELSE RAISE; END IF;
  END;
  IF v_answer->>'outcome' = 'ask' THEN
    UPDATE review.bulk_job_rows SET taken_at = ledger.clock(), lease = w.lease + 1 WHERE job_id = j.job_id AND row_number = w.row_number;
    RETURN jsonb_build_object('outcome', 'ask', 'rowNumber', w.row_number, 'lease', w.lease + 1, 'exceptionId', w.exception_id,
      'executionId', v_answer->'executionId');
  END IF;
  UPDATE review.bulk_job_rows SET lookup_id = p_lookup_id, code = v_answer->>'code', taken_at = NULL, ended_at = ledger.clock(),
      state = CASE v_answer->>'outcome' WHEN 'done' THEN 'DONE' WHEN 'refused' THEN 'REFUSED' ELSE 'FAILED' END
    WHERE job_id = j.job_id AND row_number = w.row_number;
  RETURN jsonb_build_object('outcome', 'row', 'rowNumber', w.row_number);
END
$$;

-- No row is left, or none of the first ones and a person is asked. The system's word, not the starter's.
CREATE FUNCTION review.rest_bulk_job(j review.bulk_jobs) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_asks boolean := j.pending > 0;
BEGIN
  IF v_asks THEN
    UPDATE review.bulk_jobs SET state = 'PAUSED', paused_because = 'CANARY' WHERE job_id = j.job_id;
  ELSE
    UPDATE review.bulk_jobs SET state = 'DONE', ended_at = ledger.clock(), words = NULL, params = params - ARRAY['place', 'reason']
      WHERE job_id = j.job_id;
  END IF;
  PERFORM review.append_audit(CASE WHEN v_asks THEN 'bulk.paused' ELSE 'bulk.finished' END, 'done', NULL, j.tenant_id, NULL, NULL, NULL, NULL, NULL,
    review.bulk_job_told(j) || CASE WHEN v_asks THEN jsonb_build_object('canary', j.canary) ELSE '{}' END);
  RETURN '{"outcome": "stopped"}';
END
$$;

-- The next row of a running job, in this transaction: killed before its end it has not happened. Answers {"outcome":
-- "row" | "stopped" | "taken" (others ask for all that are left) | "wait", ms | "ask", rowNumber, lease, exceptionId, executionId}.
CREATE FUNCTION review.step_bulk_job(p_job_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  j review.bulk_jobs := review.hold_bulk_job(p_job_id);
  w review.bulk_job_rows;
  v_now timestamptz := ledger.clock();
  v_due timestamptz;
  v_last integer;
BEGIN
  IF j.state IS DISTINCT FROM 'RUNNING' THEN RETURN '{"outcome": "stopped"}'; END IF;
  v_last := CASE WHEN j.canary_passed THEN j.row_count ELSE coalesce(j.canary, j.row_count) END;
  SELECT * INTO w FROM review.bulk_job_rows r WHERE r.job_id = j.job_id AND r.state = 'PENDING' AND r.row_number <= v_last
    AND (r.taken_at IS NULL OR r.taken_at <= v_now - review.bulk_lease()) ORDER BY r.row_number LIMIT 1;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM review.bulk_job_rows r WHERE r.job_id = j.job_id AND r.state = 'PENDING' AND r.row_number <= v_last) THEN
      RETURN '{"outcome": "taken"}';
    END IF;
    RETURN review.rest_bulk_job(j);
  END IF;
  v_due := j.last_row_at + make_interval(secs => 1.0 / j.rate);
  IF v_due > v_now THEN
    RETURN jsonb_build_object('outcome', 'wait', 'ms', ceil(extract(epoch FROM v_due - v_now) * 1000)::integer);
  END IF;
  -- What was late by less than a second may be made up for.
  UPDATE review.bulk_jobs SET last_row_at = CASE WHEN v_due IS NULL THEN v_now ELSE greatest(v_due, v_now - interval '1 second') END WHERE job_id = j.job_id;
  RETURN review.carry_bulk_row(j, w, NULL);
END
$$;

-- Is the row still this asker's, of a job that is not ended? Then its starter acts in the rest of this transaction.
CREATE FUNCTION review.hold_bulk_row(p_job_id uuid, p_row_number integer, p_lease integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  j review.bulk_jobs := review.hold_bulk_job(p_job_id);
BEGIN
  IF j.ended_at IS NOT NULL OR j.started_at IS NULL OR NOT EXISTS (SELECT FROM review.bulk_job_rows w WHERE w.job_id = p_job_id
       AND w.row_number = p_row_number AND w.state = 'PENDING' AND w.lease = p_lease AND w.taken_at IS NOT NULL) THEN
    RETURN false;
  END IF;
  PERFORM review.act_for_bulk_job(j, p_row_number);
  RETURN true;
END
$$;

-- What came of asking for a row; rows under way when the job is paused end as well. became: {"lookupId"} | {"refused": code} |
-- {"failed": fault} | {} (given back: it could not be asked yet).
CREATE FUNCTION review.end_bulk_row(p_job_id uuid, p_row_number integer, p_lease integer, p_became jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  j review.bulk_jobs;
  w review.bulk_job_rows;
BEGIN
  IF NOT review.hold_bulk_row(p_job_id, p_row_number, p_lease) THEN RETURN; END IF;
  SELECT * INTO j FROM review.bulk_jobs WHERE job_id = p_job_id;
  SELECT * INTO w FROM review.bulk_job_rows WHERE job_id = p_job_id AND row_number = p_row_number;
  IF p_became ? 'lookupId' THEN
    PERFORM review.carry_bulk_row(j, w, (p_became->>'lookupId')::uuid);
  ELSIF p_became = '{}' THEN
    UPDATE review.bulk_job_rows SET taken_at = NULL WHERE job_id = p_job_id AND row_number = p_row_number;
  ELSE
    IF p_became ? 'refused' THEN PERFORM review.refuse_bulk_row(j, w, p_became->>'refused'); END IF;
    UPDATE review.bulk_job_rows SET state = CASE WHEN p_became ? 'refused' THEN 'REFUSED' ELSE 'FAILED' END,
        code = coalesce(p_became->>'refused', p_became->>'failed'), taken_at = NULL, ended_at = ledger.clock()
      WHERE job_id = p_job_id AND row_number = p_row_number;
  END IF;
END
$$;

-- Running jobs that no worker has touched for long get one again, whatever became of the earlier one. Answers how many.
CREATE FUNCTION review.wake_bulk_jobs() RETURNS integer
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH silent AS (
    SELECT job_id FROM review.bulk_jobs WHERE state = 'RUNNING' AND coalesce(last_row_at, started_at) < ledger.clock() - interval '30 seconds'
  ), woken AS (
    SELECT review.enqueue('bulk-job', jsonb_build_object('jobId', job_id), 'bulk-job:' || job_id) FROM silent)
  SELECT count(*)::integer FROM woken
$$;
REVOKE EXECUTE ON FUNCTION review.step_bulk_job(uuid), review.hold_bulk_row(uuid, integer, integer), review.end_bulk_row(uuid, integer, integer, jsonb),
  review.wake_bulk_jobs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.step_bulk_job(uuid), review.hold_bulk_row(uuid, integer, integer), review.end_bulk_row(uuid, integer, integer, jsonb),
  review.wake_bulk_jobs() TO onceover_worker;
