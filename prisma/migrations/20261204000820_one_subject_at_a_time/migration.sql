-- R-078i: two sign-ins of one subject with two invited addresses used to be judged by what was there before either, and the second
-- one took over the first one's link: a subject is now one person's before anything is read.

-- Changed: a link that is there already is taken up again by its own person alone.
CREATE OR REPLACE FUNCTION review.link_identity(p_input jsonb, p review.people) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.identities SET ended_at = ledger.clock() WHERE person_id = (p).person_id AND ended_at IS NULL;
  INSERT INTO review.identities (person_id, issuer, subject) VALUES ((p).person_id, p_input->>'issuer', p_input->>'subject')
    ON CONFLICT ON CONSTRAINT identities_name_one_person DO UPDATE SET ended_at = NULL, linked_at = ledger.clock()
      WHERE identities.person_id = EXCLUDED.person_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the subject is another person''s' USING ERRCODE = 'OA002';
  END IF;
  UPDATE review.people SET password_hash = NULL WHERE person_id = (p).person_id AND password_hash IS NOT NULL;
  UPDATE review.sign_in_links SET used_at = ledger.clock() WHERE person_id = (p).person_id AND used_at IS NULL;
  PERFORM review.append_audit('people.identity_linked', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object(
    'personId', (p).person_id, 'issuer', p_input->>'issuer', 'subject', p_input->>'subject',
    'sessionsEnded', review.end_sessions_of((p).person_id, NULL, NULL)));
END
$$;

-- Changed: sign-ins of one subject come one after the other.
CREATE OR REPLACE FUNCTION review.sign_in_by_provider(p_input jsonb) RETURNS jsonb
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
  -- Before any row: what is found for a subject stays so until COMMIT.
  PERFORM pg_advisory_xact_lock(hashtextextended(jsonb_build_array('onceover subject', p_input->'issuer', p_input->'subject')::text, 0));
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
