-- Old events leave the audit in whole partitions, for archives that verify by themselves. The open partition is cut at the head;
-- the signer signs exactly there; years later everything up to a cut is written out, verified and dropped, and the anchor stays:
-- the last retired number with its hash, on which the rest of the chain stands. All of it is the database owner's alone.

INSERT INTO review.audit_event_types (event) VALUES ('audit.retired'), ('audit.retention_changed');

-- How long events stay at least. One row.
CREATE TABLE review.audit_retention (
  singleton boolean PRIMARY KEY DEFAULT true CONSTRAINT audit_retention_is_one_row CHECK (singleton),
  -- The lower bound outlives every form whose operation id could come again.
  keep_days integer NOT NULL DEFAULT 400 CONSTRAINT audit_retention_days_known CHECK (keep_days BETWEEN 30 AND 36500)
);
INSERT INTO review.audit_retention DEFAULT VALUES;

-- Where a partition ends for good.
CREATE TABLE review.audit_cuts (
  last_number bigint PRIMARY KEY CONSTRAINT audit_cuts_number_from_one CHECK (last_number >= 1),
  cut_at      timestamptz(6) NOT NULL
);

-- The anchors, one per archive: the ranges follow one another from number 1.
CREATE TABLE review.audit_retirements (
  last_number  bigint PRIMARY KEY,
  first_number bigint NOT NULL UNIQUE,
  -- Of the last retired event: the first one that stays carries it.
  hash         bytea NOT NULL CONSTRAINT audit_retirements_hash_length CHECK (octet_length(hash) = 32),
  -- The hash of event 1: which log this is.
  log_id       bytea NOT NULL CONSTRAINT audit_retirements_log_id_length CHECK (octet_length(log_id) = 32),
  archive      text NOT NULL UNIQUE CONSTRAINT audit_retirements_archive_form CHECK (archive ~ '^[A-Za-z0-9._-]{1,100}$'),
  sha256       bytea NOT NULL CONSTRAINT audit_retirements_sha256_length CHECK (octet_length(sha256) = 32),
  retired_at   timestamptz(6) NOT NULL,
  retired_by   text NOT NULL,
  -- The event that tells of it, in the chain that stays.
  event_number bigint NOT NULL UNIQUE,
  CONSTRAINT audit_retirements_range_runs_on CHECK (first_number BETWEEN 1 AND last_number AND event_number > last_number)
);

CREATE TRIGGER audit_cuts_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_cuts
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_cuts ENABLE ALWAYS TRIGGER audit_cuts_are_only_added;
CREATE TRIGGER audit_retirements_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_retirements
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
ALTER TABLE review.audit_retirements ENABLE ALWAYS TRIGGER audit_retirements_are_only_added;
REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_cuts, review.audit_retirements FROM CURRENT_USER;
GRANT SELECT ON review.audit_cuts, review.audit_retirements, review.audit_retention TO onceover_app, onceover_signer;

-- The partition for everything from a number on, guarded like the table.
CREATE FUNCTION review.open_audit_partition(p_table text, p_from bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_name text := p_table || '_' || p_from;
BEGIN
  EXECUTE format('CREATE TABLE review.%I PARTITION OF review.%I FOR VALUES FROM (%s) TO (MAXVALUE)', v_name, p_table, p_from);
  IF p_table = 'audit_events' THEN
    EXECUTE format('CREATE UNIQUE INDEX %I ON review.%I (event_id)', v_name || '_event_id', v_name);
    EXECUTE format('CREATE UNIQUE INDEX %I ON review.%I (hash)', v_name || '_hash', v_name);
  END IF;
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON review.%I FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change()',
    p_table || '_are_only_added', v_name);
  EXECUTE format('ALTER TABLE review.%I ENABLE ALWAYS TRIGGER %I', v_name, p_table || '_are_only_added');
  EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON review.%I FROM CURRENT_USER', v_name);
END
$$;

-- append_audit locks the table before the head; the rest of it is as before.
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

-- Ends the open partition at the head and opens the next, unless its first event is younger than p_days; returns the last number
-- in it, or null. Detaching waits for everybody at the table; from then on the head stands still.
CREATE FUNCTION review.cut_audit(p_days integer) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_last bigint;
  v_first bigint;
  v_table text;
