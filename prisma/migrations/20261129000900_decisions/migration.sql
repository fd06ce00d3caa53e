-- What people decide. Every decision is one function and one transaction: rights read fresh and held, the row versions
-- that the person saw, the rule for this kind, the evidence, then ledger, exception, decision and audit together.
-- An expected "no" is a value {"outcome": "refused", "code": …} and is audited; nothing else changes then.

-- R-074: which decision fits which kind, and by whom. lib/domain/decisions.ts is the same table, kept equal by a test.
CREATE TABLE review.decision_rules (
  kind     text NOT NULL,
  decision text NOT NULL,
  roles    text[] NOT NULL,
  PRIMARY KEY (kind, decision)
);
INSERT INTO review.decision_rules (kind, decision, roles)
  SELECT kind, decision, ARRAY['OPERATOR', 'APPROVER'] FROM
    unnest(ARRAY['UNKNOWN_RESULT', 'STUCK_PROCESSING', 'MISSING_RESULT_ID']) kind,
    unnest(ARRAY['LINK_RESULT', 'CONFIRM_NOT_APPLIED', 'FINAL_FAILURE', 'REQUEST_REISSUE']) decision
  UNION ALL SELECT kind, decision, ARRAY['OPERATOR', 'APPROVER'] FROM
    unnest(ARRAY['STUCK_PROCESSING', 'LONG_RUNNING']) kind, unnest(ARRAY['EXTEND', 'DECLARE_UNKNOWN']) decision
  UNION ALL SELECT 'CONTENT_CONFLICT', decision, ARRAY['OPERATOR', 'APPROVER'] FROM unnest(ARRAY['KEEP_ORIGINAL', 'REQUEST_REISSUE']) decision
  UNION ALL SELECT 'EXPIRED_KEY', decision, ARRAY['OPERATOR', 'APPROVER'] FROM
    unnest(ARRAY['LINK_RESULT', 'CONFIRM_KNOWN_RESULT', 'CONFIRM_NOT_APPLIED', 'FINAL_FAILURE', 'REQUEST_REISSUE']) decision
  UNION ALL SELECT kind, 'SETTLE_EFFECT', ARRAY['OPERATOR', 'APPROVER'] FROM
    unnest(ARRAY['RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION', 'ORPHAN_EFFECT']) kind
  UNION ALL SELECT kind, decision, ARRAY['OPERATOR', 'APPROVER'] FROM
    unnest(ARRAY['RETRY_STALLED', 'UNCLAIMED']) kind, unnest(ARRAY['ALLOW_ATTEMPTS', 'FINAL_FAILURE', 'REQUEST_REISSUE']) decision
  UNION ALL SELECT 'KEY_MISSING', decision, ARRAY['OPERATOR', 'APPROVER'] FROM unnest(ARRAY['RECORD_KEY_RULE', 'ACCEPT_UNPROTECTED']) decision
  UNION ALL SELECT 'OPERATION_PAUSED', 'RESUME_OPERATION', ARRAY['ADMIN', 'APPROVER'];

-- The audit event of each decision, when it is made or refused.
CREATE TABLE review.decision_events (
  decision text PRIMARY KEY,
  event    text NOT NULL REFERENCES review.audit_event_types (event)
);
INSERT INTO review.decision_events (decision, event) VALUES
  ('LINK_RESULT', 'decision.result_linked'), ('CONFIRM_KNOWN_RESULT', 'decision.result_linked'),
  ('CONFIRM_NOT_APPLIED', 'decision.not_applied_confirmed'), ('FINAL_FAILURE', 'decision.failed_finally'),
  ('REQUEST_REISSUE', 'reissue.requested'), ('REISSUE', 'reissue.executed'), ('REISSUE_AS_NEW_WORK', 'reissue.executed'), ('KEEP_ORIGINAL', 'decision.original_kept'),
  ('EXTEND', 'decision.extended'), ('DECLARE_UNKNOWN', 'decision.declared_unknown'), ('SETTLE_EFFECT', 'decision.effect_settled'),
  ('ALLOW_ATTEMPTS', 'decision.attempts_allowed'), ('RECORD_KEY_RULE', 'decision.key_rule_recorded'),
  ('ACCEPT_UNPROTECTED', 'decision.accepted_unprotected'), ('RESUME_OPERATION', 'operation.resumed');

