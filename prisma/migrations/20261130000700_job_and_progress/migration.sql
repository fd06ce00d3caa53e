-- Whoever may read an execution is told the outside system's job id and how far the work is, not held duplicates alone (R-030).
CREATE OR REPLACE FUNCTION ledger.execution_json(p_row ledger.executions) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object(
    'executionId', p_row.execution_id, 'operation', p_row.operation, 'key', p_row.idempotency_key,
    'state', p_row.state, 'stateSince', ledger.instant(p_row.state_since),
    'attempt', p_row.attempt, 'fencingToken', p_row.fencing_token::text, 'owner', p_row.owner,
    'leaseExpiresAt', ledger.instant(p_row.lease_expires_at), 'effectStartedAt', ledger.instant(p_row.effect_started_at),
    'fingerprint', p_row.fingerprint, 'contentVersion', p_row.content_version, 'requestId', p_row.request_id,
    'workflowId', p_row.workflow_id, 'step', p_row.step,
    'target', CASE WHEN p_row.target_system IS NULL THEN NULL
                   ELSE jsonb_build_object('system', p_row.target_system, 'account', p_row.target_account) END,
    'businessRef', p_row.business_ref, 'externalRequestKey', p_row.external_request_key,
    'externalJobId', p_row.external_job_id, 'progress', p_row.progress,
    'resultId', p_row.result_id, 'resultUrl', p_row.result_url,
    'supersededBy', p_row.superseded_by, 'reissueOf', p_row.reissue_of,
    'underReview', x.exception_id IS NOT NULL, 'nextCheckAt', ledger.instant(x.next_check_at),
    'createdAt', ledger.instant(p_row.created_at), 'updatedAt', ledger.instant(p_row.updated_at), 'expiresAt', ledger.instant(p_row.expires_at))
  FROM (SELECT 1) one LEFT JOIN LATERAL review.blocking_exception(p_row.lineage_id) x ON true
$$;
