-- An instant's text tells its era: the same day before Christ had the same text, and so the same hash. audit_hash is as before but
-- for that, and hashes every instant that any clock ever told as before.
CREATE FUNCTION review.audit_instant(p_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN isfinite(p_at) THEN to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE p_at::text END
    || CASE WHEN p_at < timestamptz '0001-01-01 00:00:00Z' THEN ' BC' ELSE '' END
$$;
REVOKE EXECUTE ON FUNCTION review.audit_instant(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.audit_instant(timestamptz) TO onceover_app, onceover_worker, onceover_signer;

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
    convert_to(review.audit_instant(e.occurred_at), 'UTF8'),
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
