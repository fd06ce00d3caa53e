-- A sign-in that was checked before a reset, a disabling or a new password opens nothing after it: the session opens in one
-- function, under the lock of the person's row, and what was checked has to be what stands there. Sessions, links and passwords
-- are written by functions alone; the app may no longer write their columns.

-- Opens the acting person's session, with its event; false, and nothing written, where what was shown counts no more.
-- input: method password | link | provider, secretDigest, seconds, userAgent, sourceAddress; passwordHash (that was checked) and
-- newHash; linkDigest; identityId and authTime (seconds since 1970; null: the provider does not say, so it never counts as fresh).
CREATE FUNCTION review.open_session(p_input jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.people;
  v_identity_id uuid;
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
           ELSE least(to_timestamp((p_input->>'authTime')::float8), ledger.clock()) END);
  PERFORM review.append_audit('session.signed_in', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    jsonb_build_object('method', p_input->>'method'));
  RETURN true;
END
$$;

-- The idle limit moves to now, never beyond.
CREATE FUNCTION review.touch_session(p_session_id uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE review.sessions SET last_seen_at = greatest(last_seen_at, ledger.clock()) WHERE session_id = p_session_id AND revoked_at IS NULL
$$;

-- Whose session ended by this; null: none was open.
CREATE FUNCTION review.close_session(p_digest bytea) RETURNS uuid
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE review.sessions SET revoked_at = ledger.clock() WHERE secret_digest = p_digest AND revoked_at IS NULL RETURNING person_id
$$;

-- The acting person's own password; their other sessions end. False: what was shown is no longer the password, or the session
-- in which it was shown is over. input: sessionId, presentHash (that was checked; null: none yet), nextHash.
CREATE FUNCTION review.set_own_password(p_input jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.people;
BEGIN
  IF current_setting('onceover.actor_kind', true) IS DISTINCT FROM 'person' THEN
    RAISE EXCEPTION 'only a person has a password' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO p FROM review.people WHERE person_id = current_setting('onceover.actor_id')::uuid FOR NO KEY UPDATE;
  IF p.person_id IS NULL OR p.disabled_at IS NOT NULL OR p.password_hash IS DISTINCT FROM p_input->>'presentHash'
     OR NOT EXISTS (SELECT FROM review.sessions WHERE session_id = (p_input->>'sessionId')::uuid AND person_id = p.person_id
          AND revoked_at IS NULL AND expires_at > ledger.clock()) THEN
    RETURN false;
  END IF;
  UPDATE review.people SET password_hash = p_input->>'nextHash' WHERE person_id = p.person_id;
  PERFORM review.end_sessions_of(p.person_id, NULL, p_input->>'sessionId');
  PERFORM review.append_audit('people.password_changed', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    jsonb_build_object('personId', p.person_id));
  RETURN true;
END
$$;

REVOKE INSERT, UPDATE (last_seen_at, revoked_at) ON review.sessions FROM onceover_app;
REVOKE UPDATE (used_at) ON review.sign_in_links FROM onceover_app;
REVOKE UPDATE (password_hash) ON review.people FROM onceover_app;
-- Nothing of ours takes a connector away.
REVOKE DELETE ON review.connectors FROM onceover_app;
GRANT EXECUTE ON FUNCTION review.open_session(jsonb), review.touch_session(uuid), review.close_session(bytea),
  review.set_own_password(jsonb) TO onceover_app;