-- What a reader sees of a text: without blanks at the ends and without characters that leave no mark (controls,
-- zero-width, bidirectional and tag characters). Counted so, an empty reason cannot pass as one.
CREATE FUNCTION review.visible_length(p_text text) RETURNS integer
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(length(btrim(regexp_replace(p_text,
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff[:space:]]+', ' ', 'g'))), 0)
$$;

CREATE TABLE review.decisions (
  decision_id         uuid PRIMARY KEY DEFAULT ledger.new_id(),
  -- Made by the client before it sends: a repeated submit decides once (R-077, R-085).
  operation_id        uuid NOT NULL UNIQUE,
  tenant_id           text NOT NULL,
  exception_id        uuid NOT NULL REFERENCES review.exceptions (exception_id),
  exception_kind      text NOT NULL,
  execution_id        uuid REFERENCES ledger.executions (execution_id),
  operation           text NOT NULL,
  decision            text NOT NULL REFERENCES review.decision_events (decision),
  actor_id            uuid NOT NULL REFERENCES review.people (person_id),
  actor_roles         text[] NOT NULL,
  rationale           text,
  evidence_id         uuid REFERENCES review.lookups (lookup_id),
  approval_request_id uuid,
  params              jsonb NOT NULL DEFAULT '{}',
  before              jsonb NOT NULL,
  after               jsonb NOT NULL,
  decided_at          timestamptz(6) NOT NULL,
  CONSTRAINT decisions_say_why CHECK (decision IN ('LINK_RESULT', 'CONFIRM_KNOWN_RESULT') OR review.visible_length(rationale) BETWEEN 10 AND 4000)
);
CREATE INDEX decisions_by_exception ON review.decisions (exception_id, decided_at);
CREATE INDEX decisions_by_execution ON review.decisions (execution_id, decided_at);
CREATE TRIGGER decisions_are_only_added BEFORE UPDATE OR DELETE ON review.decisions FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER decisions_are_not_truncated BEFORE TRUNCATE ON review.decisions FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE review.decisions ENABLE ALWAYS TRIGGER decisions_are_only_added;
ALTER TABLE review.decisions ENABLE ALWAYS TRIGGER decisions_are_not_truncated;
ALTER TABLE review.exceptions ADD CONSTRAINT exceptions_decision_exists FOREIGN KEY (decision_id) REFERENCES review.decisions (decision_id);
GRANT SELECT ON review.decisions, review.decision_rules, review.decision_events TO onceover_app, onceover_worker;

-- Which kinds of an execution one decision settles: all of them close together (R-052).
CREATE FUNCTION review.kinds_settled_by(p_decision text, p_kind text) RETURNS text[]
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_decision IN ('LINK_RESULT', 'CONFIRM_NOT_APPLIED', 'FINAL_FAILURE', 'CONFIRM_KNOWN_RESULT')
      THEN ARRAY['UNKNOWN_RESULT', 'STUCK_PROCESSING', 'LONG_RUNNING', 'MISSING_RESULT_ID', 'EXPIRED_KEY', 'RETRY_STALLED', 'UNCLAIMED', p_kind]
    WHEN p_decision = 'REISSUE'
      THEN ARRAY['UNKNOWN_RESULT', 'STUCK_PROCESSING', 'LONG_RUNNING', 'MISSING_RESULT_ID', 'EXPIRED_KEY', 'RETRY_STALLED', 'UNCLAIMED', 'CONTENT_CONFLICT']
    WHEN p_decision = 'SETTLE_EFFECT'
      THEN ARRAY['RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION', 'UNKNOWN_RESULT', 'MISSING_RESULT_ID', 'EXPIRED_KEY', p_kind]
    ELSE ARRAY[p_kind]
  END
$$;

-- Everything a decision looks at, locked: rights (shared), execution, exception — always in this order.
CREATE TYPE review.decision_frame AS (
  refusal    text,
  repeated   jsonb,
  now        timestamptz,
  decision   text,
  actor_id   uuid,
  actor_roles text[],
  exception  review.exceptions,
  execution  ledger.executions,
  policy     ledger.operation_policies,
  input      jsonb
);

CREATE FUNCTION review.may_decide(p_roles text[], p_allowed text[], p_authorities text[], p_authority text) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN NOT p_roles && p_allowed THEN 'ROLE_MISSING'
              WHEN p_authority <> 'general' AND NOT p_authority = ANY (p_authorities) THEN 'AUTHORITY_MISSING' END
$$;

-- p_input: exceptionId, exceptionVersion, executionVersion, operationId, rationale, evidenceId, and what the decision
-- needs besides. Locks rights, execution and exception, then answers the first thing that stands in the way.
CREATE FUNCTION review.open_decision(p_decision text, p_input jsonb) RETURNS review.decision_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_actor record;
  v_execution_id uuid;
  v_rule review.decision_rules;
BEGIN
  f.decision := p_decision;
  f.input := p_input;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person decides' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.actor_roles := v_actor.roles;
  SELECT execution_id INTO v_execution_id FROM review.exceptions WHERE exception_id = (p_input->>'exceptionId')::uuid;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = v_execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = (p_input->>'exceptionId')::uuid FOR NO KEY UPDATE;
  -- Another tenant's exception and a missing one are the same answer.
  IF NOT FOUND OR NOT (f.exception).tenant_id = ANY (v_actor.tenant_ids) THEN
    f.exception := NULL;
    f.execution := NULL;
    f.refusal := 'NOT_FOUND';
    RETURN f;
  END IF;
  -- Asked under the locks: the same click, sent twice at the same moment, decides once and is told so twice.
  SELECT jsonb_build_object('outcome', 'done', 'repeated', true, 'decisionId', d.decision_id, 'after', d.after) INTO f.repeated
    FROM review.decisions d WHERE d.operation_id = (p_input->>'operationId')::uuid AND d.actor_id = f.actor_id;
  IF FOUND THEN RETURN f; END IF;
  f.now := ledger.clock();
  f.policy := ledger.policy_for((f.exception).tenant_id, (f.exception).operation);
  SELECT * INTO v_rule FROM review.decision_rules WHERE kind = (f.exception).kind AND decision = p_decision;
  f.refusal := CASE
    WHEN (f.exception).state = 'CLOSED' THEN 'EXCEPTION_CLOSED'
    WHEN v_rule.kind IS NULL THEN 'DECISION_NOT_FOR_KIND'
    ELSE coalesce(
      review.may_decide(v_actor.roles, v_rule.roles, v_actor.authorities, (f.policy).authority),
      CASE WHEN (f.exception).version <> (p_input->>'exceptionVersion')::bigint
             OR (f.execution).version IS DISTINCT FROM (p_input->>'executionVersion')::bigint THEN 'CHANGED_SINCE_SEEN' END,
      CASE WHEN p_decision NOT IN ('LINK_RESULT', 'CONFIRM_KNOWN_RESULT')
             AND review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END)
  END;
  RETURN f;
END
$$;

-- An expected "no": audited in this transaction, nothing else changed. Tells what the state is now.
CREATE FUNCTION review.refuse_decision(f review.decision_frame, p_code text) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit(coalesce((SELECT event FROM review.decision_events WHERE decision = (f).decision), 'access.denied'), 'refused', p_code,
    ((f).exception).tenant_id, ((f).exception).exception_id, ((f).execution).execution_id, NULL, ((f).exception).operation,
    ((f).input->>'operationId')::uuid,
    jsonb_build_object('decision', (f).decision, 'rationale', (f).input->>'rationale', 'exceptionVersionSeen', (f).input->>'exceptionVersion',
      'executionVersionSeen', (f).input->>'executionVersion'));
  RETURN jsonb_build_object('outcome', 'refused', 'code', p_code,
    'exception', CASE WHEN ((f).exception).exception_id IS NOT NULL THEN jsonb_build_object(
      'state', ((f).exception).state, 'kind', ((f).exception).kind, 'version', ((f).exception).version,
      'closedAt', ledger.instant(((f).exception).closed_at), 'closedBy', ((f).exception).closed_by, 'closingCode', ((f).exception).closing_code) END,
    'execution', CASE WHEN ((f).execution).execution_id IS NOT NULL THEN jsonb_build_object(
      'state', ((f).execution).state, 'version', ((f).execution).version, 'resultId', ((f).execution).result_id) END);
END
$$;

-- What of a record a decision is about; stored before and after.
CREATE FUNCTION review.snapshot(p_row ledger.executions) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_row.execution_id IS NULL THEN '{}' ELSE jsonb_build_object('state', p_row.state, 'version', p_row.version,
    'fencingToken', p_row.fencing_token::text, 'resultId', p_row.result_id, 'resultUrl', p_row.result_url,
    'leaseExpiresAt', ledger.instant(p_row.lease_expires_at), 'attemptsAllowed', p_row.attempts_allowed, 'supersededBy', p_row.superseded_by) END
$$;

-- Records the decision, closes what it settles, appends the audit event: always the last step.
CREATE FUNCTION review.record_decision(f review.decision_frame, p_closes boolean, p_request_id uuid, p_params jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_id uuid := ledger.new_id();
  v_after jsonb;
  v_closed uuid;
  v_closed_ids uuid[] := '{}';
  v_row ledger.executions;
BEGIN
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = ((f).execution).execution_id;
  v_after := review.snapshot(v_row);
  INSERT INTO review.decisions (decision_id, operation_id, tenant_id, exception_id, exception_kind, execution_id, operation, decision, actor_id,
                                actor_roles, rationale, evidence_id, approval_request_id, params, before, after, decided_at)
    VALUES (v_id, ((f).input->>'operationId')::uuid, ((f).exception).tenant_id, ((f).exception).exception_id, ((f).exception).kind,
            ((f).execution).execution_id, ((f).exception).operation, (f).decision, (f).actor_id, (f).actor_roles, (f).input->>'rationale',
            ((f).input->>'evidenceId')::uuid, p_request_id, p_params, review.snapshot((f).execution), v_after, (f).now);
  PERFORM review.note_event(((f).exception).exception_id, 'decided', jsonb_build_object('decision', (f).decision, 'decisionId', v_id));
  IF p_closes THEN
    FOR v_closed IN
      UPDATE review.exceptions SET state = 'CLOSED', closed_at = (f).now, closed_by = (f).actor_id::text, closing = 'DECISION',
          closing_code = (f).decision, decision_id = v_id, deferred_until = NULL
        WHERE state = 'OPEN' AND (exception_id = ((f).exception).exception_id
          OR (execution_id = ((f).execution).execution_id AND kind = ANY (review.kinds_settled_by((f).decision, ((f).exception).kind))))
        RETURNING exception_id
    LOOP
      v_closed_ids := v_closed_ids || v_closed;
      PERFORM review.note_event(v_closed, 'closed', jsonb_build_object('by', 'decision', 'decisionId', v_id));
    END LOOP;
  END IF;
  PERFORM review.append_audit((SELECT event FROM review.decision_events WHERE decision = (f).decision), 'done', NULL,
    ((f).exception).tenant_id, ((f).exception).exception_id, ((f).execution).execution_id, p_request_id, ((f).exception).operation,
    ((f).input->>'operationId')::uuid,
    jsonb_build_object('decision', (f).decision, 'decisionId', v_id, 'kind', ((f).exception).kind, 'before', review.snapshot((f).execution), 'after', v_after,
      'rationale', (f).input->>'rationale', 'evidenceId', (f).input->>'evidenceId', 'params', p_params, 'closed', to_jsonb(v_closed_ids)));
  RETURN jsonb_build_object('outcome', 'done', 'decisionId', v_id, 'after', v_after, 'closed', to_jsonb(v_closed_ids));
END
$$;

-- R-060, R-064: may this lookup carry the decision? Null = yes. The newest look decides: an older one that says
-- otherwise is no evidence any more. A newer look that learned nothing (no access, unclear) does not count against it.
CREATE FUNCTION review.evidence_refusal(p_lookup_id uuid, p_row ledger.executions, p_policy ledger.operation_policies, p_verdict text, p_now timestamptz)
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_lookup review.lookups;
BEGIN
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  RETURN CASE
    WHEN v_lookup.lookup_id IS NULL THEN 'EVIDENCE_MISSING'
    WHEN v_lookup.execution_id <> p_row.execution_id OR v_lookup.execution_version <> p_row.version THEN 'EVIDENCE_WRONG_SUBJECT'
    WHEN v_lookup.verdict <> p_verdict THEN 'EVIDENCE_SHOWS_OTHERWISE'
    WHEN v_lookup.checked_at + make_interval(secs => p_policy.evidence_max_age_seconds) < p_now THEN 'EVIDENCE_STALE'
    WHEN p_verdict = 'NOT_APPLIED' AND (v_lookup.usable_from IS NULL OR v_lookup.checked_at < v_lookup.usable_from) THEN 'HORIZON_NOT_OVER'
    WHEN p_verdict = 'NOT_APPLIED' AND v_lookup.usable_until <= p_now THEN 'EVIDENCE_PROVES_NOTHING'
    WHEN EXISTS (SELECT 1 FROM review.lookups newer WHERE newer.execution_id = p_row.execution_id AND newer.execution_version = p_row.version
                   AND newer.lookup_id <> v_lookup.lookup_id AND newer.checked_at > v_lookup.checked_at
                   AND newer.outcome NOT IN ('INACCESSIBLE', 'INCONCLUSIVE')
                   AND (newer.verdict <> v_lookup.verdict OR newer.result_id IS DISTINCT FROM v_lookup.result_id)) THEN 'EVIDENCE_CONTRADICTED'
  END;
END
$$;

-- R-066 Link result. Recovers the same work. Only evidence "applied" whose account and content agree can be linked.
CREATE FUNCTION review.link_result(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('LINK_RESULT', p_input);
  v_lookup review.lookups;
  v_code text;
  v_constraint text;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = (p_input->>'evidenceId')::uuid;
  v_code := coalesce(
    CASE WHEN (f.execution).state NOT IN ('PROCESSING', 'UNKNOWN', 'EXPIRED') OR (f.execution).superseded_by IS NOT NULL THEN 'STATE_NOT_SUITABLE' END,
    review.evidence_refusal((p_input->>'evidenceId')::uuid, f.execution, f.policy, 'APPLIED', f.now),
    CASE WHEN v_lookup.outcome = 'FOUND' AND (v_lookup.account_match IS NOT TRUE OR v_lookup.content_match IS NOT TRUE) THEN 'EVIDENCE_DOES_NOT_MATCH'
         WHEN v_lookup.result_id IS NULL AND (f.policy).result_id_required THEN 'RESULT_ID_MISSING'
         WHEN (f.execution).result_id <> v_lookup.result_id THEN 'OTHER_RESULT_LINKED' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  BEGIN
    UPDATE ledger.executions SET
        state = CASE state WHEN 'EXPIRED' THEN 'EXPIRED' ELSE 'SUCCEEDED' END,
        moved_by = 'person', fencing_token = fencing_token + 1,
        result_id = coalesce(result_id, v_lookup.result_id), result_url = coalesce(result_url, v_lookup.result_url),
        target_system = coalesce(target_system, v_lookup.target_system), target_account = coalesce(target_account, v_lookup.target_account)
      WHERE execution_id = (f.execution).execution_id AND version = (f.execution).version;
  EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint <> 'executions_result_is_linked_once' THEN RAISE; END IF;
    RETURN review.refuse_decision(f, 'RESULT_LINKED_ELSEWHERE');
  END;
  RETURN review.record_decision(f, true, NULL, jsonb_build_object('resultId', v_lookup.result_id, 'resultUrl', v_lookup.result_url));
END
$$;

-- A late arrival on an expired key whose result is known: nothing moves, the exception is settled (R-041).
CREATE FUNCTION review.confirm_known_result(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('CONFIRM_KNOWN_RESULT', p_input);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  IF (f.execution).result_id IS NULL OR NOT ((f.execution).state IN ('EXPIRED', 'SUCCEEDED')) THEN
    RETURN review.refuse_decision(f, 'STATE_NOT_SUITABLE');
  END IF;
  RETURN review.record_decision(f, true, NULL, jsonb_build_object('resultId', (f.execution).result_id));
END
$$;

-- The last look at this version of the execution that says so, if any.
CREATE FUNCTION review.newest_evidence(p_row ledger.executions, p_verdict text) RETURNS uuid
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT lookup_id FROM review.lookups
  WHERE execution_id = p_row.execution_id AND execution_version = p_row.version AND verdict = p_verdict
  ORDER BY checked_at DESC, lookup_id DESC LIMIT 1
$$;

-- R-068 Final failure: later retransmissions get the recorded refusal. On an expired record it settles the exception only.
CREATE FUNCTION review.fail_finally(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('FINAL_FAILURE', p_input);
  v_code text;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  IF (f.execution).state NOT IN ('RECEIVED', 'PROCESSING', 'UNKNOWN', 'FAILED_RETRYABLE', 'EXPIRED') OR (f.execution).superseded_by IS NOT NULL THEN
    RETURN review.refuse_decision(f, 'STATE_NOT_SUITABLE');
  END IF;
  -- Where the effect may exist, "failed" has to be shown like "not applied": later callers will believe it.
  IF (f.execution).state = 'UNKNOWN' OR ((f.execution).state = 'PROCESSING' AND (f.execution).effect_started_at IS NOT NULL) THEN
    f.input := f.input || jsonb_build_object('evidenceId', review.newest_evidence(f.execution, 'NOT_APPLIED'));
    v_code := review.evidence_refusal((f.input->>'evidenceId')::uuid, f.execution, f.policy, 'NOT_APPLIED', f.now);
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

-- R-073 Keep the original and refuse the change; the refused content is remembered through its intake.
CREATE FUNCTION review.keep_original(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('KEEP_ORIGINAL', p_input);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  RETURN review.record_decision(f, true, NULL, '{}');
END
$$;

-- R-075 The owner was heard from: wait longer. The owner's token stays good. input.seconds: 60 … 86400.
CREATE FUNCTION review.extend(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('EXTEND', p_input);
  v_until timestamptz;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  IF (f.execution).state <> 'PROCESSING' THEN RETURN review.refuse_decision(f, 'STATE_NOT_SUITABLE'); END IF;
  IF coalesce((p_input->>'seconds')::integer, 0) NOT BETWEEN 60 AND 86400 THEN RETURN review.refuse_decision(f, 'SECONDS_OUT_OF_RANGE'); END IF;
  v_until := f.now + make_interval(secs => (p_input->>'seconds')::integer);
  UPDATE ledger.executions SET moved_by = 'person', lease_expires_at = greatest(lease_expires_at, v_until), extended_until = v_until
    WHERE execution_id = (f.execution).execution_id AND version = (f.execution).version;
  RETURN review.record_decision(f, true, NULL, jsonb_build_object('until', ledger.instant(v_until)));
END
$$;

-- R-075 Nobody can say how it ended: the result is unknown from now on, and the old owner is fenced. The exception
-- stays open under its new kind.
CREATE FUNCTION review.declare_unknown(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('DECLARE_UNKNOWN', p_input);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  IF (f.execution).state <> 'PROCESSING' THEN RETURN review.refuse_decision(f, 'STATE_NOT_SUITABLE'); END IF;
  UPDATE ledger.executions SET state = 'UNKNOWN', moved_by = 'person', unknown_reason = 'DECLARED', fencing_token = fencing_token + 1
    WHERE execution_id = (f.execution).execution_id AND version = (f.execution).version;
  RETURN review.record_decision(f, false, NULL, '{}');
END
$$;

-- Retries used up, or nobody came: let an executor claim the same key again. input.attempts: 1 … 10.
CREATE FUNCTION review.allow_attempts(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('ALLOW_ATTEMPTS', p_input);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  IF (f.execution).state NOT IN ('RECEIVED', 'FAILED_RETRYABLE') OR (f.execution).superseded_by IS NOT NULL THEN
    RETURN review.refuse_decision(f, 'STATE_NOT_SUITABLE');
  END IF;
  IF coalesce((p_input->>'attempts')::integer, 0) NOT BETWEEN 1 AND 10 THEN RETURN review.refuse_decision(f, 'ATTEMPTS_OUT_OF_RANGE'); END IF;
  UPDATE ledger.executions SET moved_by = 'person',
      attempts_allowed = greatest(attempts_allowed, attempts_spent + (p_input->>'attempts')::integer),
      extended_until = f.now + make_interval(secs => CASE state WHEN 'RECEIVED' THEN (f.policy).claim_within_seconds ELSE (f.policy).retry_within_seconds END)
    WHERE execution_id = (f.execution).execution_id AND version = (f.execution).version;
  RETURN review.record_decision(f, true, NULL, jsonb_build_object('attempts', (p_input->>'attempts')::integer));
END
$$;

-- KEY_MISSING and OPERATION_PAUSED have no execution to move: the decision records what holds from now on.
CREATE FUNCTION review.record_key_rule(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision(CASE WHEN (p_input->>'acceptUnprotected')::boolean THEN 'ACCEPT_UNPROTECTED' ELSE 'RECORD_KEY_RULE' END, p_input);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  RETURN review.record_decision(f, true, NULL, '{}');
END
$$;

CREATE FUNCTION review.resume_operation(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_decision('RESUME_OPERATION', p_input);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_decision(f, f.refusal); END IF;
  DELETE FROM ledger.operation_pauses WHERE tenant_id = (f.exception).tenant_id AND operation = (f.exception).operation;
  RETURN review.record_decision(f, true, NULL, '{}');
END
$$;

GRANT EXECUTE ON FUNCTION review.link_result(jsonb), review.confirm_known_result(jsonb), review.fail_finally(jsonb), review.keep_original(jsonb),
  review.extend(jsonb), review.declare_unknown(jsonb), review.allow_attempts(jsonb), review.record_key_rule(jsonb), review.resume_operation(jsonb)
  TO onceover_app;

-- Desk acts that settle nothing (R-049): who takes it, a note, and "not now, but then and there".

CREATE FUNCTION review.open_desk_act(p_input jsonb) RETURNS review.decision_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_actor record;
BEGIN
  f.input := p_input;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person acts at the desk' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.actor_roles := v_actor.roles;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = (p_input->>'exceptionId')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT (f.exception).tenant_id = ANY (v_actor.tenant_ids) THEN
    f.exception := NULL;
    f.refusal := 'NOT_FOUND';
    RETURN f;
  END IF;
  -- A desk act leaves its operation id in the audit chain alone; asked under the lock, like a decision's.
  IF EXISTS (SELECT 1 FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid AND actor_id = f.actor_id::text AND outcome = 'done') THEN
    f.repeated := '{"outcome": "done", "repeated": true}';
    RETURN f;
  END IF;
  f.now := ledger.clock();
  f.policy := ledger.policy_for((f.exception).tenant_id, (f.exception).operation);
  f.refusal := CASE
    WHEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (f.policy).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (f.policy).authority)
    WHEN (f.exception).state = 'CLOSED' AND NOT coalesce((p_input->>'onClosedToo')::boolean, false) THEN 'EXCEPTION_CLOSED'
    WHEN (f.exception).version <> (p_input->>'exceptionVersion')::bigint THEN 'CHANGED_SINCE_SEEN' END;
  RETURN f;
END
$$;

CREATE FUNCTION review.end_desk_act(f review.decision_frame, p_event text, p_refusal text, p_note text, p_detail jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF p_refusal IS NULL THEN
    PERFORM review.note_event(((f).exception).exception_id, p_note, p_detail);
  END IF;
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, ((f).exception).tenant_id,
    ((f).exception).exception_id, ((f).exception).execution_id, NULL, ((f).exception).operation, ((f).input->>'operationId')::uuid, p_detail);
  RETURN CASE WHEN p_refusal IS NULL THEN jsonb_build_object('outcome', 'done')
              ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) END;
END
$$;

-- input.assigneeId: a person of the same tenant who may work on it, or null to give it back.
CREATE FUNCTION review.assign_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act(p_input);
  v_assignee uuid := (p_input->>'assigneeId')::uuid;
  v_detail jsonb := jsonb_build_object('from', (f.exception).assignee_id, 'to', v_assignee);
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL AND v_assignee IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM review.people WHERE person_id = v_assignee AND disabled_at IS NULL AND (f.exception).tenant_id = ANY (tenant_ids)
        AND roles && ARRAY['OPERATOR', 'APPROVER']) THEN
    f.refusal := 'ASSIGNEE_NOT_SUITABLE';
  END IF;
  IF f.refusal IS NULL THEN
    UPDATE review.exceptions SET assignee_id = v_assignee,
        deferred_until = CASE WHEN v_assignee IS NULL THEN NULL ELSE deferred_until END
      WHERE exception_id = (f.exception).exception_id;
  END IF;
  RETURN review.end_desk_act(f, 'exception.assigned', f.refusal, 'assigned', v_detail);
END
$$;

CREATE FUNCTION review.comment_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act(p_input || '{"onClosedToo": true}');
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL AND review.visible_length(p_input->>'text') NOT BETWEEN 1 AND 4000 THEN
    f.refusal := 'TEXT_LENGTH';
  END IF;
  RETURN review.end_desk_act(f, 'exception.commented', f.refusal, 'commented', jsonb_build_object('text', p_input->>'text'));
END
$$;

-- A deferred exception keeps an owner, a next check time and a place to look. input: until, place, assigneeId?.
CREATE FUNCTION review.defer_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act(p_input);
  v_until timestamptz := (p_input->>'until')::timestamptz;
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL THEN
    f.refusal := CASE
      WHEN v_until IS NULL OR v_until <= f.now OR v_until > f.now + interval '30 days' THEN 'DEFER_TIME'
      WHEN review.visible_length(p_input->>'place') NOT BETWEEN 3 AND 500 THEN 'DEFER_PLACE' END;
  END IF;
  IF f.refusal IS NULL THEN
    UPDATE review.exceptions SET deferred_until = v_until, next_check_at = v_until, next_place = p_input->>'place',
        assignee_id = coalesce(assignee_id, f.actor_id)
      WHERE exception_id = (f.exception).exception_id;
  END IF;
  RETURN review.end_desk_act(f, 'exception.deferred', f.refusal, 'deferred',
    jsonb_build_object('until', p_input->>'until', 'place', p_input->>'place', 'reason', p_input->>'reason'));
END
$$;

GRANT EXECUTE ON FUNCTION review.assign_exception(jsonb), review.comment_exception(jsonb), review.defer_exception(jsonb) TO onceover_app;