BEGIN
  SELECT coalesce(max(last_number), 0) + 1 INTO v_first FROM review.audit_cuts;
  IF NOT EXISTS (SELECT FROM review.audit_events WHERE number = v_first AND occurred_at <= ledger.clock() - make_interval(days => p_days)) THEN
    RETURN NULL;
  END IF;
  FOREACH v_table IN ARRAY ARRAY['audit_events', 'audit_texts'] LOOP
    EXECUTE format('ALTER TABLE review.%I DETACH PARTITION review.%I', v_table, v_table || '_' || v_first);
    SELECT number INTO STRICT v_last FROM review.audit_head;
    EXECUTE format('ALTER TABLE review.%I ATTACH PARTITION review.%I FOR VALUES FROM (%s) TO (%s)', v_table, v_table || '_' || v_first,
      v_first, v_last + 1);
    PERFORM review.open_audit_partition(v_table, v_last + 1);
  END LOOP;
  INSERT INTO review.audit_cuts (last_number, cut_at) VALUES (v_last, ledger.clock());
  RETURN v_last;
END
$$;

-- The greatest cut whose events are all old enough and that a checkpoint signs exactly; null when there is none.
CREATE FUNCTION review.due_audit_cut() RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT max(c.last_number) FROM review.audit_cuts c
  JOIN review.audit_events e ON e.number = c.last_number
  CROSS JOIN review.audit_retention r
  WHERE c.last_number > (SELECT coalesce(max(last_number), 0) FROM review.audit_retirements)
    AND e.occurred_at <= ledger.clock() - make_interval(days => r.keep_days)
    AND EXISTS (SELECT FROM review.audit_checkpoints k WHERE k.number = e.number AND k.record::jsonb->>'hash' = encode(e.hash, 'hex'))
$$;

-- What still needs events up to a number: open exceptions, requests that wait, break-glass that nobody has reviewed.
CREATE FUNCTION review.audit_holders(p_last bigint) RETURNS text[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg(held.name ORDER BY held.name), '{}') FROM (
    SELECT 'exception ' || x.exception_id AS name FROM review.exceptions x
      WHERE x.state = 'OPEN' AND (
        EXISTS (SELECT FROM review.audit_events e WHERE e.exception_id = x.exception_id AND e.number <= p_last)
        OR EXISTS (SELECT FROM review.audit_events e WHERE e.execution_id = x.execution_id AND e.number <= p_last))
    UNION ALL
    SELECT 'request ' || r.request_id FROM review.approval_requests r
      WHERE r.state IN ('PENDING', 'APPROVED')
        AND EXISTS (SELECT FROM review.audit_events e WHERE e.approval_request_id = r.request_id AND e.number <= p_last)
    UNION ALL
    SELECT 'break-glass ' || u.request_id FROM review.break_glass_uses u
      WHERE u.reviewed_at IS NULL
        AND EXISTS (SELECT FROM review.audit_events e WHERE e.approval_request_id = u.request_id AND e.number <= p_last)
    LIMIT 100) held
$$;

-- Whether everything up to a cut may leave: {"outcome": "due", first, hash, logId} or a refusal with its code, on record.
CREATE FUNCTION review.judge_retirement(p_last bigint) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_first bigint;
  v_log bytea;
  v_event review.audit_events;
  v_holders text[];
  v_refusal jsonb;
BEGIN
  SELECT coalesce(max(last_number), 0) + 1 INTO v_first FROM review.audit_retirements;
  SELECT log_id INTO v_log FROM review.audit_retirements WHERE last_number = v_first - 1;
  SELECT e.* INTO v_event FROM review.audit_events e JOIN review.audit_cuts c ON c.last_number = e.number WHERE e.number = p_last;
  IF NOT FOUND THEN
    v_refusal := '{"code": "NOT_CUT"}';
  ELSIF v_event.occurred_at > ledger.clock() - make_interval(days => (SELECT keep_days FROM review.audit_retention)) THEN
    v_refusal := '{"code": "TOO_YOUNG"}';
  ELSIF NOT EXISTS (SELECT FROM review.audit_checkpoints k WHERE k.number = p_last AND k.record::jsonb->>'hash' = encode(v_event.hash, 'hex')) THEN
    v_refusal := '{"code": "NOT_SIGNED"}';
  ELSE
    v_holders := review.audit_holders(p_last);
    IF v_holders <> '{}' THEN
      v_refusal := jsonb_build_object('code', 'LEGAL_HOLD', 'holders', to_jsonb(v_holders));
    END IF;
  END IF;
  IF v_refusal IS NOT NULL THEN
    PERFORM review.append_audit('audit.retired', 'refused', v_refusal->>'code', NULL, NULL, NULL, NULL, NULL, NULL,
      jsonb_build_object('last', p_last::text) || v_refusal - 'code');
    RETURN v_refusal || '{"outcome": "refused"}';
  END IF;
  RETURN jsonb_build_object('outcome', 'due', 'first', v_first::text, 'last', p_last::text, 'hash', encode(v_event.hash, 'hex'),
    'logId', encode(coalesce(v_log, (SELECT hash FROM review.audit_events WHERE number = 1)), 'hex'));
