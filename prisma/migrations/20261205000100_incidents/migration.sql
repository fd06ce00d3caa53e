-- R-056 Outage mode, first half: many unknown results of one outside system are one incident. The sweep notices it, takes in what
-- comes later, and ends it when nothing of it is open any more; people have its open members looked up together.
-- Replaced here: judge_operation_id (an incident, a report and a row of one are subjects too), sweep (incidents are followed).

INSERT INTO review.audit_event_types (event, app_outcomes) VALUES
  ('incident.opened', '{}'), ('incident.closed', '{}'), ('incident.lookups_queued', '{refused}');

CREATE TABLE review.incidents (
  incident_id      uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id        text NOT NULL REFERENCES review.tenants (tenant_id),
  system           text COLLATE "C" NOT NULL,
  state            text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'CLOSED')),
  -- When the first of the results that made it an incident became unknown.
  since            timestamptz(6) NOT NULL,
  opened_at        timestamptz(6) NOT NULL,
  closed_at        timestamptz(6),
  CONSTRAINT incidents_closed_says_when CHECK ((state = 'CLOSED') = (closed_at IS NOT NULL))
);
CREATE UNIQUE INDEX incidents_one_open ON review.incidents (tenant_id, system) WHERE state = 'OPEN';
CREATE INDEX incidents_recent ON review.incidents (tenant_id, opened_at DESC, incident_id DESC);

-- What belonged to it stays on record, settled or not.
CREATE TABLE review.incident_members (
  exception_id uuid PRIMARY KEY REFERENCES review.exceptions (exception_id),
  incident_id  uuid NOT NULL REFERENCES review.incidents (incident_id),
  joined_at    timestamptz(6) NOT NULL
);
CREATE INDEX incident_members_by_incident ON review.incident_members (incident_id, exception_id);
CREATE INDEX exceptions_unknown_recently ON review.exceptions (opened_at) WHERE state = 'OPEN' AND kind = 'UNKNOWN_RESULT';

-- For every writer: an incident is opened open, and ends once, when none of its members is open.
CREATE FUNCTION review.keep_incident() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_jsonb(NEW) - ARRAY['state', 'closed_at'] <> to_jsonb(OLD) - ARRAY['state', 'closed_at'] OR OLD.state <> 'OPEN' OR NEW.state <> 'CLOSED'
     OR EXISTS (SELECT FROM review.incident_members m JOIN review.exceptions x ON x.exception_id = m.exception_id
                 WHERE m.incident_id = OLD.incident_id AND x.state = 'OPEN') THEN
    RAISE EXCEPTION 'incident % ends when nothing of it is open, and changes in no other way', OLD.incident_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER incidents_keep BEFORE UPDATE ON review.incidents FOR EACH ROW EXECUTE FUNCTION review.keep_incident();
CREATE TRIGGER incidents_stay BEFORE DELETE OR TRUNCATE ON review.incidents
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER incidents_require_context BEFORE INSERT OR UPDATE ON review.incidents
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
CREATE TRIGGER incident_members_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.incident_members
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.incidents ENABLE ALWAYS TRIGGER incidents_keep;
ALTER TABLE review.incidents ENABLE ALWAYS TRIGGER incidents_stay;
ALTER TABLE review.incident_members ENABLE ALWAYS TRIGGER incident_members_are_only_added;
GRANT SELECT ON review.incidents, review.incident_members TO onceover_app, onceover_worker;

-- How many unknown results within which time make an incident.
CREATE FUNCTION review.incident_limits(OUT members integer, OUT within interval)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT 20, interval '10 minutes' $$;

-- The outside system that an execution acts on: the one it names, or the one that its operation's connector asks. Null: neither.
CREATE FUNCTION review.outside_system_of(p_row ledger.executions) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(p_row.target_system, (SELECT c.recipe->>'system' FROM review.connectors c
    WHERE c.connector_id = (ledger.policy_for(p_row.tenant_id, p_row.operation)).connector_id AND c.retired_at IS NULL
      AND (c.tenant_id IS NULL OR c.tenant_id = p_row.tenant_id)))
$$;

-- Unknown results of no incident that a day has not passed over: what a sweep that was away for long has to look at.
CREATE FUNCTION review.ungrouped_unknowns(p_now timestamptz)
RETURNS TABLE (exception_id uuid, tenant_id text, system text, opened_at timestamptz)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.exception_id, x.tenant_id, review.outside_system_of(e), x.opened_at
    FROM review.exceptions x JOIN ledger.executions e ON e.execution_id = x.execution_id
   WHERE x.state = 'OPEN' AND x.kind = 'UNKNOWN_RESULT' AND x.opened_at > p_now - interval '1 day'
     AND NOT EXISTS (SELECT FROM review.incident_members m WHERE m.exception_id = x.exception_id)
$$;

-- A new unknown result of a system joins its open incident; enough of them within the time open one; one of which nothing is open
-- any more ends. Run twice at once it is harmless: indexes decide.
CREATE FUNCTION review.follow_incidents() RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  i review.incidents;
  g record;
  v_limit record := review.incident_limits();
  v_joined integer;
  v_opened integer := 0;
  v_closed integer := 0;
