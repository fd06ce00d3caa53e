-- What a policy has to say before it counts: the proof of its protection, the meaning of each failure code, and every way
-- in which a request can still arrive.

ALTER TABLE ledger.operation_policies
  -- Who says that the external system protects against doubles, for what, until when, and who has checked it (R-016).
  ADD COLUMN protection_document    text,
  ADD COLUMN protection_key_scope   text,
  ADD COLUMN protection_valid_until timestamptz(6),
  ADD COLUMN protection_checked_by  text,
  ADD COLUMN protection_checked_at  timestamptz(6),
  -- {"CODE": {"class": "FINAL" | "RETRYABLE" | "FIX_FIRST", "condition"?: text}}; null = no table (R-037).
  ADD COLUMN outcome_codes               jsonb,
  -- For how long after the first arrival each of these can still send the same key (R-039).
  ADD COLUMN retransmission_seconds      integer NOT NULL DEFAULT 0 CHECK (retransmission_seconds >= 0),
  ADD COLUMN offline_return_seconds      integer NOT NULL DEFAULT 0 CHECK (offline_return_seconds >= 0),
  ADD COLUMN manual_reprocessing_seconds integer NOT NULL DEFAULT 0 CHECK (manual_reprocessing_seconds >= 0),
  ADD COLUMN investigation_seconds       integer NOT NULL DEFAULT 0 CHECK (investigation_seconds >= 0);

CREATE FUNCTION ledger.is_outcome_table(p_codes jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN jsonb_typeof(p_codes) <> 'object' THEN false ELSE (
    SELECT coalesce(bool_and(CASE WHEN jsonb_typeof(c.value) <> 'object' THEN false ELSE
      length(c.key) BETWEEN 1 AND 128
      AND coalesce(c.value->>'class' IN ('FINAL', 'RETRYABLE', 'FIX_FIRST'), false)
      AND coalesce(jsonb_typeof(c.value->'condition') = 'string', true)
      AND c.value - ARRAY['class', 'condition'] = '{}' END), true)
    FROM jsonb_each(CASE jsonb_typeof(p_codes) WHEN 'object' THEN p_codes ELSE '{}' END) c) END
$$;

-- The longest chain in which one request can come again; lib/domain/retention.ts is the same sum, kept equal by a test.
CREATE FUNCTION ledger.least_retention(
  p_retransmission integer, p_offline_return integer, p_manual_reprocessing integer, p_dedupe_window integer, p_investigation integer) RETURNS bigint
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT p_retransmission::bigint + p_offline_return + p_manual_reprocessing + coalesce(p_dedupe_window, 0) + p_investigation $$;

-- Keeping a record too long harms nobody; forgetting one that can still be asked for does.
UPDATE ledger.operation_policies SET retention_seconds = dedupe_window_seconds
  WHERE retired_at IS NULL AND retention_seconds < dedupe_window_seconds;

ALTER TABLE ledger.operation_policies
  ADD CONSTRAINT operation_policies_proof_is_whole
    CHECK (num_nonnulls(protection_document, protection_key_scope, protection_valid_until, protection_checked_by, protection_checked_at) IN (0, 5)
           AND isfinite(protection_valid_until) IS NOT FALSE AND isfinite(protection_checked_at) IS NOT FALSE
           AND '' NOT IN (coalesce(protection_document, '-'), coalesce(protection_key_scope, '-'), coalesce(protection_checked_by, '-'))),
  ADD CONSTRAINT operation_policies_outcome_codes_form CHECK (outcome_codes IS NULL OR ledger.is_outcome_table(outcome_codes)),
  ADD CONSTRAINT operation_policies_retention_covers_arrivals
    CHECK (retired_at IS NOT NULL OR retention_seconds >= ledger.least_retention(
      retransmission_seconds, offline_return_seconds, manual_reprocessing_seconds, dedupe_window_seconds, investigation_seconds));

-- R-016: the class that counts. Where a double effect cannot simply be undone, a promise of the external system counts only
-- while a checked proof of it is valid; the ledger's own clock says when.
CREATE FUNCTION ledger.protection_of(p_policy ledger.operation_policies) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN p_policy.effect_class IN ('IRREVERSIBLE', 'COMPENSABLE')
      AND p_policy.protection_class IN ('PROVIDER_KEY', 'CONDITIONAL', 'SAME_DATABASE')
      AND NOT coalesce(p_policy.protection_checked_at <= ledger.clock() AND p_policy.protection_valid_until > ledger.clock(), false) THEN 'NONE'
    ELSE p_policy.protection_class END
$$;
GRANT EXECUTE ON FUNCTION ledger.protection_of(ledger.operation_policies) TO onceover_app, onceover_worker;

-- R-016: where nothing outside stops a double, at most one execution runs per business reference, whatever the policy says.
CREATE FUNCTION ledger.single_executor_of(p_policy ledger.operation_policies) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN p_policy.single_executor = 'NONE' AND ledger.protection_of(p_policy) IN ('LOOKUP_ONLY', 'NONE') THEN 'BUSINESS_REFERENCE'
              ELSE p_policy.single_executor END
$$;

-- What the operation's table says about a failure code; null when it is not listed or there is no table.
CREATE FUNCTION ledger.outcome_class(p_policy ledger.operation_policies, p_code text) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT p_policy.outcome_codes->p_code->>'class' $$;

-- R-037: once the effect has started, "failed" without a proof that nothing happened is not a failure.
CREATE OR REPLACE FUNCTION ledger.proves_no_effect(p_basis text, p_code text, p_policy ledger.operation_policies) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(p_basis IN ('NOT_SENT', 'LOOKUP')
    OR (p_basis = 'PROVIDER_TRANSIENT' AND ledger.protection_of(p_policy) = 'PROVIDER_KEY' AND p_code = ANY (p_policy.transient_codes)), false)
$$;

-- R-037: the state that a reported failure leads to. The operation's table outranks what the reporter thinks of the code;
-- a code that the table does not know is a claim, and after the start a claim without proof is doubt (B-92).
CREATE FUNCTION ledger.failed_state(p_told text, p_code text, p_basis text, p_effect_started boolean, p_policy ledger.operation_policies) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE
    WHEN c.class = 'FINAL' OR (p_told = 'FAILED_FINAL' AND p_policy.outcome_codes IS NULL) THEN 'FAILED_FINAL'
    WHEN p_effect_started AND NOT ledger.proves_no_effect(p_basis, p_code, p_policy) THEN 'UNKNOWN'
    WHEN c.class IS NOT NULL THEN 'FAILED_RETRYABLE'
    ELSE p_told END
  FROM (SELECT ledger.outcome_class(p_policy, p_code) AS class) c
$$;
