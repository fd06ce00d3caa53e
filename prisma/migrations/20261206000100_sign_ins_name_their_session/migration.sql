-- A sign-in names the session that it opened, as the events of its end do. open_session is as before but for that.
CREATE OR REPLACE FUNCTION review.open_session(p_input jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.people;
  v_identity_id uuid;
  v_session_id uuid;
BEGIN
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RAISE EXCEPTION 'only a person signs in' USING ERRCODE = 'OA003';
  END IF;
  -- Who resets, disables or ends sessions holds this row as well: one of us comes first, and the other sees it.
  SELECT * INTO p FROM review.people WHERE person_id = current_setting('onceover.actor_id')::uuid FOR NO KEY UPDATE;
  IF p.person_id IS NULL OR p.disabled_at IS NOT NULL THEN RETURN false; END IF;
  CASE p_input->>'method'
    WHEN 'password' THEN
      IF p.password_hash IS DISTINCT FROM p_input->>'passwordHash' OR p.password_hash IS NULL THEN RETURN false; END IF;
      IF p_input->>'newHash' IS NOT NULL THEN
        UPDATE review.people SET password_hash = p_input->>'newHash' WHERE person_id = p.person_id;
      END IF;
    WHEN 'link' THEN
      UPDATE review.sign_in_links SET used_at = ledger.clock() WHERE digest = decode(p_input->>'linkDigest', 'hex')
        AND person_id = p.person_id AND used_at IS NULL AND expires_at > ledger.clock();
      IF NOT FOUND THEN RETURN false; END IF;
    WHEN 'provider' THEN
      SELECT identity_id INTO v_identity_id FROM review.identities
        WHERE identity_id = (p_input->>'identityId')::uuid AND person_id = p.person_id AND ended_at IS NULL;
      IF NOT FOUND THEN RETURN false; END IF;
  END CASE;
  INSERT INTO review.sessions (secret_digest, person_id, expires_at, user_agent, source_address, identity_id, authenticated_at)
    VALUES (decode(p_input->>'secretDigest', 'hex'), p.person_id,
      ledger.clock() + make_interval(secs => least((p_input->>'seconds')::integer, 43200)),
      p_input->>'userAgent', p_input->>'sourceAddress', v_identity_id,
      CASE WHEN v_identity_id IS NULL THEN ledger.clock()
           WHEN p_input->>'authTime' IS NULL THEN '-infinity'
           ELSE least(to_timestamp((p_input->>'authTime')::float8), ledger.clock()) END)
    RETURNING session_id INTO v_session_id;
  PERFORM review.append_audit('session.signed_in', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    jsonb_build_object('method', p_input->>'method', 'sessionId', v_session_id));
  RETURN true;
END
$$;
