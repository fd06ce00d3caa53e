-- One way to the provider leads back once, and its word is no older than what it was asked for. A session that somebody ended, or
-- that time ended, is not opened anew by what the person showed the provider before that.
-- Replaced here: end_sessions_of (marks what it ends), sign_in_by_provider (SHOW_AGAIN).

-- Who is on the way to the provider. A stranger's presses add rows here, so that each press takes old ones away.
CREATE TABLE review.provider_visits (
  -- SHA-256 of the state that has to come back.
  state_digest bytea PRIMARY KEY CONSTRAINT provider_visits_digest_is_sha256 CHECK (octet_length(state_digest) = 32),
  begun_at     timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  -- The provider was asked to have the person show who they are, even if it knows them.
  again        boolean NOT NULL
);
CREATE INDEX provider_visits_begun ON review.provider_visits (begun_at);

CREATE FUNCTION review.begin_provider_visit(p_digest bytea, p_again boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM review.provider_visits WHERE state_digest IN (
    SELECT state_digest FROM review.provider_visits WHERE begun_at < ledger.clock() - interval '15 minutes' ORDER BY begun_at LIMIT 50
      FOR UPDATE SKIP LOCKED);
  INSERT INTO review.provider_visits (state_digest, again) VALUES (p_digest, p_again);
$$;

-- When the person was sent there (seconds since 1970) and whether to show it again; null: the way has been used, or is too old.
CREATE FUNCTION review.end_provider_visit(p_digest bytea) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  WITH ended AS (DELETE FROM review.provider_visits WHERE state_digest = p_digest RETURNING begun_at, again)
  SELECT jsonb_build_object('begunAt', extract(epoch FROM begun_at), 'again', again) FROM ended
    WHERE begun_at > ledger.clock() - interval '15 minutes'
$$;
GRANT EXECUTE ON FUNCTION review.begin_provider_visit(bytea, boolean), review.end_provider_visit(bytea) TO onceover_app;

-- Ended by somebody's act, and not by signing out or signing in anew in the same browser.
ALTER TABLE review.sessions ADD COLUMN cut_off boolean NOT NULL DEFAULT false;

-- Changed: what it ends is cut off.
CREATE OR REPLACE FUNCTION review.end_sessions_of(p_person_id uuid, p_session_id uuid, p_spared text) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_ended integer;
BEGIN
  UPDATE review.sessions SET revoked_at = ledger.clock(), cut_off = true
    WHERE person_id = p_person_id AND revoked_at IS NULL AND (p_session_id IS NULL OR session_id = p_session_id)
      AND session_id::text IS DISTINCT FROM p_spared;
  GET DIAGNOSTICS v_ended = ROW_COUNT;
  RETURN v_ended;
END
$$;

-- Whether the provider's word is too old to open a session. input: issuer, authTime, visit (as end_provider_visit told it),
-- idleSeconds. 30 seconds for clocks that differ, 12 hours as asked of the provider. A provider that never tells the time can
-- neither undo what somebody ended in these 12 hours nor show a signed-in person again; it lets in again whom time signed out,
-- and may be linked.
CREATE FUNCTION review.shown_too_early(p_input jsonb, p_person_id uuid, p_is_linked boolean, p_is_signed_in boolean) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_again boolean := coalesce((p_input->'visit'->>'again')::boolean, false);
  v_shown timestamptz := to_timestamp((p_input->>'authTime')::float8);
  v_cut_off timestamptz;
  v_timed_out timestamptz;
BEGIN
  SELECT max(revoked_at) FILTER (WHERE cut_off),
         max(least(expires_at, last_seen_at + make_interval(secs => (p_input->>'idleSeconds')::integer))) FILTER (WHERE revoked_at IS NULL
           AND least(expires_at, last_seen_at + make_interval(secs => (p_input->>'idleSeconds')::integer)) <= ledger.clock())
    INTO v_cut_off, v_timed_out FROM review.sessions s JOIN review.identities i USING (identity_id)
    WHERE s.person_id = p_person_id AND i.issuer = p_input->>'issuer';
  IF v_shown IS NULL THEN
    RETURN p_is_linked AND (v_again AND p_is_signed_in OR coalesce(v_cut_off > ledger.clock() - interval '12 hours', false));
  END IF;
  RETURN v_shown < CASE WHEN v_again THEN to_timestamp((p_input->'visit'->>'begunAt')::float8)
                        ELSE ledger.clock() - interval '12 hours' END - interval '30 seconds'
    OR NOT v_again AND v_shown <= coalesce(greatest(v_cut_off, v_timed_out), '-infinity');
END
$$;

-- Changed: whose word is too old shows it again (SHOW_AGAIN). input: authTime, visit and idleSeconds as well.
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
  IF v_code IS NULL AND review.shown_too_early(p_input, p.person_id, v_linked, v_present.person_id IS NOT NULL) THEN
    v_code := 'SHOW_AGAIN';
  END IF;
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
