-- Changes of approval policies take two administrators: one asks, another confirms. Compare and swap on the version: whoever
-- asks from an older one is refused and told what holds by now (LC-18).

INSERT INTO review.audit_event_types (event) VALUES ('policy.change_requested'), ('policy.changed'), ('policy.change_ended');

-- What a policy or a proposal says, as pages and refusals tell it.
CREATE FUNCTION review.policy_content(p_removes boolean, p_steps jsonb, p_min_rationale integer, p_approval integer, p_execution integer) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('removes', p_removes, 'steps', p_steps, 'minRationale', p_min_rationale,
    'approvalTtlSeconds', p_approval, 'executionTtlSeconds', p_execution)
$$;

-- The content in force, with the number of the operation's own newest version (0 = none).
CREATE FUNCTION review.policy_in_force(p_tenant_id text, p_operation text, OUT version integer, OUT content jsonb)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN a.tenant_id = '*' THEN 0 ELSE a.version END,
    review.policy_content(a.removes, a.steps, a.min_rationale, a.approval_ttl_seconds, a.execution_ttl_seconds)
  FROM review.approval_policies a WHERE (a.tenant_id, a.operation) IN ((p_tenant_id, p_operation), ('*', '*'))
  ORDER BY (a.tenant_id = '*'), a.version DESC LIMIT 1
$$;
GRANT EXECUTE ON FUNCTION review.policy_content(boolean, jsonb, integer, integer, integer), review.policy_in_force(text, text) TO onceover_app;

-- Who belongs to a step's group at this moment, for a request of that kind: may decide it at all, and has what the step asks for.
CREATE FUNCTION review.may_pass_step(p review.people, p_kind text, p_tenant_id text, p_authority text, p_step jsonb) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.disabled_at IS NULL AND p_tenant_id = ANY (p.tenant_ids)
    AND review.may_decide(p.roles, review.roles_for_request(p_kind), p.authorities, p_authority) IS NULL
    AND (p_step->>'role' IS NULL OR p_step->>'role' = ANY (p.roles))
    AND coalesce(p_step->>'authority', 'general') = ANY (p.authorities || 'general'::text)
$$;

-- The first step that so few people could pass that it never will; null = each could.
CREATE FUNCTION review.step_without_people(p_tenant_id text, p_operation text, p_steps jsonb) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT step FROM jsonb_array_elements(p_steps) WITH ORDINALITY AS steps (step, n), jsonb_array_elements_text(step->'kinds') kind
  WHERE (step->>'count')::integer > (SELECT count(*) FROM review.people p
    WHERE review.may_pass_step(p, kind, p_tenant_id, (ledger.policy_for(p_tenant_id, p_operation)).authority, step))
  ORDER BY n LIMIT 1
$$;

-- Locks the policy against other changes of it; answers what stands in the way. p_input: tenantId, operation, version (seen).
CREATE FUNCTION review.policy_refusal(f review.people_frame, p_tenant_id text, p_operation text, p_seen integer, p_content jsonb) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover approval policy ' || p_tenant_id || ' ' || p_operation, 0));
  RETURN coalesce((f).refusal, CASE
    WHEN NOT p_tenant_id = ANY ((f).tenant_ids) THEN 'NOT_FOUND'
    WHEN review.visible_length((f).input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'
    WHEN (SELECT version FROM review.policy_in_force(p_tenant_id, p_operation)) IS DISTINCT FROM p_seen THEN 'CHANGED_SINCE_SEEN'
    WHEN NOT (p_content->>'removes')::boolean THEN CASE
      WHEN review.are_policy_steps(p_content->'steps') IS NOT TRUE OR (p_content->>'minRationale')::integer NOT BETWEEN 10 AND 1000
        OR (p_content->>'approvalTtlSeconds')::integer NOT BETWEEN 60 AND 7776000
        OR (p_content->>'executionTtlSeconds')::integer NOT BETWEEN 60 AND 7776000 THEN 'POLICY_INCOMPLETE'
      WHEN review.step_without_people(p_tenant_id, p_operation, p_content->'steps') IS NOT NULL THEN 'POLICY_UNSATISFIABLE' END END);
END
$$;

CREATE FUNCTION review.answer_policy(f review.people_frame, p_event text, p_refusal text, p_tenant_id text, p_operation text, p_body jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- Of a foreign tenant nothing is told.
  v_known boolean := p_tenant_id = ANY ((f).tenant_ids);
BEGIN
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, CASE WHEN v_known THEN p_tenant_id END,
    NULL, NULL, NULL, p_operation, ((f).input->>'operationId')::uuid,
    -- Only what is not there at all is left out: a step's own nulls are part of what was asked.
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(p_body || jsonb_build_object('reason', (f).input->>'reason')) WHERE value <> 'null'));
  RETURN CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb
    ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) || CASE
      WHEN p_refusal = 'CHANGED_SINCE_SEEN' AND v_known
        THEN jsonb_build_object('policy', (SELECT content FROM review.policy_in_force(p_tenant_id, p_operation)))
      WHEN p_refusal = 'PROPOSAL_IN_FLIGHT' THEN jsonb_build_object('policy', (
        SELECT review.policy_content(p.removes, p.steps, p.min_rationale, p.approval_ttl_seconds, p.execution_ttl_seconds)
        FROM review.policy_proposals p WHERE p.tenant_id = p_tenant_id AND p.operation = p_operation AND p.state = 'PENDING'))
      ELSE '{}' END END;
