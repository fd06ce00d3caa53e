-- Who may append which event. append_audit is for the functions that make a change and tell it in the same step; the app's role
-- records by itself only what it alone knows: refusals, and the few acts that change nothing here. Events that say something
-- about the audit itself (retired, erased, keys) are never the app's: one of them could not be taken back.

ALTER TABLE review.audit_event_types ADD COLUMN app_outcomes text[] NOT NULL DEFAULT '{}'
  CONSTRAINT audit_event_types_app_outcomes_known CHECK (app_outcomes <@ ARRAY['done', 'refused', 'failed']);
UPDATE review.audit_event_types SET app_outcomes = '{refused}'
  WHERE event NOT IN ('audit.text_erased', 'audit.key_rotated', 'audit.key_revoked', 'audit.retired', 'audit.retention_changed',
    'sweep.ran_with_changes', 'bootstrap.completed');
UPDATE review.audit_event_types SET app_outcomes = '{refused,done}' WHERE event IN ('search.made', 'audit.exported', 'session.signed_out');

CREATE FUNCTION review.record_act(
  p_event text, p_outcome text, p_refusal_code text, p_tenant_id text, p_exception_id uuid, p_execution_id uuid,
  p_approval_request_id uuid, p_operation text, p_operation_id uuid, p_body jsonb
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- The events before their types, as whoever drops a partition with its foreign key.
  LOCK TABLE ONLY review.audit_events IN ROW EXCLUSIVE MODE;
  IF NOT pg_has_role(session_user, 'onceover_owner', 'MEMBER') AND NOT EXISTS (
    SELECT FROM review.audit_event_types t WHERE t.event = p_event AND p_outcome = ANY (t.app_outcomes)) THEN
    RAISE EXCEPTION '% does not record % by itself', session_user, concat_ws(' ', p_event, p_outcome) USING ERRCODE = '42501';
  END IF;
  RETURN review.append_audit(p_event, p_outcome, p_refusal_code, p_tenant_id, p_exception_id, p_execution_id, p_approval_request_id,
    p_operation, p_operation_id, p_body);
END
$$;
REVOKE EXECUTE ON FUNCTION review.record_act(text, text, text, text, uuid, uuid, uuid, text, uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.record_act(text, text, text, text, uuid, uuid, uuid, text, uuid, jsonb) TO onceover_app;
REVOKE EXECUTE ON FUNCTION review.append_audit(text, text, text, text, uuid, uuid, uuid, text, uuid, jsonb)
  FROM onceover_app, onceover_worker;
