-- The outbox: what goes out by e-mail and to chat webhooks, at least once. A message is a row and a job; it holds which notifications it
-- tells, never their words. The worker plans every 15 seconds by what each person chose, so that no act waits for anybody's settings.

CREATE TABLE review.notification_settings (
  person_id    uuid PRIMARY KEY REFERENCES review.people (person_id),
  -- Which reasons go which way beside the inbox.
  mail         text[] NOT NULL,
  chat         text[] NOT NULL,
  -- The webhook's address is a secret of the deployment, SECRET_<name>; here stands its name.
  chat_secret  text CHECK (chat_secret ~ '^CHAT_[A-Z0-9_]{1,56}$'),
  time_zone    text NOT NULL,
  -- Minutes of the person's day; from after to reaches over midnight.
  quiet_from   smallint CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_to     smallint CHECK (quiet_to BETWEEN 0 AND 1439),
  breaks_quiet boolean NOT NULL,
  digest       text NOT NULL CHECK (digest IN ('NONE', 'HOURLY', 'DAILY')),
  daily_from   smallint NOT NULL CHECK (daily_from BETWEEN 0 AND 1439),
  updated_at   timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  CONSTRAINT notification_settings_quiet_is_a_span CHECK ((quiet_from IS NULL) = (quiet_to IS NULL) AND quiet_from IS DISTINCT FROM quiet_to OR num_nulls(quiet_from, quiet_to) = 2),
  CONSTRAINT notification_settings_chat_has_a_place CHECK (chat = '{}' OR chat_secret IS NOT NULL)
);

CREATE TABLE review.outbox_messages (
  -- Also the stem of the mail's Message-ID: a message that is sent again can be told from a second one.
  message_id uuid PRIMARY KEY DEFAULT ledger.new_id(),
  way        text NOT NULL CHECK (way IN ('MAIL', 'CHAT')),
  person_id  uuid NOT NULL REFERENCES review.people (person_id),
  send_at    timestamptz(6) NOT NULL,
  state      text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'SENT', 'DROPPED', 'DEAD')),
  attempts   smallint NOT NULL DEFAULT 0,
  tried_at   timestamptz(6),
  ended_at   timestamptz(6),
  -- A code of what went wrong last, never a text from outside.
  failure    text CHECK (failure ~ '^[A-Z_]{1,40}$'),
  CONSTRAINT outbox_messages_end_is_dated CHECK ((state = 'WAITING') = (ended_at IS NULL)),
  CONSTRAINT outbox_messages_one_per_moment UNIQUE (person_id, way, send_at)
);
CREATE INDEX outbox_messages_waiting ON review.outbox_messages (send_at) WHERE state = 'WAITING';
CREATE INDEX outbox_messages_dead ON review.outbox_messages (person_id, ended_at DESC) WHERE state = 'DEAD';

CREATE TABLE review.outbox_items (
  message_id      uuid NOT NULL REFERENCES review.outbox_messages (message_id) ON DELETE CASCADE,
  notification_id uuid NOT NULL REFERENCES review.notifications (notification_id) ON DELETE CASCADE,
  way             text NOT NULL,
  PRIMARY KEY (message_id, notification_id),
  -- By each way once, whoever plans.
  CONSTRAINT outbox_items_once_by_each_way UNIQUE (notification_id, way)
);
GRANT SELECT ON review.notification_settings, review.outbox_messages TO onceover_app;

