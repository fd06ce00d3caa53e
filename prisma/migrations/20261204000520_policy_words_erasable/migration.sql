-- AU-18, R-089: what people wrote in operation policies can be erased from proposals and from versions that hold no more. The
-- one in force keeps its words: whoever takes a name out of a guide proposes the next version first.
-- Replaced here: erase_copies (the last two statements are new).

-- A content whose guide, proof and conditions have lost their words. Which fields count stays: records are compared by it.
CREATE FUNCTION review.policy_without_words(p_content jsonb, p_mark text) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p_content
    || (SELECT coalesce(jsonb_object_agg(name, p_mark), '{}') FROM unnest(ARRAY['protectionDocument', 'protectionKeyScope', 'protectionCheckedBy']) name
        WHERE jsonb_typeof(p_content->name) = 'string')
    || CASE WHEN jsonb_typeof(p_content->'guide') = 'object' THEN jsonb_build_object('guide', (
         SELECT jsonb_object_agg(language, (SELECT jsonb_object_agg(field, p_mark) FROM jsonb_object_keys(texts) field))
         FROM jsonb_each(p_content->'guide') AS guide (language, texts))) ELSE '{}' END
    || CASE WHEN jsonb_typeof(p_content->'outcomeCodes') = 'object' THEN jsonb_build_object('outcomeCodes', (
         SELECT coalesce(jsonb_object_agg(code, outcome - 'condition'), '{}') FROM jsonb_each(p_content->'outcomeCodes') AS codes (code, outcome)))
       ELSE '{}' END
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
  UPDATE review.policy_proposals p SET content = review.policy_without_words(content, p_mark)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND kind = 'OPERATION'
      AND NOT EXISTS (SELECT FROM ledger.operation_policies v WHERE v.proposal_id = p.proposal_id AND v.retired_at IS NULL);
  UPDATE ledger.operation_policies v SET (guide, protection_document, protection_key_scope, protection_checked_by, outcome_codes)
      = (SELECT n.guide, n.protection_document, n.protection_key_scope, n.protection_checked_by, n.outcome_codes
         FROM review.operation_policy_of(review.policy_without_words(review.operation_policy_content(v), p_mark)) n)
    WHERE tenant_id = s.policy->>'tenantId' AND operation = s.policy->>'operation' AND retired_at IS NOT NULL;
END
$$;
