-- R-081: a new key for other content, or for work of its own, stands beside what the original has done. What counts for the
-- thresholds of approval policies is all of it together; before, the larger of the two contents counted.
-- Replaced here: approval_terms (with the relation), terms_now.

-- The currency that the value had when the content was read: that of its own policy version, where one is kept.
CREATE FUNCTION review.currency_of(p_policy ledger.operation_policies, p_version integer) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN currency ~ '^[A-Z]{3}$' THEN currency END FROM (
    SELECT coalesce((SELECT o.value_currency FROM ledger.operation_policies o
      WHERE (o.tenant_id, o.operation, o.version) = (p_policy.tenant_id, p_policy.operation, p_version)), p_policy.value_currency) AS currency) known
$$;

-- What may stand when a new key of that relation does its work: {"originalState", "originalEffect", "originalEffects",
-- "originalResultId", "originalAmount", "originalCurrency", "newAmount", "newCurrency", "bothAmount", "bothCurrency",
-- "bothEffects"}. Amounts are decimal text, null when unknown; both are added up only in one currency, and an original that the
-- ledger knows no effect of is added all the same: it may have had one. More than one effect of it only where that is in doubt.
CREATE FUNCTION review.reissue_exposure(p_row ledger.executions, p_intake_id uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(p_row.tenant_id, p_row.operation);
  v_fields jsonb := coalesce(p_row.display_fields, (SELECT i.display_fields FROM ledger.intakes i
    WHERE i.execution_id = p_row.execution_id AND i.fingerprint = p_row.fingerprint AND i.display_fields IS NOT NULL ORDER BY i.received_at LIMIT 1));
  v_original numeric := review.value_at_stake(v_fields, v_policy);
  v_original_currency text := review.currency_of(v_policy, p_row.policy_version);
  v_new numeric := v_original;
  v_new_currency text := v_original_currency;
  v_ended text := CASE p_row.state WHEN 'EXPIRED' THEN p_row.expired_from ELSE p_row.state END;
  v_effect text := CASE WHEN v_ended = 'SUCCEEDED' THEN 'EXISTS'
    WHEN v_ended IN ('RECEIVED', 'CANCELLED', 'FAILED_FINAL', 'FAILED_RETRYABLE') THEN 'NONE_KNOWN' ELSE 'MAY_EXIST' END;
  v_effects bigint := 1;
BEGIN
  IF p_intake_id IS NOT NULL THEN
    SELECT review.value_at_stake(i.display_fields, v_policy), review.currency_of(v_policy, i.policy_version) INTO v_new, v_new_currency
      FROM ledger.intakes i WHERE i.intake_id = p_intake_id AND i.execution_id = p_row.execution_id;
  END IF;
  IF v_effect = 'MAY_EXIST' THEN
    SELECT greatest(1, count(*)) INTO v_effects FROM ledger.attempts a
      WHERE a.execution_id = p_row.execution_id AND a.effect_started_at IS NOT NULL;
  END IF;
  RETURN jsonb_build_object('originalState', p_row.state, 'originalEffect', v_effect, 'originalEffects', v_effects,
    'originalResultId', p_row.result_id, 'originalAmount', v_original::text,
    'originalCurrency', CASE WHEN v_original IS NOT NULL THEN v_original_currency END,
    'newAmount', v_new::text, 'newCurrency', CASE WHEN v_new IS NOT NULL THEN v_new_currency END, 'bothEffects', v_effects + 1)
    || CASE WHEN v_original IS NOT NULL AND v_new IS NOT NULL AND v_original_currency IS NOT DISTINCT FROM v_new_currency
         THEN jsonb_build_object('bothAmount', (v_original * v_effects + v_new)::text, 'bothCurrency', v_new_currency)
         ELSE '{"bothAmount": null, "bothCurrency": null}' END;
END
$$;
GRANT EXECUTE ON FUNCTION review.reissue_exposure(ledger.executions, uuid) TO onceover_app;

-- What a request takes under the policy in force; the relation of a request for a new key decides what is at stake. For other
-- content or work of its own that is all that may stand together; for the same work tried again, and for every other kind of
-- request, one effect too many. What nobody knows counts as above every threshold.
DROP FUNCTION review.approval_terms(text, ledger.executions, uuid);
CREATE OR REPLACE FUNCTION review.approval_terms(p_kind text, p_row ledger.executions, p_intake_id uuid, p_relation text DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_policy ledger.operation_policies := ledger.policy_for(p_row.tenant_id, p_row.operation);
  a review.approval_policies := review.approval_policy_for(p_row.tenant_id, p_row.operation);
  v_exposure jsonb := review.reissue_exposure(p_row, p_intake_id);
  v_amount numeric := (v_exposure->>CASE WHEN p_relation IN ('CORRECTION', 'NEW_WORK') THEN 'bothAmount' ELSE 'newAmount' END)::numeric;
  v_steps jsonb;
BEGIN
  SELECT jsonb_agg(step ORDER BY n) INTO v_steps FROM jsonb_array_elements(a.steps) WITH ORDINALITY AS steps (step, n)
    WHERE step->'kinds' ? p_kind
      AND (step->>'fromEffect' IS NULL OR review.effect_rank(v_policy.effect_class) >= review.effect_rank(step->>'fromEffect'))
      AND (step->>'fromAmount' IS NULL OR v_amount IS NULL OR v_amount >= (step->>'fromAmount')::numeric);
  RETURN CASE WHEN v_steps IS NOT NULL THEN jsonb_build_object('own', a.tenant_id <> '*', 'version', a.version, 'steps', v_steps,
    'minRationale', a.min_rationale, 'approvalSeconds', a.approval_ttl_seconds, 'executionSeconds', a.execution_ttl_seconds) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.approval_terms(text, ledger.executions, uuid, text) TO onceover_app;

CREATE OR REPLACE FUNCTION review.terms_now(r review.approval_requests) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT review.approval_terms(r.kind, e, r.intake_id, r.relation) FROM ledger.executions e WHERE e.execution_id = r.execution_id $$;
