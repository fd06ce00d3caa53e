-- Replaced here: execute_reissue (whoever broke the glass is held as approvers are), refuse_linking (after a reset the provider's
-- word alone opens nothing), file_grant, propose_policy and sweep (what waits for a second administrator lapses on record).

INSERT INTO review.audit_event_types (event) VALUES ('people.grant_expired'), ('policy.change_expired');

-- That nobody confirmed it in time is nobody's act: the event has no operation id, whoever's transaction comes upon it.
-- The caller holds the row.
CREATE FUNCTION review.expire_grant(g review.right_grants) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.right_grants SET state = 'EXPIRED' WHERE grant_id = g.grant_id;
  PERFORM review.append_audit('people.grant_expired', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object('personId', g.person_id,
    'grantId', g.grant_id, 'requestedBy', g.requested_by, 'roles', g.roles, 'authorities', g.authorities, 'tenantIds', g.tenant_ids));
END
$$;

CREATE FUNCTION review.expire_proposal(p review.policy_proposals) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.policy_proposals SET state = 'EXPIRED' WHERE proposal_id = p.proposal_id;
  PERFORM review.append_audit('policy.change_expired', 'done', NULL, p.tenant_id, NULL, NULL, NULL, p.operation, NULL, jsonb_build_object(
    'proposalId', p.proposal_id, 'requestedBy', p.requested_by,
    'after', review.policy_content(p.removes, p.steps, p.min_rationale, p.approval_ttl_seconds, p.execution_ttl_seconds)));
END
$$;

CREATE OR REPLACE FUNCTION review.file_grant(f review.people_frame, p_roles text[], p_authorities text[], p_tenants text[]) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_roles text[];
  v_authorities text[];
  g review.right_grants;
  v_grant_id uuid := ledger.new_id();
BEGIN
  SELECT coalesce(array_agg(name), '{}') INTO v_roles FROM unnest(p_roles) name
    WHERE name IN ('APPROVER', 'ADMIN') AND NOT name = ANY (((f).person).roles);
  SELECT coalesce(array_agg(name), '{}') INTO v_authorities FROM unnest(p_authorities) name WHERE NOT name = ANY (((f).person).authorities);
  IF cardinality(v_roles) + cardinality(v_authorities) + cardinality(p_tenants) = 0 THEN
    RETURN NULL;
  END IF;
  SELECT * INTO g FROM review.right_grants
    WHERE person_id = ((f).person).person_id AND state = 'PENDING' AND expires_at <= (f).now FOR NO KEY UPDATE;
  IF FOUND THEN PERFORM review.expire_grant(g); END IF;
  IF EXISTS (SELECT FROM review.right_grants WHERE person_id = ((f).person).person_id AND state = 'PENDING') THEN
    RETURN 'GRANT_IN_FLIGHT';
  END IF;
  INSERT INTO review.right_grants (grant_id, person_id, roles, authorities, tenant_ids, reason, requested_by, requested_at, expires_at)
    VALUES (v_grant_id, ((f).person).person_id, v_roles, v_authorities, p_tenants, (f).input->>'reason', (f).actor_id, (f).now, (f).now + interval '7 days');
  PERFORM review.audit_people(f, 'people.grant_requested', jsonb_build_object('grantId', v_grant_id, 'roles', v_roles, 'authorities', v_authorities, 'tenantIds', p_tenants));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION review.propose_policy(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('policy.change_requested', p_input);
  p review.policy_proposals;
  v_content jsonb := jsonb_build_object('removes', (p_input->>'removes')::boolean,
    'steps', CASE WHEN (p_input->>'removes')::boolean THEN '[]' ELSE p_input->'steps' END,
    'minRationale', (p_input->>'minRationale')::integer, 'approvalTtlSeconds', (p_input->>'approvalTtlSeconds')::integer,
    'executionTtlSeconds', (p_input->>'executionTtlSeconds')::integer);
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_code := review.policy_refusal(f, p_input->>'tenantId', p_input->>'operation', (p_input->>'version')::integer, v_content);
  IF v_code IS NULL THEN
    SELECT * INTO p FROM review.policy_proposals WHERE tenant_id = p_input->>'tenantId' AND operation = p_input->>'operation'
      AND state = 'PENDING' AND expires_at <= f.now FOR NO KEY UPDATE;
    IF FOUND THEN PERFORM review.expire_proposal(p); END IF;
    p := NULL;
    v_code := CASE
      WHEN EXISTS (SELECT FROM review.policy_proposals WHERE tenant_id = p_input->>'tenantId' AND operation = p_input->>'operation' AND state = 'PENDING')
        THEN 'PROPOSAL_IN_FLIGHT'
      WHEN v_content = (SELECT content FROM review.policy_in_force(p_input->>'tenantId', p_input->>'operation')) THEN 'NOTHING_CHANGED' END;
  END IF;
  IF v_code IS NULL THEN
    INSERT INTO review.policy_proposals (tenant_id, operation, base_version, removes, steps, min_rationale, approval_ttl_seconds,
        execution_ttl_seconds, reason, requested_by, requested_at, expires_at)
      VALUES (p_input->>'tenantId', p_input->>'operation', (p_input->>'version')::integer, (v_content->>'removes')::boolean, v_content->'steps',
        (v_content->>'minRationale')::integer, (v_content->>'approvalTtlSeconds')::integer, (v_content->>'executionTtlSeconds')::integer,
        p_input->>'reason', f.actor_id, f.now, f.now + interval '7 days')
      RETURNING * INTO p;
  END IF;
  RETURN review.answer_policy(f, 'policy.change_requested', v_code, p_input->>'tenantId', p_input->>'operation', jsonb_build_object(
    'proposalId', p.proposal_id, 'versionSeen', p_input->>'version', 'after', v_content));
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
    SELECT * FROM review.approval_requests
      WHERE (state = 'PENDING' AND decide_by <= v_now) OR (state = 'APPROVED' AND execute_by <= v_now)
      ORDER BY request_id LIMIT 500
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
  RETURN jsonb_build_object('requestsExpired', v_expired, 'deferralsOver', v_resumed, 'proposalsLapsed', v_lapsed);
END
$$;

CREATE FUNCTION review.has_ended_way_in(p_person_id uuid) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(ended_at IS NOT NULL), false) FROM review.identities WHERE person_id = p_person_id
$$;

