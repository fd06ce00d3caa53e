-- Changed: a saved view that is changed keeps no share in a tenant whose grant its owner has lost.
CREATE OR REPLACE FUNCTION review.keep_queue_view(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
  v review.queue_views;
  v_id uuid := (p_input->>'viewId')::uuid;
  v_name text := p_input->>'name';
  v_version integer := (p_input->>'version')::integer;
  v_tenants text[] := ARRAY(SELECT DISTINCT jsonb_array_elements_text(p_input->'tenantIds') ORDER BY 1);
BEGIN
  SELECT * INTO a FROM review.held_actor();
  IF a.person_id IS NULL THEN RAISE EXCEPTION 'only a person saves a view' USING ERRCODE = 'OA003'; END IF;
  -- One person's views change one after the other, whatever browsers they have open.
  PERFORM pg_advisory_xact_lock(hashtextextended('queue_views ' || a.person_id, 0));
  SELECT * INTO v FROM review.queue_views WHERE view_id = v_id FOR UPDATE;
  IF v.view_id IS NULL AND v_version IS NOT NULL
     OR v.owner_id <> a.person_id AND NOT EXISTS (SELECT FROM review.queue_view_shares WHERE view_id = v_id AND tenant_id = ANY (a.tenant_ids)) THEN
    RETURN '{"outcome": "refused", "code": "NOT_FOUND"}';
  END IF;
  IF v.owner_id <> a.person_id THEN RETURN '{"outcome": "refused", "code": "NOT_YOUR_VIEW"}'; END IF;
  IF NOT v_tenants <@ a.tenant_ids THEN RETURN '{"outcome": "refused", "code": "TENANT_NOT_GRANTED"}'; END IF;
  IF (v.name, v.address) = (v_name, p_input->>'address') AND v_tenants = ARRAY(
      SELECT tenant_id FROM review.queue_view_shares WHERE view_id = v_id AND tenant_id = ANY (a.tenant_ids) ORDER BY tenant_id) THEN
    RETURN '{"outcome": "done", "repeated": true}';
  END IF;
  IF v.view_id IS NOT NULL AND v.version IS DISTINCT FROM v_version THEN RETURN '{"outcome": "refused", "code": "CHANGED_SINCE_SEEN"}'; END IF;
  IF v.view_id IS NULL AND (SELECT count(*) FROM review.queue_views WHERE owner_id = a.person_id) >= 100 THEN
    RETURN '{"outcome": "refused", "code": "TOO_MANY_VIEWS"}';
  END IF;
  -- Also where a grant has ended since: who may no longer see a tenant says nothing new in it, and learns no name from it.
  DELETE FROM review.queue_view_shares WHERE view_id = v_id AND NOT tenant_id = ANY (v_tenants);
  INSERT INTO review.queue_views (view_id, owner_id, name, name_key, address) VALUES (v_id, a.person_id, v_name, lower(normalize(v_name, NFKC)), p_input->>'address')
    ON CONFLICT (view_id) DO UPDATE SET (name, name_key, address, version, updated_at)
      = (excluded.name, excluded.name_key, excluded.address, queue_views.version + 1, ledger.clock());
  INSERT INTO review.queue_view_shares (view_id, tenant_id, name_key) SELECT v_id, tenant_id, lower(normalize(v_name, NFKC)) FROM unnest(v_tenants) tenant_id
    ON CONFLICT (view_id, tenant_id) DO NOTHING;
  RETURN '{"outcome": "done"}';
EXCEPTION WHEN unique_violation THEN
  RETURN '{"outcome": "refused", "code": "VIEW_NAME_TAKEN"}';
END
$$;