BEGIN
  FOR g IN
    SELECT u.tenant_id, u.system, array_agg(u.exception_id) AS members, min(u.opened_at) AS since FROM (
        SELECT w.*, min(w.opened_at) FILTER (WHERE w.so_many >= v_limit.members) OVER (PARTITION BY w.tenant_id, w.system) AS reached FROM (
          SELECT n.*, count(*) OVER (PARTITION BY n.tenant_id, n.system ORDER BY n.opened_at RANGE BETWEEN v_limit.within PRECEDING AND CURRENT ROW) AS so_many
            FROM review.ungrouped_unknowns(v_now) n WHERE n.system IS NOT NULL) w) u
      WHERE u.opened_at >= u.reached - v_limit.within
        AND NOT EXISTS (SELECT FROM review.incidents o WHERE o.tenant_id = u.tenant_id AND o.system = u.system AND o.state = 'OPEN')
      GROUP BY u.tenant_id, u.system
  LOOP
    INSERT INTO review.incidents (tenant_id, system, since, opened_at) VALUES (g.tenant_id, g.system, g.since, v_now)
      ON CONFLICT (tenant_id, system) WHERE state = 'OPEN' DO NOTHING RETURNING * INTO i;
    CONTINUE WHEN NOT FOUND;
    INSERT INTO review.incident_members SELECT unnest(g.members), i.incident_id, v_now ON CONFLICT DO NOTHING;
    PERFORM review.append_audit('incident.opened', 'done', NULL, i.tenant_id, NULL, NULL, NULL, NULL, NULL,
      jsonb_build_object('incidentId', i.incident_id, 'system', i.system, 'members', cardinality(g.members), 'since', ledger.instant(i.since)));
    v_opened := v_opened + 1;
  END LOOP;
  INSERT INTO review.incident_members
    SELECT u.exception_id, o.incident_id, v_now FROM review.ungrouped_unknowns(v_now) u
      JOIN review.incidents o ON o.tenant_id = u.tenant_id AND o.system = u.system AND o.state = 'OPEN'
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS v_joined = ROW_COUNT;
  FOR i IN
    SELECT * FROM review.incidents o WHERE o.state = 'OPEN' AND NOT EXISTS (
        SELECT FROM review.incident_members m JOIN review.exceptions x ON x.exception_id = m.exception_id
         WHERE m.incident_id = o.incident_id AND x.state = 'OPEN')
      FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    UPDATE review.incidents SET state = 'CLOSED', closed_at = v_now WHERE incident_id = i.incident_id;
    PERFORM review.append_audit('incident.closed', 'done', NULL, i.tenant_id, NULL, NULL, NULL, NULL, NULL,
      jsonb_build_object('incidentId', i.incident_id, 'system', i.system,
        'members', (SELECT count(*) FROM review.incident_members m WHERE m.incident_id = i.incident_id)));
    v_closed := v_closed + 1;
  END LOOP;
  RETURN jsonb_build_object('incidentsOpened', v_opened, 'incidentsJoined', v_joined, 'incidentsClosed', v_closed);
END
$$;

-- Changed: an incident, a report and a row of one are subjects of an act as well.
CREATE OR REPLACE FUNCTION review.judge_operation_id(p_act text, p_input jsonb) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  o review.operation_ids;
BEGIN
  o.operation_id := (p_input->>'operationId')::uuid;
  -- What only looks, a try of a connector, brings nothing about that could be repeated.
  IF o.operation_id IS NULL THEN
    RETURN NULL;
  END IF;
  o.act := p_act;
  o.actor_id := current_setting('onceover.actor_id')::uuid;
  SELECT sha256(convert_to(coalesce(string_agg(key || ' ' || (p_input->>key), E'\n' ORDER BY key), ''), 'UTF8')) INTO o.subject
    FROM unnest(ARRAY['exceptionId', 'executionId', 'requestId', 'personId', 'grantId', 'sessionId', 'tokenId', 'proposalId', 'tenantId',
                      'operation', 'principalId', 'emailCanonical', 'connectorId', 'incidentId', 'reportId', 'rowNumber']) key WHERE p_input->>key IS NOT NULL;
  -- The same id at the same moment: the second one sees what the first one brought about.
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover operation id ' || o.operation_id, 0));
  IF EXISTS (SELECT FROM review.audit_events WHERE operation_id = o.operation_id AND outcome = 'done') THEN
    RETURN CASE WHEN EXISTS (SELECT FROM review.operation_ids i WHERE i = o) THEN 'REPEATED' ELSE 'OPERATION_ID_USED' END;
  END IF;
  -- A refused act has used nothing up: its form may be sent again, and be about something else.
  INSERT INTO review.operation_ids SELECT o.*
    ON CONFLICT (operation_id) DO UPDATE SET act = excluded.act, subject = excluded.subject, actor_id = excluded.actor_id;
  RETURN NULL;
END
$$;

-- Changed: incidents are followed.
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
  RETURN jsonb_build_object('requestsExpired', v_expired, 'deferralsOver', v_resumed, 'proposalsLapsed', v_lapsed) || review.follow_incidents();
