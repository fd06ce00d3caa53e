-- The audit in partitions by number, so that old events can leave it as a whole. What was recorded so far becomes the first
-- partition as it lies, without being copied or read: its CHECK on the number already says what the bounds say.
-- A partition is guarded like the table itself: statements can name it directly. The hash function takes the table's new row type.

DROP FUNCTION review.audit_hash(review.audit_events);
ALTER TABLE review.audit_events RENAME TO audit_events_1;
ALTER INDEX review.audit_events_pkey RENAME TO audit_events_1_pkey;
ALTER INDEX review.audit_events_event_id_key RENAME TO audit_events_1_event_id;
ALTER INDEX review.audit_events_hash_key RENAME TO audit_events_1_hash;
ALTER INDEX review.audit_events_tenant RENAME TO audit_events_1_tenant_idx;
ALTER INDEX review.audit_events_actor RENAME TO audit_events_1_actor_idx;
ALTER INDEX review.audit_events_exception RENAME TO audit_events_1_exception_idx;
ALTER INDEX review.audit_events_execution RENAME TO audit_events_1_execution_idx;
ALTER INDEX review.audit_events_approval_request RENAME TO audit_events_1_approval_request_idx;
ALTER INDEX review.audit_events_operation RENAME TO audit_events_1_operation_idx;
ALTER INDEX review.audit_events_operation_id RENAME TO audit_events_1_operation_id_idx;
ALTER INDEX review.audit_events_occurred RENAME TO audit_events_1_occurred_idx;

-- No unique index over all partitions can be without the number: event_id and hash are unique within each (DECISIONS 71).
CREATE TABLE review.audit_events (LIKE review.audit_events_1 INCLUDING CONSTRAINTS, PRIMARY KEY (number),
  CONSTRAINT audit_events_event_fkey FOREIGN KEY (event) REFERENCES review.audit_event_types (event)) PARTITION BY RANGE (number);
CREATE INDEX audit_events_tenant ON review.audit_events (tenant_id, number);
CREATE INDEX audit_events_actor ON review.audit_events (actor_id, number);
CREATE INDEX audit_events_exception ON review.audit_events (exception_id, number);
CREATE INDEX audit_events_execution ON review.audit_events (execution_id, number);
CREATE INDEX audit_events_approval_request ON review.audit_events (approval_request_id, number);
CREATE INDEX audit_events_operation ON review.audit_events (operation, number);
CREATE INDEX audit_events_operation_id ON review.audit_events (operation_id);
CREATE INDEX audit_events_occurred ON review.audit_events (occurred_at, number);
CREATE TRIGGER audit_events_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_events ENABLE ALWAYS TRIGGER audit_events_are_only_added;
REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_events FROM CURRENT_USER;
GRANT SELECT ON review.audit_events TO onceover_app, onceover_signer;
-- Nobody reads around the table.
REVOKE SELECT ON review.audit_events_1 FROM onceover_app, onceover_signer;
ALTER TABLE review.audit_events ATTACH PARTITION review.audit_events_1 FOR VALUES FROM (1) TO (MAXVALUE);

CREATE OR REPLACE FUNCTION review.audit_hash(e review.audit_events) RETURNS bytea
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  roles bytea := '\x'::bytea;
  role text;
  field bytea;
  preimage bytea := convert_to('onceover audit event v1', 'UTF8') || '\x00'::bytea;
BEGIN
  FOREACH role IN ARRAY e.actor_roles LOOP
    roles := roles || review.audit_field(convert_to(role, 'UTF8'));
  END LOOP;
  FOREACH field IN ARRAY ARRAY[
    convert_to(e.number::text, 'UTF8'),
    convert_to(e.event_id::text, 'UTF8'),
    convert_to(to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'UTF8'),
    convert_to(e.event, 'UTF8'),
    convert_to(e.outcome, 'UTF8'),
    convert_to(e.refusal_code, 'UTF8'),
    convert_to(e.actor_kind, 'UTF8'),
    convert_to(e.actor_id, 'UTF8'),
    convert_to(e.actor_name, 'UTF8'),
    roles,
    convert_to(e.tenant_id, 'UTF8'),
    convert_to(e.exception_id::text, 'UTF8'),
    convert_to(e.execution_id::text, 'UTF8'),
    convert_to(e.approval_request_id::text, 'UTF8'),
    convert_to(e.operation, 'UTF8'),
    convert_to(e.operation_id::text, 'UTF8'),
    convert_to(e.body, 'UTF8'),
    convert_to(e.http_request_id, 'UTF8'),
    convert_to(e.source_address, 'UTF8'),
    e.previous_hash
  ] LOOP
    preimage := preimage || review.audit_field(field);
  END LOOP;
  RETURN sha256(preimage);
END
$$;
COMMENT ON FUNCTION review.audit_hash(review.audit_events) IS
  'SHA-256 of an event as stored. The other implementation, from exported text: lib/audit/verifier/event-hash.mjs';

-- The texts go with their events. Attaching reads them once.
ALTER TABLE review.audit_texts RENAME TO audit_texts_1;
ALTER INDEX review.audit_texts_pkey RENAME TO audit_texts_1_pkey;
CREATE TABLE review.audit_texts (LIKE review.audit_texts_1 INCLUDING CONSTRAINTS, PRIMARY KEY (event_number, path))
  PARTITION BY RANGE (event_number);
CREATE TRIGGER audit_texts_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_texts
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_texts ENABLE ALWAYS TRIGGER audit_texts_are_only_added;
REVOKE UPDATE, TRUNCATE ON review.audit_texts FROM CURRENT_USER;
GRANT SELECT ON review.audit_texts TO onceover_app, onceover_signer;
REVOKE SELECT ON review.audit_texts_1 FROM onceover_app, onceover_signer;
REVOKE DELETE ON review.audit_texts_1 FROM CURRENT_USER;
ALTER TABLE review.audit_texts ATTACH PARTITION review.audit_texts_1 FOR VALUES FROM (1) TO (MAXVALUE);
