-- R-086: an event tells the moment of its act: the authorities that the person held, as it tells their roles, and of what people
-- decide about an execution the value that the page showed and where the effect goes. append_audit adds both, whoever called it; the
-- rest of it is as before. They stand in the body, which is hashed as text: the form of an event stays, and so does what verifies it.
-- Older events have none of it.

-- What was at stake: the policy's value field with its currency, and the account outside. Amounts are decimal text, as on the page.
CREATE FUNCTION review.stakes_of_act(p_execution_id uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce((
    SELECT jsonb_strip_nulls(jsonb_build_object('stakeAmount', v.amount::text,
      'stakeCurrency', CASE WHEN v.amount IS NOT NULL AND p.value_currency ~ '^[A-Z]{3}$' THEN p.value_currency END,
      'targetSystem', e.target_system, 'targetAccount', e.target_account))
    FROM ledger.executions e
    CROSS JOIN LATERAL ledger.policy_for(e.tenant_id, e.operation) p
    -- A tombstone has lost its fields; the arrivals that agreed with it still hold theirs.
    CROSS JOIN LATERAL (SELECT review.value_at_stake(coalesce(e.display_fields, (SELECT i.display_fields FROM ledger.intakes i
      WHERE i.execution_id = e.execution_id AND i.fingerprint = e.fingerprint AND i.display_fields IS NOT NULL
      ORDER BY i.received_at LIMIT 1)), p) AS amount) v
    WHERE e.execution_id = p_execution_id), '{}')
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
  v_authorities text[];
BEGIN
  e.actor_kind := coalesce(current_setting('onceover.actor_kind', true), '');
  e.actor_id := coalesce(current_setting('onceover.actor_id', true), '');
  e.http_request_id := coalesce(current_setting('onceover.request_id', true), '');
  IF e.actor_kind NOT IN ('person', 'system') OR e.actor_id = '' OR e.http_request_id = '' THEN
    RAISE EXCEPTION 'an audit event needs an actor and a request' USING ERRCODE = 'OA001';
  END IF;
  IF e.actor_kind = 'person' THEN
    SELECT p.display_name, p.roles, p.authorities INTO e.actor_name, e.actor_roles, v_authorities
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
  IF e.actor_kind = 'person' THEN
    v_body := v_body || jsonb_build_object('authoritiesThen', v_authorities);
    IF p_outcome = 'done' AND p_event ~ '^(decision|reissue|confirmation|break_glass)\.' THEN
      -- Of a new key the exposure tells the amounts: the original's own beside what stands together would be a second figure.
      v_body := v_body || (review.stakes_of_act(p_execution_id)
        - CASE WHEN v_body ? 'exposure' THEN ARRAY['stakeAmount', 'stakeCurrency'] ELSE '{}' END);
    END IF;
  END IF;
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

  -- The table before the head, as whoever cuts or drops a partition: nobody holds the head and waits for the table.
  LOCK TABLE ONLY review.audit_events IN ROW EXCLUSIVE MODE;
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

-- A page that shows a look's row beside the event that recorded it computes the digest anew and compares it with the chain's.
GRANT EXECUTE ON FUNCTION review.evidence_digest(review.lookups) TO onceover_app;
GRANT EXECUTE ON FUNCTION review.audit_field(bytea) TO onceover_app;
