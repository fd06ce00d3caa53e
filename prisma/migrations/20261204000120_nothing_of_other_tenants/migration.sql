-- What exists in a tenant that is not the administrator's own is not told: an address or a program's name that is taken there is
-- one that cannot be used here, in the words for any other. Else the bodies are as they were.

CREATE OR REPLACE FUNCTION review.invite_person(p_input jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  f review.people_frame := review.open_people('people.created', p_input);
  v_roles text[] := review.texts(p_input->'roles');
  v_tenants text[] := review.texts(p_input->'tenantIds');
  v_person_id uuid;
  v_code text;
BEGIN
  IF f.repeated THEN RETURN '{"outcome": "done", "repeated": true}'; END IF;
  v_code := coalesce(f.refusal, CASE
    WHEN cardinality(v_tenants) = 0 THEN 'TENANT_MISSING'
    WHEN NOT v_tenants <@ f.tenant_ids THEN 'TENANT_NOT_GRANTED'
    WHEN review.visible_length(p_input->>'displayName') NOT BETWEEN 1 AND 200 THEN 'NAME_MISSING'
    WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH' END);
  IF v_code IS NOT NULL THEN RETURN review.refuse_people(f, v_code); END IF;
  INSERT INTO review.people (email, email_canonical, display_name, roles, tenant_ids)
    VALUES (p_input->>'email', p_input->>'emailCanonical', btrim(p_input->>'displayName'),
            ARRAY(SELECT unnest(v_roles) EXCEPT SELECT unnest(ARRAY['APPROVER', 'ADMIN'])), v_tenants)
    ON CONFLICT (email_canonical) DO NOTHING
    RETURNING person_id INTO v_person_id;
  SELECT p INTO f.person FROM review.people p WHERE p.person_id = v_person_id;
  IF (f.person).person_id IS NULL THEN
    -- "Taken" is told of people whom the administrator's own page shows, and of nobody else.
    RETURN review.refuse_people(f, CASE WHEN EXISTS (SELECT FROM review.people p WHERE p.email_canonical = p_input->>'emailCanonical'
      AND (p.tenant_ids && f.tenant_ids OR cardinality(p.tenant_ids) = 0)) THEN 'EMAIL_TAKEN' ELSE 'EMAIL_UNUSABLE' END);
  END IF;
  PERFORM review.renew_link(f);
  PERFORM review.file_grant(f, v_roles, review.texts(p_input->'authorities'), '{}');
  PERFORM review.audit_people(f, 'people.created', jsonb_build_object('after', review.rights_of((f.person).person_id)));
  RETURN jsonb_build_object('outcome', 'done', 'personId', (f.person).person_id);
END
$$;

CREATE OR REPLACE FUNCTION review.create_token(p_input jsonb) RETURNS jsonb
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
    RETURN review.audit_token(f, 'token.created', 'PRINCIPAL_UNUSABLE', v_tenant_id, v_body);
  END IF;
  INSERT INTO ledger.producer_tokens (principal_id, prefix, digest, operations, expires_at)
    VALUES (v_principal_id, p_input->>'prefix', decode(p_input->>'digest', 'hex'),
            CASE jsonb_typeof(p_input->'operations') WHEN 'array' THEN review.texts(p_input->'operations') END,
            f.now + make_interval(days => (p_input->>'expiresInDays')::integer));
  RETURN review.audit_token(f, 'token.created', NULL, v_tenant_id, v_body);
END
$$;
