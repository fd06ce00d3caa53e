-- What ends by time alone is told: proposed connectors lapse on record, as rights and policies do (R-078), and requests end when they
-- can no longer be decided or executed, by the stricter policy of then and now (R-081), not when their own instant comes.
-- Replaced here: propose_connector (a lapsed proposal is told), sweep (connectors; decide_until and execute_until).

INSERT INTO review.audit_event_types (event) VALUES ('connector.change_expired');

-- As expire_proposal does for policies: nobody's act, so without an operation id. The caller holds the row.
CREATE FUNCTION review.expire_connector_proposal(p review.connector_proposals) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.connector_proposals SET state = 'EXPIRED' WHERE proposal_id = p.proposal_id;
  PERFORM review.append_audit('connector.change_expired', 'done', NULL, p.tenant_id, NULL, NULL, NULL, NULL, NULL,
    jsonb_build_object('proposalId', p.proposal_id, 'connectorId', p.connector_id, 'requestedBy', p.requested_by, 'retires', p.retires)
      || CASE WHEN p.retires THEN '{}' ELSE jsonb_build_object('after', p.recipe) END);
END
$$;

CREATE OR REPLACE FUNCTION review.propose_connector(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('connector.change_requested', p_input);
  c review.connectors;
  p review.connector_proposals;
  w review.connector_proposals;
  v_id text := p_input->>'connectorId';
  v_retires boolean := (p_input->>'retires')::boolean;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO c FROM review.connectors WHERE connector_id = v_id;
  p.tenant_id := CASE WHEN c.connector_id IS NULL THEN p_input->>'tenantId' ELSE c.tenant_id END;
  v_code := review.connector_refusal(f, v_id, CASE WHEN (p_input->>'version')::integer = 0 THEN p_input->>'tenantId' ELSE p.tenant_id END,
    (p_input->>'version')::integer);
  IF v_code IS NULL THEN
    -- Under the lock now.
    SELECT * INTO c FROM review.connectors WHERE connector_id = v_id;
    p.recipe := CASE WHEN v_retires THEN c.recipe ELSE p_input->'recipe' END;
    -- Another tenant's lapses by the sweep alone: its chain is not told who came upon it.
    SELECT * INTO w FROM review.connector_proposals WHERE connector_id = v_id AND state = 'PENDING' AND expires_at <= f.now
      AND coalesce(tenant_id = ANY (f.tenant_ids), true) FOR NO KEY UPDATE;
    IF FOUND THEN PERFORM review.expire_connector_proposal(w); END IF;
    SELECT CASE WHEN coalesce(q.tenant_id = ANY (f.tenant_ids), true) THEN 'PROPOSAL_IN_FLIGHT' ELSE 'CONNECTOR_ID_TAKEN' END INTO v_code
      FROM review.connector_proposals q WHERE q.connector_id = v_id AND q.state = 'PENDING';
    v_code := coalesce(v_code, CASE
      WHEN p.recipe IS NULL THEN 'NOT_FOUND'
      WHEN p.recipe = c.recipe AND v_retires = (c.retired_at IS NOT NULL) THEN 'NOTHING_CHANGED' END);
  END IF;
  IF v_code IS NULL THEN
    INSERT INTO review.connector_proposals (connector_id, tenant_id, base_version, retires, recipe, reason, requested_by, requested_at, expires_at)
      VALUES (v_id, p.tenant_id, (p_input->>'version')::integer, v_retires, p.recipe, p_input->>'reason', f.actor_id, f.now, f.now + interval '7 days')
      RETURNING * INTO p;
  END IF;
  RETURN review.answer_connector(f, 'connector.change_requested', v_code, v_id, p.tenant_id, jsonb_build_object(
    'proposalId', p.proposal_id, 'versionSeen', p_input->>'version', 'retires', v_retires, 'after', CASE WHEN NOT v_retires THEN p_input->'recipe' END));
END
$$;

CREATE OR REPLACE FUNCTION review.sweep() RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_now timestamptz := ledger.clock();
  r review.approval_requests;
  x record;
  g review.right_grants;
  p review.policy_proposals;
  w review.connector_proposals;
  v_report review.provider_reports;
  v_expired integer := 0;
  v_resumed integer := 0;
  v_lapsed integer := 0;
BEGIN
  FOR x IN
    SELECT c.exception_id, c.tenant_id, c.execution_id, c.operation, c.deferred_until FROM review.exceptions c
      WHERE c.state = 'OPEN' AND c.deferred_until <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    UPDATE review.exceptions SET deferred_until = NULL WHERE exception_id = x.exception_id;
    PERFORM review.note_event(x.exception_id, 'resumed', '{"reason": "DEFERRAL_OVER"}');
    PERFORM review.append_audit('exception.deferral_ended', 'done', NULL, x.tenant_id, x.exception_id, x.execution_id, NULL, x.operation, NULL,
      jsonb_build_object('until', ledger.instant(x.deferred_until)));
    v_resumed := v_resumed + 1;
  END LOOP;
  FOR r IN
    SELECT q.* FROM review.approval_requests q
      WHERE (q.state = 'PENDING' AND review.decide_until(q) <= v_now) OR (q.state = 'APPROVED' AND review.execute_until(q) <= v_now)
      ORDER BY q.request_id LIMIT 500
  LOOP
    -- Exception before request, as everywhere; whoever holds either is deciding at this moment.
    PERFORM 1 FROM review.exceptions WHERE exception_id = r.exception_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id AND state = r.state FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, jsonb_build_object('limit', CASE r.state WHEN 'PENDING' THEN 'decision' ELSE 'execution' END));
    v_expired := v_expired + 1;
  END LOOP;
  -- Whoever holds one is deciding at this moment.
  FOR g IN SELECT * FROM review.right_grants WHERE state = 'PENDING' AND expires_at <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_grant(g);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  FOR p IN SELECT * FROM review.policy_proposals WHERE state = 'PENDING' AND expires_at <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_proposal(p);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  FOR w IN SELECT * FROM review.connector_proposals WHERE state = 'PENDING' AND expires_at <= v_now LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_connector_proposal(w);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  FOR v_report IN SELECT * FROM review.provider_reports WHERE state IN ('JUDGED', 'PROPOSED') AND expires_at <= v_now LIMIT 500
      FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM review.expire_report(v_report);
    v_lapsed := v_lapsed + 1;
  END LOOP;
  RETURN jsonb_build_object('requestsExpired', v_expired, 'deferralsOver', v_resumed, 'proposalsLapsed', v_lapsed) || review.follow_incidents();
END
$$;
