-- An operation id names one act of one person on one subject. Before, the id of any finished act counted as a repetition
-- of whatever it was sent with: the answer was "done", nothing was done, and nothing was on record. Every command that
-- knows repetitions asks review.judge_operation_id now, after it judged who may; else the bodies are as they were.

CREATE TABLE review.operation_ids (
  operation_id uuid PRIMARY KEY,
  act          text NOT NULL,
  -- A digest: what an invitation is about is somebody's address.
  subject      bytea NOT NULL,
  actor_id     uuid NOT NULL REFERENCES review.people (person_id)
);

-- NULL: nothing came about under this id yet, and from now on it stands for this act. Every name of a subject that any
-- command sends counts; what only says how (a reason, roles, a verdict's words) does not.
CREATE FUNCTION review.judge_operation_id(p_act text, p_input jsonb) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  o review.operation_ids;
BEGIN
  o.operation_id := (p_input->>'operationId')::uuid;
  -- What only looks, a try of a connector, brings nothing about that could be repeated.
  IF o.operation_id IS NULL THEN
    RETURN NULL;
  END IF;
  o.act := p_act;
  o.actor_id := current_setting('onceover.actor_id')::uuid;
  SELECT sha256(convert_to(coalesce(string_agg(key || ' ' || (p_input->>key), E'\n' ORDER BY key), ''), 'UTF8')) INTO o.subject
    FROM unnest(ARRAY['exceptionId', 'executionId', 'requestId', 'personId', 'grantId', 'sessionId', 'tokenId', 'proposalId', 'tenantId',
                      'operation', 'principalId', 'emailCanonical', 'connectorId']) key WHERE p_input->>key IS NOT NULL;
  -- The same id at the same moment: the second one sees what the first one brought about.
  PERFORM pg_advisory_xact_lock(hashtextextended('onceover operation id ' || o.operation_id, 0));
  IF EXISTS (SELECT FROM review.audit_events WHERE operation_id = o.operation_id AND outcome = 'done') THEN
    RETURN CASE WHEN EXISTS (SELECT FROM review.operation_ids i WHERE i = o) THEN 'REPEATED' ELSE 'OPERATION_ID_USED' END;
  END IF;
  -- A refused act has used nothing up: its form may be sent again, and be about something else.
  INSERT INTO review.operation_ids SELECT o.*
    ON CONFLICT (operation_id) DO UPDATE SET act = excluded.act, subject = excluded.subject, actor_id = excluded.actor_id;
  RETURN NULL;
END
$$;

-- What the person was told first: a decision, or the request for one. Whether the id is a repetition is judged before.
CREATE FUNCTION review.first_answer(p_operation_id uuid) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(
    (SELECT jsonb_build_object('outcome', 'requested', 'repeated', true, 'requestId', request_id)
       FROM review.approval_requests WHERE operation_id = p_operation_id),
    (SELECT jsonb_build_object('outcome', 'done', 'repeated', true, 'decisionId', decision_id, 'after', after)
       FROM review.decisions WHERE operation_id = p_operation_id),
    '{"outcome": "done", "repeated": true}')
$$;

CREATE OR REPLACE FUNCTION review.open_decision(p_decision text, p_input jsonb) RETURNS review.decision_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_actor record;
  v_execution_id uuid;
  v_rule review.decision_rules;
  v_rights text;
  v_told text;
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
  f.now := ledger.clock();
  f.policy := ledger.policy_for((f.exception).tenant_id, (f.exception).operation);
  SELECT * INTO v_rule FROM review.decision_rules WHERE kind = (f.exception).kind AND decision = p_decision;
  -- What was decided may have made it another kind of exception, which changes nothing about who may hear of it.
  v_rights := review.may_decide(v_actor.roles, coalesce(v_rule.roles, ARRAY(SELECT unnest(roles) FROM review.decision_rules WHERE decision = p_decision)),
    v_actor.authorities, (f.policy).authority);
  -- Asked under the locks: the same click, sent twice at the same moment, decides once and is told so twice.
  IF v_rights IS NULL THEN
    v_told := review.judge_operation_id(p_decision, p_input);
    IF v_told = 'REPEATED' THEN
      f.repeated := review.first_answer((p_input->>'operationId')::uuid);
      RETURN f;
    END IF;
  END IF;
  f.refusal := CASE
    WHEN v_told IS NOT NULL THEN v_told
    WHEN (f.exception).state = 'CLOSED' THEN 'EXCEPTION_CLOSED'
    WHEN v_rule.kind IS NULL THEN 'DECISION_NOT_FOR_KIND'
    ELSE coalesce(
      v_rights,
      CASE WHEN (f.exception).version <> (p_input->>'exceptionVersion')::bigint
             OR (f.execution).version IS DISTINCT FROM (p_input->>'executionVersion')::bigint THEN 'CHANGED_SINCE_SEEN' END,
      CASE WHEN p_decision NOT IN ('LINK_RESULT', 'CONFIRM_KNOWN_RESULT')
             AND review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END)
  END;
  RETURN f;
END
$$;

CREATE OR REPLACE FUNCTION review.confirm_not_applied(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_code text;
BEGIN
  f := review.open_decision('CONFIRM_NOT_APPLIED', p_input);
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

CREATE OR REPLACE FUNCTION review.request_reissue(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_relation text := p_input->>'relation';
  v_intake_id uuid := (p_input->>'intakeId')::uuid;
  v_undone review.lookups;
  v_code text;
BEGIN
  f := review.open_decision('REQUEST_REISSUE', p_input);
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  v_undone := review.undone_look(f.execution, f.policy);
  v_code := coalesce(f.refusal,
    CASE WHEN v_relation IS NULL OR v_relation NOT IN ('RETRY_AS_NEW', 'CORRECTION', 'NEW_WORK') THEN 'RELATION_MISSING'
         WHEN (f.execution).superseded_by IS NOT NULL THEN 'STATE_NOT_SUITABLE'
         WHEN review.reissue_is_blocked((f.execution).lineage_id) THEN 'LINEAGE_UNDER_REVIEW'
         WHEN v_relation = 'RETRY_AS_NEW' AND (f.exception).kind = 'CONTENT_CONFLICT' THEN 'RELATION_NOT_FOR_KIND'
         WHEN v_relation = 'RETRY_AS_NEW' AND ((f.execution).state = 'SUCCEEDED' OR (f.execution).expired_from = 'SUCCEEDED') THEN 'STATE_NOT_SUITABLE'
         WHEN review.visible_length(p_input->>'originalFate') NOT BETWEEN 3 AND 1000 THEN 'ORIGINAL_FATE_MISSING'
         WHEN (v_relation = 'CORRECTION' OR v_intake_id IS NOT NULL) AND NOT EXISTS (
           SELECT 1 FROM ledger.intakes WHERE intake_id = v_intake_id AND execution_id = (f.execution).execution_id AND disposition = 'CONTENT_CONFLICT')
           THEN 'INTAKE_MISSING'
         -- Work under way ends first: nobody may put a second executor beside it.
         WHEN (f.execution).state = 'PROCESSING' AND v_relation <> 'NEW_WORK' AND (f.execution).lease_expires_at > f.now THEN 'STATE_NOT_SUITABLE' END,
    CASE WHEN v_relation = 'RETRY_AS_NEW' AND (f.execution).state NOT IN ('RECEIVED', 'FAILED_RETRYABLE') AND (f.execution).expired_from IS DISTINCT FROM 'FAILED_FINAL'
         THEN review.evidence_refusal((p_input->>'evidenceId')::uuid, f.execution, f.policy, 'NOT_APPLIED', f.now) END,
    -- Whatever the new work is called: beside an effect in doubt it may be the second one. What became of the original
    -- has to be shown, one way or the other.
    CASE WHEN v_relation <> 'RETRY_AS_NEW' AND (f.execution).state = 'UNKNOWN'
           AND review.evidence_refusal(review.newest_evidence(f.execution, 'APPLIED'), f.execution, f.policy, 'APPLIED', f.now) IS NOT NULL
         THEN CASE WHEN v_undone.lookup_id IS NOT NULL THEN review.undone_refusal(v_undone, f.policy, f.now)
           ELSE review.evidence_refusal(review.newest_evidence(f.execution, 'NOT_APPLIED'), f.execution, f.policy, 'NOT_APPLIED', f.now) END END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.file_request(f, 'REISSUE', v_relation, v_intake_id, jsonb_build_object('originalFate', p_input->>'originalFate'));
END
$$;

CREATE OR REPLACE FUNCTION review.request_effect_settlement(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame;
  v_code text;
BEGIN
  f := review.open_decision('SETTLE_EFFECT', p_input);
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN coalesce(p_input->>'outcome', '') NOT IN ('APPLIED', 'NOT_OURS') THEN 'OUTCOME_MISSING'
    WHEN p_input->>'outcome' = 'APPLIED' AND coalesce(p_input->>'resultId', '') = '' THEN 'RESULT_ID_MISSING'
    WHEN p_input->>'outcome' = 'APPLIED' AND review.is_linked_elsewhere(f.execution, p_input->>'resultId') THEN 'RESULT_LINKED_ELSEWHERE'
    WHEN coalesce(p_input->>'otherFate', '') NOT IN ('KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE') THEN 'OTHER_FATE_MISSING'
    WHEN p_input->>'otherFate' = 'COMPENSATED' AND coalesce(p_input->>'compensationId', '') = '' THEN 'COMPENSATION_ID_MISSING'
    WHEN review.visible_length(p_input->>'businessImpact') NOT BETWEEN 3 AND 1000 THEN 'BUSINESS_IMPACT_MISSING' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_decision(f, v_code); END IF;
  RETURN review.file_request(f, 'SETTLE_EFFECT', NULL, NULL, jsonb_build_object('outcome', p_input->>'outcome', 'resultId', p_input->>'resultId',
    'resultUrl', p_input->>'resultUrl', 'businessImpact', p_input->>'businessImpact', 'otherFate', p_input->>'otherFate', 'compensationId', p_input->>'compensationId'));
END
$$;

DROP FUNCTION review.repeated_request(jsonb);

DROP FUNCTION review.open_desk_act(jsonb);

CREATE OR REPLACE FUNCTION review.open_desk_act(p_event text, p_input jsonb) RETURNS review.decision_frame
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
  f.now := ledger.clock();
  f.policy := ledger.policy_for((f.exception).tenant_id, (f.exception).operation);
  f.refusal := review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (f.policy).authority);
  IF f.refusal IS NOT NULL THEN RETURN f; END IF;
  -- Asked under the lock, like a decision's.
  f.refusal := review.judge_operation_id(p_event, p_input);
  IF f.refusal = 'REPEATED' THEN
    f.repeated := review.first_answer((p_input->>'operationId')::uuid);
    RETURN f;
  END IF;
  f.refusal := CASE
    WHEN f.refusal IS NOT NULL THEN f.refusal
    WHEN (f.exception).state = 'CLOSED' AND NOT coalesce((p_input->>'onClosedToo')::boolean, false) THEN 'EXCEPTION_CLOSED'
    WHEN (f.exception).version <> (p_input->>'exceptionVersion')::bigint THEN 'CHANGED_SINCE_SEEN' END;
  RETURN f;
END
$$;

CREATE OR REPLACE FUNCTION review.assign_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act('exception.assigned', p_input);
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

CREATE OR REPLACE FUNCTION review.defer_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act('exception.deferred', p_input);
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

CREATE OR REPLACE FUNCTION review.comment_exception(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.decision_frame := review.open_desk_act('exception.commented', p_input || '{"onClosedToo": true}');
BEGIN
  IF f.repeated IS NOT NULL THEN RETURN f.repeated; END IF;
  IF f.refusal IS NULL AND review.visible_length(p_input->>'text') NOT BETWEEN 1 AND 4000 THEN
    f.refusal := 'TEXT_LENGTH';
  END IF;
  RETURN review.end_desk_act(f, 'exception.commented', f.refusal, 'commented', jsonb_build_object('text', p_input->>'text'));
END
$$;

CREATE OR REPLACE FUNCTION review.open_input(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  v_row ledger.executions;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person opens an input' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = (p_input->>'executionId')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT v_row.tenant_id = ANY (v_actor.tenant_ids) THEN
    v_row := NULL;
    v_code := 'NOT_FOUND';
  ELSE
    v_code := coalesce(
      review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(v_row.tenant_id, v_row.operation)).authority),
      review.judge_operation_id('input.opened', p_input),
      CASE WHEN v_row.input_ref IS NULL THEN 'INPUT_NOT_KEPT'
           WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  END IF;
  -- What was told once is not told again.
  IF v_code = 'REPEATED' THEN RETURN review.first_answer((p_input->>'operationId')::uuid); END IF;
  PERFORM review.append_audit('input.opened', CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code, v_row.tenant_id, NULL,
    v_row.execution_id, NULL, v_row.operation, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
  RETURN CASE WHEN v_code IS NULL THEN jsonb_build_object('outcome', 'done', 'inputRef', v_row.input_ref)
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;

CREATE OR REPLACE FUNCTION review.record_evidence(p_evidence jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.lookups;
  v_exception review.exceptions;
  v_row ledger.executions;
  v_operation_id uuid := (p_evidence->>'operationId')::uuid;
  v_code text;
BEGIN
  -- The lock orders two halves of a double click; the second one finds what the first one recorded.
  SELECT * INTO v_exception FROM review.exceptions WHERE exception_id = (p_evidence->>'exceptionId')::uuid FOR NO KEY UPDATE;
  v_code := review.lookup_refusal(v_exception);
  -- An exception that was closed since leaves a repetition one.
  IF v_code IS NULL OR v_code IN ('EXCEPTION_CLOSED', 'NO_EXECUTION') THEN
    v_code := coalesce(review.judge_operation_id('evidence.recorded', p_evidence), v_code);
    IF v_code = 'REPEATED' THEN RETURN review.first_answer(v_operation_id); END IF;
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = v_exception.execution_id;
  p.execution_id := v_row.execution_id;
  p.exception_id := v_exception.exception_id;
  p.outcome := p_evidence->>'outcome';
  p.external_status := p_evidence->>'externalStatus';
  p.verdict := p_evidence->>'verdict';
  p.result_id := p_evidence->>'resultId';
  p.result_url := p_evidence->>'resultUrl';
  p.target_system := v_row.target_system;
  p.target_account := p_evidence->>'targetAccount';
  p.account_match := v_row.target_account IS NULL OR p.target_account = v_row.target_account;
  p.content_match := (p_evidence->>'contentAgrees')::boolean;
  p.comparison := '[]';
  p.candidates := '[]';
  p.place := p_evidence->>'place';
  p.seen := p_evidence->>'seen';
  p.checked_at := (p_evidence->>'checkedAt')::timestamptz;
  p.usable_from := (p_evidence->>'usableFrom')::timestamptz;
  v_code := coalesce(v_code, p_evidence->>'refusal', CASE
    WHEN v_row.version <> (p_evidence->>'executionVersion')::bigint THEN 'CHANGED_SINCE_SEEN'
    WHEN p.checked_at > ledger.clock() THEN 'CHECKED_IN_THE_FUTURE'
    WHEN p.outcome = 'FOUND' AND p.account_match IS NOT TRUE THEN 'ACCOUNT_DIFFERS'
    WHEN p.outcome = 'FOUND' AND p.content_match IS NOT TRUE THEN 'CONTENT_NOT_CONFIRMED'
  END);
  IF v_code IS NULL THEN
    RETURN jsonb_build_object('outcome', 'done',
      'lookupId', review.add_lookup(p, v_row.version, 'evidence.recorded', NULL, v_operation_id));
  END IF;
  IF v_code = 'NOT_FOUND' THEN
    v_exception := NULL;
  END IF;
  PERFORM review.append_audit('evidence.recorded', 'refused', v_code, v_exception.tenant_id, v_exception.exception_id,
    v_exception.execution_id, NULL, v_exception.operation, v_operation_id, jsonb_build_object('verdict', p.verdict));
  RETURN jsonb_build_object('outcome', 'refused', 'code', v_code);
END
$$;

CREATE OR REPLACE FUNCTION review.decide_request(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  f review.decision_frame;
  v_actor record;
  v_step text := CASE p_input->>'verdict' WHEN 'APPROVE' THEN 'APPROVED' WHEN 'REJECT' THEN 'REJECTED' END;
  v_now timestamptz;
  v_code text;
  v_ended text;
  v_void text;
  v_then jsonb;
  v_terms jsonb;
  v_evidence_id uuid;
  v_result jsonb;
BEGIN
  -- Whoever the outcome rests on, in one order: nobody's rights go away between here and COMMIT.
  PERFORM 1 FROM review.people p WHERE p.person_id::text = current_setting('onceover.actor_id', true)
      OR p.person_id IN (SELECT q.requested_by FROM review.approval_requests q WHERE q.request_id = (p_input->>'requestId')::uuid)
      OR p.person_id IN (SELECT d.approver_id FROM review.approval_decisions d WHERE d.request_id = (p_input->>'requestId')::uuid)
    ORDER BY p.person_id FOR SHARE;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person decides' USING ERRCODE = 'OA003';
  END IF;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR NOT r.tenant_id = ANY (v_actor.tenant_ids) OR v_step IS NULL THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  SELECT e INTO f.execution FROM ledger.executions e WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  SELECT x INTO f.exception FROM review.exceptions x WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id FOR NO KEY UPDATE;
  v_now := ledger.clock();
  f.policy := ledger.policy_for(r.tenant_id, r.operation);
  v_code := CASE WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'
    ELSE review.may_decide(v_actor.roles, review.roles_for_request(r.kind), v_actor.authorities, (f.policy).authority) END;
  IF v_code IS NULL THEN v_code := review.judge_operation_id('request ' || v_step, p_input); END IF;
  IF v_code = 'REPEATED' THEN
    -- The same click once more, when the first one found the request over: its answer stays what it was.
    v_ended := (SELECT split_part(event, '.', 2) FROM review.audit_events WHERE operation_id = (p_input->>'operationId')::uuid
                  AND split_part(event, '.', 2) IN ('voided', 'expired') AND outcome = 'done');
    RETURN CASE v_ended
      WHEN 'voided' THEN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', r.state, 'voidReason', r.void_reason)
      WHEN 'expired' THEN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_EXPIRED', 'state', r.state)
      ELSE jsonb_build_object('outcome', 'done', 'repeated', true, 'state', r.state, 'newExecutionId', r.new_execution_id) END;
  END IF;
  v_then := review.terms_of(r);
  v_terms := review.terms_now(r);
  v_code := CASE
    WHEN v_code IS NOT NULL THEN v_code
    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'
    WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'
    WHEN review.visible_length(p_input->>'rationale') < greatest((v_then->>'minRationale')::integer, (v_terms->>'minRationale')::integer) THEN 'RATIONALE_SHORT'
    WHEN EXISTS (SELECT 1 FROM review.approval_decisions WHERE request_id = r.request_id AND approver_id = v_actor.person_id) THEN 'DECIDED_BY_YOU_ALREADY'
    -- Saying no takes nobody's agreement; saying yes takes a policy in force and a step to say it for.
    WHEN v_step = 'APPROVED' AND v_terms IS NULL THEN 'NO_APPROVAL_POLICY'
    WHEN v_step = 'APPROVED' AND NOT EXISTS (
      SELECT FROM jsonb_array_elements((v_then->'steps') || (v_terms->'steps')) step
      WHERE (step->>'role' IS NULL OR step->>'role' = ANY (v_actor.roles))
        AND coalesce(step->>'authority', 'general') = ANY (v_actor.authorities || 'general'::text)) THEN 'NOT_IN_GROUP' END;
  IF v_code IS NOT NULL THEN
    PERFORM review.audit_request(r, v_step, v_code, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state, 'decidedBy',
      (SELECT p.display_name FROM review.approval_decisions d JOIN review.people p ON p.person_id = d.approver_id
        WHERE d.request_id = r.request_id AND r.state IN ('APPROVED', 'REJECTED', 'EXECUTED') ORDER BY d.decided_at DESC LIMIT 1));
  END IF;
  IF review.decide_until(r) <= v_now THEN
    PERFORM review.end_request(r, 'EXPIRED', NULL, NULL, NULL);
    PERFORM review.audit_request(r, 'EXPIRED', NULL, (p_input->>'operationId')::uuid, '{"limit": "decision"}');
    PERFORM review.audit_request(r, v_step, 'REQUEST_EXPIRED', (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_EXPIRED', 'state', 'EXPIRED');
  END IF;
  v_void := review.request_basis_lost(r, f.execution);
  IF v_void IS NOT NULL THEN
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, (p_input->>'operationId')::uuid, jsonb_build_object('reason', v_void));
    PERFORM review.audit_request(r, v_step, 'REQUEST_VOID', (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', 'VOID', 'voidReason', v_void);
  END IF;
  -- The newest look carries the confirmation: what was fresh for the first person may be stale for the second.
  IF v_step = 'APPROVED' AND r.kind = 'CONFIRM_NOT_APPLIED' THEN
    v_evidence_id := review.newest_evidence(f.execution, 'NOT_APPLIED');
    v_code := review.evidence_refusal(v_evidence_id, f.execution, f.policy, 'NOT_APPLIED', v_now);
  END IF;
  -- With no connector a person has to look once more: the second lookup before the key is theirs.
  IF v_step = 'APPROVED' AND r.relation = 'RETRY_AS_NEW' AND (f.policy).connector_id IS NULL
     AND (f.execution).expired_from IS DISTINCT FROM 'FAILED_FINAL' AND (f.execution).state NOT IN ('RECEIVED', 'FAILED_RETRYABLE') THEN
    v_code := review.evidence_refusal(r.evidence_id, f.execution, f.policy, 'NOT_APPLIED', v_now);
  END IF;
  IF v_code IS NOT NULL THEN
    PERFORM review.audit_request(r, v_step, v_code, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state);
  END IF;

  -- The verdict and what it brings about stand or fall together: what is refused on the way takes the verdict back.
  BEGIN
    INSERT INTO review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, evidence_id,
        shown_evidence_id, roles, decided_at)
      VALUES (r.request_id, v_actor.person_id, r.requested_by, (p_input->>'operationId')::uuid, p_input->>'verdict', p_input->>'rationale', r.digest,
              v_evidence_id, review.shown_look(p_input, r.execution_id), v_actor.roles, v_now);
    IF v_step = 'REJECTED' THEN
      PERFORM review.end_request(r, 'REJECTED', NULL, NULL, NULL);
    ELSIF review.approvals_refusal(r) IS NULL THEN
      PERFORM review.end_request(r, 'APPROVED', NULL,
        v_now + make_interval(secs => least((v_then->>'executionSeconds')::integer, (v_terms->>'executionSeconds')::integer)), NULL);
      IF r.kind = 'REISSUE' THEN
        PERFORM review.enqueue('execute-reissue', jsonb_build_object('requestId', r.request_id), 'execute-reissue:' || r.request_id);
      ELSE
        f.now := v_now;
        f.decision := r.kind;
        f.actor_id := v_actor.person_id;
        f.actor_roles := v_actor.roles;
        f.input := jsonb_build_object('operationId', p_input->>'operationId', 'rationale', p_input->>'rationale', 'evidenceId', coalesce(v_evidence_id, r.evidence_id),
          'shownEvidenceId', p_input->>'shownEvidenceId');
        IF r.kind = 'CONFIRM_NOT_APPLIED' THEN
          PERFORM review.apply_not_applied(f.execution, f.policy, v_now);
        ELSE
          v_code := review.apply_settlement(f.execution, r);
          IF v_code IS NOT NULL THEN
            RAISE EXCEPTION 'settlement refused' USING ERRCODE = 'OO007', DETAIL = v_code;
          END IF;
        END IF;
        PERFORM review.end_request((SELECT q FROM review.approval_requests q WHERE q.request_id = r.request_id), 'EXECUTED', NULL, NULL, NULL);
        v_result := review.record_decision(f, true, r.request_id, r.params);
        RETURN jsonb_build_object('outcome', 'done', 'state', 'EXECUTED', 'after', v_result->'after');
      END IF;
    END IF;
  EXCEPTION WHEN SQLSTATE 'OO007' THEN
    GET STACKED DIAGNOSTICS v_void = PG_EXCEPTION_DETAIL;
    PERFORM review.end_request(r, 'VOID', v_void, NULL, NULL);
    PERFORM review.audit_request(r, 'VOID', NULL, (p_input->>'operationId')::uuid, jsonb_build_object('reason', v_void));
    PERFORM review.audit_request(r, v_step, 'REQUEST_VOID', (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));
    RETURN jsonb_build_object('outcome', 'refused', 'code', 'REQUEST_VOID', 'state', 'VOID', 'voidReason', v_void);
  END;
  PERFORM review.audit_request(r, v_step, NULL, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale', 'evidenceId', v_evidence_id,
      'shownEvidenceId', review.shown_look(p_input, r.execution_id)) || review.approval_basis(r, v_actor.person_id));
  RETURN jsonb_build_object('outcome', 'done', 'state', (SELECT state FROM review.approval_requests WHERE request_id = r.request_id));
END
$$;

CREATE OR REPLACE FUNCTION review.withdraw_request(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r review.approval_requests;
  v_actor record;
  v_code text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  SELECT * INTO r FROM review.approval_requests WHERE request_id = (p_input->>'requestId')::uuid;
  IF NOT FOUND OR v_actor.person_id IS NULL OR NOT r.tenant_id = ANY (v_actor.tenant_ids) THEN
    RETURN review.refuse_unknown_request(p_input);
  END IF;
  PERFORM 1 FROM ledger.executions WHERE execution_id = r.execution_id FOR NO KEY UPDATE;
  PERFORM 1 FROM review.exceptions WHERE exception_id = r.exception_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id FOR NO KEY UPDATE;
  v_code := CASE WHEN r.requested_by <> v_actor.person_id THEN 'NOT_YOUR_REQUEST'
                 ELSE review.judge_operation_id('request WITHDRAWN', p_input) END;
  IF v_code = 'REPEATED' THEN RETURN review.first_answer((p_input->>'operationId')::uuid) || '{"state": "WITHDRAWN"}'; END IF;
  v_code := coalesce(v_code, CASE WHEN r.state NOT IN ('PENDING', 'APPROVED') THEN 'REQUEST_ENDED' END);
  IF v_code IS NULL THEN
    PERFORM review.end_request(r, 'WITHDRAWN', NULL, NULL, NULL);
  END IF;
  PERFORM review.audit_request(r, 'WITHDRAWN', v_code, (p_input->>'operationId')::uuid, '{}');
  RETURN CASE WHEN v_code IS NULL THEN '{"outcome": "done", "state": "WITHDRAWN"}'::jsonb
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code, 'state', r.state) END;
END
$$;

CREATE OR REPLACE FUNCTION review.break_glass(p_input jsonb) RETURNS jsonb
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
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = r.execution_id;
  v_code := CASE
    WHEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority) IS NOT NULL
      THEN review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority)
    WHEN NOT 'break-glass' = ANY (v_actor.authorities) THEN 'BREAK_GLASS_AUTHORITY_MISSING'
    WHEN review.may_break_glass(v_actor.person_id, r.request_id) IS NOT TRUE THEN 'RIGHT_TOO_NEW'
    ELSE review.judge_operation_id('break_glass.used', p_input) END;
  IF v_code = 'REPEATED' THEN RETURN review.first_answer((p_input->>'operationId')::uuid); END IF;
  v_code := CASE
    WHEN v_code IS NOT NULL THEN v_code
    WHEN r.kind <> 'REISSUE' THEN 'DECISION_NOT_FOR_KIND'
    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'
    WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'
    WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 20 AND 4000 THEN 'RATIONALE_SHORT'
    WHEN review.decide_until(r) <= v_now THEN 'REQUEST_EXPIRED'
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

CREATE OR REPLACE FUNCTION review.review_break_glass(p_input jsonb) RETURNS jsonb
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
  v_code := coalesce(
    CASE WHEN v_actor.person_id IN (u.used_by, r.requested_by) THEN 'SELF_APPROVAL' END,
    review.may_decide(v_actor.roles, ARRAY['APPROVER'], v_actor.authorities, (ledger.policy_for(r.tenant_id, r.operation)).authority),
    review.judge_operation_id('break_glass.reviewed', p_input));
  IF v_code = 'REPEATED' THEN RETURN review.first_answer((p_input->>'operationId')::uuid); END IF;
  v_code := coalesce(v_code,
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

CREATE OR REPLACE FUNCTION review.open_people(p_event text, p_input jsonb) RETURNS review.people_frame
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame;
  v_actor record;
BEGIN
  f.event := p_event;
  f.input := p_input;
  -- One order for all, so that two administrators who act on each other do not wait in a circle.
  PERFORM 1 FROM review.people
    WHERE person_id::text IN (p_input->>'personId', current_setting('onceover.actor_id', true)) ORDER BY person_id FOR NO KEY UPDATE;
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person manages people' USING ERRCODE = 'OA003';
  END IF;
  f.actor_id := v_actor.person_id;
  f.tenant_ids := v_actor.tenant_ids;
  f.now := ledger.clock();
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = (p_input->>'personId')::uuid;
  f.refusal := CASE
    -- One's own sessions are everybody's.
    WHEN p_event = 'session.ended' AND (f.person).person_id = f.actor_id THEN NULL
    WHEN NOT 'ADMIN' = ANY (v_actor.roles) THEN 'ROLE_MISSING'
    WHEN NOT p_input ? 'personId' THEN NULL
    WHEN (f.person).person_id IS NULL
      -- R-098: somebody of other tenants only is simply not there.
      OR NOT ((f.person).tenant_ids && v_actor.tenant_ids OR cardinality((f.person).tenant_ids) = 0) THEN 'NOT_FOUND' END;
  IF f.refusal IS NULL THEN
    f.refusal := review.judge_operation_id(p_event, p_input);
    f.repeated := f.refusal = 'REPEATED';
  END IF;
  RETURN f;
END
$$;

CREATE OR REPLACE FUNCTION review.end_sessions(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('session.ended', p_input);
  v_ended integer;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF f.refusal IS NOT NULL THEN RETURN review.refuse_people(f, f.refusal); END IF;
  v_ended := review.end_sessions_of((f.person).person_id, (p_input->>'sessionId')::uuid, current_setting('onceover.session_id', true));
  IF v_ended = 0 THEN RETURN review.refuse_people(f, 'SESSION_OVER'); END IF;
  PERFORM review.audit_people(f, 'session.ended', jsonb_build_object('sessionId', p_input->>'sessionId', 'sessionsEnded', v_ended));
  RETURN '{"outcome": "done"}';
END
$$;
