-- What evidence carries when the outside system and a person have both looked (R-058, R-060), what a deletion's empty
-- answer carries (R-061), and what an effect that was undone outside allows (R-068, R-069).

-- The newest look at this version that learned something, of the connector or of a person.
CREATE FUNCTION review.newest_telling(p_row ledger.executions, p_by_person boolean) RETURNS review.lookups
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l FROM review.lookups l
  WHERE l.execution_id = p_row.execution_id AND l.execution_version = p_row.version AND (l.connector_id IS NULL) = p_by_person
    AND l.outcome NOT IN ('INACCESSIBLE', 'INCONCLUSIVE')
  ORDER BY l.checked_at DESC, l.lookup_id DESC LIMIT 1
$$;

-- R-060: a person's newer look does not overrule what the outside system showed. Where they differ nothing stands on either
-- until the system is asked again. "Not there" before its horizon has shown nothing yet, so it contradicts nobody.
CREATE FUNCTION review.looks_contradict(p_row ledger.executions) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.lookups := review.newest_telling(p_row, false);
  m review.lookups := review.newest_telling(p_row, true);
BEGIN
  RETURN coalesce((m.checked_at, m.lookup_id) > (c.checked_at, c.lookup_id)
    AND NOT (c.verdict = 'NOT_APPLIED' AND c.checked_at < c.usable_from)
    AND (m.verdict <> c.verdict OR m.result_id <> c.result_id), false);
END
$$;

-- The look that shows that the effect happened and was undone (reversed, refunded); null unless it is what stands now.
-- Only a proof by presence says so: a deletion's "reversed" is the deletion itself.
CREATE FUNCTION review.undone_look(p_row ledger.executions, p_policy ledger.operation_policies) RETURNS review.lookups
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c review.lookups := review.newest_telling(p_row, false);
BEGIN
  IF p_policy.proof = 'PRESENCE' AND c.outcome = 'FOUND' AND c.external_status = 'reversed' AND NOT review.looks_contradict(p_row)
     AND NOT coalesce((review.newest_telling(p_row, true)).checked_at > c.checked_at, false) THEN
    RETURN c;
  END IF;
  RETURN NULL;
END
$$;

-- Like review.evidence_refusal, for "undone": null = it carries; not called where there is no such look.
CREATE FUNCTION review.undone_refusal(p_look review.lookups, p_policy ledger.operation_policies, p_now timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN p_look.checked_at + make_interval(secs => p_policy.evidence_max_age_seconds) < p_now THEN 'EVIDENCE_STALE' END $$;

-- R-060, R-064: may this lookup carry the decision? Null = yes. The newest look decides: an older one that says
-- otherwise is no evidence any more. A newer look that learned nothing (no access, unclear) does not count against it, nor does a person's
-- that says the same and names no result.
CREATE OR REPLACE FUNCTION review.evidence_refusal(p_lookup_id uuid, p_row ledger.executions, p_policy ledger.operation_policies, p_verdict text, p_now timestamptz)
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_lookup review.lookups;
BEGIN
  SELECT * INTO v_lookup FROM review.lookups WHERE lookup_id = p_lookup_id;
  RETURN CASE
    WHEN review.looks_contradict(p_row) THEN 'EVIDENCE_CONTRADICTED'
    WHEN v_lookup.lookup_id IS NULL THEN 'EVIDENCE_MISSING'
    WHEN v_lookup.execution_id <> p_row.execution_id OR v_lookup.execution_version <> p_row.version THEN 'EVIDENCE_WRONG_SUBJECT'
    WHEN v_lookup.verdict <> p_verdict THEN 'EVIDENCE_SHOWS_OTHERWISE'
    WHEN v_lookup.checked_at + make_interval(secs => p_policy.evidence_max_age_seconds) < p_now THEN 'EVIDENCE_STALE'
    WHEN p_verdict = 'NOT_APPLIED' AND (v_lookup.usable_from IS NULL OR v_lookup.checked_at < v_lookup.usable_from) THEN 'HORIZON_NOT_OVER'
    WHEN v_lookup.usable_until <= p_now THEN 'EVIDENCE_PROVES_NOTHING'
    WHEN EXISTS (SELECT 1 FROM review.lookups newer WHERE newer.execution_id = p_row.execution_id AND newer.execution_version = p_row.version
                   AND newer.lookup_id <> v_lookup.lookup_id AND newer.checked_at > v_lookup.checked_at
                   AND newer.outcome NOT IN ('INACCESSIBLE', 'INCONCLUSIVE')
                   AND (newer.verdict <> v_lookup.verdict OR newer.result_id IS DISTINCT FROM v_lookup.result_id
                        AND NOT (newer.connector_id IS NULL AND newer.result_id IS NULL))) THEN 'EVIDENCE_CONTRADICTED'
  END;
END
$$;

-- R-066 Link result. Recovers the same work. Only evidence "applied" whose account and content agree can be linked.
CREATE OR REPLACE FUNCTION review.link_result(p_input jsonb) RETURNS jsonb
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
    -- A connector's empty answer about a thing that was to go has nothing to compare: the question named the thing.
    CASE WHEN v_lookup.account_match IS FALSE OR v_lookup.content_match IS FALSE THEN 'EVIDENCE_DOES_NOT_MATCH'
         WHEN (v_lookup.outcome = 'FOUND' OR v_lookup.connector_id IS NULL)
           AND (v_lookup.account_match IS NULL OR v_lookup.content_match IS NULL) THEN 'EVIDENCE_DOES_NOT_MATCH'
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

-- R-068 Final failure: later retransmissions get the recorded refusal. On an expired record it settles the exception only.
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

-- R-069 Request reissue. Makes new work, so no key exists until another person approves.
-- input: relation, originalFate, intakeId (CORRECTION and NEW_WORK of a conflict), evidenceId (RETRY_AS_NEW).
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
  IF review.repeated_request(p_input) IS NOT NULL THEN RETURN review.repeated_request(p_input); END IF;
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
