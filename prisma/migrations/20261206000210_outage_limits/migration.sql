-- R-056 How many unknown results within which time make an outage is data: of a tenant, from ONCEOVER_CONFIG; without it twenty in ten minutes.
-- Replaced here: follow_incidents (goes by each tenant's limit). incident_limits goes: its two numbers are the built-in limit.

CREATE TABLE review.outage_limits (
  tenant_id       text PRIMARY KEY REFERENCES review.tenants (tenant_id),
  unknown_results integer NOT NULL CHECK (unknown_results BETWEEN 2 AND 10000),
  -- Not longer than the sweep looks back.
  within_seconds  integer NOT NULL CHECK (within_seconds BETWEEN 60 AND 86400)
);
CREATE TRIGGER outage_limits_require_context BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON review.outage_limits
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
GRANT SELECT ON review.outage_limits TO onceover_app, onceover_worker;

-- The tenants of each limit: a window needs one length for all that it counts.
CREATE FUNCTION review.tenants_by_outage_limit() RETURNS TABLE (members integer, within interval, tenants text[])
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(l.unknown_results, 20), make_interval(secs => coalesce(l.within_seconds, 600)), array_agg(t.tenant_id)
    FROM review.tenants t LEFT JOIN review.outage_limits l ON l.tenant_id = t.tenant_id GROUP BY 1, 2
$$;
REVOKE EXECUTE ON FUNCTION review.tenants_by_outage_limit() FROM PUBLIC;

CREATE OR REPLACE FUNCTION review.follow_incidents() RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  i review.incidents;
  g record;
  v_limit record;
  v_joined integer;
  v_opened integer := 0;
  v_closed integer := 0;
BEGIN
  FOR v_limit IN SELECT * FROM review.tenants_by_outage_limit() LOOP
    FOR g IN
      SELECT u.tenant_id, u.system, array_agg(u.exception_id) AS members, min(u.opened_at) AS since FROM (
          SELECT w.*, min(w.opened_at) FILTER (WHERE w.so_many >= v_limit.members) OVER (PARTITION BY w.tenant_id, w.system) AS reached FROM (
            SELECT n.*, count(*) OVER (PARTITION BY n.tenant_id, n.system ORDER BY n.opened_at RANGE BETWEEN v_limit.within PRECEDING AND CURRENT ROW) AS so_many
              FROM review.ungrouped_unknowns(v_now) n
              WHERE n.system IS NOT NULL AND n.tenant_id = ANY (v_limit.tenants)) w) u
        WHERE u.opened_at >= u.reached - v_limit.within
          AND NOT EXISTS (SELECT FROM review.incidents o WHERE o.tenant_id = u.tenant_id AND o.system = u.system AND o.state = 'OPEN')
        GROUP BY u.tenant_id, u.system
    LOOP
      INSERT INTO review.incidents (tenant_id, system, since, opened_at) VALUES (g.tenant_id, g.system, g.since, v_now)
        ON CONFLICT (tenant_id, system) WHERE state = 'OPEN' DO NOTHING RETURNING * INTO i;
      CONTINUE WHEN NOT FOUND;
      INSERT INTO review.incident_members SELECT unnest(g.members), i.incident_id, v_now ON CONFLICT DO NOTHING;
      PERFORM review.append_audit('incident.opened', 'done', NULL, i.tenant_id, NULL, NULL, NULL, NULL, NULL,
        jsonb_build_object('incidentId', i.incident_id, 'system', i.system, 'members', cardinality(g.members), 'since', ledger.instant(i.since)));
      v_opened := v_opened + 1;
    END LOOP;
  END LOOP;
  INSERT INTO review.incident_members
    SELECT u.exception_id, o.incident_id, v_now FROM review.ungrouped_unknowns(v_now) u
      JOIN review.incidents o ON o.tenant_id = u.tenant_id AND o.system = u.system AND o.state = 'OPEN'
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS v_joined = ROW_COUNT;
  FOR i IN
    SELECT * FROM review.incidents o WHERE o.state = 'OPEN' AND NOT EXISTS (
        SELECT FROM review.incident_members m JOIN review.exceptions x ON x.exception_id = m.exception_id
         WHERE m.incident_id = o.incident_id AND x.state = 'OPEN')
      FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    UPDATE review.incidents SET state = 'CLOSED', closed_at = v_now WHERE incident_id = i.incident_id;
    PERFORM review.append_audit('incident.closed', 'done', NULL, i.tenant_id, NULL, NULL, NULL, NULL, NULL,
      jsonb_build_object('incidentId', i.incident_id, 'system', i.system,
        'members', (SELECT count(*) FROM review.incident_members m WHERE m.incident_id = i.incident_id)));
    v_closed := v_closed + 1;
  END LOOP;
  RETURN jsonb_build_object('incidentsOpened', v_opened, 'incidentsJoined', v_joined, 'incidentsClosed', v_closed);
END
$$;
DROP FUNCTION review.incident_limits();
