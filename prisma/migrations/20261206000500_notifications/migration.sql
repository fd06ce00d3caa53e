-- Notifications: what somebody should know, written by triggers in the transaction that causes it. A row holds codes and ids alone;
-- the words are made when it is read, in the reader's language, and only while the reader may see what it is about.

-- Who wants to hear of every act on an exception.
CREATE TABLE review.watches (
  exception_id uuid NOT NULL REFERENCES review.exceptions (exception_id),
  person_id    uuid NOT NULL REFERENCES review.people (person_id),
  since        timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  PRIMARY KEY (exception_id, person_id)
);
CREATE INDEX watches_by_person ON review.watches (person_id);

CREATE TABLE review.notifications (
  notification_id uuid PRIMARY KEY DEFAULT ledger.new_id(),
  person_id       uuid NOT NULL REFERENCES review.people (person_id),
  tenant_id       text NOT NULL REFERENCES review.tenants (tenant_id),
  reason          text NOT NULL CHECK (reason IN ('ASSIGNED', 'MENTIONED', 'WATCHED', 'DECISION_ASKED', 'REQUEST_ENDED', 'OVERDUE', 'UNOWNED', 'DEFERRAL_OVER', 'BREAK_GLASS', 'JOB_FINISHED')),
  exception_id    uuid REFERENCES review.exceptions (exception_id),
  request_id      uuid REFERENCES review.approval_requests (request_id),
  job_id          uuid,
  -- What it comes from: told again, it is the same notification.
  cause           text NOT NULL,
  -- Who caused it; null for the system.
  actor_id        uuid REFERENCES review.people (person_id),
  made_at         timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  read_at         timestamptz(6),
  -- When it was decided by which ways outside it goes.
  planned_at      timestamptz(6),
  CONSTRAINT notifications_once UNIQUE (person_id, reason, cause),
  CONSTRAINT notifications_never_to_the_actor CHECK (actor_id <> person_id),
  CONSTRAINT notifications_have_subject CHECK (reason = 'UNOWNED' OR num_nonnulls(exception_id, request_id, job_id) > 0)
);
CREATE INDEX notifications_inbox ON review.notifications (person_id, made_at DESC, notification_id DESC);
CREATE INDEX notifications_unread ON review.notifications (person_id, made_at DESC, notification_id DESC) WHERE read_at IS NULL;
CREATE INDEX notifications_unplanned ON review.notifications (made_at) WHERE planned_at IS NULL;
GRANT SELECT ON review.watches, review.notifications TO onceover_app;

-- One row for each of these people who may see the tenant now; never for the one who acts, and never a second one. Answers how many.
CREATE FUNCTION review.notify(p_people uuid[], p_reason text, p_tenant_id text, p_exception_id uuid, p_request_id uuid, p_job_id uuid, p_cause text) RETURNS integer
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH told AS (
  INSERT INTO review.notifications (person_id, tenant_id, reason, exception_id, request_id, job_id, cause, actor_id)
  SELECT p.person_id, p_tenant_id, p_reason, p_exception_id, p_request_id, p_job_id, p_cause,
         CASE WHEN a.actor_kind = 'person' THEN a.actor_id::uuid END
  FROM review.acting() a, review.people p
  WHERE p.person_id = ANY (p_people) AND p.disabled_at IS NULL AND p_tenant_id = ANY (p.tenant_ids) AND p.person_id::text <> a.actor_id
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING RETURNING 1)
  SELECT count(*)::integer FROM told
$$;

