-- R-082 Break-glass: somebody with that authority has a waiting request for a new key carried out alone. Its own act with its own
-- reason, allowed for a quarter of an hour, told at once, and reviewed afterwards by an approver who took no part.
-- Replaced here: approvals_refusal (a use stands in the place of approvals), execute_reissue (who answers for the key).
-- Private SQLSTATE OA017: not entitled to break the glass, or to review it.

INSERT INTO review.audit_event_types (event) VALUES ('break_glass.used'), ('break_glass.reviewed');

CREATE TABLE review.break_glass_uses (
  request_id       uuid PRIMARY KEY REFERENCES review.approval_requests (request_id),
  operation_id     uuid NOT NULL UNIQUE,
  tenant_id        text NOT NULL REFERENCES review.tenants (tenant_id),
  used_by          uuid NOT NULL REFERENCES review.people (person_id),
  roles            text[] NOT NULL,
  reason           text NOT NULL CONSTRAINT break_glass_uses_say_why CHECK (review.visible_length(reason) BETWEEN 20 AND 4000),
  used_at          timestamptz(6) NOT NULL,
  expires_at       timestamptz(6) NOT NULL CONSTRAINT break_glass_uses_live_shortly CHECK (expires_at <= used_at + interval '15 minutes'),
  reviewed_by      uuid REFERENCES review.people (person_id),
  reviewed_at      timestamptz(6),
  finding          text CONSTRAINT break_glass_uses_finding_known CHECK (finding IN ('JUSTIFIED', 'NOT_JUSTIFIED')),
  review_rationale text CONSTRAINT break_glass_uses_review_says_why CHECK (review_rationale IS NULL OR review.visible_length(review_rationale) BETWEEN 10 AND 4000),
  CONSTRAINT break_glass_uses_review_is_whole CHECK (num_nulls(reviewed_by, reviewed_at, finding, review_rationale) IN (0, 4)),
  CONSTRAINT break_glass_uses_reviewed_by_another CHECK (reviewed_by <> used_by)
);
-- Whoever has a use that nobody has reviewed breaks no second glass.
CREATE UNIQUE INDEX break_glass_uses_one_unreviewed ON review.break_glass_uses (used_by) WHERE reviewed_at IS NULL;
CREATE INDEX break_glass_uses_open ON review.break_glass_uses (tenant_id, used_at) WHERE reviewed_at IS NULL;
GRANT SELECT ON review.break_glass_uses TO onceover_app, onceover_worker;

-- Whether somebody has had a hand in what became of an execution: asked, decided, given a verdict, broken the glass, been in charge.
CREATE FUNCTION review.took_part(p_person_id uuid, p_request_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.approval_requests q WHERE q.execution_id = r.execution_id AND q.requested_by = p_person_id)
      OR EXISTS (SELECT FROM review.approval_decisions d JOIN review.approval_requests q USING (request_id)
                  WHERE q.execution_id = r.execution_id AND d.approver_id = p_person_id)
      OR EXISTS (SELECT FROM review.break_glass_uses u JOIN review.approval_requests q USING (request_id)
                  WHERE q.execution_id = r.execution_id AND u.used_by = p_person_id)
      OR EXISTS (SELECT FROM review.decisions d WHERE d.execution_id = r.execution_id AND d.actor_id = p_person_id)
      OR EXISTS (SELECT FROM review.exceptions x WHERE x.execution_id = r.execution_id AND x.assignee_id = p_person_id)
  FROM review.approval_requests r WHERE r.request_id = p_request_id
$$;

-- Whether somebody may break the glass for a request: roles of those who ask, the operation's authority, the tenant and the
-- authority for emergencies, all held now and when the request was made.
CREATE FUNCTION review.may_break_glass(p_person_id uuid, p_request_id uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM review.people p WHERE p.person_id = p_person_id AND p.disabled_at IS NULL AND r.tenant_id = ANY (p.tenant_ids)
      AND review.may_decide(p.roles, ARRAY['OPERATOR', 'APPROVER'], p.authorities, o.authority) IS NULL)
    AND EXISTS (SELECT FROM review.person_rights h
                 WHERE h.person_id = p_person_id AND h.kind = 'AUTHORITY' AND h.name = 'break-glass' AND h.since <= r.requested_at)
  FROM review.approval_requests r CROSS JOIN LATERAL ledger.policy_for(r.tenant_id, r.operation) o WHERE r.request_id = p_request_id
$$;
GRANT EXECUTE ON FUNCTION review.took_part(uuid, uuid), review.may_break_glass(uuid, uuid) TO onceover_app;

