-- R-081m: the length of reasons is the policy's of the moment, as steps and expiries are: an approval with a shorter one counts no
-- more once the policy asks for a longer one. Before, only reasons given after the change were held to it.

-- Whether a reason is long enough for these terms; without terms nothing asks for more.
CREATE FUNCTION review.reason_suffices(p_rationale text, p_terms jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT review.visible_length(p_rationale) >= coalesce((p_terms->>'minRationale')::integer, 0) $$;
REVOKE ALL ON FUNCTION review.reason_suffices(text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.reason_suffices(text, jsonb) TO onceover_app;

-- Changed: approvals count by their reasons as well.
CREATE OR REPLACE FUNCTION review.steps_pass(r review.approval_requests, p_terms jsonb) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) > 0 AND bool_and((step->>'count')::integer <= (
    SELECT count(*) FROM review.approval_decisions d
    WHERE d.request_id = r.request_id AND d.verdict = 'APPROVE' AND d.digest = r.digest AND review.reason_suffices(d.rationale, p_terms)
      AND review.fits_step(d.approver_id, r, step)))
  FROM jsonb_array_elements(p_terms->'steps') step
$$;
