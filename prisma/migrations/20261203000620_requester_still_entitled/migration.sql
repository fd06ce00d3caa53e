-- A request stands no longer than whoever made it could still make it: with the role, the authority and the tenant, as for grants
-- and policies. Replaced here: request_basis_lost.

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
    -- What asking for it took then, it takes until it is done.
    WHEN NOT EXISTS (SELECT 1 FROM review.people p WHERE p.person_id = r.requested_by AND r.tenant_id = ANY (p.tenant_ids)
           AND review.may_decide(p.roles, ARRAY['OPERATOR', 'APPROVER'], p.authorities,
                 (ledger.policy_for(r.tenant_id, r.operation)).authority) IS NULL) THEN 'REQUESTER_NOT_ENTITLED'
  END
$$;
