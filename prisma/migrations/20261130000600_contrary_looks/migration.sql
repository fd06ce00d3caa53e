-- A person's contrary look stays in sight (R-060). Once a person has seen that the effect happened, a later "not there" of the
-- outside system does not take that away: "not applied" needs a second person then, failing for good is refused, and a
-- request stands on the contrary look it names. Two people who saw the same result outweigh an empty answer, for linking.

-- The last look of a person at this version that learned something, where it says that the effect happened.
CREATE FUNCTION review.person_saw_applied(p_row ledger.executions) RETURNS review.lookups
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  m review.lookups := review.newest_telling(p_row, true);
BEGIN
  IF m.verdict = 'APPLIED' THEN RETURN m; END IF;
  RETURN NULL;
END
$$;

-- The newest look of two people who saw the same result there, account and content agreeing, with nobody saying otherwise in
-- between, while the outside system answers with nothing; null unless so. What the system found is never outweighed.
CREATE FUNCTION review.witnessed_look(p_row ledger.executions) RETURNS review.lookups
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.lookups := review.newest_telling(p_row, false);
  m review.lookups := review.person_saw_applied(p_row);
BEGIN
  IF c.outcome = 'NOT_FOUND' AND c.verdict = 'NOT_APPLIED' AND m.result_id IS NOT NULL AND m.account_match AND m.content_match
     AND EXISTS (
       SELECT 1 FROM review.lookups w
       WHERE w.execution_id = p_row.execution_id AND w.execution_version = p_row.version AND w.connector_id IS NULL
         AND w.checked_by <> m.checked_by AND w.verdict = 'APPLIED' AND w.result_id = m.result_id AND w.account_match AND w.content_match
         AND NOT EXISTS (
           SELECT 1 FROM review.lookups o
           WHERE o.execution_id = p_row.execution_id AND o.execution_version = p_row.version AND o.connector_id IS NULL
             AND o.outcome NOT IN ('INACCESSIBLE', 'INCONCLUSIVE') AND (o.checked_at, o.lookup_id) > (w.checked_at, w.lookup_id)
             AND (o.verdict <> 'APPLIED' OR o.result_id <> m.result_id))) THEN
    RETURN m;
  END IF;
  RETURN NULL;
END
$$;

-- The person's look that stands against the newer "not applied" of the outside system; null when nobody's does.
CREATE FUNCTION review.contrary_look(p_row ledger.executions) RETURNS review.lookups
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.lookups := review.newest_telling(p_row, false);
  m review.lookups := review.person_saw_applied(p_row);
BEGIN
  IF c.verdict = 'NOT_APPLIED' AND (c.checked_at, c.lookup_id) > (m.checked_at, m.lookup_id)
     AND (review.witnessed_look(p_row)).lookup_id IS NULL THEN
    RETURN m;
  END IF;
  RETURN NULL;
END
$$;

-- As before, but for two people who saw the same.
CREATE OR REPLACE FUNCTION review.looks_contradict(p_row ledger.executions) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.lookups := review.newest_telling(p_row, false);
  m review.lookups := review.newest_telling(p_row, true);
BEGIN
  RETURN coalesce((m.checked_at, m.lookup_id) > (c.checked_at, c.lookup_id)
    AND NOT (c.verdict = 'NOT_APPLIED' AND c.checked_at < review.usable_from(c.execution_id, c.checked_at, c.usable_from))
    AND (review.witnessed_look(p_row)).lookup_id IS NULL
    AND (m.verdict <> c.verdict OR m.result_id <> c.result_id), false);
END
$$;

CREATE OR REPLACE FUNCTION review.evidence_refusal(p_lookup_id uuid, p_row ledger.executions, p_policy ledger.operation_policies, p_verdict text, p_now timestamptz)
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_lookup review.lookups;
  v_witnessed boolean := (review.witnessed_look(p_row)).lookup_id IS NOT NULL;
