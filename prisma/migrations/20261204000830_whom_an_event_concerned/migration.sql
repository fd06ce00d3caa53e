-- R-098f: who may read an event about a person goes by the tenants that it names, and by those that the person had then, not by
-- those of today. R-088a: one stored text that can no longer be read takes no other event with it.

-- A stored body; null where the text is no JSON object any more.
CREATE FUNCTION review.body_of(p_stored text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_body jsonb;
BEGIN
  v_body := p_stored::jsonb;
  RETURN CASE WHEN jsonb_typeof(v_body) = 'object' THEN v_body END;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN NULL;
END
$$;

-- Of an event without a tenant: whom it is about, before who acted; every tenant that it names; and whether it says which ones
-- the person had and got. About nobody where its text can no longer be read.
CREATE FUNCTION review.concerned(p_stored text, p_actor_kind text, p_actor_id text,
  OUT person_id text, OUT tenant_ids text[], OUT recorded boolean)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN b IS NOT NULL THEN coalesce(b->>'personId', CASE WHEN p_actor_kind = 'person' THEN p_actor_id END) END,
    ARRAY(SELECT jsonb_array_elements_text(named) FROM unnest(ARRAY[b->'before'->'tenantIds', b->'after'->'tenantIds', b->'tenantIds']) named
           WHERE jsonb_typeof(named) = 'array'),
    coalesce(jsonb_typeof(b->'before'->'tenantIds') = 'array' OR jsonb_typeof(b->'after'->'tenantIds') = 'array', false)
  FROM review.body_of(p_stored) b
$$;
REVOKE ALL ON FUNCTION review.body_of(text), review.concerned(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.body_of(text), review.concerned(text, text, text) TO onceover_app;

-- Changed: an event that cannot be read stops no erasure.
CREATE OR REPLACE FUNCTION review.person_of_event(e review.audit_events) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN e.event LIKE 'people.%' THEN review.body_of(e.body)->>'personId' END $$;