-- For every writer: the user is entitled, what was written stays, and the one review is an approver's who took no part.
CREATE FUNCTION review.keep_break_glass() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF review.may_break_glass(NEW.used_by, NEW.request_id) IS NOT TRUE OR NEW.reviewed_by IS NOT NULL THEN
      RAISE EXCEPTION 'not entitled to break the glass' USING ERRCODE = 'OA017';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.reviewed_at IS NOT NULL OR to_jsonb(NEW) - ARRAY['reviewed_by', 'reviewed_at', 'finding', 'review_rationale']
       <> to_jsonb(OLD) - ARRAY['reviewed_by', 'reviewed_at', 'finding', 'review_rationale'] THEN
    RAISE EXCEPTION 'what was done in an emergency stays as it was' USING ERRCODE = 'OA002';
  END IF;
  IF review.took_part(NEW.reviewed_by, NEW.request_id) IS NOT FALSE OR NOT EXISTS (
       SELECT FROM review.people p JOIN review.approval_requests r ON r.request_id = NEW.request_id
        WHERE p.person_id = NEW.reviewed_by AND p.disabled_at IS NULL AND r.tenant_id = ANY (p.tenant_ids)
          AND review.may_decide(p.roles, ARRAY['APPROVER'], p.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority) IS NULL) THEN
    RAISE EXCEPTION 'not entitled to review it' USING ERRCODE = 'OA017';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER break_glass_uses_keep BEFORE INSERT OR UPDATE ON review.break_glass_uses FOR EACH ROW EXECUTE FUNCTION review.keep_break_glass();
CREATE TRIGGER break_glass_uses_need_fresh_session AFTER INSERT OR UPDATE ON review.break_glass_uses
  FOR EACH ROW EXECUTE FUNCTION review.require_fresh_session();
CREATE TRIGGER break_glass_uses_stay BEFORE DELETE OR TRUNCATE ON review.break_glass_uses
  FOR EACH STATEMENT EXECUTE FUNCTION review.refuse_audit_change();
CREATE TRIGGER break_glass_uses_require_context BEFORE INSERT OR UPDATE ON review.break_glass_uses
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
ALTER TABLE review.break_glass_uses ENABLE ALWAYS TRIGGER break_glass_uses_keep;
ALTER TABLE review.break_glass_uses ENABLE ALWAYS TRIGGER break_glass_uses_need_fresh_session;
ALTER TABLE review.break_glass_uses ENABLE ALWAYS TRIGGER break_glass_uses_stay;

-- Why the approvals that are there do not carry the request at this moment; null = they do, or the glass was broken for it.
CREATE OR REPLACE FUNCTION review.approvals_refusal(r review.approval_requests) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN terms IS NULL THEN 'NO_APPROVAL_POLICY'
              WHEN u.request_id IS NOT NULL THEN
                CASE WHEN u.expires_at <= ledger.clock() OR review.may_break_glass(u.used_by, r.request_id) IS NOT TRUE THEN 'BREAK_GLASS_OVER' END
              WHEN review.steps_pass(r, review.terms_of(r)) IS NOT TRUE THEN 'APPROVERS_NOT_ENTITLED'
              WHEN review.steps_pass(r, terms) IS NOT TRUE THEN 'POLICY_STRICTER' END
  FROM review.terms_now(r) AS terms LEFT JOIN review.break_glass_uses u ON u.request_id = r.request_id
$$;

-- What every act about a use begins with: the request and what it is about, locked as a verdict locks them.
CREATE FUNCTION review.held_request(p_request_id uuid) RETURNS review.approval_requests
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
BEGIN
  SELECT * INTO r FROM review.approval_requests WHERE request_id = p_request_id;
  PERFORM 1 FROM ledger.executions WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  PERFORM 1 FROM review.exceptions WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = p_request_id FOR NO KEY UPDATE;
  RETURN r;
END
$$;

CREATE FUNCTION review.answer_break_glass(r review.approval_requests, p_event text, p_refusal text, p_operation_id uuid, p_body jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, r.tenant_id, r.exception_id,
    r.execution_id, r.request_id, r.operation, p_operation_id, p_body || jsonb_build_object('digest', r.digest, 'requestedBy', r.requested_by));
  RETURN CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) END;
END
$$;

