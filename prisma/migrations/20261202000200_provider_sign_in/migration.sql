-- People may sign in through an OpenID provider. The provider says who somebody is and, where that is configured, which
-- roles they hold; authorities and tenants stay with administrators. One way in per person: whoever signs in through the
-- provider has no password, so that nothing goes around what the provider asks for.
-- Private SQLSTATE OA016: a person of the provider gets no password.

INSERT INTO review.audit_event_types (event) VALUES ('people.identity_linked');

-- A subject belongs to one person for ever; ending a row ends the way in, not the fact.
CREATE TABLE review.identities (
  identity_id uuid PRIMARY KEY DEFAULT ledger.new_id(),
  person_id   uuid NOT NULL REFERENCES review.people (person_id),
  issuer      text NOT NULL CONSTRAINT identities_issuer_bounded CHECK (octet_length(issuer) BETWEEN 1 AND 2048),
  subject     text NOT NULL CONSTRAINT identities_subject_bounded CHECK (octet_length(subject) BETWEEN 1 AND 255),
  linked_at   timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  ended_at    timestamptz(6),
  CONSTRAINT identities_name_one_person UNIQUE (issuer, subject)
);
CREATE UNIQUE INDEX identities_one_open ON review.identities (person_id) WHERE ended_at IS NULL;

CREATE FUNCTION review.keep_identity() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (NEW.identity_id, NEW.person_id, NEW.issuer, NEW.subject) IS DISTINCT FROM (OLD.identity_id, OLD.person_id, OLD.issuer, OLD.subject) THEN
    RAISE EXCEPTION 'identity % never becomes another person''s', OLD.identity_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER identities_keep BEFORE UPDATE ON review.identities FOR EACH ROW EXECUTE FUNCTION review.keep_identity();
CREATE TRIGGER identities_stay BEFORE DELETE OR TRUNCATE ON review.identities FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER identities_require_context BEFORE INSERT OR UPDATE ON review.identities
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
ALTER TABLE review.identities ENABLE ALWAYS TRIGGER identities_keep;
ALTER TABLE review.identities ENABLE ALWAYS TRIGGER identities_stay;
GRANT SELECT ON review.identities TO onceover_app;

-- By which identity the session was opened; null: by password or link.
ALTER TABLE review.sessions ADD COLUMN identity_id uuid
  CONSTRAINT sessions_identity_id_fkey REFERENCES review.identities (identity_id);

-- Whose word a right stands on: null, that of administrators or of an installation program; else the provider's.
ALTER TABLE review.person_rights ADD COLUMN issuer text
  CONSTRAINT person_rights_issuer_gives_roles CHECK (issuer IS NULL OR kind = 'ROLE');

CREATE FUNCTION review.refuse_second_way_in() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM review.identities WHERE person_id = NEW.person_id AND ended_at IS NULL) THEN
    RAISE EXCEPTION 'person % signs in through the provider', NEW.person_id USING ERRCODE = 'OA016';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER people_have_one_way_in BEFORE UPDATE OF password_hash ON review.people FOR EACH ROW
  WHEN (NEW.password_hash IS NOT NULL) EXECUTE FUNCTION review.refuse_second_way_in();
ALTER TABLE review.people ENABLE ALWAYS TRIGGER people_have_one_way_in;

-- Why this subject may not become this person's way in; null: it may. A verified address alone names nobody who has
-- another way in already: such a person shows it first, in the browser that links, within the last 15 minutes.
CREATE FUNCTION review.refuse_linking(p_input jsonb, p review.people, p_present review.sessions) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM review.identities WHERE issuer = p_input->>'issuer'
                   AND (subject = p_input->>'subject' AND person_id <> (p).person_id
                     OR subject <> p_input->>'subject' AND person_id = (p).person_id AND ended_at IS NULL)) THEN 'IDENTITY_TAKEN'
    WHEN (p).password_hash IS NOT NULL
      AND NOT ((p_present).person_id IS NOT DISTINCT FROM (p).person_id
           AND (p_present).authenticated_at > ledger.clock() - interval '15 minutes') THEN 'LINK_FIRST' END
$$;

CREATE FUNCTION review.link_identity(p_input jsonb, p review.people) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.identities SET ended_at = ledger.clock() WHERE person_id = (p).person_id AND ended_at IS NULL;
  INSERT INTO review.identities (person_id, issuer, subject) VALUES ((p).person_id, p_input->>'issuer', p_input->>'subject')
    ON CONFLICT ON CONSTRAINT identities_name_one_person DO UPDATE SET ended_at = NULL, linked_at = ledger.clock();
  UPDATE review.people SET password_hash = NULL WHERE person_id = (p).person_id AND password_hash IS NOT NULL;
  UPDATE review.sign_in_links SET used_at = ledger.clock() WHERE person_id = (p).person_id AND used_at IS NULL;
  PERFORM review.append_audit('people.identity_linked', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object(
    'personId', (p).person_id, 'issuer', p_input->>'issuer', 'subject', p_input->>'subject',
    'sessionsEnded', review.end_sessions_of((p).person_id, NULL, NULL)));
END
$$;

-- What the provider told at this sign-in is what it gives from now on. A role that administrators gave is not the
-- provider's to take, and one that is held already keeps its source and its age.
CREATE FUNCTION review.follow_provider_roles(p_input jsonb, p_person_id uuid) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_before jsonb := review.rights_of(p_person_id);
  v_had text[];
  v_given text[] := review.texts(p_input->'roles');
  v_next text[];
