-- Two administrators for every way of letting somebody decide more: a tenant for who holds what takes two, and coming back from
-- being disabled, which leaves such rights behind as a reset does. Replaced here: guard_rights, file_grant, invite_person,
-- change_rights, decide_grant, set_disabled, reset_person (a grant that falls away leaves its own event).

ALTER TABLE review.right_grants ADD COLUMN tenant_ids text[] NOT NULL DEFAULT '{}';
ALTER TABLE review.right_grants DROP CONSTRAINT right_grants_give_something;
ALTER TABLE review.right_grants ADD CONSTRAINT right_grants_give_something
  CHECK (cardinality(roles) + cardinality(authorities) + cardinality(tenant_ids) > 0);

CREATE FUNCTION review.holds_what_takes_two(p_roles text[], p_authorities text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT p_roles && ARRAY['APPROVER', 'ADMIN'] OR cardinality(p_authorities) > 0 $$;

CREATE OR REPLACE FUNCTION review.guard_rights() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_me text := current_setting('onceover.actor_id', true);
  v_roles text[];
  v_authorities text[];
  v_tenants text[] := '{}';
  -- Who is disabled holds nothing: coming back is being given it.
  v_held boolean := TG_OP = 'UPDATE';
BEGIN
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.person_id::text = v_me
     AND (NEW.roles, NEW.authorities, NEW.tenant_ids, NEW.disabled_at) IS DISTINCT FROM (OLD.roles, OLD.authorities, OLD.tenant_ids, OLD.disabled_at) THEN
    RAISE EXCEPTION 'nobody changes their own rights' USING ERRCODE = 'OA011';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    v_held := OLD.disabled_at IS NULL OR NEW.disabled_at IS NOT NULL;
  END IF;
  SELECT coalesce(array_agg(name), '{}') INTO v_roles FROM unnest(NEW.roles) name
    WHERE name IN ('APPROVER', 'ADMIN') AND (NOT v_held OR NOT name = ANY (OLD.roles));
  SELECT coalesce(array_agg(name), '{}') INTO v_authorities FROM unnest(NEW.authorities) name
    WHERE NOT v_held OR NOT name = ANY (OLD.authorities);
  IF TG_OP = 'UPDATE' AND review.holds_what_takes_two(NEW.roles, NEW.authorities) THEN
    v_tenants := ARRAY(SELECT unnest(NEW.tenant_ids) EXCEPT SELECT unnest(OLD.tenant_ids));
  END IF;
  IF cardinality(v_roles) + cardinality(v_authorities) + cardinality(v_tenants) > 0 THEN
    UPDATE review.right_grants SET state = 'APPLIED'
      WHERE person_id = NEW.person_id AND state = 'CONFIRMED' AND decided_by::text = v_me
        AND roles @> v_roles AND authorities @> v_authorities AND tenant_ids @> v_tenants;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a second administrator has to confirm it' USING ERRCODE = 'OA014';
    END IF;
  END IF;
  RETURN NEW;
END
$$;

DROP FUNCTION review.file_grant(review.people_frame, text[], text[]);
-- Files what a second administrator has to confirm; nothing when nothing of it is new. p_tenants: those that are new.
CREATE FUNCTION review.file_grant(f review.people_frame, p_roles text[], p_authorities text[], p_tenants text[]) RETURNS text
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
  IF cardinality(v_roles) + cardinality(v_authorities) + cardinality(p_tenants) = 0 THEN
    RETURN NULL;
  END IF;
  UPDATE review.right_grants SET state = 'EXPIRED'
    WHERE person_id = ((f).person).person_id AND state = 'PENDING' AND expires_at <= (f).now;
  IF EXISTS (SELECT FROM review.right_grants WHERE person_id = ((f).person).person_id AND state = 'PENDING') THEN
    RETURN 'GRANT_IN_FLIGHT';
  END IF;
  INSERT INTO review.right_grants (grant_id, person_id, roles, authorities, tenant_ids, reason, requested_by, requested_at, expires_at)
    VALUES (v_grant_id, ((f).person).person_id, v_roles, v_authorities, p_tenants, (f).input->>'reason', (f).actor_id, (f).now, (f).now + interval '7 days');
  PERFORM review.audit_people(f, 'people.grant_requested', jsonb_build_object('grantId', v_grant_id, 'roles', v_roles, 'authorities', v_authorities, 'tenantIds', p_tenants));
  RETURN NULL;
END
$$;

-- What was asked for this person falls away with the rights that it was to be added to.
CREATE FUNCTION review.withdraw_grants(f review.people_frame) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  g review.right_grants;
BEGIN
  FOR g IN UPDATE review.right_grants SET state = 'WITHDRAWN', decided_by = (f).actor_id, decided_at = (f).now
             WHERE person_id = ((f).person).person_id AND state = 'PENDING' RETURNING * LOOP
    PERFORM review.audit_people(f, 'people.grant_ended', jsonb_build_object('grantId', g.grant_id, 'requestedBy', g.requested_by,
      'roles', g.roles, 'authorities', g.authorities, 'tenantIds', g.tenant_ids));
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION review.invite_person(p_input jsonb) RETURNS jsonb
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
  PERFORM review.file_grant(f, v_roles, review.texts(p_input->'authorities'), '{}');
  PERFORM review.audit_people(f, 'people.created', jsonb_build_object('after', review.rights_of((f.person).person_id)));
  RETURN jsonb_build_object('outcome', 'done', 'personId', (f.person).person_id);
END
$$;

CREATE OR REPLACE FUNCTION review.change_rights(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_rights('people.rights_changed', p_input);
  v_roles text[] := review.texts(p_input->'roles');
  v_authorities text[] := review.texts(p_input->'authorities');
  v_tenants text[] := review.texts(p_input->'tenantIds');
  v_keeps_roles text[];
  v_keeps_authorities text[];
  v_more text[] := '{}';
  v_before jsonb;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_keeps_roles := ARRAY(SELECT name FROM unnest(v_roles) name WHERE name NOT IN ('APPROVER', 'ADMIN') OR name = ANY ((f.person).roles));
  v_keeps_authorities := ARRAY(SELECT name FROM unnest(v_authorities) name WHERE name = ANY ((f.person).authorities));
  -- A tenant more is a right more for who keeps what takes two.
  IF review.holds_what_takes_two(v_keeps_roles, v_keeps_authorities) THEN
    v_more := ARRAY(SELECT unnest(v_tenants) EXCEPT SELECT unnest((f.person).tenant_ids) ORDER BY 1);
  END IF;
  v_before := review.rights_of((f.person).person_id);
  v_code := coalesce(f.refusal, CASE
    WHEN cardinality(v_tenants) = 0 THEN 'TENANT_MISSING'
    WHEN NOT v_tenants <@ f.tenant_ids THEN 'TENANT_NOT_GRANTED'
    WHEN review.texts(to_jsonb((f.person).roles)) = v_roles AND review.texts(to_jsonb((f.person).authorities)) = v_authorities
      AND review.texts(to_jsonb((f.person).tenant_ids)) = v_tenants THEN 'NOTHING_CHANGED' END,
    review.file_grant(f, v_roles, v_authorities, v_more));
  IF v_code IS NOT NULL THEN RETURN review.refuse_people(f, v_code); END IF;
  UPDATE review.people SET
      roles = v_keeps_roles, authorities = v_keeps_authorities,
      tenant_ids = ARRAY(SELECT unnest(v_tenants) EXCEPT SELECT unnest(v_more) ORDER BY 1)
    WHERE person_id = (f.person).person_id AND version = (f.person).version;
  IF review.rights_of((f.person).person_id) <> v_before THEN
    PERFORM review.audit_people(f, 'people.rights_changed', jsonb_build_object('before', v_before, 'after', review.rights_of((f.person).person_id)));
  END IF;
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;

CREATE OR REPLACE FUNCTION review.decide_grant(p_input jsonb) RETURNS jsonb
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
    WHEN v_confirms AND NOT g.tenant_ids <@ f.tenant_ids THEN 'TENANT_NOT_GRANTED'
    WHEN v_confirms AND (f.person).disabled_at IS NOT NULL THEN 'PERSON_DISABLED'
    -- The first word counts only as long as whoever gave it could give it again.
    WHEN v_confirms AND NOT EXISTS (SELECT FROM review.people p WHERE p.person_id = g.requested_by AND p.disabled_at IS NULL
           AND 'ADMIN' = ANY (p.roles) AND (f.person).tenant_ids || g.tenant_ids <@ p.tenant_ids) THEN 'REQUESTER_NOT_ENTITLED' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_people(f, v_code); END IF;
  v_before := review.rights_of((f.person).person_id);
  UPDATE review.right_grants SET decided_by = f.actor_id, decided_at = f.now,
      state = CASE WHEN v_confirms THEN 'CONFIRMED' WHEN g.requested_by = f.actor_id THEN 'WITHDRAWN' ELSE 'REJECTED' END
    WHERE grant_id = g.grant_id;
  IF v_confirms THEN
    UPDATE review.people SET
        roles = ARRAY(SELECT unnest((f.person).roles) UNION SELECT unnest(g.roles)),
        authorities = ARRAY(SELECT unnest((f.person).authorities) UNION SELECT unnest(g.authorities)),
        tenant_ids = ARRAY(SELECT unnest((f.person).tenant_ids) UNION SELECT unnest(g.tenant_ids))
      WHERE person_id = (f.person).person_id AND version = (f.person).version;
  END IF;
  PERFORM review.audit_people(f, f.event, jsonb_build_object('grantId', g.grant_id, 'requestedBy', g.requested_by,
    'roles', g.roles, 'authorities', g.authorities, 'tenantIds', g.tenant_ids)
    || CASE WHEN v_confirms THEN jsonb_build_object('before', v_before, 'after', review.rights_of((f.person).person_id)) ELSE '{}' END);
  RETURN '{"outcome": "done"}';
END
$$;

CREATE OR REPLACE FUNCTION review.set_disabled(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_disabled boolean := (p_input->>'disabled')::boolean;
  f review.people_frame := review.open_rights(CASE WHEN (p_input->>'disabled')::boolean THEN 'people.disabled' ELSE 'people.enabled' END, p_input);
  v_had review.people;
  v_by_hand text[];
  v_before jsonb;
  v_after jsonb;
  v_ended integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF f.refusal IS NULL AND ((f.person).disabled_at IS NOT NULL) = v_disabled THEN f.refusal := 'NOTHING_CHANGED'; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_people(f, f.refusal); END IF;
  IF v_disabled THEN
    UPDATE review.people SET disabled_at = f.now WHERE person_id = (f.person).person_id AND version = (f.person).version;
    v_ended := review.end_sessions_of((f.person).person_id, NULL, NULL);
    UPDATE review.sign_in_links SET used_at = f.now WHERE person_id = (f.person).person_id AND used_at IS NULL;
  ELSE
    v_had := f.person;
    v_by_hand := ARRAY(SELECT name FROM review.person_rights WHERE person_id = v_had.person_id AND kind = 'ROLE' AND issuer IS NULL);
    UPDATE review.people SET disabled_at = NULL, authorities = '{}',
        roles = ARRAY(SELECT unnest(v_by_hand) EXCEPT SELECT unnest(ARRAY['APPROVER', 'ADMIN']))
      WHERE person_id = v_had.person_id AND version = v_had.version;
    IF review.holds_what_takes_two(v_had.roles, v_had.authorities) THEN
      v_before := jsonb_build_object('roles', v_had.roles, 'authorities', v_had.authorities, 'tenantIds', v_had.tenant_ids);
      v_after := review.rights_of(v_had.person_id);
    END IF;
    SELECT p INTO f.person FROM review.people p WHERE p.person_id = v_had.person_id;
    PERFORM review.withdraw_grants(f);
    PERFORM review.file_grant(f, v_by_hand, v_had.authorities, '{}');
  END IF;
  PERFORM review.audit_people(f, f.event, jsonb_build_object('sessionsEnded', v_ended, 'before', v_before, 'after', v_after));
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;

CREATE OR REPLACE FUNCTION review.reset_person(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_rights('people.reset', p_input);
  v_had review.people;
  v_by_hand text[];
  v_before jsonb;
  v_ended integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF f.refusal IS NULL AND (f.person).disabled_at IS NOT NULL THEN f.refusal := 'PERSON_DISABLED'; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_people(f, f.refusal); END IF;
  v_had := f.person;
  v_before := review.rights_of(v_had.person_id);
  v_by_hand := ARRAY(SELECT name FROM review.person_rights WHERE person_id = v_had.person_id AND kind = 'ROLE' AND issuer IS NULL);
  UPDATE review.identities SET ended_at = f.now WHERE person_id = v_had.person_id AND ended_at IS NULL;
  UPDATE review.people SET password_hash = NULL, authorities = '{}',
      roles = ARRAY(SELECT unnest(v_by_hand) EXCEPT SELECT unnest(ARRAY['APPROVER', 'ADMIN']))
    WHERE person_id = v_had.person_id AND version = v_had.version;
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = v_had.person_id;
  PERFORM review.withdraw_grants(f);
  v_ended := review.end_sessions_of(v_had.person_id, NULL, NULL);
  PERFORM review.renew_link(f);
  PERFORM review.file_grant(f, v_by_hand, v_had.authorities, '{}');
  PERFORM review.audit_people(f, 'people.reset', jsonb_build_object('sessionsEnded', v_ended, 'before', v_before, 'after', review.rights_of(v_had.person_id)));
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;