BEGIN
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  RETURN CASE
    WHEN review.looks_contradict(p_row) THEN 'EVIDENCE_CONTRADICTED'
    WHEN v_lookup.lookup_id IS NULL THEN 'EVIDENCE_MISSING'
    WHEN v_lookup.execution_id <> p_row.execution_id OR v_lookup.execution_version <> p_row.version THEN 'EVIDENCE_WRONG_SUBJECT'
    WHEN v_lookup.verdict <> p_verdict OR (v_witnessed AND p_verdict = 'NOT_APPLIED') THEN 'EVIDENCE_SHOWS_OTHERWISE'
    WHEN v_lookup.checked_at + make_interval(secs => p_policy.evidence_max_age_seconds) < p_now THEN 'EVIDENCE_STALE'
    WHEN p_verdict = 'NOT_APPLIED' AND v_lookup.checked_at < review.usable_from(v_lookup.execution_id, v_lookup.checked_at, v_lookup.usable_from) THEN 'HORIZON_NOT_OVER'
    WHEN v_lookup.usable_until <= p_now THEN 'EVIDENCE_PROVES_NOTHING'
    WHEN EXISTS (SELECT 1 FROM review.lookups newer WHERE newer.execution_id = p_row.execution_id AND newer.execution_version = p_row.version
                   AND newer.lookup_id <> v_lookup.lookup_id AND newer.checked_at > v_lookup.checked_at
                   AND newer.outcome NOT IN ('INACCESSIBLE', 'INCONCLUSIVE')
                   AND NOT (v_witnessed AND newer.connector_id IS NOT NULL)
                   AND (newer.verdict <> v_lookup.verdict OR newer.result_id IS DISTINCT FROM v_lookup.result_id
                        AND NOT (newer.connector_id IS NULL AND newer.result_id IS NULL))) THEN 'EVIDENCE_CONTRADICTED'
  END;
END
$$;

