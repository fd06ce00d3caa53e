-- A link that nobody uses ends without anybody's act: the event that made it tells until when it lets somebody in (R-087).
-- Replaced here: renew_link (answers the link's end), invite_person and reset_person (their events tell it).

DROP FUNCTION review.renew_link(review.people_frame);

-- A new one-time link; earlier ones are dead. The digest is of a secret that only the answer carries. Answers its end.
CREATE FUNCTION review.renew_link(f review.people_frame) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_ends timestamptz := (f).now + make_interval(secs => least(((f).input->>'linkSeconds')::integer, 86400));
BEGIN
  UPDATE review.sign_in_links SET used_at = (f).now WHERE person_id = ((f).person).person_id AND used_at IS NULL;
  INSERT INTO review.sign_in_links (person_id, digest, created_by, expires_at)
    VALUES (((f).person).person_id, decode((f).input->>'linkDigest', 'hex'), (f).actor_id::text, v_ends);
  RETURN ledger.instant(v_ends);
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
  v_link_ends text;
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
  IF (f.person).person_id IS NULL THEN
    -- "Taken" is told of people whom the administrator's own page shows, and of nobody else.
    RETURN review.refuse_people(f, CASE WHEN EXISTS (SELECT FROM review.people p WHERE p.email_canonical = p_input->>'emailCanonical'
      AND (p.tenant_ids && f.tenant_ids OR cardinality(p.tenant_ids) = 0)) THEN 'EMAIL_TAKEN' ELSE 'EMAIL_UNUSABLE' END);
  END IF;
  v_link_ends := review.renew_link(f);
  PERFORM review.file_grant(f, v_roles, review.texts(p_input->'authorities'), '{}');
  PERFORM review.audit_people(f, 'people.created', jsonb_build_object('linkEndsAt', v_link_ends, 'after', review.rights_of((f.person).person_id)));
  RETURN jsonb_build_object('outcome', 'done', 'personId', (f.person).person_id);
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
  v_link_ends text;
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
  v_link_ends := review.renew_link(f);
  PERFORM review.file_grant(f, v_by_hand, v_had.authorities, '{}');
  PERFORM review.audit_people(f, 'people.reset', jsonb_build_object('sessionsEnded', v_ended, 'linkEndsAt', v_link_ends, 'before', v_before, 'after', review.rights_of(v_had.person_id)));
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;