END
$$;

-- What every act about an incident stands on: who acts, held; the operation's policies; the incident. p_operation decides about authority
-- and may be null where each row is judged by itself.
CREATE TYPE review.incident_frame AS (
  refusal    text,
  repeated   boolean,
  now        timestamptz,
  event      text,
  actor_id   uuid,
  actor_roles text[],
  incident   review.incidents,
  policy     ledger.operation_policies,
  input      jsonb
);

CREATE FUNCTION review.open_incident(p_event text, p_input jsonb, p_incident_id uuid, p_operation text, p_others uuid[]) RETURNS review.incident_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.incident_frame;
  v_actor record;
BEGIN
  f.event := p_event;
  f.input := p_input;
  PERFORM review.hold_people(p_others);
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person acts on an incident' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.actor_roles := v_actor.roles;
  SELECT i INTO f.incident FROM review.incidents i WHERE incident_id = p_incident_id;
  -- Another tenant's incident and a missing one are the same answer.
  IF NOT FOUND OR NOT (f.incident).tenant_id = ANY (v_actor.tenant_ids) THEN
    f.incident := NULL;
    f.refusal := 'NOT_FOUND';
    RETURN f;
  END IF;
  IF p_operation IS NOT NULL THEN
    PERFORM review.hold_policies((f.incident).tenant_id, p_operation);
    f.policy := ledger.policy_for((f.incident).tenant_id, p_operation);
  END IF;
  f.now := ledger.clock();
  f.refusal := coalesce(
    review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, coalesce((f.policy).authority, 'general')),
    review.judge_operation_id(p_event, p_input));
  f.repeated := f.refusal = 'REPEATED';
  RETURN f;
END
$$;

-- The last step of every act about an incident: the audit event, and the answer.
CREATE FUNCTION review.answer_incident(f review.incident_frame, p_refusal text, p_body jsonb, p_told jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit((f).event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal,
    ((f).incident).tenant_id, NULL, NULL, NULL, ((f).policy).operation, ((f).input->>'operationId')::uuid,
    jsonb_strip_nulls(jsonb_build_object('incidentId', ((f).incident).incident_id, 'system', ((f).incident).system) || p_body));
  RETURN p_told || CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb
                        ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) END;
END
$$;

-- Plans a lookup for every open member, by the same job as when an exception opens, so that the connector's rate holds. A row that
-- cannot be asked has its reason. input: incidentId, operationId. Told: rows [{exceptionId, code}], code null = queued.
CREATE FUNCTION review.look_up_incident(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.incident_frame := review.open_incident('incident.lookups_queued', p_input, (p_input->>'incidentId')::uuid, NULL, '{}');
  x review.exceptions;
  v_code text;
  v_open uuid[];
  v_barred jsonb := '{}';
  v_rows jsonb;
  v_queued integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true, "rows": []}'; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.answer_incident(f, f.refusal, '{}'); END IF;
  v_open := ARRAY(SELECT e.exception_id FROM review.incident_members m JOIN review.exceptions e ON e.exception_id = m.exception_id
    WHERE m.incident_id = (f.incident).incident_id AND e.state = 'OPEN');
  -- What stands in the way is the same for all of one operation.
  FOR x IN SELECT DISTINCT ON (e.operation) e.* FROM review.exceptions e WHERE e.exception_id = ANY (v_open) ORDER BY e.operation LOOP
    v_code := coalesce(review.lookup_refusal(x),
      CASE WHEN NOT EXISTS (SELECT FROM review.connectors c
        WHERE c.connector_id = (ledger.policy_for(x.tenant_id, x.operation)).connector_id AND c.retired_at IS NULL
          AND (c.tenant_id IS NULL OR c.tenant_id = x.tenant_id)) THEN 'NO_CONNECTOR' END);
    IF v_code IS NOT NULL THEN v_barred := v_barred || jsonb_build_object(x.operation, v_code); END IF;
  END LOOP;
  PERFORM review.enqueue('lookup', jsonb_build_object('exceptionId', e.exception_id, 'reason', 'incident'), 'lookup:' || e.exception_id)
    FROM review.exceptions e WHERE e.exception_id = ANY (v_open) AND NOT v_barred ? e.operation;
  SELECT coalesce(jsonb_agg(jsonb_build_object('exceptionId', e.exception_id, 'code', v_barred->>e.operation) ORDER BY e.exception_id), '[]'),
      count(*) FILTER (WHERE NOT v_barred ? e.operation) INTO v_rows, v_queued
    FROM review.exceptions e WHERE e.exception_id = ANY (v_open);
  RETURN review.answer_incident(f, CASE WHEN v_queued = 0 THEN coalesce(v_rows->0->>'code', 'INCIDENT_CLOSED') END,
    jsonb_build_object('queued', v_queued, 'members', cardinality(v_open)), jsonb_build_object('rows', v_rows));
END
$$;
REVOKE EXECUTE ON FUNCTION review.look_up_incident(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.look_up_incident(jsonb) TO onceover_app;