BEGIN
  SELECT roles INTO v_had FROM review.people WHERE person_id = p_person_id;
  v_next := ARRAY(SELECT name FROM review.person_rights WHERE person_id = p_person_id AND kind = 'ROLE' AND issuer IS NULL
    UNION SELECT unnest(v_given));
  BEGIN
    UPDATE review.people SET roles = v_next WHERE person_id = p_person_id AND review.texts(to_jsonb(roles)) <> review.texts(to_jsonb(v_next));
  EXCEPTION WHEN SQLSTATE 'OA012' THEN
    PERFORM review.append_audit('people.rights_changed', 'refused', 'LAST_ADMINISTRATOR', NULL, NULL, NULL, NULL, NULL, NULL,
      jsonb_build_object('personId', p_person_id, 'issuer', p_input->>'issuer'));
    UPDATE review.people SET roles = v_next || 'ADMIN'::text WHERE person_id = p_person_id
      AND review.texts(to_jsonb(roles)) <> review.texts(to_jsonb(v_next || 'ADMIN'::text));
  END;
  UPDATE review.person_rights SET issuer = p_input->>'issuer'
    WHERE person_id = p_person_id AND kind = 'ROLE' AND name = ANY (v_given) AND NOT name = ANY (v_had);
  IF review.rights_of(p_person_id) <> v_before THEN
    PERFORM review.append_audit('people.rights_changed', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object(
      'personId', p_person_id, 'issuer', p_input->>'issuer', 'before', v_before, 'after', review.rights_of(p_person_id)));
  END IF;
END
$$;

-- Whom a checked token of the provider names. input: issuer, subject, email (verified, in plain ASCII; else null), roles,
-- sessionId (of the session that the browser carries). It finds, links and applies roles; it opens no session.
CREATE FUNCTION review.sign_in_by_provider(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_present review.sessions;
  v_linked boolean;
  p review.people;
  v_code text;
BEGIN
  IF current_setting('onceover.actor_id', true) IS DISTINCT FROM 'system:login' THEN
    RAISE EXCEPTION 'only the login signs somebody in' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO v_present FROM review.sessions
    WHERE session_id = (p_input->>'sessionId')::uuid AND revoked_at IS NULL AND expires_at > ledger.clock();
  -- The known subject first: an address that has passed on to somebody else does not open its former owner's account.
  SELECT * INTO p FROM review.people WHERE person_id = coalesce(
      (SELECT person_id FROM review.identities WHERE issuer = p_input->>'issuer' AND subject = p_input->>'subject' AND ended_at IS NULL),
      (SELECT person_id FROM review.people WHERE email_canonical = p_input->>'email')) FOR NO KEY UPDATE;
  v_linked := EXISTS (SELECT FROM review.identities
    WHERE issuer = p_input->>'issuer' AND subject = p_input->>'subject' AND person_id = p.person_id AND ended_at IS NULL);
  v_code := CASE
    WHEN p.person_id IS NULL THEN CASE WHEN p_input->>'email' IS NULL THEN 'EMAIL_UNVERIFIED' ELSE 'NOT_INVITED' END
    WHEN p.disabled_at IS NOT NULL THEN 'PERSON_DISABLED'
    WHEN v_present.person_id <> p.person_id THEN 'OTHER_PERSON'
    WHEN NOT v_linked THEN review.refuse_linking(p_input, p, v_present) END;
  IF v_code IS NOT NULL THEN
    PERFORM review.append_audit('session.sign_in_failed', 'refused', v_code, NULL, NULL, NULL, NULL, NULL, NULL, jsonb_strip_nulls(
      jsonb_build_object('method', 'provider', 'personId', p.person_id, 'issuer', p_input->>'issuer', 'subject', p_input->>'subject')));
    RETURN jsonb_build_object('outcome', 'refused', 'code', v_code);
  END IF;
  IF NOT v_linked THEN PERFORM review.link_identity(p_input, p); END IF;
  PERFORM review.follow_provider_roles(p_input, p.person_id);
  RETURN jsonb_build_object('outcome', 'done', 'personId', p.person_id, 'identityId', (SELECT identity_id FROM review.identities
    WHERE issuer = p_input->>'issuer' AND subject = p_input->>'subject'));
END
$$;
GRANT EXECUTE ON FUNCTION review.sign_in_by_provider(jsonb) TO onceover_app;

-- As before (20261201000310); new: the identity at the provider ends as well, and what the provider gave goes with it
-- without waiting for a second administrator.
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
  UPDATE review.right_grants SET state = 'WITHDRAWN', decided_by = f.actor_id, decided_at = f.now
    WHERE person_id = v_had.person_id AND state = 'PENDING';
  v_ended := review.end_sessions_of(v_had.person_id, NULL, NULL);
  PERFORM review.renew_link(f);
  PERFORM review.file_grant(f, v_by_hand, v_had.authorities);
  PERFORM review.audit_people(f, 'people.reset', jsonb_build_object('sessionsEnded', v_ended, 'before', v_before, 'after', review.rights_of(v_had.person_id)));
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN SQLSTATE 'OA012' THEN
  RETURN review.refuse_people(f, 'LAST_ADMINISTRATOR');
END
$$;
