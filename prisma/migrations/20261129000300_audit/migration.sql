-- The audit chain: what people and sweeps did, numbered densely, each event carrying the hash of the one before.
-- Only review.append_audit() writes it, as the last step of a transaction: the head row is a queue of one.

-- The closed union of events. Mirrored by lib/domain/audit-events.ts; a test holds the two equal.
CREATE TABLE review.audit_event_types (
  event text PRIMARY KEY CONSTRAINT audit_event_types_form CHECK (event ~ '^[a-z_]+\.[a-z_]+$')
);
INSERT INTO review.audit_event_types (event) VALUES
  ('session.signed_in'), ('session.sign_in_failed'), ('session.signed_out'), ('access.denied'),
  ('exception.assigned'), ('exception.commented'), ('exception.deferred'), ('exception.closed_by_executor'),
  ('lookup.recorded'), ('lookup.requested'), ('evidence.recorded'),
  ('decision.result_linked'), ('decision.confirm_not_applied_requested'), ('decision.not_applied_confirmed'),
  ('decision.failed_finally'), ('decision.original_kept'), ('decision.declared_unknown'), ('decision.extended'),
  ('decision.attempts_allowed'), ('decision.key_rule_recorded'), ('decision.accepted_unprotected'),
  ('decision.effect_settle_requested'), ('decision.effect_settled'), ('operation.resumed'),
  ('reissue.requested'), ('reissue.approved'), ('reissue.rejected'), ('reissue.withdrawn'), ('reissue.expired'),
  ('reissue.voided'), ('reissue.executed'),
  ('confirmation.rejected'), ('confirmation.withdrawn'), ('confirmation.expired'), ('confirmation.voided'),
  ('sweep.ran_with_changes'), ('people.created'), ('people.password_changed'), ('token.created'), ('audit.exported'), ('bootstrap.completed');

CREATE TABLE review.audit_events (
  number              bigint PRIMARY KEY CONSTRAINT audit_events_number_from_one CHECK (number >= 1),
  event_id            uuid NOT NULL CONSTRAINT audit_events_event_id_key UNIQUE,
  occurred_at         timestamptz(6) NOT NULL,
  event               text NOT NULL REFERENCES review.audit_event_types (event),
  outcome             text NOT NULL CONSTRAINT audit_events_outcome_known CHECK (outcome IN ('done', 'refused', 'failed')),
  refusal_code        text,
  actor_kind          text NOT NULL CONSTRAINT audit_events_actor_kind_known CHECK (actor_kind IN ('person', 'system')),
  actor_id            text NOT NULL,
  -- Name and roles as they were then.
  actor_name          text NOT NULL,
  actor_roles         text[] NOT NULL,
  tenant_id           text,
  exception_id        uuid,
  execution_id        uuid,
  approval_request_id uuid,
  operation           text,
  -- Made by the client; joins the event to the change that it tells of.
  operation_id        uuid,
  -- JSON text (before, after, rationale, evidence), hashed as stored and never written anew.
  body                text NOT NULL,
  http_request_id     text NOT NULL,
  source_address      text,
  previous_hash       bytea NOT NULL CONSTRAINT audit_events_previous_hash_length CHECK (octet_length(previous_hash) = 32),
  hash                bytea NOT NULL CONSTRAINT audit_events_hash_key UNIQUE CHECK (octet_length(hash) = 32),
  CONSTRAINT audit_events_refusal_has_code CHECK (outcome <> 'refused' OR refusal_code IS NOT NULL),
  CONSTRAINT audit_events_done_has_no_code CHECK (outcome <> 'done' OR refusal_code IS NULL),
  CONSTRAINT audit_events_roles_not_null CHECK (array_position(actor_roles, NULL) IS NULL)
);
CREATE INDEX audit_events_tenant ON review.audit_events (tenant_id, number);
CREATE INDEX audit_events_actor ON review.audit_events (actor_id, number);
CREATE INDEX audit_events_exception ON review.audit_events (exception_id, number);
CREATE INDEX audit_events_execution ON review.audit_events (execution_id, number);
CREATE INDEX audit_events_approval_request ON review.audit_events (approval_request_id, number);
CREATE INDEX audit_events_operation ON review.audit_events (operation, number);
CREATE INDEX audit_events_operation_id ON review.audit_events (operation_id);
CREATE INDEX audit_events_occurred ON review.audit_events (occurred_at, number);

