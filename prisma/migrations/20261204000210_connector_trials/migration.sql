-- R-063: an administrator tries a connector, or a draft of one, before anybody rests on it. Nothing of the answer is kept; that it was
-- tried is on record before anything goes out.

INSERT INTO review.audit_event_types (event) VALUES ('connector.tried');

-- input: connectorId (null: a draft of a new one), tenantId (of a new one), executionId (null: sample values), asks, address
-- (scheme, host and port alone: what fills the rest may be somebody's data).
CREATE FUNCTION review.try_connector(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('connector.tried', p_input);
  c review.connectors;
  e ledger.executions;
  v_tenant text := p_input->>'tenantId';
  v_code text;
BEGIN
  SELECT * INTO c FROM review.connectors WHERE connector_id = p_input->>'connectorId';
  SELECT * INTO e FROM ledger.executions WHERE execution_id = (p_input->>'executionId')::uuid;
  IF c.connector_id IS NOT NULL THEN
    v_tenant := c.tenant_id;
  END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN NOT coalesce(v_tenant = ANY (f.tenant_ids), true) THEN 'NOT_FOUND'
    WHEN p_input->>'executionId' IS NULL THEN NULL
    WHEN e.execution_id IS NULL OR NOT e.tenant_id = ANY (f.tenant_ids) OR e.tenant_id <> v_tenant THEN 'NO_EXECUTION' END);
  PERFORM review.append_audit('connector.tried', CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code,
    CASE WHEN v_tenant = ANY (f.tenant_ids) THEN v_tenant END, NULL, CASE WHEN v_code IS NULL THEN e.execution_id END, NULL, NULL, NULL,
    jsonb_strip_nulls(jsonb_build_object('connectorId', p_input->>'connectorId', 'address', p_input->>'address', 'asks', p_input->'asks')));
  RETURN CASE WHEN v_code IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.try_connector(jsonb) TO onceover_app;
