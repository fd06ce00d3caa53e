-- Texts that people write may have to be erased one day. The chain holds commitments to them, and the texts lie beside it with
-- their salts: without the text nothing can be learned from a commitment, and the chain verifies all the same.
-- append_audit takes such texts out of the body before it hashes; the rest of it is as before. Older events keep theirs.

INSERT INTO review.audit_event_types (event) VALUES ('audit.text_erased');

-- No foreign key to the events: TRUNCATE there must meet the trigger, and the verifier finds texts without an event's word.
CREATE TABLE review.audit_texts (
  event_number bigint NOT NULL,
  path         text NOT NULL CONSTRAINT audit_texts_path_known
                 CHECK (path IN ('rationale', 'text', 'seen', 'place', 'reason', 'params.originalFate', 'params.businessImpact')),
  salt         bytea NOT NULL CONSTRAINT audit_texts_salt_length CHECK (octet_length(salt) = 32),
  value        text NOT NULL,
  PRIMARY KEY (event_number, path)
);
CREATE TRIGGER audit_texts_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_texts
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_texts ENABLE ALWAYS TRIGGER audit_texts_are_only_added;
REVOKE UPDATE, TRUNCATE ON review.audit_texts FROM CURRENT_USER;
GRANT SELECT ON review.audit_texts TO onceover_app, onceover_signer;