-- R-068 Final failure.
CREATE OR REPLACE FUNCTION review.fail_finally(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('FINAL_FAILURE', p_input);
  v_undone review.lookups;
  v_code text;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  IF (f.execution).state NOT IN ('RECEIVED', 'PROCESSING', 'UNKNOWN', 'FAILED_RETRYABLE', 'EXPIRED') OR (f.execution).superseded_by IS NOT NULL THEN
    RETURN review.refuse_decision(f, 'STATE_NOT_SUITABLE');
  END IF;
  -- Where the effect may exist, "failed" has to be shown like "not applied": later callers will believe it.
  IF (f.execution).state = 'UNKNOWN' OR ((f.execution).state = 'PROCESSING' AND (f.execution).effect_started_at IS NOT NULL) THEN
    -- An effect that was undone outside is shown as well, and stands no more.
    v_undone := review.undone_look(f.execution, f.policy);
    f.input := f.input || jsonb_build_object('evidenceId', coalesce(v_undone.lookup_id, review.newest_evidence(f.execution, 'NOT_APPLIED')));
    v_code := CASE WHEN v_undone.lookup_id IS NOT NULL THEN review.undone_refusal(v_undone, f.policy, f.now)
      -- Later callers would believe it, and a person has seen the effect.
      WHEN (review.contrary_look(f.execution)).lookup_id IS NOT NULL THEN 'EVIDENCE_CONTRADICTED'
      ELSE review.evidence_refusal((f.input->>'evidenceId')::uuid, f.execution, f.policy, 'NOT_APPLIED', f.now) END;
    IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  END IF;
  IF (f.execution).state <> 'EXPIRED' THEN
    UPDATE ledger.executions SET state = 'FAILED_FINAL', moved_by = 'person', fencing_token = fencing_token + 1,
        failure_code = 'DECIDED_FINAL_FAILURE', failure_message = NULL, response_status = NULL, response_headers = NULL, response_body = NULL
      WHERE execution_id = (f.execution).execution_id AND version = (f.execution).version;
  END IF;
  RETURN review.record_decision(f, true, NULL, '{}');
END
$$;

-- R-067 Confirm not applied. A second person confirms where the effect is irreversible, or where a person has seen it.
CREATE OR REPLACE FUNCTION review.confirm_not_applied(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_code text;
BEGIN
  f := review.open_decision('CONFIRM_NOT_APPLIED', p_input);
  IF review.repeated_request(p_input) IS NOT NULL THEN RETURN review.repeated_request(p_input); END IF;
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  v_code := coalesce(f.refusal,
    CASE WHEN (f.execution).state NOT IN ('PROCESSING', 'UNKNOWN', 'EXPIRED') OR (f.execution).superseded_by IS NOT NULL THEN 'STATE_NOT_SUITABLE' END,
    review.evidence_refusal((p_input->>'evidenceId')::uuid, f.execution, f.policy, 'NOT_APPLIED', f.now));
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  IF (f.policy).effect_class = 'IRREVERSIBLE' OR (review.contrary_look(f.execution)).lookup_id IS NOT NULL THEN
    RETURN review.file_request(f, 'CONFIRM_NOT_APPLIED', NULL, NULL, '{}');
  END IF;
  PERFORM review.apply_not_applied(f.execution, f.policy, f.now);
  RETURN review.record_decision(f, true, NULL, '{}');
END
$$;

-- Files a request on an opened decision; f has passed every check of its kind.
CREATE OR REPLACE FUNCTION review.file_request(f review.decision_frame, p_kind text, p_relation text, p_intake_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  v_constraint text;
  -- What a person saw is part of what the request stands on, and of its digest.
  v_contrary review.lookups;
BEGIN
  IF p_kind = 'CONFIRM_NOT_APPLIED' OR p_relation = 'RETRY_AS_NEW' THEN
    v_contrary := review.contrary_look((f).execution);
  END IF;
  r.request_id := ledger.new_id();
  r.operation_id := ((f).input->>'operationId')::uuid;
  r.kind := p_kind;
  r.tenant_id := ((f).exception).tenant_id;
  r.exception_id := ((f).exception).exception_id;
  r.execution_id := ((f).execution).execution_id;
  r.execution_version := ((f).execution).version;
  r.operation := ((f).exception).operation;
  r.fingerprint := ((f).execution).fingerprint;
  r.target_system := ((f).execution).target_system;
  r.target_account := ((f).execution).target_account;
  r.evidence_id := ((f).input->>'evidenceId')::uuid;
  r.relation := p_relation;
  r.intake_id := p_intake_id;
  r.params := CASE WHEN (v_contrary).lookup_id IS NULL THEN p_params ELSE p_params || jsonb_build_object('contraryLookId', (v_contrary).lookup_id) END;
  r.rationale := (f).input->>'rationale';
  r.policy_version := ((f).policy).version;
  r.approvals_required := CASE p_kind WHEN 'REISSUE' THEN ((f).policy).approvals_required ELSE 1 END;
  r.requested_by := (f).actor_id;
  r.requested_at := (f).now;
  r.decide_by := (f).now + make_interval(secs => ((f).policy).approval_ttl_seconds);
  r.state := 'PENDING';
  r.state_since := (f).now;
  r.digest := review.request_digest(r);
  BEGIN
    INSERT INTO review.approval_requests SELECT (r).*;
  EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint <> 'approval_requests_one_in_flight' THEN RAISE; END IF;
    RETURN review.refuse_decision(f, 'REQUEST_IN_FLIGHT');
  END;
  PERFORM review.note_event(r.exception_id, 'requested', jsonb_build_object('requestId', r.request_id, 'kind', p_kind));
  PERFORM review.append_audit((SELECT event FROM review.request_events WHERE kind = p_kind AND step = 'REQUESTED'), 'done', NULL,
    r.tenant_id, r.exception_id, r.execution_id, r.request_id, r.operation, r.operation_id,
    jsonb_build_object('before', review.snapshot((f).execution), 'rationale', r.rationale, 'evidenceId', r.evidence_id, 'relation', p_relation,
      'intakeId', p_intake_id, 'params', r.params, 'digest', r.digest));
  RETURN jsonb_build_object('outcome', 'requested', 'requestId', r.request_id);
END
$$;

-- What of its basis has changed since the request was made; null = nothing.
CREATE OR REPLACE FUNCTION review.request_basis_lost(r review.approval_requests, p_row ledger.executions) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_row.version <> r.execution_version THEN 'EXECUTION_CHANGED'
    WHEN p_row.fingerprint <> r.fingerprint OR p_row.target_system IS DISTINCT FROM r.target_system
      OR p_row.target_account IS DISTINCT FROM r.target_account THEN 'SUBJECT_CHANGED'
    -- A person has seen the effect since: nobody has been asked about that.
    WHEN (r.kind = 'CONFIRM_NOT_APPLIED' OR r.relation = 'RETRY_AS_NEW')
      AND (review.person_saw_applied(p_row)).lookup_id::text <> coalesce(r.params->>'contraryLookId', '') THEN 'CONTRARY_LOOK'
    WHEN review.request_digest(r) <> r.digest THEN 'DIGEST_BROKEN'
    WHEN NOT EXISTS (SELECT 1 FROM review.exceptions x WHERE x.exception_id = r.exception_id AND x.state = 'OPEN') THEN 'EXCEPTION_CLOSED'
    WHEN NOT EXISTS (SELECT 1 FROM review.people p WHERE p.person_id = r.requested_by AND p.disabled_at IS NULL) THEN 'REQUESTER_DISABLED'
  END
$$;
