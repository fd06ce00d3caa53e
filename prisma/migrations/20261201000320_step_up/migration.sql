-- Step-up: whoever gives the second word has shown their password within the last 15 minutes, in this very session.
-- Private SQLSTATE OA015: not within that time, or the session is over.

ALTER TABLE review.sessions ADD COLUMN authenticated_at timestamptz(6) NOT NULL DEFAULT ledger.clock();
UPDATE review.sessions SET authenticated_at = created_at;

CREATE FUNCTION review.require_fresh_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM review.sessions
     WHERE session_id::text = current_setting('onceover.session_id', true)
       AND person_id::text = current_setting('onceover.actor_id', true)
       AND revoked_at IS NULL AND authenticated_at > ledger.clock() - interval '15 minutes') THEN
    RAISE EXCEPTION 'the password has to be shown again' USING ERRCODE = 'OA015';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER approval_decisions_need_fresh_session AFTER INSERT ON review.approval_decisions
  FOR EACH ROW WHEN (NEW.verdict = 'APPROVE') EXECUTE FUNCTION review.require_fresh_session();
CREATE TRIGGER right_grants_need_fresh_session BEFORE UPDATE ON review.right_grants
  FOR EACH ROW WHEN (OLD.state = 'PENDING' AND NEW.state = 'CONFIRMED') EXECUTE FUNCTION review.require_fresh_session();
ALTER TABLE review.approval_decisions ENABLE ALWAYS TRIGGER approval_decisions_need_fresh_session;
ALTER TABLE review.right_grants ENABLE ALWAYS TRIGGER right_grants_need_fresh_session;
