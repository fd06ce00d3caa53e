-- R-049, R-053 Whoever gets many exceptions by one bulk job hears of it once, with the job and how many: a notification a row would bury all
-- else in their inbox. It is written with the first of them; how many is read with it, and mail and chat wait until the job no longer runs.
-- Replaced here: notifications_follow_event, unplanned_notifications, begin_message.

-- The bulk job that gives exceptions to this person in this transaction; null: a person's own act, or a rule's. The request names the job
-- (act_for_bulk_job), and the job says by whom and to whom: a request that anybody made up names none.
CREATE FUNCTION review.job_that_gives(p_to uuid) RETURNS uuid
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT j.job_id FROM review.bulk_jobs j, review.acting() a
  WHERE j.job_id = substring(current_setting('onceover.request_id', true) FROM '^bulk-job:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):')::uuid
    AND j.act = 'assign' AND j.started_by::text = a.actor_id AND j.params->>'assigneeId' = p_to::text
$$;
REVOKE EXECUTE ON FUNCTION review.job_that_gives(uuid) FROM PUBLIC;

-- Changed: rows of one bulk job are one notification.
CREATE OR REPLACE FUNCTION review.notifications_follow_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  x review.exceptions;
  v_request_id uuid := (NEW.detail->>'requestId')::uuid;
  v_told uuid[];
  v_reason text;
  v_job uuid;
BEGIN
  IF NEW.event IN ('opened', 'joined', 'evidence', 'lookup_ended', 'rule_waits') THEN RETURN NULL; END IF;
  SELECT * INTO STRICT x FROM review.exceptions WHERE exception_id = NEW.exception_id;
  v_reason := CASE NEW.event WHEN 'assigned' THEN 'ASSIGNED' WHEN 'commented' THEN 'MENTIONED' WHEN 'resumed' THEN 'DEFERRAL_OVER'
    WHEN 'requested' THEN 'DECISION_ASKED' WHEN 'request_ended' THEN 'REQUEST_ENDED' END;
  v_told := CASE NEW.event
    WHEN 'assigned' THEN ARRAY[(NEW.detail->>'to')::uuid]
    WHEN 'commented' THEN ARRAY(SELECT jsonb_array_elements_text(coalesce(NEW.detail->'mentions', '[]')))::uuid[]
    WHEN 'resumed' THEN ARRAY[x.assignee_id]
    WHEN 'requested' THEN review.asked_people(v_request_id)
    WHEN 'request_ended' THEN ARRAY(SELECT requested_by FROM review.approval_requests WHERE request_id = v_request_id) END;
  IF NEW.event = 'assigned' THEN
    v_job := review.job_that_gives(v_told[1]);
  END IF;
  IF v_job IS NOT NULL THEN
    PERFORM review.notify(v_told, v_reason, x.tenant_id, NULL, NULL, v_job, 'job:' || v_job);
  ELSIF v_reason IS NOT NULL THEN
    PERFORM review.notify(v_told, v_reason, x.tenant_id, x.exception_id, v_request_id, NULL, NEW.event_id::text);
  END IF;
  -- One act may leave several events: a watcher hears of it once, and not of what was told more nearly.
  PERFORM review.notify(
    ARRAY(SELECT w.person_id FROM review.watches w WHERE w.exception_id = x.exception_id AND NOT w.person_id = ANY (coalesce(v_told, '{}'))
      AND w.person_id::text IS DISTINCT FROM NEW.detail->>'handedTo'),
    'WATCHED', x.tenant_id, x.exception_id, NULL, NULL, x.exception_id || ' ' || pg_current_xact_id());
  RETURN NULL;
END
$$;

-- Changed: what a running job has not told to its end waits until it no longer runs.
CREATE OR REPLACE FUNCTION review.unplanned_notifications() RETURNS TABLE (
  notification_id uuid, person_id uuid, reason text, is_urgent boolean, now timestamptz, settings jsonb)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('onceover outbox', 0)) THEN RETURN; END IF;
  RETURN QUERY
    SELECT n.notification_id, n.person_id, n.reason,
           n.reason = 'OVERDUE' AND (ledger.policy_for(x.tenant_id, x.operation)).authority = 'money',
           ledger.clock(), to_jsonb(s) - 'person_id' - 'updated_at'
      FROM review.notifications n LEFT JOIN review.exceptions x USING (exception_id) LEFT JOIN review.notification_settings s ON s.person_id = n.person_id
      WHERE n.planned_at IS NULL AND NOT EXISTS (SELECT FROM review.bulk_jobs j WHERE j.job_id = n.job_id AND j.state = 'RUNNING') ORDER BY n.made_at LIMIT 500;
END
$$;

-- Changed: how many a bulk job gave is told as it is now.
CREATE OR REPLACE FUNCTION review.begin_message(p_message_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  m review.outbox_messages;
  p review.people;
  v_items jsonb;
BEGIN
  SELECT * INTO m FROM review.outbox_messages WHERE message_id = p_message_id AND state = 'WAITING' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF m.attempts >= 8 THEN
    UPDATE review.outbox_messages SET state = 'DEAD', ended_at = ledger.clock(), failure = coalesce(failure, 'KILLED') WHERE message_id = m.message_id;
    RETURN NULL;
  END IF;
  SELECT * INTO p FROM review.people WHERE person_id = m.person_id;
  SELECT jsonb_agg(jsonb_build_object('reason', n.reason, 'tenant', t.display_name, 'tenantId', n.tenant_id, 'kind', x.kind, 'severity', x.severity,
           'exceptionId', n.exception_id, 'requestId', n.request_id, 'jobId', n.job_id,
           'jobRows', CASE WHEN n.reason = 'ASSIGNED' THEN j.done END) ORDER BY n.made_at, n.notification_id) INTO v_items
    FROM review.outbox_items i JOIN review.notifications n USING (notification_id) JOIN review.tenants t ON t.tenant_id = n.tenant_id
    LEFT JOIN review.exceptions x USING (exception_id) LEFT JOIN review.bulk_jobs j ON j.job_id = n.job_id
    WHERE i.message_id = m.message_id AND n.read_at IS NULL AND p.disabled_at IS NULL AND n.tenant_id = ANY (p.tenant_ids);
  UPDATE review.outbox_messages SET attempts = attempts + 1, tried_at = ledger.clock(),
      state = CASE WHEN v_items IS NULL THEN 'DROPPED' ELSE state END, ended_at = CASE WHEN v_items IS NULL THEN ledger.clock() END
    WHERE message_id = m.message_id;
  RETURN CASE WHEN v_items IS NOT NULL THEN jsonb_build_object('messageId', m.message_id, 'way', m.way, 'email', p.email, 'locale', p.locale,
    'name', p.display_name, 'secret', (SELECT chat_secret FROM review.notification_settings WHERE person_id = m.person_id), 'items', v_items) END;
END
$$;