END
$$;

-- input: tenantId, operation, version (seen, 0 = none of its own), removes, steps, minRationale, approvalTtlSeconds,
-- executionTtlSeconds, reason, operationId. What is removed keeps its numbers on record and has no steps.
CREATE FUNCTION review.propose_policy(p_input jsonb) RETURNS jsonb
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
    UPDATE review.policy_proposals SET state = 'EXPIRED'
      WHERE tenant_id = p_input->>'tenantId' AND operation = p_input->>'operation' AND state = 'PENDING' AND expires_at <= f.now;
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

-- The second administrator's word, or the first one's second thoughts. input: proposalId, verdict CONFIRM | REJECT, reason, operationId.
CREATE FUNCTION review.decide_policy(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_confirms boolean := p_input->>'verdict' = 'CONFIRM';
  v_event text := CASE WHEN p_input->>'verdict' = 'CONFIRM' THEN 'policy.changed' ELSE 'policy.change_ended' END;
  f review.people_frame := review.open_people(v_event, p_input);
  p review.policy_proposals;
  v_before jsonb;
  v_content jsonb;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO p FROM review.policy_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid;
  IF NOT FOUND OR NOT p.tenant_id = ANY (f.tenant_ids) THEN
    RETURN review.answer_policy(f, v_event, coalesce(f.refusal, 'NOT_FOUND'), NULL, NULL, jsonb_build_object('proposalId', p_input->>'proposalId'));
  END IF;
  v_content := review.policy_content(p.removes, p.steps, p.min_rationale, p.approval_ttl_seconds, p.execution_ttl_seconds);
  v_code := review.policy_refusal(f, p.tenant_id, p.operation, p.base_version, v_content);
  SELECT * INTO p FROM review.policy_proposals WHERE proposal_id = p.proposal_id FOR NO KEY UPDATE;
  v_code := CASE
    WHEN f.refusal IS NOT NULL THEN f.refusal
    WHEN p.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN NOT v_confirms AND v_code IN ('CHANGED_SINCE_SEEN', 'POLICY_UNSATISFIABLE') THEN NULL
    WHEN v_code IS NOT NULL OR NOT v_confirms THEN v_code
    WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'
    WHEN p.expires_at <= f.now THEN 'REQUEST_EXPIRED'
    -- The first word counts only as long as whoever gave it could give it again.
    WHEN NOT EXISTS (SELECT FROM review.people q WHERE q.person_id = p.requested_by AND q.disabled_at IS NULL
           AND 'ADMIN' = ANY (q.roles) AND p.tenant_id = ANY (q.tenant_ids)) THEN 'REQUESTER_NOT_ENTITLED' END;
  v_before := (SELECT content FROM review.policy_in_force(p.tenant_id, p.operation));
  IF v_code IS NULL THEN
    UPDATE review.policy_proposals SET decided_by = f.actor_id, decided_at = f.now,
        state = CASE WHEN v_confirms THEN 'CONFIRMED' WHEN p.requested_by = f.actor_id THEN 'WITHDRAWN' ELSE 'REJECTED' END
      WHERE proposal_id = p.proposal_id;
    IF v_confirms THEN
      INSERT INTO review.approval_policies (tenant_id, operation, version, removes, steps, min_rationale, approval_ttl_seconds, execution_ttl_seconds, proposal_id)
        VALUES (p.tenant_id, p.operation, p.base_version + 1, p.removes, p.steps, p.min_rationale, p.approval_ttl_seconds, p.execution_ttl_seconds, p.proposal_id);
    END IF;
  END IF;
  RETURN review.answer_policy(f, v_event, v_code, p.tenant_id, p.operation, jsonb_build_object('proposalId', p.proposal_id,
    'requestedBy', p.requested_by, 'version', p.base_version + 1, 'before', CASE WHEN v_confirms THEN v_before END, 'after', v_content));
END
$$;
GRANT EXECUTE ON FUNCTION review.propose_policy(jsonb), review.decide_policy(jsonb) TO onceover_app;
