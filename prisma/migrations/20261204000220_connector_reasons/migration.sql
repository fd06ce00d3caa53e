-- R-089: why a connector was to change are a person's words as well: a text of the event, erasable with its copy.
-- Replaced here: texts_of_body (reasons of connector events), erasure_frame, erase_copies and erase_texts (subject `connector`).

ALTER TYPE review.erasure_subject ADD ATTRIBUTE connector text;

-- What of an event's body people have written in their own words. `reason` is a code in all other events.
CREATE OR REPLACE FUNCTION review.texts_of_body(p_event text, p_body jsonb) RETURNS TABLE (path text, value text)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.path, p_body #>> string_to_array(p.path, '.')
  FROM unnest(ARRAY['rationale', 'text', 'seen', 'place', 'reason', 'params.originalFate', 'params.businessImpact']) AS p (path)
  WHERE jsonb_typeof(p_body #> string_to_array(p.path, '.')) = 'string' AND p_body #>> string_to_array(p.path, '.') <> ''
    AND (p.path <> 'reason' OR p_event IN ('exception.deferred', 'break_glass.used') OR split_part(p_event, '.', 1) IN ('people', 'policy', 'connector'))
$$;

-- What tells the subject's kind and place; nothing where there is no such thing.
CREATE OR REPLACE FUNCTION review.erasure_frame(s review.erasure_subject, OUT known boolean, OUT tenant_id text, OUT operation text,
  OUT exceptions uuid[], OUT requests uuid[], OUT held boolean)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_state text;
BEGIN
  SELECT array_agg(x.exception_id), coalesce(bool_or(x.state = 'OPEN'), false) INTO exceptions, held
    FROM review.exceptions x WHERE x.exception_id = s.exception OR x.execution_id = s.execution;
  SELECT e.tenant_id, e.operation, e.state INTO tenant_id, operation, v_state FROM ledger.executions e WHERE e.execution_id = s.execution;
  known := exceptions IS NOT NULL OR v_state IS NOT NULL;
  SELECT coalesce(erasure_frame.tenant_id, x.tenant_id), coalesce(erasure_frame.operation, x.operation) INTO tenant_id, operation
    FROM (SELECT) one LEFT JOIN review.exceptions x ON x.exception_id = s.exception;
  SELECT coalesce(array_agg(r.request_id), '{}'), held OR coalesce(bool_or(r.state IN ('PENDING', 'APPROVED')), false) INTO requests, held
    FROM review.approval_requests r WHERE r.exception_id = ANY (exceptions) OR r.execution_id = s.execution;
  -- Work that is under way or in doubt needs its story, and so do an emergency without its review and a change that waits.
  held := held OR coalesce(v_state IN ('RECEIVED', 'PROCESSING', 'UNKNOWN'), false)
    OR EXISTS (SELECT FROM review.break_glass_uses u WHERE u.request_id = ANY (requests) AND u.reviewed_at IS NULL)
    OR EXISTS (SELECT FROM review.right_grants g WHERE g.person_id = s.person AND g.state = 'PENDING' AND g.expires_at > ledger.clock())
    OR EXISTS (SELECT FROM review.policy_proposals p WHERE p.tenant_id = s.policy->>'tenantId' AND p.operation = s.policy->>'operation'
         AND p.state = 'PENDING' AND p.expires_at > ledger.clock())
    OR EXISTS (SELECT FROM review.connector_proposals p WHERE p.connector_id = s.connector AND p.state = 'PENDING' AND p.expires_at > ledger.clock());
  IF s.policy IS NOT NULL THEN
    tenant_id := s.policy->>'tenantId';
    operation := s.policy->>'operation';
  END IF;
  known := known OR EXISTS (SELECT FROM review.people p WHERE p.person_id = s.person)
    OR EXISTS (SELECT FROM review.policy_proposals p WHERE p.tenant_id = s.policy->>'tenantId' AND p.operation = s.policy->>'operation')
    OR EXISTS (SELECT FROM review.connector_proposals p WHERE p.connector_id = s.connector)
    OR EXISTS (SELECT FROM review.audit_events e WHERE e.number = s.event AND e.outcome = 'refused'
         AND num_nonnulls(e.execution_id, e.exception_id, e.approval_request_id) = 0);
END
$$;

-- The copies on the desk. The caller has put the guards of these tables aside.
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
  UPDATE review.right_grants SET reason = p_mark WHERE person_id = s.person;
  -- From where somebody worked; an open session is still shown to whoever has it.
  UPDATE review.sessions SET user_agent = NULL, source_address = NULL
    WHERE person_id = s.person AND (revoked_at IS NOT NULL OR expires_at <= ledger.clock());
  UPDATE review.policy_proposals SET reason = p_mark WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation';
  UPDATE review.connector_proposals SET reason = p_mark WHERE connector_id = s.connector;
END
$$;

-- Erases what people wrote about one subject from the audit and from every table of the desk that has a copy. For the owner alone,
-- who could disable the triggers anyhow; the act itself is an event that names what is gone, and without it the verifier calls
-- a missing text a fault. p_subject: exactly one member of review.erasure_subject.
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
          OR (e.event LIKE 'connector.%' AND e.body::jsonb->>'connectorId' = s.connector))
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
