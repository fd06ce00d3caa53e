-- R-053 Bulk jobs, what people do with them: prepare, start, pause, resume, abort, change the rate.

-- Is this look a match that may be linked together with others? The same as lib/domain/bulk-link: the outside system itself showed one
-- thing that is done, with its id, and account and content agree. Evidence never changes.
CREATE FUNCTION review.is_conclusive(p_lookup_id uuid, p_execution_id uuid) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.lookups l WHERE l.lookup_id = p_lookup_id AND l.execution_id = p_execution_id AND l.connector_id IS NOT NULL
    AND l.outcome = 'FOUND' AND l.verdict = 'APPLIED' AND l.result_id IS NOT NULL AND l.account_match AND l.content_match)
$$;

-- The rows as they would be judged at this moment, by operation where that is what decides. Changes nothing.
CREATE FUNCTION review.foresee_bulk_rows(p_act text, p_rows jsonb, p_roles text[], p_authorities text[])
RETURNS TABLE (row_number integer, exception_id uuid, exception_version bigint, execution_version bigint, evidence_id uuid, look_again boolean, foreseen text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  WITH named AS (
    SELECT n::integer AS n, (r->>'exceptionId')::uuid AS id, (r->>'exceptionVersion')::bigint AS version, (r->>'executionVersion')::bigint AS execution_version,
           (r->>'evidenceId')::uuid AS evidence, coalesce((r->>'lookAgain')::boolean, false) AS again, r->>'code' AS code
      FROM jsonb_array_elements(p_rows) WITH ORDINALITY AS t (r, n)
  ), operations AS (
    SELECT o.tenant_id, o.operation, review.may_decide(p_roles, ARRAY['OPERATOR', 'APPROVER'], p_authorities, p.authority) AS bar,
           EXISTS (SELECT FROM review.connectors c WHERE c.connector_id = p.connector_id AND c.retired_at IS NULL
             AND (c.tenant_id IS NULL OR c.tenant_id = o.tenant_id)) AS asked
      FROM (SELECT DISTINCT x.tenant_id, x.operation FROM named JOIN review.exceptions x ON x.exception_id = named.id) o
      CROSS JOIN LATERAL ledger.policy_for(o.tenant_id, o.operation) p
  )
  SELECT n.n, n.id, n.version, n.execution_version, n.evidence, n.again, coalesce(o.bar, CASE
      WHEN x.state = 'CLOSED' THEN 'EXCEPTION_CLOSED'
      WHEN x.version <> n.version THEN 'CHANGED_SINCE_SEEN'
      WHEN p_act = 'look-up' AND x.execution_id IS NULL THEN 'NO_EXECUTION'
      WHEN p_act = 'look-up' AND NOT o.asked THEN 'NO_CONNECTOR'
      WHEN p_act = 'link' THEN coalesce(n.code, CASE WHEN NOT review.is_conclusive(n.evidence, x.execution_id) THEN 'NOT_CONCLUSIVE' END) END)
    FROM named n JOIN review.exceptions x ON x.exception_id = n.id
    JOIN operations o ON o.tenant_id = x.tenant_id AND o.operation = x.operation
$$;

-- What speaks against all of it, before a row is looked at; null: nothing.
CREATE FUNCTION review.bulk_params_refusal(p_input jsonb, p_tenant_id text, p_now timestamptz) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_input->>'act' = 'assign' AND p_input->>'assigneeId' IS NOT NULL AND NOT EXISTS (
      SELECT FROM review.people WHERE person_id = (p_input->>'assigneeId')::uuid AND disabled_at IS NULL AND p_tenant_id = ANY (tenant_ids)
        AND roles && ARRAY['OPERATOR', 'APPROVER']) THEN 'ASSIGNEE_NOT_SUITABLE'
    WHEN p_input->>'act' = 'defer' AND coalesce((p_input->>'until')::timestamptz NOT BETWEEN p_now AND p_now + interval '30 days', true) THEN 'DEFER_TIME'
    WHEN p_input->>'act' = 'defer' AND review.visible_length(p_input->>'place') NOT BETWEEN 3 AND 500 THEN 'DEFER_PLACE' END
$$;

-- Freezes what the job is about, for its preview; nothing of it happens before it is started. input: act, its params (assigneeId | until,
-- place, reason), filter, words, matched, retryOf, rows [{exceptionId, exceptionVersion, executionVersion, evidenceId, lookAgain, code}],
-- operationId. Told: jobId.
CREATE FUNCTION review.prepare_bulk_job(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  j review.bulk_jobs;
  v_code text;
  v_tenants text[];
  v_known integer;
  v_rows jsonb := p_input->'rows';
BEGIN
  PERFORM review.hold_people(array_remove(ARRAY[(p_input->>'assigneeId')::uuid], NULL));
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person prepares a bulk job' USING ERRCODE = 'OA003';
  END IF;
  j.operation_id := (p_input->>'operationId')::uuid;
  j.act := p_input->>'act';
  j.row_count := jsonb_array_length(v_rows);
  j.prepared_at := ledger.clock();
  SELECT array_agg(DISTINCT x.tenant_id), count(DISTINCT x.exception_id) INTO v_tenants, v_known
    FROM jsonb_array_elements(v_rows) r JOIN review.exceptions x ON x.exception_id = (r->>'exceptionId')::uuid
   WHERE x.tenant_id = ANY (v_actor.tenant_ids);
  v_code := coalesce(
    review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, 'general'),
    review.judge_operation_id('bulk.prepared ' || j.act, jsonb_build_object('operationId', j.operation_id)));
  IF v_code = 'REPEATED' THEN
    RETURN jsonb_build_object('outcome', 'done', 'repeated', true,
      'jobId', (SELECT job_id FROM review.bulk_jobs WHERE operation_id = j.operation_id));
  END IF;
  v_code := coalesce(v_code, CASE
    WHEN j.row_count = 0 THEN 'NOTHING_MATCHES'
    -- Another tenant's exception and a missing one are the same answer, and one of them refuses all.
    WHEN v_known < j.row_count THEN 'NOT_FOUND'
    WHEN cardinality(v_tenants) > 1 THEN 'SEVERAL_TENANTS'
    WHEN j.row_count > CASE j.act WHEN 'link' THEN 1000 ELSE 10000 END THEN 'TOO_MANY'
    WHEN p_input->>'retryOf' IS NOT NULL AND NOT EXISTS (SELECT FROM review.bulk_jobs o WHERE o.job_id = (p_input->>'retryOf')::uuid
      AND o.started_by = v_actor.person_id AND o.tenant_id = v_tenants[1] AND o.ended_at IS NOT NULL) THEN 'NOT_FOUND' END,
    review.bulk_params_refusal(p_input, v_tenants[1], j.prepared_at));
  IF v_code IS NULL THEN
    INSERT INTO review.bulk_jobs (tenant_id, act, params, filter, words, matched, retry_of, row_count, pending, started_by, operation_id, prepared_at)
      VALUES (v_tenants[1], j.act, jsonb_strip_nulls(jsonb_build_object('until', p_input->'until', 'place', p_input->'place', 'reason', p_input->'reason'))
          || CASE WHEN j.act = 'assign' THEN jsonb_build_object('assigneeId', p_input->'assigneeId') ELSE '{}' END,
        p_input->>'filter', nullif(p_input->>'words', ''), (p_input->>'matched')::integer, (p_input->>'retryOf')::uuid, j.row_count, j.row_count,
        v_actor.person_id, j.operation_id, j.prepared_at)
      RETURNING job_id INTO j.job_id;
    INSERT INTO review.bulk_job_rows (job_id, row_number, exception_id, exception_version, execution_version, evidence_id, look_again, foreseen)
      SELECT j.job_id, f.* FROM review.foresee_bulk_rows(j.act, v_rows, v_actor.roles, v_actor.authorities) f;
  END IF;
  PERFORM review.append_audit('bulk.prepared', CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code,
    CASE WHEN cardinality(v_tenants) = 1 AND v_code IS DISTINCT FROM 'NOT_FOUND' THEN v_tenants[1] END, NULL, NULL, NULL, NULL, j.operation_id,
    jsonb_strip_nulls(jsonb_build_object('jobId', j.job_id, 'act', j.act, 'jobRows', j.row_count, 'matched', (p_input->>'matched')::integer,
      'retryOf', p_input->>'retryOf')));
  RETURN CASE WHEN v_code IS NULL THEN jsonb_build_object('outcome', 'done', 'jobId', j.job_id)
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;

-- How the job stands, for its events.
CREATE FUNCTION review.bulk_job_told(j review.bulk_jobs) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('jobId', j.job_id, 'act', j.act, 'startedBy', j.started_by, 'jobRows', j.row_count, 'pending', j.pending, 'rowsDone', j.done,
    'rowsRefused', j.refused, 'rowsFailed', j.failed)
$$;

-- A person's act on a job. input: jobId, step start | pause | resume | abort | change-rate, rate, canary (both with start), operationId.
CREATE FUNCTION review.steer_bulk_job(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  j review.bulk_jobs;
  v_step text := p_input->>'step';
  v_event text := CASE v_step WHEN 'start' THEN 'bulk.started' WHEN 'pause' THEN 'bulk.paused' WHEN 'resume' THEN 'bulk.resumed'
    WHEN 'abort' THEN 'bulk.aborted' WHEN 'change-rate' THEN 'bulk.rate_changed' END;
  v_rate integer := (p_input->>'rate')::integer;
  v_now timestamptz;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person steers a bulk job' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO j FROM review.bulk_jobs WHERE job_id = (p_input->>'jobId')::uuid FOR NO KEY UPDATE;
  -- Its starter's, and to be stopped by a manager of the tenant; for everybody else there is none.
  IF NOT FOUND OR NOT j.tenant_id = ANY (v_actor.tenant_ids) OR (j.started_by <> v_actor.person_id AND NOT 'MANAGER' = ANY (v_actor.roles)) THEN
    j := NULL;
    v_code := 'NOT_FOUND';
  ELSIF j.started_by <> v_actor.person_id AND v_step NOT IN ('pause', 'abort') THEN
    v_code := 'NOT_YOUR_REQUEST';
  ELSE
    -- The subject goes by the name of one that it knows.
    v_code := coalesce(
      CASE WHEN v_step IN ('start', 'resume') THEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, 'general') END,
      review.judge_operation_id(v_event, jsonb_build_object('operationId', p_input->'operationId', 'requestId', j.job_id)));
    IF v_code = 'REPEATED' THEN RETURN jsonb_build_object('outcome', 'done', 'repeated', true, 'jobId', j.job_id); END IF;
    v_code := coalesce(v_code, CASE
      WHEN j.ended_at IS NOT NULL THEN 'JOB_ENDED'
      WHEN v_step = 'start' AND j.state <> 'PREVIEW' THEN 'JOB_STARTED_ALREADY'
      WHEN v_step = 'pause' AND j.state <> 'RUNNING' THEN 'JOB_NOT_RUNNING'
      WHEN v_step = 'resume' AND j.state <> 'PAUSED' THEN 'JOB_NOT_PAUSED' END);
  END IF;
  IF v_code IS NULL THEN
    v_now := ledger.clock();
    UPDATE review.bulk_jobs SET
        state = CASE v_step WHEN 'pause' THEN 'PAUSED' WHEN 'abort' THEN 'ABORTED' WHEN 'change-rate' THEN state ELSE 'RUNNING' END,
        paused_because = CASE v_step WHEN 'pause' THEN 'ASKED' WHEN 'change-rate' THEN paused_because END,
        rate = coalesce(v_rate, rate),
        canary = CASE v_step WHEN 'start' THEN (p_input->>'canary')::integer ELSE canary END,
        canary_passed = canary_passed OR (v_step = 'resume' AND paused_because = 'CANARY'),
        started_at = CASE v_step WHEN 'start' THEN v_now ELSE started_at END,
        ended_at = CASE v_step WHEN 'abort' THEN v_now END,
        words = CASE v_step WHEN 'abort' THEN NULL ELSE words END,
        params = CASE v_step WHEN 'abort' THEN params - ARRAY['place', 'reason'] ELSE params END
      WHERE job_id = j.job_id RETURNING * INTO j;
    IF j.state = 'RUNNING' THEN
      PERFORM review.enqueue('bulk-job', jsonb_build_object('jobId', j.job_id), 'bulk-job:' || j.job_id);
    END IF;
  END IF;
  PERFORM review.append_audit(v_event, CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code, j.tenant_id, NULL, NULL, NULL, NULL,
    (p_input->>'operationId')::uuid, CASE WHEN j.job_id IS NULL THEN '{}'::jsonb
      ELSE review.bulk_job_told(j) || jsonb_strip_nulls(jsonb_build_object('rate', j.rate, 'canary', j.canary)) END);
  RETURN CASE WHEN v_code IS NULL THEN jsonb_build_object('outcome', 'done', 'jobId', j.job_id)
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;
REVOKE EXECUTE ON FUNCTION review.prepare_bulk_job(jsonb), review.steer_bulk_job(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.prepare_bulk_job(jsonb), review.steer_bulk_job(jsonb) TO onceover_app;
