-- Producer tokens are made, replaced and revoked by administrators on a page. The API reads the token's row at every
-- call and keeps nothing, so that a revocation counts at once on every instance.

INSERT INTO review.audit_event_types (event) VALUES ('token.rotated'), ('token.revoked');

ALTER TABLE ledger.producer_tokens
  ADD COLUMN replaces uuid CONSTRAINT producer_tokens_replaced_once UNIQUE
    CONSTRAINT producer_tokens_replaces_fkey REFERENCES ledger.producer_tokens (token_id);

-- A token never comes back to life and never becomes another's; its life can only be made shorter.
CREATE FUNCTION ledger.keep_token() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_jsonb(NEW) - ARRAY['expires_at', 'revoked_at'] <> to_jsonb(OLD) - ARRAY['expires_at', 'revoked_at']
     OR OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at
     OR coalesce(NEW.expires_at, 'infinity') > coalesce(OLD.expires_at, 'infinity') THEN
    RAISE EXCEPTION 'token % only ever ends sooner', OLD.token_id USING ERRCODE = 'OA002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER producer_tokens_keep BEFORE UPDATE ON ledger.producer_tokens FOR EACH ROW EXECUTE FUNCTION ledger.keep_token();
ALTER TABLE ledger.producer_tokens ENABLE ALWAYS TRIGGER producer_tokens_keep;

CREATE FUNCTION review.audit_token(f review.people_frame, p_event text, p_refusal text, p_tenant_id text, p_body jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, p_tenant_id, NULL, NULL, NULL, NULL,
    ((f).input->>'operationId')::uuid, jsonb_strip_nulls(p_body));
  RETURN CASE WHEN p_refusal IS NULL THEN '{"outcome": "done"}'::jsonb ELSE jsonb_build_object('outcome', 'refused', 'code', p_refusal) END;
END
$$;

-- input: tenantId, principalId, operations (null = all), expiresInDays (null = never), prefix, digest, operationId.
CREATE FUNCTION review.create_token(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('token.created', p_input);
  v_tenant_id text := p_input->>'tenantId';
  v_principal_id text := p_input->>'principalId';
  v_body jsonb := p_input - ARRAY['digest', 'operationId', 'tenantId'];
  v_code text := f.refusal;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  IF v_code IS NULL AND NOT v_tenant_id = ANY (f.tenant_ids) THEN v_code := 'TENANT_NOT_GRANTED'; END IF;
  IF v_code IS NOT NULL THEN RETURN review.audit_token(f, 'token.created', v_code, NULL, v_body); END IF;
  INSERT INTO ledger.principals (principal_id, tenant_id, display_name) VALUES (v_principal_id, v_tenant_id, v_principal_id)
    ON CONFLICT (principal_id) DO NOTHING;
  IF NOT EXISTS (SELECT FROM ledger.principals WHERE principal_id = v_principal_id AND tenant_id = v_tenant_id) THEN
    RETURN review.audit_token(f, 'token.created', 'PRINCIPAL_TAKEN', v_tenant_id, v_body);
  END IF;
  INSERT INTO ledger.producer_tokens (principal_id, prefix, digest, operations, expires_at)
    VALUES (v_principal_id, p_input->>'prefix', decode(p_input->>'digest', 'hex'),
            CASE jsonb_typeof(p_input->'operations') WHEN 'array' THEN review.texts(p_input->'operations') END,
            f.now + make_interval(days => (p_input->>'expiresInDays')::integer));
  RETURN review.audit_token(f, 'token.created', NULL, v_tenant_id, v_body);
END
$$;

-- The token of an administrator's own tenants, locked; and what stands in the way of changing it.
CREATE FUNCTION review.live_token(f review.people_frame, OUT token ledger.producer_tokens, OUT tenant_id text, OUT refusal text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  SELECT t.* INTO token FROM ledger.producer_tokens t WHERE t.token_id = ((f).input->>'tokenId')::uuid FOR NO KEY UPDATE;
  SELECT p.tenant_id INTO tenant_id FROM ledger.principals p
    WHERE p.principal_id = (token).principal_id AND p.tenant_id = ANY ((f).tenant_ids);
  refusal := coalesce((f).refusal, CASE
    WHEN tenant_id IS NULL THEN 'NOT_FOUND'
    WHEN (token).revoked_at IS NOT NULL OR (token).expires_at <= (f).now THEN 'TOKEN_ENDED' END);
END
$$;

-- A new token beside the old one, which ends after the overlap. input: tokenId, overlapHours, expiresInDays, prefix, digest, operationId.
CREATE FUNCTION review.rotate_token(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('token.rotated', p_input);
  v record;
  t ledger.producer_tokens;
  v_body jsonb := p_input - ARRAY['digest', 'operationId'];
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO v FROM review.live_token(f);
  t := v.token;
  v_body := v_body || jsonb_build_object('principalId', t.principal_id, 'replacedPrefix', t.prefix);
  IF v.refusal IS NULL AND EXISTS (SELECT FROM ledger.producer_tokens WHERE replaces = t.token_id) THEN v.refusal := 'TOKEN_REPLACED_ALREADY'; END IF;
  IF v.refusal IS NOT NULL THEN
    RETURN review.audit_token(f, 'token.rotated', v.refusal, v.tenant_id, jsonb_build_object('tokenId', p_input->'tokenId'));
  END IF;
  UPDATE ledger.producer_tokens SET expires_at = least(expires_at, f.now + make_interval(hours => (p_input->>'overlapHours')::integer))
    WHERE token_id = t.token_id;
  INSERT INTO ledger.producer_tokens (principal_id, prefix, digest, operations, expires_at, replaces)
    VALUES (t.principal_id, p_input->>'prefix', decode(p_input->>'digest', 'hex'), t.operations,
            f.now + make_interval(days => (p_input->>'expiresInDays')::integer), t.token_id);
  RETURN review.audit_token(f, 'token.rotated', NULL, v.tenant_id, v_body);
END
$$;

-- input: tokenId, operationId.
CREATE FUNCTION review.revoke_token(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('token.revoked', p_input);
  v record;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  SELECT * INTO v FROM review.live_token(f);
  IF v.refusal IS NULL THEN
    UPDATE ledger.producer_tokens SET revoked_at = f.now WHERE token_id = (v.token).token_id;
  END IF;
  RETURN review.audit_token(f, 'token.revoked', v.refusal, v.tenant_id, CASE WHEN v.tenant_id IS NULL THEN jsonb_build_object('tokenId', p_input->'tokenId')
    ELSE jsonb_build_object('tokenId', p_input->'tokenId', 'principalId', (v.token).principal_id, 'prefix', (v.token).prefix) END);
END
$$;

GRANT EXECUTE ON FUNCTION review.create_token(jsonb), review.rotate_token(jsonb), review.revoke_token(jsonb) TO onceover_app;