-- One row. Its lock orders the writers; fillfactor leaves room for updates in place.
CREATE TABLE review.audit_head (
  singleton boolean PRIMARY KEY DEFAULT true CONSTRAINT audit_head_is_one_row CHECK (singleton),
  number    bigint NOT NULL,
  hash      bytea NOT NULL CONSTRAINT audit_head_hash_length CHECK (octet_length(hash) = 32)
) WITH (fillfactor = 20);
INSERT INTO review.audit_head (number, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- One field of the preimage: absent is one zero byte; present is 1, its length in 4 bytes, its bytes.
CREATE FUNCTION review.audit_field(value bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN value IS NULL THEN '\x00'::bytea ELSE '\x01'::bytea || int4send(octet_length(value)) || value END $$;

-- SHA-256 over the stored values, in column order after a domain separator. Second implementation, in another
-- language and from exported text: lib/domain/audit-hash.ts. to_char with a fixed pattern and zone, because the
-- default text of an instant follows TimeZone and DateStyle.
CREATE FUNCTION review.audit_hash(e review.audit_events) RETURNS bytea
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

-- Adds one event by the actor of the transaction context and returns its number. Call it last: it holds the head
-- until COMMIT, so a long transaction after it makes everybody wait. A rollback gives the number back.
CREATE FUNCTION review.append_audit(
  p_event text, p_outcome text, p_refusal_code text, p_tenant_id text, p_exception_id uuid, p_execution_id uuid,
  p_approval_request_id uuid, p_operation text, p_operation_id uuid, p_body jsonb
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  e review.audit_events;
BEGIN
  e.actor_kind := coalesce(current_setting('onceover.actor_kind', true), '');
  e.actor_id := coalesce(current_setting('onceover.actor_id', true), '');
  e.http_request_id := coalesce(current_setting('onceover.request_id', true), '');
  IF e.actor_kind NOT IN ('person', 'system') OR e.actor_id = '' OR e.http_request_id = '' THEN
    RAISE EXCEPTION 'an audit event needs an actor and a request' USING ERRCODE = 'OA001';
  END IF;
  IF e.actor_kind = 'person' THEN
    SELECT p.display_name, p.roles INTO e.actor_name, e.actor_roles
      FROM review.people p WHERE p.person_id = e.actor_id::uuid;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the acting person is unknown' USING ERRCODE = 'OA003';
    END IF;
  ELSE
    e.actor_name := e.actor_id;
    e.actor_roles := '{}';
  END IF;
  e.event_id := ledger.new_id();
  e.event := p_event;
  e.outcome := p_outcome;
  e.refusal_code := p_refusal_code;
  e.tenant_id := p_tenant_id;
  e.exception_id := p_exception_id;
  e.execution_id := p_execution_id;
  e.approval_request_id := p_approval_request_id;
  e.operation := p_operation;
  e.operation_id := p_operation_id;
  e.body := coalesce(p_body, '{}'::jsonb)::text;
  e.source_address := nullif(current_setting('onceover.source_address', true), '');

  UPDATE review.audit_head SET number = number + 1 RETURNING number, hash INTO STRICT e.number, e.previous_hash;
  -- Read after the lock, so that times follow numbers; rounded first, so that the hash sees the stored value.
  e.occurred_at := ledger.clock()::timestamptz(6);
  e.hash := review.audit_hash(e);
  INSERT INTO review.audit_events SELECT e.*;
  UPDATE review.audit_head SET hash = e.hash;
  RETURN e.number;
END
$$;

CREATE FUNCTION review.refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '% on %.% is refused: the audit is only ever added to', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'OA002';
END
$$;
CREATE TRIGGER audit_events_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER audit_head_stays BEFORE DELETE OR TRUNCATE ON review.audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
-- ALWAYS: a session in replica role does not get around them.
ALTER TABLE review.audit_events ENABLE ALWAYS TRIGGER audit_events_are_only_added;
ALTER TABLE review.audit_head ENABLE ALWAYS TRIGGER audit_head_stays;

-- The head moves by one number, or takes the hash of the number it has just taken.
CREATE FUNCTION review.audit_head_only_moves_on() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NEW.number NOT IN (OLD.number, OLD.number + 1) THEN
    RAISE EXCEPTION 'the audit head moves by one, not from % to %', OLD.number, NEW.number USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_head_only_moves_on BEFORE UPDATE ON review.audit_head
  FOR EACH ROW EXECUTE FUNCTION review.audit_head_only_moves_on();
ALTER TABLE review.audit_head ENABLE ALWAYS TRIGGER audit_head_only_moves_on;

-- Not even the owner's everyday role keeps what nobody needs; only a superuser or a deliberate grant gets past this.
REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_events FROM CURRENT_USER;
REVOKE DELETE, TRUNCATE ON review.audit_head FROM CURRENT_USER;

REVOKE EXECUTE ON FUNCTION review.append_audit(text, text, text, text, uuid, uuid, uuid, text, uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.append_audit(text, text, text, text, uuid, uuid, uuid, text, uuid, jsonb)
  TO onceover_app, onceover_worker;
GRANT SELECT ON review.audit_events, review.audit_head, review.audit_event_types TO onceover_app, onceover_signer;
