-- R-018: how long the holder of a lease may still work says little about when it is done. A caller who is told the whole rest of
-- a lease of a day comes back after a day; within a minute it learns of a result, of a failure, or of the owner's progress.
CREATE FUNCTION ledger.bounded_wait(p_rest interval) RETURNS integer
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT least(60, greatest(1, floor(extract(epoch FROM p_rest))))::integer $$;

CREATE OR REPLACE FUNCTION ledger.busy_executor(p_tenant_id text, p_operation text, p_single_executor_key text, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('disposition', 'SINGLE_EXECUTOR_BUSY', 'code', 'SINGLE_EXECUTOR_BUSY',
    'retryAfterSeconds', coalesce(ledger.bounded_wait(max(lease_expires_at) - p_now), 1))
  FROM ledger.executions
  WHERE tenant_id = p_tenant_id AND operation = p_operation AND single_executor_key = p_single_executor_key AND state = 'PROCESSING'
$$;
