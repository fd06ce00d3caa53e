-- R-056, R-074: an effect that no execution knows is settled as other effects are: somebody names what counts, what it means and what
-- becomes of it, and a second person confirms. Its request has no execution. What people wrote about sampled rows can be erased.
-- Replaced here: file_request and terms_now (an operation's terms without an execution), erase_copies and erase_texts (checks).

ALTER TABLE review.approval_requests
  ALTER COLUMN execution_id DROP NOT NULL, ALTER COLUMN execution_version DROP NOT NULL, ALTER COLUMN fingerprint DROP NOT NULL,
  ADD CONSTRAINT approval_requests_about_an_execution CHECK (num_nonnulls(execution_id, execution_version, fingerprint) = 3
    OR (num_nonnulls(execution_id, execution_version, fingerprint) = 0 AND kind = 'SETTLE_EFFECT'));
CREATE UNIQUE INDEX approval_requests_one_in_flight_alone ON review.approval_requests (exception_id)
  WHERE execution_id IS NULL AND state IN ('PENDING', 'APPROVED');

-- Whom approval terms are asked for: the execution, or where there is none a row that names the tenant and the operation alone.
CREATE FUNCTION review.subject_of_terms(p_row ledger.executions, p_tenant_id text, p_operation text) RETURNS ledger.executions
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF p_row.execution_id IS NULL THEN
    p_row.tenant_id := p_tenant_id;
    p_row.operation := p_operation;
  END IF;
  RETURN p_row;
END
$$;

-- Changed: the terms of a request without an execution.
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
  r.terms := review.approval_terms(p_kind, review.subject_of_terms((f).execution, ((f).exception).tenant_id, ((f).exception).operation), p_intake_id, p_relation);
  IF r.terms IS NULL THEN RETURN review.refuse_decision(f, 'NO_APPROVAL_POLICY'); END IF;
  IF review.visible_length((f).input->>'rationale') < (r.terms->>'minRationale')::integer THEN RETURN review.refuse_decision(f, 'RATIONALE_SHORT'); END IF;
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
  r.approvals_required := (SELECT max((step->>'count')::integer) FROM jsonb_array_elements(r.terms->'steps') step);
  r.requested_by := (f).actor_id;
  r.requested_at := (f).now;
  r.decide_by := (f).now + make_interval(secs => (r.terms->>'approvalSeconds')::integer);
  r.state := 'PENDING';
  r.state_since := (f).now;
  r.digest := review.request_digest(r);
  BEGIN
    INSERT INTO review.approval_requests SELECT (r).*;
  EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint NOT IN ('approval_requests_one_in_flight', 'approval_requests_one_in_flight_alone') THEN RAISE; END IF;
    RETURN review.refuse_decision(f, 'REQUEST_IN_FLIGHT');
  END;
  PERFORM review.note_event(r.exception_id, 'requested', jsonb_build_object('requestId', r.request_id, 'kind', p_kind));
  PERFORM review.append_audit((SELECT event FROM review.request_events WHERE kind = p_kind AND step = 'REQUESTED'), 'done', NULL,
    r.tenant_id, r.exception_id, r.execution_id, r.request_id, r.operation, r.operation_id,
    jsonb_build_object('before', review.snapshot((f).execution), 'rationale', r.rationale, 'evidenceId', r.evidence_id,
      'shownEvidenceId', review.shown_look((f).input, r.execution_id), 'relation', p_relation,
      'intakeId', p_intake_id, 'params', r.params, 'digest', r.digest) || review.approval_basis(r, NULL));
  RETURN jsonb_build_object('outcome', 'requested', 'requestId', r.request_id);
END
$$;

-- Changed: the same.
CREATE OR REPLACE FUNCTION review.terms_now(r review.approval_requests) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT review.approval_terms(r.kind, review.subject_of_terms(
    (SELECT e FROM ledger.executions e WHERE e.execution_id = r.execution_id), r.tenant_id, r.operation), r.intake_id, r.relation)
$$;

-- Changed: what somebody wrote about a sampled row goes with the row's exception or execution.
CREATE OR REPLACE FUNCTION review.erase_copies(s review.erasure_subject, p_exceptions uuid[], p_requests uuid[], p_mark text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE review.decisions SET rationale = p_mark
    WHERE (exception_id = ANY (p_exceptions) OR execution_id = s.execution) AND rationale IS NOT NULL;
  UPDATE review.decisions SET params = review.erased_params(params, p_mark) WHERE exception_id = ANY (p_exceptions) OR execution_id = s.execution;
  UPDATE review.approval_requests SET rationale = p_mark, params = review.erased_params(params, p_mark) WHERE request_id = ANY (p_requests);
  UPDATE review.approval_decisions SET rationale = p_mark WHERE request_id = ANY (p_requests);
  UPDATE review.break_glass_uses SET reason = p_mark, review_rationale = p_mark WHERE request_id = ANY (p_requests);
  UPDATE review.exceptions SET next_place = p_mark WHERE exception_id = ANY (p_exceptions) AND next_place IS NOT NULL;
  UPDATE review.exception_events SET detail = detail || (SELECT coalesce(jsonb_object_agg(name, p_mark), '{}'::jsonb)
        FROM unnest(ARRAY['text', 'place', 'reason', 'rationale', 'seen']) name WHERE jsonb_typeof(detail->name) = 'string' AND detail->>name <> '')
    WHERE exception_id = ANY (p_exceptions) AND event IN ('commented', 'deferred');
  UPDATE review.lookups SET seen = p_mark, place = p_mark
    WHERE (exception_id = ANY (p_exceptions) OR execution_id = s.execution) AND seen IS NOT NULL;
  UPDATE review.report_checks c SET place = p_mark, remark = CASE WHEN remark IS NOT NULL THEN p_mark END, address = NULL
    FROM review.report_rows w WHERE w.report_id = c.report_id AND w.row_number = c.row_number
      AND (w.exception_id = ANY (p_exceptions) OR w.orphan_id = ANY (p_exceptions) OR w.execution_id = s.execution);
  UPDATE review.right_grants SET reason = p_mark WHERE person_id = s.person;
  -- From where somebody worked; an open session is still shown to whoever has it.
  UPDATE review.sessions SET user_agent = NULL, source_address = NULL
    WHERE person_id = s.person AND (revoked_at IS NOT NULL OR expires_at <= ledger.clock());
  UPDATE review.policy_proposals SET reason = p_mark WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation';
  UPDATE review.connector_proposals SET reason = p_mark WHERE connector_id = s.connector;
  UPDATE review.policy_proposals p SET content = review.policy_without_words(content, p_mark)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND kind = 'OPERATION'
      AND NOT EXISTS (SELECT FROM ledger.operation_policies v WHERE v.proposal_id = p.proposal_id AND v.retired_at IS NULL);
  UPDATE ledger.operation_policies v SET (guide, protection_document, protection_key_scope, protection_checked_by, outcome_codes)
      = (SELECT n.guide, n.protection_document, n.protection_key_scope, n.protection_checked_by, n.outcome_codes
         FROM review.operation_policy_of(review.policy_without_words(review.operation_policy_content(v), p_mark)) n)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND retired_at IS NOT NULL;
END
$$;

-- Changed: the same, in the chain.
CREATE OR REPLACE FUNCTION review.erase_texts(p_subject jsonb, p_reference text) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  s review.erasure_subject := jsonb_populate_record(NULL::review.erasure_subject, p_subject);
  f record;
  v_erased text[];
  -- Long enough for the rules about reasons; shown where the text stood.
  v_mark constant text := '(erased upon request)';
BEGIN
  IF num_nonnulls(s.execution, s.exception, s.person, s.policy, s.event, s.connector) <> 1 OR p_reference !~ '^[\x21-\x7e]{1,64}$' THEN
    RAISE EXCEPTION 'erasing needs one subject, and a reference of visible ASCII' USING ERRCODE = 'OA005';
  END IF;
  PERFORM 1 FROM review.exceptions WHERE exception_id = s.exception OR execution_id = s.execution ORDER BY exception_id FOR UPDATE;

  -- Nobody decides or writes about it meanwhile.
  ALTER TABLE review.decisions DISABLE TRIGGER decisions_are_only_added;
  ALTER TABLE review.approval_requests DISABLE TRIGGER approval_requests_keep;
  ALTER TABLE review.approval_decisions DISABLE TRIGGER approval_decisions_are_only_added;
  ALTER TABLE review.break_glass_uses DISABLE TRIGGER break_glass_uses_keep;
  ALTER TABLE review.break_glass_uses DISABLE TRIGGER break_glass_uses_need_fresh_session;
  ALTER TABLE review.exceptions DISABLE TRIGGER exceptions_keep;
  ALTER TABLE review.exception_events DISABLE TRIGGER exception_events_are_only_added;
  ALTER TABLE review.lookups DISABLE TRIGGER lookups_are_only_added;
  ALTER TABLE review.report_checks DISABLE TRIGGER report_checks_are_only_added;
  ALTER TABLE review.right_grants DISABLE TRIGGER right_grants_keep;
  ALTER TABLE review.policy_proposals DISABLE TRIGGER policy_proposals_keep;
  ALTER TABLE review.connector_proposals DISABLE TRIGGER connector_proposals_keep;
  ALTER TABLE review.audit_texts DISABLE TRIGGER audit_texts_are_only_added;

  SELECT * INTO f FROM review.erasure_frame(s);
  IF f.known AND NOT f.held THEN
    PERFORM review.erase_copies(s, f.exceptions, f.requests, v_mark);
    WITH gone AS (
      DELETE FROM review.audit_texts t USING review.audit_events e
        WHERE e.number = t.event_number AND (e.exception_id = ANY (f.exceptions) OR e.execution_id = s.execution
          OR e.approval_request_id = ANY (f.requests) OR e.number = s.event OR review.person_of_event(e) = s.person::text
          OR (e.event LIKE 'policy.%' AND e.tenant_id = s.policy->>'tenantId' AND e.operation = s.policy->>'operation')
          OR (e.event LIKE 'connector.%' AND e.body::jsonb->>'connectorId' = s.connector)
          OR (e.event = 'incident.sample_checked' AND EXISTS (SELECT FROM review.report_rows w
            WHERE w.report_id::text = e.body::jsonb->>'reportId' AND w.row_number::text = e.body::jsonb->>'rowNumber'
              AND (w.exception_id = ANY (f.exceptions) OR w.orphan_id = ANY (f.exceptions) OR w.execution_id = s.execution))))
        RETURNING t.event_number, t.path)
    SELECT coalesce(array_agg(event_number || '/' || path ORDER BY event_number, path), '{}') INTO v_erased FROM gone;
  END IF;

  ALTER TABLE review.decisions ENABLE ALWAYS TRIGGER decisions_are_only_added;
  ALTER TABLE review.approval_requests ENABLE ALWAYS TRIGGER approval_requests_keep;
  ALTER TABLE review.approval_decisions ENABLE ALWAYS TRIGGER approval_decisions_are_only_added;
  ALTER TABLE review.break_glass_uses ENABLE ALWAYS TRIGGER break_glass_uses_keep;
  ALTER TABLE review.break_glass_uses ENABLE ALWAYS TRIGGER break_glass_uses_need_fresh_session;
  ALTER TABLE review.exceptions ENABLE TRIGGER exceptions_keep;
  ALTER TABLE review.exception_events ENABLE ALWAYS TRIGGER exception_events_are_only_added;
  ALTER TABLE review.lookups ENABLE ALWAYS TRIGGER lookups_are_only_added;
  ALTER TABLE review.report_checks ENABLE ALWAYS TRIGGER report_checks_are_only_added;
  ALTER TABLE review.right_grants ENABLE ALWAYS TRIGGER right_grants_keep;
  ALTER TABLE review.policy_proposals ENABLE ALWAYS TRIGGER policy_proposals_keep;
  ALTER TABLE review.connector_proposals ENABLE ALWAYS TRIGGER connector_proposals_keep;
  ALTER TABLE review.audit_texts ENABLE ALWAYS TRIGGER audit_texts_are_only_added;
  IF NOT f.known THEN
    RETURN '{"outcome": "refused", "code": "NOT_FOUND"}';
  END IF;
  PERFORM review.append_audit('audit.text_erased', CASE WHEN f.held THEN 'refused' ELSE 'done' END, CASE WHEN f.held THEN 'LEGAL_HOLD' END,
    f.tenant_id, s.exception, s.execution, NULL, f.operation, NULL,
    jsonb_strip_nulls(jsonb_build_object('reference', p_reference, 'personId', s.person, 'connectorId', s.connector, 'number', s.event::text, 'texts', to_jsonb(v_erased))));
  RETURN CASE WHEN f.held THEN '{"outcome": "refused", "code": "LEGAL_HOLD"}'::jsonb
              ELSE jsonb_build_object('outcome', 'done', 'texts', to_jsonb(v_erased)) END;
END
$$;