-- input: requestId, digest (of what was shown), reason, operationId. The request waits; everything but the approvals has to hold.
CREATE FUNCTION review.break_glass(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  r review.approval_requests;
  v_row ledger.executions;
  v_now timestamptz;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  r := review.held_request(r.request_id);
  v_now := ledger.clock();
  IF EXISTS (SELECT FROM review.break_glass_uses WHERE operation_id = (p_input->>'operationId')::uuid AND used_by = v_actor.person_id) THEN
    RETURN '{"outcome": "done", "repeated": true}';
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = r.execution_id;
  v_code := CASE
    WHEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority)
    WHEN NOT 'break-glass' = ANY (v_actor.authorities) THEN 'BREAK_GLASS_AUTHORITY_MISSING'
    WHEN review.may_break_glass(v_actor.person_id, r.request_id) IS NOT TRUE THEN 'RIGHT_TOO_NEW'
    WHEN r.kind <> 'REISSUE' THEN 'DECISION_NOT_FOR_KIND'
    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'
    WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 20 AND 4000 THEN 'RATIONALE_SHORT'
    WHEN r.decide_by <= v_now THEN 'REQUEST_EXPIRED'
    WHEN review.request_basis_lost(r, v_row) IS NOT NULL THEN 'CHANGED_SINCE_SEEN'
    WHEN review.terms_now(r) IS NULL THEN 'NO_APPROVAL_POLICY'
    -- What ranks lower can wait for its approver.
    WHEN (SELECT severity FROM review.exceptions WHERE exception_id = r.exception_id) > 2 THEN 'NOT_AN_EMERGENCY'
    WHEN EXISTS (SELECT FROM review.break_glass_uses WHERE used_by = v_actor.person_id AND reviewed_at IS NULL) THEN 'BREAK_GLASS_UNREVIEWED' END;
  IF v_code IS NULL THEN
    INSERT INTO review.break_glass_uses (request_id, operation_id, tenant_id, used_by, roles, reason, used_at, expires_at)
      VALUES (r.request_id, (p_input->>'operationId')::uuid, r.tenant_id, v_actor.person_id, v_actor.roles, p_input->>'reason', v_now, v_now + interval '15 minutes');
    PERFORM review.end_request(r, 'APPROVED', NULL, v_now + interval '15 minutes', NULL);
    PERFORM review.enqueue('execute-reissue', jsonb_build_object('requestId', r.request_id), 'execute-reissue:' || r.request_id);
    PERFORM review.enqueue('tell-managers', jsonb_build_object('requestId', r.request_id), 'tell-managers:' || r.request_id);
  END IF;
  RETURN review.answer_break_glass(r, 'break_glass.used', v_code, (p_input->>'operationId')::uuid, jsonb_build_object('reason', p_input->>'reason'));
END
$$;

-- input: requestId, finding JUSTIFIED | NOT_JUSTIFIED, rationale, operationId.
CREATE FUNCTION review.review_break_glass(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  r review.approval_requests;
  u review.break_glass_uses;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids)
     OR NOT EXISTS (SELECT FROM review.break_glass_uses WHERE request_id = r.request_id) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  SELECT * INTO u FROM review.break_glass_uses WHERE request_id = r.request_id FOR NO KEY UPDATE;
  IF u.reviewed_by = v_actor.person_id AND EXISTS (SELECT FROM review.audit_events
       WHERE operation_id = (p_input->>'operationId')::uuid AND actor_id = v_actor.person_id::text AND outcome = 'done') THEN
    RETURN '{"outcome": "done", "repeated": true}';
  END IF;
  v_code := coalesce(
    review.may_decide(v_actor.roles, ARRAY['APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority),
    CASE WHEN review.took_part(v_actor.person_id, r.request_id) THEN 'TOOK_PART'
         WHEN u.reviewed_at IS NOT NULL THEN 'REQUEST_ENDED'
         WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  IF v_code IS NULL THEN
    UPDATE review.break_glass_uses SET reviewed_by = v_actor.person_id, reviewed_at = ledger.clock(), finding = p_input->>'finding',
        review_rationale = p_input->>'rationale' WHERE request_id = r.request_id;
  END IF;
  RETURN review.answer_break_glass(r, 'break_glass.reviewed', v_code, (p_input->>'operationId')::uuid,
    jsonb_build_object('finding', p_input->>'finding', 'rationale', p_input->>'rationale', 'usedBy', u.used_by));
END
$$;
GRANT EXECUTE ON FUNCTION review.break_glass(jsonb), review.review_break_glass(jsonb) TO onceover_app;

-- Makes the approved key, once. Every step has to pass at this moment, under the policy of the request and that of now; for
-- the key of a broken glass its user answers.
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
    ORDER BY person_id FOR SHARE;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = p_request_id FOR NO KEY UPDATE;
  IF r.kind <> 'REISSUE' OR r.state <> 'APPROVED' THEN
    RETURN jsonb_build_object('outcome', 'ended', 'state', r.state, 'newExecutionId', r.new_execution_id);
  END IF;
  f.now := ledger.clock();
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  IF least(r.execute_by, r.state_since + make_interval(secs => (review.terms_now(r)->>'executionSeconds')::integer)) <= f.now THEN
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
  f.input := jsonb_build_object('operationId', r.operation_id, 'rationale', v_approval.rationale, 'evidenceId', p_lookup_id);
  -- New work does not answer what became of the original: only the conflict that asked for it is settled.
  PERFORM review.record_decision(f, r.relation <> 'NEW_WORK' OR (f.exception).kind = 'CONTENT_CONFLICT', r.request_id,
    jsonb_build_object('newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id, 'relation', r.relation));
  RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'newExecutionId', n.execution_id, 'newKey', 'reissue-' || n.execution_id);
END
$$;