CREATE OR REPLACE FUNCTION review.refuse_linking(p_input jsonb, p review.people, p_present review.sessions) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM review.identities WHERE issuer = p_input->>'issuer'
                   AND (subject = p_input->>'subject' AND person_id <> (p).person_id
                     OR subject <> p_input->>'subject' AND person_id = (p).person_id AND ended_at IS NULL)) THEN 'IDENTITY_TAKEN'
    -- Whose way in was ended by a reset comes in by the reset's link first: the ended link may be what was stolen.
    WHEN ((p).password_hash IS NOT NULL OR review.has_ended_way_in((p).person_id))
      AND NOT ((p_present).person_id IS NOT DISTINCT FROM (p).person_id
           AND (p_present).authenticated_at > ledger.clock() - interval '15 minutes') THEN 'LINK_FIRST' END
$$;

CREATE OR REPLACE FUNCTION review.execute_reissue(p_request_id uuid, p_lookup_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  f review.decision_frame;
  v_lookup review.lookups;
  v_intake ledger.intakes;
  v_approval review.approval_decisions;
  v_use record;
  v_void text;
  n ledger.executions;
BEGIN
  SELECT * INTO STRICT r FROM review.approval_requests WHERE request_id = p_request_id;
  PERFORM 1 FROM review.people
    WHERE person_id = r.requested_by OR person_id IN (SELECT approver_id FROM review.approval_decisions WHERE request_id = p_request_id)
      OR person_id IN (SELECT used_by FROM review.break_glass_uses WHERE request_id = p_request_id)
    ORDER BY person_id FOR SHARE;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = p_request_id FOR NO KEY UPDATE;
  IF r.kind <> 'REISSUE' OR r.state <> 'APPROVED' THEN
    RETURN jsonb_build_object('outcome', 'ended', 'state', r.state, 'newExecutionId', r.new_execution_id);
  END IF;
  f.now := ledger.clock();
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  IF review.execute_until(r) <= f.now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, NULL, '{"limit": "execution"}');
    RETURN '{"outcome": "ended", "state": "EXPIRED"}';
  END IF;
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  SELECT * INTO v_approval FROM review.approval_decisions WHERE request_id = r.request_id AND verdict = 'APPROVE' ORDER BY decided_at DESC LIMIT 1;
  -- Whoever broke the glass answers for it in the place of those who approve.
  SELECT used_by, reason, roles, used_at INTO v_use FROM review.break_glass_uses WHERE request_id = r.request_id;
  IF FOUND THEN
    v_approval.approver_id := v_use.used_by;
    v_approval.rationale := v_use.reason;
    v_approval.roles := v_use.roles;
    v_approval.decided_at := v_use.used_at;
    v_approval.shown_evidence_id := NULL;
  END IF;

  v_void := coalesce(
    review.request_basis_lost(r, f.execution),
    CASE WHEN review.reissue_is_blocked((f.execution).lineage_id) THEN 'LINEAGE_UNDER_REVIEW' END,
    review.approvals_refusal(r),
    CASE WHEN r.relation = 'RETRY_AS_NEW' AND v_lookup.execution_id = r.execution_id AND v_lookup.verdict = 'APPLIED' THEN 'EFFECT_FOUND' END);
  IF v_void IS NOT NULL THEN
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, NULL, jsonb_build_object('reason', v_void, 'evidenceId', p_lookup_id));
    RETURN jsonb_build_object('outcome', 'ended', 'state', 'VOID', 'voidReason', v_void);
  END IF;
  -- The second look must be younger than the approval, and for a retry it must show that nothing was applied.
  IF (f.policy).connector_id IS NOT NULL AND (
       v_lookup.lookup_id IS NULL OR v_lookup.execution_id <> r.execution_id OR v_lookup.execution_version <> r.execution_version
       OR v_lookup.checked_at < v_approval.decided_at
       OR (r.relation = 'RETRY_AS_NEW' AND v_lookup.verdict <> 'NOT_APPLIED')) THEN
    RETURN '{"outcome": "waiting"}';
  END IF;

  SELECT * INTO v_intake FROM ledger.intakes WHERE intake_id = r.intake_id;
  n.execution_id := ledger.new_id();
  IF r.relation <> 'NEW_WORK' THEN
    UPDATE ledger.executions SET superseded_by = n.execution_id, moved_by = 'person', fencing_token = fencing_token + 1
      WHERE execution_id = r.execution_id AND version = r.execution_version;
  END IF;
  INSERT INTO ledger.executions (execution_id, tenant_id, principal_id, operation, idempotency_key, request_id, fingerprint, fingerprint_algorithm,
      policy_version, field_hashes, display_fields, input_ref, content_version, target_system, target_account, workflow_id, step, business_ref,
      state, state_since, moved_by, lineage_id, reissue_of, reissue_relation, created_at, updated_at)
    SELECT n.execution_id, o.tenant_id, o.principal_id, o.operation, 'reissue-' || n.execution_id, coalesce(v_intake.request_id, o.request_id),
      coalesce(v_intake.fingerprint, o.fingerprint), coalesce(v_intake.fingerprint_algorithm, o.fingerprint_algorithm),
      coalesce(v_intake.policy_version, CASE WHEN v_intake.intake_id IS NULL THEN o.policy_version ELSE (f.policy).version END),
      coalesce(v_intake.field_hashes, CASE WHEN v_intake.intake_id IS NULL THEN o.field_hashes END),
      coalesce(v_intake.display_fields, CASE WHEN v_intake.intake_id IS NULL THEN o.display_fields END), o.input_ref,
      coalesce(v_intake.content_version, o.content_version), coalesce(v_intake.target_system, o.target_system),
      coalesce(v_intake.target_account, o.target_account), o.workflow_id, o.step, o.business_ref,
      'RECEIVED', f.now, 'person', CASE WHEN r.relation <> 'NEW_WORK' THEN o.lineage_id END, o.execution_id, r.relation, f.now, f.now
    FROM ledger.executions o WHERE o.execution_id = r.execution_id;
  PERFORM review.end_request(r, 'EXECUTED', NULL, NULL, n.execution_id);

  f.decision := CASE r.relation WHEN 'NEW_WORK' THEN 'REISSUE_AS_NEW_WORK' ELSE 'REISSUE' END;
  f.actor_id := v_approval.approver_id;
  f.actor_roles := v_approval.roles;
  f.input := jsonb_build_object('operationId', r.operation_id, 'rationale', v_approval.rationale, 'evidenceId', p_lookup_id,
    'shownEvidenceId', v_approval.shown_evidence_id);
  -- New work does not answer what became of the original: only the conflict that asked for it is settled.
  PERFORM review.record_decision(f, r.relation <> 'NEW_WORK' OR (f.exception).kind = 'CONTENT_CONFLICT', r.request_id,
    jsonb_build_object('newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id, 'relation', r.relation));
  RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id);
END
$$;