-- The other implementation: lib/audit/verifier/texts.mjs.
CREATE FUNCTION review.audit_commitment(p_path text, p_salt bytea, p_value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT encode(sha256(convert_to('onceover audit text v1', 'UTF8') || '\x00'::bytea || review.audit_field(convert_to(p_path, 'UTF8'))
    || review.audit_field(p_salt) || review.audit_field(convert_to(p_value, 'UTF8'))), 'hex')
$$;

-- What of an event's body people have written in their own words. `reason` is a code everywhere but here.
CREATE FUNCTION review.texts_of_body(p_event text, p_body jsonb) RETURNS TABLE (path text, value text)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.path, p_body #>> string_to_array(p.path, '.')
  FROM unnest(ARRAY['rationale', 'text', 'seen', 'place', 'reason', 'params.originalFate', 'params.businessImpact']) AS p (path)
  WHERE jsonb_typeof(p_body #> string_to_array(p.path, '.')) = 'string' AND p_body #>> string_to_array(p.path, '.') <> ''
    AND (p.path <> 'reason' OR p_event = 'exception.deferred')
$$;

CREATE OR REPLACE FUNCTION review.append_audit(
  p_event text, p_outcome text, p_refusal_code text, p_tenant_id text, p_exception_id uuid, p_execution_id uuid,
  p_approval_request_id uuid, p_operation text, p_operation_id uuid, p_body jsonb
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  e review.audit_events;
  v_body jsonb := coalesce(p_body, '{}'::jsonb);
  v_text record;
  v_salt bytea;
  v_commitments jsonb := '{}';
  v_texts review.audit_texts[] := '{}';
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
  FOR v_text IN SELECT * FROM review.texts_of_body(p_event, v_body) LOOP
    -- Two random UUIDs hold 244 bits that nobody can guess.
    v_salt := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    v_texts := v_texts || ROW(0, v_text.path, v_salt, v_text.value)::review.audit_texts;
    v_commitments := v_commitments || jsonb_build_object(v_text.path, review.audit_commitment(v_text.path, v_salt, v_text.value));
    v_body := v_body #- string_to_array(v_text.path, '.');
  END LOOP;
  IF v_commitments <> '{}' THEN
    v_body := v_body || jsonb_build_object('commitments', v_commitments);
  END IF;
  e.body := v_body::text;
  e.source_address := nullif(current_setting('onceover.source_address', true), '');

  UPDATE review.audit_head SET number = number + 1 RETURNING number, hash INTO STRICT e.number, e.previous_hash;
  -- Read after the lock, so that times follow numbers; rounded first, so that the hash sees the stored value.
  e.occurred_at := ledger.clock()::timestamptz(6);
  e.hash := review.audit_hash(e);
  INSERT INTO review.audit_events SELECT e.*;
  INSERT INTO review.audit_texts SELECT e.number, t.path, t.salt, t.value FROM unnest(v_texts) t;
  UPDATE review.audit_head SET hash = e.hash;
  RETURN e.number;
END
$$;

CREATE FUNCTION review.erased_params(p_params jsonb, p_mark text) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p_params || coalesce(jsonb_object_agg(name, p_mark), '{}') FROM unnest(ARRAY['originalFate', 'businessImpact']) name
  WHERE p_params->>name <> ''
$$;

-- AU-18 Erases what people wrote about one execution (with its exceptions), or about one exception, from the audit and from every
-- table of the desk that has a copy. For the owner alone, who could disable the triggers anyhow; the act itself is an event
-- that names what is gone, and without it the verifier calls a missing text a fault.
CREATE FUNCTION review.erase_texts(p_execution_id uuid, p_exception_id uuid, p_reference text) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_exceptions uuid[];
  v_requests uuid[];
  v_about review.exceptions;
  v_execution ledger.executions;
  v_held boolean;
  v_erased text[];
  -- Long enough for the rules about reasons; shown where the text stood.
  v_mark constant text := '(erased on request)';
BEGIN
  IF num_nonnulls(p_execution_id, p_exception_id) <> 1 OR p_reference !~ '^[\x21-\x7e]{1,64}$' THEN
    RAISE EXCEPTION 'erasing needs one execution or one exception, and a reference of visible ASCII' USING ERRCODE = 'OA005';
  END IF;
  SELECT * INTO v_execution FROM ledger.executions WHERE execution_id = p_execution_id;
  SELECT array_agg(exception_id) INTO v_exceptions FROM review.exceptions
    WHERE exception_id = p_exception_id OR execution_id = p_execution_id;
  IF v_exceptions IS NULL AND v_execution.execution_id IS NULL THEN
    RETURN '{"outcome": "refused", "code": "NOT_FOUND"}';
  END IF;
  SELECT * INTO v_about FROM review.exceptions WHERE exception_id = p_exception_id;
  PERFORM 1 FROM review.exceptions WHERE exception_id = ANY (v_exceptions) ORDER BY exception_id FOR UPDATE;

  -- Nobody decides or writes about it meanwhile.
  ALTER TABLE review.decisions DISABLE TRIGGER decisions_are_only_added;
  ALTER TABLE review.approval_requests DISABLE TRIGGER approval_requests_keep;
  ALTER TABLE review.approval_decisions DISABLE TRIGGER approval_decisions_are_only_added;
  ALTER TABLE review.exception_events DISABLE TRIGGER exception_events_are_only_added;
  ALTER TABLE review.lookups DISABLE TRIGGER lookups_are_only_added;
  ALTER TABLE review.audit_texts DISABLE TRIGGER audit_texts_are_only_added;

  SELECT coalesce(array_agg(request_id), '{}'), coalesce(bool_or(state IN ('PENDING', 'APPROVED')), false)
    INTO v_requests, v_held FROM review.approval_requests WHERE exception_id = ANY (v_exceptions) OR execution_id = p_execution_id;
  -- Work that is under way or in doubt needs its story.
  v_held := v_held OR EXISTS (SELECT FROM review.exceptions WHERE exception_id = ANY (v_exceptions) AND state = 'OPEN')
    OR coalesce(v_execution.state IN ('RECEIVED', 'PROCESSING', 'UNKNOWN'), false);
  IF NOT v_held THEN
    UPDATE review.decisions SET rationale = v_mark
      WHERE (exception_id = ANY (v_exceptions) OR execution_id = p_execution_id) AND rationale IS NOT NULL;
    UPDATE review.decisions SET params = review.erased_params(params, v_mark) WHERE exception_id = ANY (v_exceptions) OR execution_id = p_execution_id;
    UPDATE review.approval_requests SET rationale = v_mark, params = review.erased_params(params, v_mark) WHERE request_id = ANY (v_requests);
    UPDATE review.approval_decisions SET rationale = v_mark WHERE request_id = ANY (v_requests);
    UPDATE review.exception_events SET detail = detail || (SELECT coalesce(jsonb_object_agg(name, v_mark), '{}'::jsonb)
          FROM unnest(ARRAY['text', 'place', 'reason', 'rationale', 'seen']) name WHERE jsonb_typeof(detail->name) = 'string' AND detail->>name <> '')
      WHERE exception_id = ANY (v_exceptions) AND event IN ('commented', 'deferred');
    UPDATE review.lookups SET seen = v_mark, place = v_mark
      WHERE (exception_id = ANY (v_exceptions) OR execution_id = p_execution_id) AND seen IS NOT NULL;
    WITH gone AS (
      DELETE FROM review.audit_texts t USING review.audit_events e
        WHERE e.number = t.event_number AND (e.exception_id = ANY (v_exceptions) OR e.execution_id = p_execution_id
          OR e.approval_request_id = ANY (v_requests))
        RETURNING t.event_number, t.path)
    SELECT coalesce(array_agg(event_number || '/' || path ORDER BY event_number, path), '{}') INTO v_erased FROM gone;
  END IF;

  ALTER TABLE review.decisions ENABLE ALWAYS TRIGGER decisions_are_only_added;
  ALTER TABLE review.approval_requests ENABLE ALWAYS TRIGGER approval_requests_keep;
  ALTER TABLE review.approval_decisions ENABLE ALWAYS TRIGGER approval_decisions_are_only_added;
  ALTER TABLE review.exception_events ENABLE ALWAYS TRIGGER exception_events_are_only_added;
  ALTER TABLE review.lookups ENABLE ALWAYS TRIGGER lookups_are_only_added;
  ALTER TABLE review.audit_texts ENABLE ALWAYS TRIGGER audit_texts_are_only_added;
  PERFORM review.append_audit('audit.text_erased', CASE WHEN v_held THEN 'refused' ELSE 'done' END, CASE WHEN v_held THEN 'LEGAL_HOLD' END,
    coalesce(v_execution.tenant_id, v_about.tenant_id), p_exception_id, p_execution_id, NULL, coalesce(v_execution.operation, v_about.operation), NULL,
    jsonb_strip_nulls(jsonb_build_object('reference', p_reference, 'texts', to_jsonb(v_erased))));
  RETURN CASE WHEN v_held THEN '{"outcome": "refused", "code": "LEGAL_HOLD"}'::jsonb
              ELSE jsonb_build_object('outcome', 'done', 'texts', to_jsonb(v_erased)) END;
END
$$;
REVOKE EXECUTE ON FUNCTION review.erase_texts(uuid, uuid, text) FROM PUBLIC;
