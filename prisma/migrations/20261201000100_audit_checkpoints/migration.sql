-- What the signer says about the audit chain: its signed checkpoints, for display and export, and whether it raises an alarm.
-- The proof is the signer's own file outside of this database; whoever can rewrite the chain can rewrite these rows.

COMMENT ON FUNCTION review.audit_hash(review.audit_events) IS
  'SHA-256 of an event as stored. The other implementation, from exported text: lib/audit/verifier/event-hash.mjs';

INSERT INTO review.audit_event_types (event) VALUES ('audit.key_rotated'), ('audit.key_revoked');

CREATE TABLE review.audit_checkpoints (
  sequence    bigint PRIMARY KEY CONSTRAINT audit_checkpoints_sequence_from_one CHECK (sequence >= 1),
  kind        text NOT NULL CONSTRAINT audit_checkpoints_kind_known CHECK (kind IN ('key', 'checkpoint', 'rotation', 'revocation')),
  -- The last event that is signed.
  number      bigint NOT NULL,
  signed_at   timestamptz(6) NOT NULL,
  key_id      text NOT NULL,
  -- The line of the signer's file, as published.
  record      text NOT NULL
);
CREATE INDEX audit_checkpoints_number ON review.audit_checkpoints (number, sequence);

CREATE TRIGGER audit_checkpoints_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_checkpoints ENABLE ALWAYS TRIGGER audit_checkpoints_are_only_added;
REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_checkpoints FROM CURRENT_USER;

-- One row: when the signer last looked, and what keeps it from signing.
CREATE TABLE review.audit_signer (
  singleton    boolean PRIMARY KEY DEFAULT true CONSTRAINT audit_signer_is_one_row CHECK (singleton),
  seen_at      timestamptz(6),
  alarm        text CONSTRAINT audit_signer_alarm_known CHECK (alarm IN
                 ('TRUNCATED', 'REWRITTEN', 'BROKEN', 'OTHER_LOG', 'FILE_CHANGED', 'STATE_LOST', 'KEY_NOT_CURRENT', 'FORKED')),
  -- The first bad number, where the alarm has one.
  alarm_number bigint,
  alarm_since  timestamptz(6),
  CONSTRAINT audit_signer_alarm_has_begun CHECK ((alarm IS NULL) = (alarm_since IS NULL)),
  CONSTRAINT audit_signer_number_has_alarm CHECK (alarm_number IS NULL OR alarm IS NOT NULL)
);
INSERT INTO review.audit_signer DEFAULT VALUES;

-- Keeps one line of the signer's file. The same line again changes nothing; another line at its place is a fork.
CREATE FUNCTION review.publish_checkpoint(p_record text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_line jsonb := p_record::jsonb;
  v_kept text;
BEGIN
  INSERT INTO review.audit_checkpoints (sequence, kind, number, signed_at, key_id, record)
  VALUES ((v_line->>'sequence')::bigint, v_line->>'type', (v_line->>'number')::bigint, (v_line->>'signedAt')::timestamptz,
          v_line->>'keyId', p_record)
  ON CONFLICT (sequence) DO NOTHING;
  SELECT record INTO v_kept FROM review.audit_checkpoints WHERE sequence = (v_line->>'sequence')::bigint;
  IF v_kept IS DISTINCT FROM p_record THEN
    RAISE EXCEPTION 'another checkpoint stands at place % already', v_line->>'sequence' USING ERRCODE = 'OA004';
  END IF;
END
$$;

-- The signer's sign of life, and its alarm; an alarm that goes on keeps the time at which it began.
CREATE FUNCTION review.report_signer(p_alarm text, p_number bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE review.audit_signer SET
    seen_at = ledger.clock(), alarm = p_alarm, alarm_number = p_number,
    alarm_since = CASE WHEN p_alarm IS NULL THEN NULL WHEN alarm = p_alarm THEN alarm_since ELSE ledger.clock() END
$$;

-- Puts a change of keys into the chain, once per operation id, by the signer whoever calls. Returns the event's number.
CREATE FUNCTION review.record_key_change(p_event text, p_operation_id uuid, p_body jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_number bigint;
BEGIN
  IF p_event NOT IN ('audit.key_rotated', 'audit.key_revoked') THEN
    RAISE EXCEPTION 'the signer records changes of its keys alone, not %', p_event USING ERRCODE = 'OA001';
  END IF;
  SELECT number INTO v_number FROM review.audit_events WHERE operation_id = p_operation_id AND event = p_event;
  IF FOUND THEN
    RETURN v_number;
  END IF;
  PERFORM set_config('onceover.actor_kind', 'system', true), set_config('onceover.actor_id', 'system:signer', true),
    set_config('onceover.request_id', 'signer ' || p_operation_id, true), set_config('onceover.source_address', '', true);
  RETURN review.append_audit(p_event, 'done', NULL, NULL, NULL, NULL, NULL, NULL, p_operation_id, p_body);
END
$$;

GRANT SELECT ON review.audit_checkpoints, review.audit_signer TO onceover_app, onceover_signer;
GRANT EXECUTE ON FUNCTION review.publish_checkpoint(text), review.report_signer(text, bigint),
  review.record_key_change(text, uuid, jsonb) TO onceover_signer;