-- Whose word a request waits for: everybody who may pass one of its steps. The most that are told is 200.
CREATE FUNCTION review.asked_people(p_request_id uuid) RETURNS uuid[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT array_agg(asked.person_id) FROM (
    SELECT p.person_id FROM review.approval_requests r
      CROSS JOIN LATERAL (SELECT (ledger.policy_for(r.tenant_id, r.operation)).authority) o
      JOIN review.people p ON r.tenant_id = ANY (p.tenant_ids)
    WHERE r.request_id = p_request_id AND EXISTS (
      SELECT FROM jsonb_array_elements(coalesce(r.terms->'steps', '[{}]')) step
      WHERE review.may_pass_step(p, r.kind, r.tenant_id, o.authority, step))
    ORDER BY p.person_id LIMIT 200) asked
$$;

-- Every act on an exception leaves an event; who should know follows from it, in the same transaction.
CREATE FUNCTION review.notifications_follow_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  x review.exceptions;
  v_request_id uuid := (NEW.detail->>'requestId')::uuid;
  v_told uuid[];
  v_reason text;
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
  IF v_reason IS NOT NULL THEN
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
CREATE TRIGGER notifications_follow_event AFTER INSERT ON review.exception_events FOR EACH ROW EXECUTE FUNCTION review.notifications_follow_event();

-- R-082: managers, and those who may review it.
CREATE FUNCTION review.notifications_follow_break_glass() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.notify(
    ARRAY(SELECT person_id FROM review.people WHERE NEW.tenant_id = ANY (tenant_ids) AND roles && ARRAY['MANAGER', 'APPROVER'] ORDER BY person_id LIMIT 200),
    'BREAK_GLASS', NEW.tenant_id, (SELECT exception_id FROM review.approval_requests WHERE request_id = NEW.request_id), NEW.request_id, NULL,
    NEW.request_id::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER notifications_follow_break_glass AFTER INSERT ON review.break_glass_uses FOR EACH ROW EXECUTE FUNCTION review.notifications_follow_break_glass();

-- R-053: whoever started a bulk job hears of its end, though a worker carried it on.
CREATE FUNCTION review.notifications_follow_bulk_job() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.notify(ARRAY[NEW.started_by], 'JOB_FINISHED', NEW.tenant_id, NULL, NULL, NEW.job_id, 'job:' || NEW.job_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER notifications_follow_bulk_job AFTER UPDATE OF state ON review.bulk_jobs
  FOR EACH ROW WHEN (NEW.state = 'DONE' AND OLD.state <> 'DONE') EXECUTE FUNCTION review.notifications_follow_bulk_job();

-- What only time shows. An owner hears once that their exception is overdue. What nobody owns is one reminder a day and tenant for each
-- who may decide one of them: an outage that leaves thousands makes no thousands of reminders. Answers how many were written.
CREATE FUNCTION review.remind_overdue() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  v_day text := to_char(v_now AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  x record;
  v_told integer := 0;
BEGIN
  FOR x IN
    SELECT e.exception_id, e.tenant_id, e.assignee_id FROM review.exceptions e
      WHERE e.state = 'OPEN' AND e.due_at <= v_now AND e.assignee_id IS NOT NULL AND (e.deferred_until IS NULL OR e.deferred_until <= v_now)
        AND NOT EXISTS (SELECT FROM review.notifications n WHERE n.person_id = e.assignee_id AND n.reason = 'OVERDUE' AND n.cause = e.exception_id::text)
      LIMIT 500
  LOOP
    v_told := v_told + review.notify(ARRAY[x.assignee_id], 'OVERDUE', x.tenant_id, x.exception_id, NULL, NULL, x.exception_id::text);
  END LOOP;
  FOR x IN
    SELECT o.tenant_id, array_agg(DISTINCT p.person_id) AS people
      FROM (SELECT DISTINCT e.tenant_id, e.operation FROM review.exceptions e WHERE e.state = 'OPEN' AND e.due_at <= v_now AND e.assignee_id IS NULL) o
      CROSS JOIN LATERAL (SELECT (ledger.policy_for(o.tenant_id, o.operation)).authority) a
      JOIN review.people p ON o.tenant_id = ANY (p.tenant_ids) AND p.disabled_at IS NULL
        AND review.may_decide(p.roles, ARRAY['OPERATOR', 'APPROVER'], p.authorities, a.authority) IS NULL
      WHERE NOT EXISTS (SELECT FROM review.notifications n WHERE n.person_id = p.person_id AND n.reason = 'UNOWNED' AND n.cause = o.tenant_id || ' ' || v_day)
      GROUP BY o.tenant_id
  LOOP
    v_told := v_told + review.notify(x.people, 'UNOWNED', x.tenant_id, NULL, NULL, NULL, x.tenant_id || ' ' || v_day);
  END LOOP;
  -- What is older than the queue's memory of it is nobody's news.
  DELETE FROM review.notifications WHERE notification_id IN (
    SELECT notification_id FROM review.notifications WHERE made_at < v_now - interval '90 days' AND planned_at IS NOT NULL LIMIT 500);
  RETURN v_told;
END
$$;
GRANT EXECUTE ON FUNCTION review.remind_overdue() TO onceover_worker;

-- The acting person has read these, or everything up to what the page showed. Nobody reads for somebody else.
CREATE FUNCTION review.read_notifications(p_input jsonb) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_person uuid := (SELECT person_id FROM review.held_actor());
  v_read integer;
BEGIN
  IF v_person IS NULL THEN RAISE EXCEPTION 'only a person reads' USING ERRCODE = 'OA003'; END IF;
  UPDATE review.notifications SET read_at = ledger.clock()
    WHERE person_id = v_person AND read_at IS NULL
      AND (notification_id = ANY (ARRAY(SELECT jsonb_array_elements_text(p_input->'ids'))::uuid[]) OR made_at <= (p_input->>'upTo')::timestamptz);
  GET DIAGNOSTICS v_read = ROW_COUNT;
  RETURN v_read;
END
$$;

-- Watching is the reader's own wish: it changes nothing about the exception, and is no event of the audit.
CREATE FUNCTION review.watch_exception(p_exception_id uuid, p_watches boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  IF v_actor.person_id IS NULL OR NOT EXISTS (
    SELECT FROM review.exceptions WHERE exception_id = p_exception_id AND tenant_id = ANY (v_actor.tenant_ids)) THEN
    RETURN false;
  END IF;
  IF p_watches THEN
    INSERT INTO review.watches (exception_id, person_id) VALUES (p_exception_id, v_actor.person_id) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM review.watches WHERE exception_id = p_exception_id AND person_id = v_actor.person_id;
  END IF;
  RETURN true;
END
$$;
GRANT EXECUTE ON FUNCTION review.read_notifications(jsonb), review.watch_exception(uuid, boolean) TO onceover_app;

-- Changed: people can be mentioned; each has to be one who may see it, and is held until COMMIT so that this stays so.
CREATE OR REPLACE FUNCTION review.comment_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_mentions uuid[] := ARRAY(SELECT DISTINCT jsonb_array_elements_text(coalesce(p_input->'mentions', '[]'))::uuid);
BEGIN
  PERFORM review.hold_people(v_mentions);
  f := review.open_desk_act('exception.commented', p_input || '{"onClosedToo": true}');
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL THEN
    f.refusal := CASE
      WHEN review.visible_length(p_input->>'text') NOT BETWEEN 1 AND 4000 THEN 'TEXT_LENGTH'
      WHEN (SELECT count(*) FROM review.people WHERE person_id = ANY (v_mentions) AND disabled_at IS NULL AND (f.exception).tenant_id = ANY (tenant_ids))
        < cardinality(v_mentions) THEN 'MENTION_NOT_SUITABLE' END;
  END IF;
  RETURN review.end_desk_act(f, 'exception.commented', f.refusal, 'commented',
    jsonb_build_object('text', p_input->>'text') || CASE WHEN v_mentions = '{}' THEN '{}' ELSE jsonb_build_object('mentions', to_jsonb(v_mentions)) END);
END
$$;

-- Changed: handing over can carry a note, which is a comment of its own; erasing comments erases it.
CREATE OR REPLACE FUNCTION review.assign_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_assignee uuid := (p_input->>'assigneeId')::uuid;
  v_detail jsonb;
BEGIN
  PERFORM review.hold_people(ARRAY[v_assignee]);
  f := review.open_desk_act('exception.assigned', p_input);
  v_detail := jsonb_build_object('from', (f.exception).assignee_id, 'to', v_assignee);
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL AND v_assignee IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM review.people WHERE person_id = v_assignee AND disabled_at IS NULL AND (f.exception).tenant_id = ANY (tenant_ids)
        AND roles && ARRAY['OPERATOR', 'APPROVER']) THEN
    f.refusal := 'ASSIGNEE_NOT_SUITABLE';
  END IF;
  IF f.refusal IS NULL AND p_input->>'note' IS NOT NULL AND (v_assignee IS NULL OR review.visible_length(p_input->>'note') NOT BETWEEN 1 AND 1000) THEN
    f.refusal := 'TEXT_LENGTH';
  END IF;
  IF f.refusal IS NULL THEN
    UPDATE review.exceptions SET assignee_id = v_assignee,
        deferred_until = CASE WHEN v_assignee IS NULL THEN NULL ELSE deferred_until END
      WHERE exception_id = (f.exception).exception_id;
    IF p_input->>'note' IS NOT NULL THEN
      PERFORM review.note_event((f.exception).exception_id, 'commented', jsonb_build_object('text', p_input->>'note', 'handedTo', v_assignee));
    END IF;
  END IF;
  IF f.refusal IS NULL THEN
    PERFORM review.note_event((f.exception).exception_id, 'assigned', v_detail);
  END IF;
  PERFORM review.append_audit('exception.assigned', CASE WHEN f.refusal IS NULL THEN 'done' ELSE 'refused' END, f.refusal, (f.exception).tenant_id,
    (f.exception).exception_id, (f.exception).execution_id, NULL, (f.exception).operation, (p_input->>'operationId')::uuid,
    v_detail || CASE WHEN p_input->>'note' IS NULL THEN '{}' ELSE jsonb_build_object('text', p_input->>'note') END);
  RETURN CASE WHEN f.refusal IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', f.refusal) END;
END
$$;
