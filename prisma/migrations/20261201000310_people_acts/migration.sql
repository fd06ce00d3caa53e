-- What administrators do about people. Each is one function and one transaction: both people's rows locked in one order,
-- the administrator's rights read fresh, the version that was seen, then the change and its audit event.
-- An expected "no" is a value {"outcome": "refused", "code": …} and is audited; nothing else changes then.

CREATE TYPE review.people_frame AS (
  refusal    text,
  repeated   boolean,
  now        timestamptz,
  event      text,
  actor_id   uuid,
  tenant_ids text[],
  person     review.people,
  input      jsonb
);

-- The acting administrator, held; with the person it is about, if there is one. p_input: personId, version, operationId.
CREATE FUNCTION review.open_people(p_event text, p_input jsonb) RETURNS review.people_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame;
  v_actor record;
BEGIN
  f.event := p_event;
  f.input := p_input;
  -- One order for all, so that two administrators who act on each other do not wait in a circle.
  PERFORM 1 FROM review.people
    WHERE person_id::text IN (p_input->>'personId', current_setting('onceover.actor_id', true)) ORDER BY person_id FOR NO KEY UPDATE;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person manages people' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.tenant_ids := v_actor.tenant_ids;
  f.now := ledger.clock();
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = (p_input->>'personId')::uuid;
  f.repeated := EXISTS (SELECT FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid
                          AND actor_id = v_actor.person_id::text AND outcome = 'done');
  f.refusal := CASE
    WHEN NOT 'ADMIN' = ANY (v_actor.roles) THEN 'ROLE_MISSING'
    WHEN NOT p_input ? 'personId' THEN NULL
    WHEN (f.person).person_id IS NULL
      -- R-098: somebody of other tenants only is simply not there.
      OR NOT ((f.person).tenant_ids && v_actor.tenant_ids OR cardinality((f.person).tenant_ids) = 0) THEN 'NOT_FOUND' END;
  RETURN f;
END
$$;

