-- R-089 Erasing reaches bulk jobs that have not ended: in preview, paused or running they keep the words searched for, and place and reason of
-- a deferral. (Ended ones keep none.)
-- Replaced here: keep_bulk_job (words may be taken away), erase_copies.

CREATE OR REPLACE FUNCTION review.keep_bulk_job() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_free constant text[] := ARRAY['state', 'paused_because', 'rate', 'canary', 'canary_passed', 'started_at', 'last_row_at', 'ended_at', 'words', 'params'];
  v_sums constant text[] := ARRAY['pending', 'done', 'refused', 'failed'];
  v_ends constant boolean := NEW.state IN ('DONE', 'ABORTED');
BEGIN
  IF to_jsonb(NEW) - v_free - v_sums <> to_jsonb(OLD) - v_free - v_sums
     OR OLD.state IN ('DONE', 'ABORTED')
     -- The sums are the rows': nobody else writes them.
     OR (pg_trigger_depth() < 2 AND (NEW.pending, NEW.done, NEW.refused, NEW.failed) IS DISTINCT FROM (OLD.pending, OLD.done, OLD.refused, OLD.failed))
     -- Words searched for may be erased, and never become others.
     OR (NOT v_ends AND (NEW.params <> OLD.params OR NEW.words <> OLD.words OR (NEW.words IS NOT NULL AND OLD.words IS NULL)))
     OR (v_ends AND NEW.params <> OLD.params - ARRAY['place', 'reason'])
     OR NOT (OLD.state = NEW.state
          OR (OLD.state = 'PREVIEW' AND NEW.state IN ('RUNNING', 'ABORTED'))
          OR (OLD.state = 'RUNNING' AND NEW.state IN ('PAUSED', 'DONE', 'ABORTED'))
          OR (OLD.state = 'PAUSED' AND NEW.state IN ('RUNNING', 'ABORTED'))) THEN
    RAISE EXCEPTION 'bulk job % never changes what it is about, and ends once', OLD.job_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;

-- Of jobs about these exceptions, or this person's own: the words searched for go. A deferral cannot go on with other words than its
-- starter's, so one that has some ends, and what it has done stays done.
CREATE FUNCTION review.erase_jobs(p_person_id uuid, p_exceptions uuid[]) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  j review.bulk_jobs;
BEGIN
  FOR j IN
    SELECT * FROM review.bulk_jobs b WHERE b.ended_at IS NULL AND (b.words IS NOT NULL OR b.params ?| ARRAY['place', 'reason'])
      AND (b.started_by = p_person_id OR EXISTS (SELECT FROM review.bulk_job_rows w WHERE w.job_id = b.job_id AND w.exception_id = ANY (p_exceptions)))
      ORDER BY b.job_id FOR NO KEY UPDATE
  LOOP
    IF j.params ?| ARRAY['place', 'reason'] THEN
      UPDATE review.bulk_jobs SET state = 'ABORTED', paused_because = NULL, ended_at = ledger.clock(), words = NULL, params = params - ARRAY['place', 'reason']
        WHERE job_id = j.job_id RETURNING * INTO j;
      PERFORM review.append_audit('bulk.aborted', 'done', NULL, j.tenant_id, NULL, NULL, NULL, NULL, NULL, review.bulk_job_told(j));
    ELSE
      UPDATE review.bulk_jobs SET words = NULL WHERE job_id = j.job_id;
    END IF;
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION review.erase_jobs(uuid, uuid[]) FROM PUBLIC;

-- Changed: words of bulk jobs go with the work that they are about, and with their person.
CREATE OR REPLACE FUNCTION review.erase_copies(s review.erasure_subject, p_exceptions uuid[], p_requests uuid[], p_mark text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.decisions SET rationale = p_mark
    WHERE (exception_id = ANY (p_exceptions) OR execution_id = s.execution) AND rationale IS NOT NULL;
  UPDATE review.decisions SET params = review.erased_params(params, p_mark) WHERE exception_id = ANY (p_exceptions) OR execution_id = s.execution;
  UPDATE review.approval_requests SET rationale = p_mark, params = review.erased_params(params, p_mark) WHERE request_id = ANY (p_requests);
  UPDATE review.approval_decisions SET rationale = p_mark WHERE request_id = ANY (p_requests);
  UPDATE review.break_glass_uses SET reason = p_mark, review_rationale = p_mark WHERE request_id = ANY (p_requests);
  UPDATE review.exceptions SET next_place = p_mark WHERE exception_id = ANY (p_exceptions) AND next_place IS NOT NULL;
  UPDATE review.exception_events SET detail = detail || (SELECT coalesce(jsonb_object_agg(name, p_mark), '{}'::jsonb)
        FROM unnest(ARRAY['text', 'place', 'reason', 'rationale', 'seen']) name WHERE jsonb_typeof(detail->name) = 'string' AND detail->>name <> '')
    WHERE exception_id = ANY (p_exceptions) AND event IN ('commented', 'deferred');
  UPDATE review.lookups SET seen = p_mark, place = p_mark
    WHERE (exception_id = ANY (p_exceptions) OR execution_id = s.execution) AND seen IS NOT NULL;
  UPDATE review.report_checks c SET place = p_mark, remark = CASE WHEN remark IS NOT NULL THEN p_mark END, address = NULL
    FROM review.report_rows w WHERE w.report_id = c.report_id AND w.row_number = c.row_number
      AND (w.exception_id = ANY (p_exceptions) OR w.orphan_id = ANY (p_exceptions) OR w.execution_id = s.execution);
  DELETE FROM review.ticket_links WHERE exception_id = ANY (p_exceptions);
  DELETE FROM review.notifications WHERE person_id = s.person;
  DELETE FROM review.notification_settings WHERE person_id = s.person;
  PERFORM review.erase_jobs(s.person, p_exceptions);
  UPDATE review.right_grants SET reason = p_mark WHERE person_id = s.person;
  -- From where somebody worked; an open session is still shown to whoever has it.
  UPDATE review.sessions SET user_agent = NULL, source_address = NULL
    WHERE person_id = s.person AND (revoked_at IS NOT NULL OR expires_at <= ledger.clock());
  UPDATE review.policy_proposals SET reason = p_mark WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation';
  UPDATE review.connector_proposals SET reason = p_mark WHERE connector_id = s.connector;
  UPDATE review.policy_proposals p SET content = review.policy_without_words(content, p_mark)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND kind = 'OPERATION'
      AND NOT EXISTS (SELECT FROM ledger.operation_policies v WHERE v.proposal_id = p.proposal_id AND v.retired_at IS NULL);
  UPDATE ledger.operation_policies v SET (guide, protection_document, protection_key_scope, protection_checked_by, outcome_codes)
      = (SELECT n.guide, n.protection_document, n.protection_key_scope, n.protection_checked_by, n.outcome_codes
         FROM review.operation_policy_of(review.policy_without_words(review.operation_policy_content(v), p_mark)) n)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND retired_at IS NOT NULL;
END
$$;