END
$$;

-- A digest over all anchors, in order; the other implementation: lib/audit/verifier/retirements.mjs.
CREATE FUNCTION review.anchors_digest() RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT encode(sha256(convert_to(coalesce(string_agg(
    concat_ws(' ', first_number, last_number, encode(hash, 'hex'), encode(log_id, 'hex'), archive, encode(sha256, 'hex'), event_number) || E'\n',
    '' ORDER BY last_number), ''), 'UTF8')), 'hex')
  FROM review.audit_retirements
$$;

-- Drops what an archive holds: the partitions up to the cut go, the anchor and an event come, all in one transaction. p_texts is how
-- many texts the archive has: one that was erased since it was written must not live on there.
CREATE FUNCTION review.retire_audit(p_last bigint, p_archive text, p_sha256 bytea, p_texts bigint) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_head bigint;
  v_judged jsonb;
  v_first bigint;
  v_cut bigint;
  v_table text;
  v_texts bigint := 0;
  v_some bigint;
BEGIN
  v_judged := review.judge_retirement(p_last);
  IF v_judged->>'outcome' <> 'due' THEN
    RETURN v_judged;
  END IF;
  v_first := (v_judged->>'first')::bigint;
  FOR v_cut IN SELECT last_number FROM review.audit_cuts WHERE last_number BETWEEN v_first AND p_last ORDER BY last_number LOOP
    FOREACH v_table IN ARRAY ARRAY['audit_events', 'audit_texts'] LOOP
      EXECUTE format('ALTER TABLE review.%I DETACH PARTITION review.%I', v_table, v_table || '_' || v_first);
    END LOOP;
    EXECUTE format('SELECT count(*) FROM review.%I', 'audit_texts_' || v_first) INTO v_some;
    v_texts := v_texts + v_some;
    EXECUTE format('DROP TABLE review.%I, review.%I', 'audit_events_' || v_first, 'audit_texts_' || v_first);
    v_first := v_cut + 1;
  END LOOP;
  IF v_texts <> p_texts THEN
    RAISE EXCEPTION 'the archive holds % texts and the audit %: write it again', p_texts, v_texts USING ERRCODE = 'OA006';
  END IF;
  SELECT number INTO STRICT v_head FROM review.audit_head;
  INSERT INTO review.audit_retirements (last_number, first_number, hash, log_id, archive, sha256, retired_at, retired_by, event_number)
    VALUES (p_last, (v_judged->>'first')::bigint, decode(v_judged->>'hash', 'hex'), decode(v_judged->>'logId', 'hex'), p_archive, p_sha256,
            ledger.clock(), current_setting('onceover.actor_id'), v_head + 1);
  PERFORM review.append_audit('audit.retired', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, v_judged - 'outcome'
    || jsonb_build_object('archive', p_archive, 'sha256', encode(p_sha256, 'hex'), 'anchors', review.anchors_digest()));
  RETURN jsonb_build_object('outcome', 'done', 'event', (v_head + 1)::text);
END
$$;

-- Changes how long events stay, on record.
CREATE FUNCTION review.keep_audit(p_days integer) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_before integer;
BEGIN
  SELECT keep_days INTO STRICT v_before FROM review.audit_retention FOR UPDATE;
  UPDATE review.audit_retention SET keep_days = p_days;
  PERFORM review.append_audit('audit.retention_changed', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    jsonb_build_object('before', jsonb_build_object('keepDays', v_before), 'after', jsonb_build_object('keepDays', p_days)));
END
$$;
REVOKE EXECUTE ON FUNCTION review.open_audit_partition(text, bigint), review.cut_audit(integer), review.due_audit_cut(), review.audit_holders(bigint),
  review.judge_retirement(bigint), review.anchors_digest(), review.retire_audit(bigint, text, bytea, bigint), review.keep_audit(integer) FROM PUBLIC;