-- What nobody has planned yet, with what its person chose. Empty while another worker plans.
CREATE FUNCTION review.unplanned_notifications() RETURNS TABLE (
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
      WHERE n.planned_at IS NULL ORDER BY n.made_at LIMIT 500;
END
$$;

-- plan: [{notificationId, personId, way, sendAt}]. What is due for one person by one way at one moment is one message; one that was
-- begun takes nothing more. Whatever is in p_ids counts as planned, also what goes no way outside.
CREATE FUNCTION review.plan_messages(p_plan jsonb, p_ids uuid[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  m record;
  v_id uuid;
  v_planned integer := 0;
BEGIN
  FOR m IN
    SELECT (e->>'personId')::uuid AS person_id, e->>'way' AS way, (e->>'sendAt')::timestamptz AS send_at,
           array_agg((e->>'notificationId')::uuid) AS ids
      FROM jsonb_array_elements(p_plan) e GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    INSERT INTO review.outbox_messages (person_id, way, send_at) VALUES (m.person_id, m.way, m.send_at)
      ON CONFLICT ON CONSTRAINT outbox_messages_one_per_moment DO UPDATE SET way = excluded.way
        WHERE outbox_messages.state = 'WAITING' AND outbox_messages.attempts = 0
      RETURNING message_id INTO v_id;
    CONTINUE WHEN v_id IS NULL;
    INSERT INTO review.outbox_items (message_id, notification_id, way) SELECT v_id, id, m.way FROM unnest(m.ids) id ON CONFLICT DO NOTHING;
    PERFORM review.enqueue('send-message', jsonb_build_object('messageId', v_id), 'send-message:' || v_id, m.send_at);
    UPDATE review.notifications SET planned_at = ledger.clock() WHERE notification_id = ANY (m.ids) AND planned_at IS NULL;
    v_planned := v_planned + 1;
  END LOOP;
  UPDATE review.notifications SET planned_at = ledger.clock() WHERE planned_at IS NULL AND notification_id = ANY (p_ids)
    AND NOT notification_id::text IN (SELECT e->>'notificationId' FROM jsonb_array_elements(p_plan) e);
  -- A message whose job is gone, with a worker that was killed too often: it is tried on until its tries are spent.
  FOR v_id IN SELECT message_id FROM review.outbox_messages WHERE state = 'WAITING' AND greatest(send_at, tried_at) < ledger.clock() - interval '2 hours' LIMIT 50 LOOP
    PERFORM review.enqueue('send-message', jsonb_build_object('messageId', v_id), 'send-message:' || v_id);
  END LOOP;
  RETURN v_planned;
END
$$;

-- Begins one try: counts it before anything is sent, and tells whom and what. Rights are asked now; what was read meanwhile is no news.
-- Null when the message has ended, or ends here.
CREATE FUNCTION review.begin_message(p_message_id uuid) RETURNS jsonb
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
           'exceptionId', n.exception_id, 'requestId', n.request_id, 'jobId', n.job_id) ORDER BY n.made_at, n.notification_id) INTO v_items
    FROM review.outbox_items i JOIN review.notifications n USING (notification_id) JOIN review.tenants t ON t.tenant_id = n.tenant_id
    LEFT JOIN review.exceptions x USING (exception_id)
    WHERE i.message_id = m.message_id AND n.read_at IS NULL AND p.disabled_at IS NULL AND n.tenant_id = ANY (p.tenant_ids);
  UPDATE review.outbox_messages SET attempts = attempts + 1, tried_at = ledger.clock(),
      state = CASE WHEN v_items IS NULL THEN 'DROPPED' ELSE state END, ended_at = CASE WHEN v_items IS NULL THEN ledger.clock() END
    WHERE message_id = m.message_id;
  RETURN CASE WHEN v_items IS NOT NULL THEN jsonb_build_object('messageId', m.message_id, 'way', m.way, 'email', p.email, 'locale', p.locale,
    'name', p.display_name, 'secret', (SELECT chat_secret FROM review.notification_settings WHERE person_id = m.person_id), 'items', v_items) END;
END
$$;

-- Ends one try. Sent, or for good not to be sent, ends the message; else it is tried again: after 1, 4, 9 … minutes, eight times in all.
CREATE FUNCTION review.end_message(p_message_id uuid, p_failure text, p_for_good boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  m review.outbox_messages;
BEGIN
  UPDATE review.outbox_messages SET failure = p_failure,
      state = CASE WHEN p_failure IS NULL THEN 'SENT' WHEN p_for_good OR attempts >= 8 THEN 'DEAD' ELSE 'WAITING' END,
      ended_at = CASE WHEN p_failure IS NULL OR p_for_good OR attempts >= 8 THEN ledger.clock() END
    WHERE message_id = p_message_id AND state = 'WAITING' RETURNING * INTO m;
  IF m.state = 'WAITING' THEN
    PERFORM review.enqueue('send-message', jsonb_build_object('messageId', m.message_id), 'send-message:' || m.message_id,
      clock_timestamp() + make_interval(mins => m.attempts * m.attempts));
  END IF;
  RETURN m.state;
END
$$;
GRANT EXECUTE ON FUNCTION review.unplanned_notifications(), review.plan_messages(jsonb, uuid[]), review.begin_message(uuid),
  review.end_message(uuid, text, boolean) TO onceover_worker;

-- The acting person's own choice. The names of reasons are checked by the constraint of the notifications' own list.
CREATE FUNCTION review.choose_notifications(p_input jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_person uuid := (SELECT person_id FROM review.held_actor());
  s review.notification_settings;
BEGIN
  IF v_person IS NULL THEN RAISE EXCEPTION 'only a person chooses' USING ERRCODE = 'OA003'; END IF;
  s := jsonb_populate_record(NULL::review.notification_settings, p_input);
  s.person_id := v_person;
  s.updated_at := ledger.clock();
  INSERT INTO review.notification_settings SELECT s.*
    ON CONFLICT (person_id) DO UPDATE SET (mail, chat, chat_secret, time_zone, quiet_from, quiet_to, breaks_quiet, digest, daily_from, updated_at)
      = (excluded.mail, excluded.chat, excluded.chat_secret, excluded.time_zone, excluded.quiet_from, excluded.quiet_to, excluded.breaks_quiet,
         excluded.digest, excluded.daily_from, excluded.updated_at);
END
$$;
GRANT EXECUTE ON FUNCTION review.choose_notifications(jsonb) TO onceover_app;