-- The same for a change of what somebody may do.
CREATE FUNCTION review.open_rights(p_event text, p_input jsonb) RETURNS review.people_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people(p_event, p_input);
BEGIN
  f.refusal := coalesce(f.refusal, CASE
    WHEN (f.person).person_id = f.actor_id THEN 'OWN_RIGHTS'
    WHEN NOT (f.person).tenant_ids <@ f.tenant_ids THEN 'OTHER_TENANTS_TOO'
    WHEN (f.person).version::text <> p_input->>'version' THEN 'CHANGED_SINCE_SEEN'
    WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  RETURN f;
END
$$;

CREATE FUNCTION review.refuse_people(f review.people_frame, p_code text) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit((f).event, 'refused', p_code, NULL, NULL, NULL, NULL, NULL, ((f).input->>'operationId')::uuid,
    jsonb_strip_nulls(jsonb_build_object('personId', (f).input->>'personId', 'reason', (f).input->>'reason')));
  RETURN jsonb_build_object('outcome', 'refused', 'code', p_code);
END
$$;

CREATE FUNCTION review.rights_of(p_person_id uuid) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('roles', roles, 'authorities', authorities, 'tenantIds', tenant_ids) FROM review.people WHERE person_id = p_person_id
$$;

CREATE FUNCTION review.audit_people(f review.people_frame, p_event text, p_body jsonb) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.append_audit(p_event, 'done', NULL, NULL, NULL, NULL, NULL, NULL, ((f).input->>'operationId')::uuid,
    jsonb_strip_nulls(p_body || jsonb_build_object('personId', ((f).person).person_id, 'reason', (f).input->>'reason')))
$$;

CREATE FUNCTION review.texts(p_array jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT coalesce(array_agg(DISTINCT value ORDER BY value), '{}') FROM jsonb_array_elements_text(p_array) AS value $$;

-- Files what a second administrator has to confirm; nothing when nothing of it is new.
CREATE FUNCTION review.file_grant(f review.people_frame, p_roles text[], p_authorities text[]) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_roles text[];
  v_authorities text[];
  v_grant_id uuid := ledger.new_id();
BEGIN
  SELECT coalesce(array_agg(name), '{}') INTO v_roles FROM unnest(p_roles) name
    WHERE name IN ('APPROVER', 'ADMIN') AND NOT name = ANY (((f).person).roles);
  SELECT coalesce(array_agg(name), '{}') INTO v_authorities FROM unnest(p_authorities) name WHERE NOT name = ANY (((f).person).authorities);
  IF cardinality(v_roles) + cardinality(v_authorities) = 0 THEN
    RETURN NULL;
  END IF;
  UPDATE review.right_grants SET state = 'EXPIRED'
    WHERE person_id = ((f).person).person_id AND state = 'PENDING' AND expires_at <= (f).now;
  IF EXISTS (SELECT FROM review.right_grants WHERE person_id = ((f).person).person_id AND state = 'PENDING') THEN
    RETURN 'GRANT_IN_FLIGHT';
  END IF;
  INSERT INTO review.right_grants (grant_id, person_id, roles, authorities, reason, requested_by, requested_at, expires_at)
    VALUES (v_grant_id, ((f).person).person_id, v_roles, v_authorities, (f).input->>'reason', (f).actor_id, (f).now, (f).now + interval '7 days');
  PERFORM review.audit_people(f, 'people.grant_requested', jsonb_build_object('grantId', v_grant_id, 'roles', v_roles, 'authorities', v_authorities));
  RETURN NULL;
END
$$;

-- A new one-time link; earlier ones are dead. The digest is of a secret that only the answer carries.
CREATE FUNCTION review.renew_link(f review.people_frame) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE review.sign_in_links SET used_at = (f).now WHERE person_id = ((f).person).person_id AND used_at IS NULL;
  INSERT INTO review.sign_in_links (person_id, digest, created_by, expires_at)
    VALUES (((f).person).person_id, decode((f).input->>'linkDigest', 'hex'), (f).actor_id::text,
            (f).now + make_interval(secs => least(((f).input->>'linkSeconds')::integer, 86400)));
$$;

-- input: email, emailCanonical, displayName, roles, authorities, tenantIds, reason, linkDigest, linkSeconds, operationId.
CREATE FUNCTION review.invite_person(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('people.created', p_input);
  v_roles text[] := review.texts(p_input->'roles');
  v_tenants text[] := review.texts(p_input->'tenantIds');
  v_person_id uuid;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN cardinality(v_tenants) = 0 THEN 'TENANT_MISSING'
    WHEN NOT v_tenants <@ f.tenant_ids THEN 'TENANT_NOT_GRANTED'
    WHEN review.visible_length(p_input->>'displayName') NOT BETWEEN 1 AND 200 THEN 'NAME_MISSING'
    WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_people(f, v_code); END IF;
  INSERT INTO review.people (email, email_canonical, display_name, roles, tenant_ids)
    VALUES (p_input->>'email', p_input->>'emailCanonical', btrim(p_input->>'displayName'),
            ARRAY(SELECT unnest(v_roles) EXCEPT SELECT unnest(ARRAY['APPROVER', 'ADMIN'])), v_tenants)
    ON CONFLICT (email_canonical) DO NOTHING
    RETURNING person_id INTO v_person_id;
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = v_person_id;
  IF (f.person).person_id IS NULL THEN RETURN review.refuse_people(f, 'EMAIL_TAKEN'); END IF;
  PERFORM review.renew_link(f);
  PERFORM review.file_grant(f, v_roles, review.texts(p_input->'authorities'));
  PERFORM review.audit_people(f, 'people.created', jsonb_build_object('after', review.rights_of((f.person).person_id)));
  RETURN jsonb_build_object('outcome', 'done', 'personId', (f.person).person_id);
END
$$;

-- What needs no second administrator counts at once; the rest waits. input: personId, version, roles, authorities, tenantIds, reason.
CREATE FUNCTION review.change_rights(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_rights('people.rights_changed', p_input);
  v_roles text[] := review.texts(p_input->'roles');
  v_authorities text[] := review.texts(p_input->'authorities');
  v_tenants text[] := review.texts(p_input->'tenantIds');
  v_before jsonb;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_before := review.rights_of((f.person).person_id);
  v_code := coalesce(f.refusal, CASE
    WHEN cardinality(v_tenants) = 0 THEN 'TENANT_MISSING'
    WHEN NOT v_tenants <@ f.tenant_ids THEN 'TENANT_NOT_GRANTED'
    WHEN review.texts(to_jsonb((f.person).roles)) = v_roles AND review.texts(to_jsonb((f.person).authorities)) = v_authorities
      AND review.texts(to_jsonb((f.person).tenant_ids)) = v_tenants THEN 'NOTHING_CHANGED' END,
    review.file_grant(f, v_roles, v_authorities));
  IF v_code IS NOT NULL THEN RETURN review.refuse_people(f, v_code); END IF;
  UPDATE review.people SET
      roles = ARRAY(SELECT name FROM unnest(v_roles) name WHERE name NOT IN ('APPROVER', 'ADMIN') OR name = ANY ((f.person).roles)),
      authorities = ARRAY(SELECT name FROM unnest(v_authorities) name WHERE name = ANY ((f.person).authorities)),
      tenant_ids = v_tenants
    WHERE person_id = (f.person).person_id AND version = (f.person).version;
  IF review.rights_of((f.person).person_id) <> v_before THEN
    PERFORM review.audit_people(f, 'people.rights_changed', jsonb_build_object('before', v_before, 'after', review.rights_of((f.person).person_id)));
  END IF;
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;

-- The second administrator's word, or the first one's second thoughts. input: personId, version, grantId, verdict CONFIRM | REJECT, reason.
CREATE FUNCTION review.decide_grant(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame;
  g review.right_grants;
  v_confirms boolean := p_input->>'verdict' = 'CONFIRM';
  v_before jsonb;
  v_code text;
BEGIN
  f := review.open_rights(CASE WHEN p_input->>'verdict' = 'CONFIRM' THEN 'people.grant_confirmed' ELSE 'people.grant_ended' END, p_input);
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO g FROM review.right_grants WHERE grant_id = (p_input->>'grantId')::uuid AND person_id = (f.person).person_id FOR NO KEY UPDATE;
  v_code := coalesce(f.refusal, CASE
    WHEN g.grant_id IS NULL THEN 'NOT_FOUND'
    WHEN g.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN v_confirms AND g.requested_by = f.actor_id THEN 'SELF_APPROVAL'
    WHEN v_confirms AND g.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    WHEN v_confirms AND (f.person).disabled_at IS NOT NULL THEN 'PERSON_DISABLED'
    -- The first word counts only as long as whoever gave it could give it again.
    WHEN v_confirms AND NOT EXISTS (SELECT FROM review.people p WHERE p.person_id = g.requested_by AND p.disabled_at IS NULL
           AND 'ADMIN' = ANY (p.roles) AND (f.person).tenant_ids <@ p.tenant_ids) THEN 'REQUESTER_NOT_ENTITLED' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_people(f, v_code); END IF;
  v_before := review.rights_of((f.person).person_id);
  UPDATE review.right_grants SET decided_by = f.actor_id, decided_at = f.now,
      state = CASE WHEN v_confirms THEN 'CONFIRMED' WHEN g.requested_by = f.actor_id THEN 'WITHDRAWN' ELSE 'REJECTED' END
    WHERE grant_id = g.grant_id;
  IF v_confirms THEN
    UPDATE review.people SET
        roles = ARRAY(SELECT unnest((f.person).roles) UNION SELECT unnest(g.roles)),
        authorities = ARRAY(SELECT unnest((f.person).authorities) UNION SELECT unnest(g.authorities))
      WHERE person_id = (f.person).person_id AND version = (f.person).version;
  END IF;
  PERFORM review.audit_people(f, f.event, jsonb_build_object('grantId', g.grant_id, 'requestedBy', g.requested_by,
    'roles', g.roles, 'authorities', g.authorities)
    || CASE WHEN v_confirms THEN jsonb_build_object('before', v_before, 'after', review.rights_of((f.person).person_id)) ELSE '{}' END);
  RETURN '{"outcome": "done"}';
END
$$;

CREATE FUNCTION review.end_sessions_of(p_person_id uuid, p_session_id uuid, p_spared text) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_ended integer;
BEGIN
  UPDATE review.sessions SET revoked_at = ledger.clock()
    WHERE person_id = p_person_id AND revoked_at IS NULL AND (p_session_id IS NULL OR session_id = p_session_id)
      AND session_id::text IS DISTINCT FROM p_spared;
  GET DIAGNOSTICS v_ended = ROW_COUNT;
  RETURN v_ended;
END
$$;

-- input: personId, version, disabled, reason. Disabling counts at once: sessions and links end with it.
CREATE FUNCTION review.set_disabled(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_disabled boolean := (p_input->>'disabled')::boolean;
  f review.people_frame := review.open_rights(CASE WHEN (p_input->>'disabled')::boolean THEN 'people.disabled' ELSE 'people.enabled' END, p_input);
  v_ended integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF f.refusal IS NULL AND ((f.person).disabled_at IS NOT NULL) = v_disabled THEN f.refusal := 'NOTHING_CHANGED'; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_people(f, f.refusal); END IF;
  UPDATE review.people SET disabled_at = CASE WHEN v_disabled THEN f.now END
    WHERE person_id = (f.person).person_id AND version = (f.person).version;
  IF v_disabled THEN
    v_ended := review.end_sessions_of((f.person).person_id, NULL, NULL);
    UPDATE review.sign_in_links SET used_at = f.now WHERE person_id = (f.person).person_id AND used_at IS NULL;
  END IF;
  PERFORM review.audit_people(f, f.event, jsonb_build_object('sessionsEnded', v_ended));
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;

-- A lost password or a lost device. Whoever gets the link is the person from then on, so what needs two administrators to
-- give falls away and waits for a second one again. input: personId, version, reason, linkDigest, linkSeconds.
CREATE FUNCTION review.reset_person(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_rights('people.reset', p_input);
  v_had review.people;
  v_before jsonb;
  v_ended integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF f.refusal IS NULL AND (f.person).disabled_at IS NOT NULL THEN f.refusal := 'PERSON_DISABLED'; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_people(f, f.refusal); END IF;
  v_had := f.person;
  v_before := review.rights_of(v_had.person_id);
  UPDATE review.people SET password_hash = NULL, authorities = '{}',
      roles = ARRAY(SELECT unnest(roles) EXCEPT SELECT unnest(ARRAY['APPROVER', 'ADMIN']))
    WHERE person_id = v_had.person_id AND version = v_had.version;
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = v_had.person_id;
  UPDATE review.right_grants SET state = 'WITHDRAWN', decided_by = f.actor_id, decided_at = f.now
    WHERE person_id = v_had.person_id AND state = 'PENDING';
  v_ended := review.end_sessions_of(v_had.person_id, NULL, NULL);
  PERFORM review.renew_link(f);
  PERFORM review.file_grant(f, v_had.roles, v_had.authorities);
  PERFORM review.audit_people(f, 'people.reset', jsonb_build_object('sessionsEnded', v_ended, 'before', v_before, 'after', review.rights_of(v_had.person_id)));
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;

-- Somebody else's sessions by an administrator, or one's own: one of them, or all (of one's own: all but this one).
-- input: personId, sessionId (null = all), operationId.
CREATE FUNCTION review.end_sessions(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('session.ended', p_input);
  v_ended integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF f.refusal IS NOT NULL AND (f.person).person_id IS DISTINCT FROM f.actor_id THEN RETURN review.refuse_people(f, f.refusal); END IF;
  v_ended := review.end_sessions_of((f.person).person_id, (p_input->>'sessionId')::uuid, current_setting('onceover.session_id', true));
  IF v_ended = 0 THEN RETURN review.refuse_people(f, 'SESSION_OVER'); END IF;
  PERFORM review.audit_people(f, 'session.ended', jsonb_build_object('sessionId', p_input->>'sessionId', 'sessionsEnded', v_ended));
  RETURN '{"outcome": "done"}';
END
$$;

GRANT EXECUTE ON FUNCTION review.invite_person(jsonb), review.change_rights(jsonb), review.decide_grant(jsonb), review.set_disabled(jsonb),
  review.reset_person(jsonb), review.end_sessions(jsonb) TO onceover_app;
