-- Lookups: the connectors by which outside systems are asked, and what they answered, kept as evidence.

-- A connector is a read-only HTTP recipe (lib/domain/connector.ts). Secrets are named in it, never written.
CREATE TABLE review.connectors (
  connector_id  text PRIMARY KEY CONSTRAINT connectors_id_form CHECK (connector_id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  -- Null: for every tenant.
  tenant_id     text REFERENCES review.tenants (tenant_id),
  recipe        jsonb NOT NULL CONSTRAINT connectors_recipe_is_a_get
                CHECK (jsonb_typeof(recipe) = 'object' AND coalesce(recipe->>'method', 'GET') = 'GET' AND NOT recipe ? 'body'
                       AND pg_column_size(recipe) <= 32768),
  version       integer NOT NULL DEFAULT 1,
  -- The deployment's own entry: this connector may ask a service on this machine. Only the owner's bootstrap sets it.
  allow_private boolean NOT NULL DEFAULT false,
  created_at    timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  updated_at    timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  updated_by    text NOT NULL DEFAULT ''
);

CREATE FUNCTION review.keep_connector() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.updated_by := current_setting('onceover.actor_id', true);
  NEW.updated_at := ledger.clock();
  IF TG_OP = 'INSERT' THEN
    NEW.version := 1;
  ELSE
    NEW.version := OLD.version + 1;
    -- The permission was given for one address on this machine, not for whatever is written here later.
    IF NEW.recipe->>'baseUrl' IS DISTINCT FROM OLD.recipe->>'baseUrl' AND current_user IN ('onceover_app', 'onceover_worker') THEN
      NEW.allow_private := false;
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER connectors_keep BEFORE INSERT OR UPDATE ON review.connectors FOR EACH ROW EXECUTE FUNCTION review.keep_connector();
CREATE TRIGGER connectors_require_context BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON review.connectors
  FOR EACH STATEMENT EXECUTE FUNCTION review.require_context();
GRANT SELECT ON review.connectors TO onceover_app, onceover_worker;
GRANT INSERT (connector_id, tenant_id, recipe), UPDATE (tenant_id, recipe), DELETE ON review.connectors TO onceover_app;

-- When each connector may be asked next: the rate holds over all worker and app processes together (R-057).
CREATE TABLE review.connector_slots (
  connector_id text PRIMARY KEY,
  next_at      timestamptz(6) NOT NULL
);

-- Reserves the next free slot and answers the milliseconds until then; null when it is further away than p_longest_ms,
-- then nothing is reserved. One statement, so no two callers get the same slot.
CREATE FUNCTION review.take_lookup_slot(p_connector_id text, p_rate_per_second numeric, p_longest_ms integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The real clock: this is about requests on the wire, not about facts of the ledger.
  v_now timestamptz := clock_timestamp();
  v_step interval := make_interval(secs => (1 / p_rate_per_second)::double precision);
  v_next timestamptz;
BEGIN
  INSERT INTO review.connector_slots AS s (connector_id, next_at) VALUES (p_connector_id, v_now + v_step)
    ON CONFLICT (connector_id) DO UPDATE SET next_at = greatest(s.next_at, v_now) + v_step
      WHERE s.next_at <= v_now + make_interval(secs => p_longest_ms / 1000.0)
    RETURNING next_at INTO v_next;
  RETURN ceil(extract(epoch FROM v_next - v_step - v_now) * 1000)::integer;
END
$$;
GRANT EXECUTE ON FUNCTION review.take_lookup_slot(text, numeric, integer) TO onceover_app, onceover_worker;

-- One answer of an outside system, or of a person who looked there. Never changed; only review.record_lookup and
-- review.record_evidence add rows.
CREATE TABLE review.lookups (
  lookup_id           uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id           text NOT NULL,
  execution_id        uuid NOT NULL REFERENCES ledger.executions (execution_id),
  exception_id        uuid REFERENCES review.exceptions (exception_id),
  -- What the evidence is about (R-060): about another version, key, account or content it carries no decision.
  execution_version   bigint NOT NULL,
  subject_key         text COLLATE "C" NOT NULL,
  subject_fingerprint text COLLATE "C" NOT NULL,
  subject_content_version text,
  subject_account     text,
  -- Null: a person looked.
  connector_id        text,
  connector_version   integer,
  -- As sent, with references in place of secrets; null when nothing was sent.
  question            jsonb,
  outcome             text NOT NULL CHECK (outcome IN ('FOUND', 'NOT_FOUND', 'MULTIPLE', 'MISMATCH', 'INACCESSIBLE', 'INCONCLUSIVE')),
  external_status     text CHECK (external_status IN ('done', 'pending', 'failed', 'reversed')),
  verdict             text NOT NULL CHECK (verdict IN ('APPLIED', 'NOT_APPLIED', 'UNDER_WAY', 'UNCLEAR')),
  result_id           text CHECK (length(result_id) BETWEEN 1 AND 255),
  result_url          text CHECK (result_url ~ '^https?://' AND length(result_url) <= 2000),
  target_system       text,
  -- The account in which the result was found.
  target_account      text,
  account_match       boolean,
  content_match       boolean,
  -- [{field, expected, found, agrees}]
  comparison          jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(comparison) = 'array'),
  matches             integer CHECK (matches >= 0),
  -- [{id, url, status, account, agrees}], at most ten.
  candidates          jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(candidates) = 'array' AND jsonb_array_length(candidates) <= 10),
  -- Where the person looked, and what was seen there.
  place               text,
  seen                text,
  -- Where to look next when this gave no answer.
  next_place          text,
  error_class         text,
  next_check_at       timestamptz(6),
  -- R-064: "not applied" counts only when asked from usable_from on; not-found only before usable_until.
  usable_from         timestamptz(6) NOT NULL,
  usable_until        timestamptz(6),
  evidence_digest     text NOT NULL CHECK (evidence_digest ~ '^[0-9a-f]{64}$'),
  -- When the question was asked, before it was sent: what happened later is not in the answer.
  checked_at          timestamptz(6) NOT NULL,
  recorded_at         timestamptz(6) NOT NULL DEFAULT ledger.clock(),
  checked_by          text NOT NULL,
  automatic           boolean NOT NULL,
  duration_ms         integer CHECK (duration_ms >= 0),
  -- R-058: silence, doubt and several results never say that something happened or did not happen.
  CONSTRAINT lookups_doubt_is_unclear CHECK (outcome IN ('FOUND', 'NOT_FOUND') OR verdict = 'UNCLEAR'),
  CONSTRAINT lookups_unlisted_status_is_unclear CHECK (outcome <> 'FOUND' OR external_status IS NOT NULL OR verdict = 'UNCLEAR'),
  CONSTRAINT lookups_applied_is_done CHECK (verdict <> 'APPLIED' OR outcome = 'NOT_FOUND' OR external_status IN ('done', 'reversed')),
  -- R-061: found is a match only if account and content agree.
  CONSTRAINT lookups_found_agrees CHECK (outcome <> 'FOUND' OR (account_match IS TRUE AND content_match IS TRUE)),
  CONSTRAINT lookups_mismatch_differs CHECK (outcome <> 'MISMATCH' OR account_match IS FALSE OR content_match IS FALSE),
  CONSTRAINT lookups_by_connector_or_person CHECK (
    CASE WHEN connector_id IS NULL THEN place IS NOT NULL AND seen IS NOT NULL AND NOT automatic ELSE connector_version IS NOT NULL END),
  CONSTRAINT lookups_not_asked_later_than_recorded CHECK (checked_at <= recorded_at)
);
CREATE INDEX lookups_by_execution ON review.lookups (execution_id, checked_at, lookup_id);
CREATE INDEX lookups_by_exception ON review.lookups (exception_id, execution_version);

CREATE TRIGGER lookups_are_only_added BEFORE UPDATE OR DELETE ON review.lookups FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER lookups_are_not_truncated BEFORE TRUNCATE ON review.lookups FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE review.lookups ENABLE ALWAYS TRIGGER lookups_are_only_added;
ALTER TABLE review.lookups ENABLE ALWAYS TRIGGER lookups_are_not_truncated;
GRANT SELECT ON review.lookups TO onceover_app, onceover_worker;

-- What approvals bind to: subject and finding in length-prefixed form, so that no two of them share one text.
CREATE FUNCTION review.evidence_digest(p review.lookups) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_bytes bytea := convert_to('onceover evidence v1', 'UTF8') || '\x00'::bytea;
  v_field text;
BEGIN
  FOREACH v_field IN ARRAY ARRAY[p.lookup_id::text, p.execution_id::text, p.execution_version::text, p.subject_key, p.subject_fingerprint,
      p.subject_content_version, p.subject_account, p.connector_id, p.connector_version::text, p.outcome, p.external_status, p.verdict,
      p.result_id, p.result_url, p.target_system, p.target_account, p.account_match::text, p.content_match::text, p.comparison::text,
      p.candidates::text, p.place, p.seen, ledger.instant(p.checked_at), ledger.instant(p.usable_from), ledger.instant(p.usable_until),
      p.checked_by] LOOP
    v_bytes := v_bytes || review.audit_field(convert_to(v_field, 'UTF8'));
  END LOOP;
  RETURN encode(sha256(v_bytes), 'hex');
END
$$;

-- Adds the row: what it is about comes from the execution, who looked from the transaction's context. Then the
-- exception's activity, a double effect where one was found, and the audit event, last.
CREATE FUNCTION review.add_lookup(p review.lookups, p_version bigint, p_event text, p_ending text, p_operation_id uuid) RETURNS uuid
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_row ledger.executions;
  v_policy ledger.operation_policies;
BEGIN
  SELECT * INTO STRICT v_row FROM ledger.executions WHERE execution_id = p.execution_id;
  v_policy := ledger.policy_for(v_row.tenant_id, v_row.operation);
  p.lookup_id := ledger.new_id();
  p.tenant_id := v_row.tenant_id;
  p.execution_version := p_version;
  p.subject_key := v_row.idempotency_key;
  p.subject_fingerprint := v_row.fingerprint;
  p.subject_content_version := v_row.content_version;
  p.subject_account := v_row.target_account;
  p.checked_by := current_setting('onceover.actor_id', true);
  p.automatic := p.connector_id IS NOT NULL AND current_setting('onceover.actor_kind', true) = 'system';
  p.recorded_at := ledger.clock();
  p.evidence_digest := review.evidence_digest(p);
  IF p.exception_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM review.exceptions x WHERE x.exception_id = p.exception_id AND x.execution_id = p.execution_id) THEN
    RAISE EXCEPTION 'exception % is not about execution %', p.exception_id, p.execution_id USING ERRCODE = 'OO005';
  END IF;
  INSERT INTO review.lookups SELECT p.*;

  IF p.exception_id IS NOT NULL THEN
    PERFORM review.note_event(p.exception_id, 'evidence', jsonb_build_object('lookupId', p.lookup_id, 'outcome', p.outcome,
      'verdict', p.verdict, 'connectorId', p.connector_id, 'resultId', p.result_id));
    IF p_ending IS NOT NULL THEN
      PERFORM review.note_event(p.exception_id, 'lookup_ended', jsonb_build_object('lookupId', p.lookup_id, 'because', p_ending));
    END IF;
    -- Callers are told when to ask again; a person's own date stands.
    UPDATE review.exceptions SET next_check_at = p.next_check_at
      WHERE exception_id = p.exception_id AND state = 'OPEN' AND deferred_until IS NULL AND p.next_check_at IS NOT NULL;
  END IF;
  -- R-061: several effects of one intent. A set of effects that a person has settled does not open again.
  IF p.outcome = 'MULTIPLE' AND v_policy.proof = 'PRESENCE' AND NOT EXISTS (
      SELECT 1 FROM review.exceptions x WHERE x.execution_id = p.execution_id AND x.kind = 'DUPLICATE_RESULT' AND x.closing = 'DECISION'
        AND x.detail->'candidateIds' = review.candidate_ids(p.candidates)) THEN
    PERFORM review.open_exception(p.execution_id, 'DUPLICATE_RESULT', 'LOOKUP_FOUND_SEVERAL', jsonb_build_object('lookupId', p.lookup_id,
      'matches', p.matches, 'candidateIds', review.candidate_ids(p.candidates)));
  END IF;
  PERFORM review.append_audit(p_event, 'done', NULL, p.tenant_id, p.exception_id, p.execution_id, NULL, v_row.operation, p_operation_id,
    jsonb_build_object('lookupId', p.lookup_id, 'connectorId', p.connector_id, 'connectorVersion', p.connector_version,
      'outcome', p.outcome, 'externalStatus', p.external_status, 'verdict', p.verdict, 'resultId', p.result_id,
      'errorClass', p.error_class, 'place', p.place, 'seen', p.seen, 'automatic', p.automatic, 'executionVersion', p.execution_version,
      'checkedAt', ledger.instant(p.checked_at), 'evidenceDigest', p.evidence_digest));
  RETURN p.lookup_id;
END
$$;

CREATE FUNCTION review.candidate_ids(p_candidates jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT coalesce(jsonb_agg(c->>'id' ORDER BY c->>'id'), '[]') FROM jsonb_array_elements(p_candidates) c $$;

-- Keeps what a connector answered. The judging was done by lib/lookup; the table's checks refuse what cannot be.
-- Members: executionId, exceptionId?, executionVersion, connectorId, connectorVersion, question?, outcome, externalStatus?,
-- verdict, resultId?, resultUrl?, targetSystem?, targetAccount?, accountMatch?, contentMatch?, comparison, matches?,
-- candidates, nextPlace?, errorClass?, nextCheckAt?, usableFrom, usableUntil?, checkedAt, durationMs?, ending?.
CREATE FUNCTION review.record_lookup(p_lookup jsonb) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.lookups;
BEGIN
  IF p_lookup->>'connectorId' IS NULL THEN
    RAISE EXCEPTION 'a lookup without connector is manual evidence' USING ERRCODE = 'OO005';
  END IF;
  p.execution_id := (p_lookup->>'executionId')::uuid;
  p.exception_id := (p_lookup->>'exceptionId')::uuid;
  p.connector_id := p_lookup->>'connectorId';
  p.connector_version := (p_lookup->>'connectorVersion')::integer;
  p.question := nullif(p_lookup->'question', 'null');
  p.outcome := p_lookup->>'outcome';
  p.external_status := p_lookup->>'externalStatus';
  p.verdict := p_lookup->>'verdict';
  p.result_id := p_lookup->>'resultId';
  p.result_url := p_lookup->>'resultUrl';
  p.target_system := p_lookup->>'targetSystem';
  p.target_account := p_lookup->>'targetAccount';
  p.account_match := (p_lookup->>'accountMatch')::boolean;
  p.content_match := (p_lookup->>'contentMatch')::boolean;
  p.comparison := coalesce(p_lookup->'comparison', '[]');
  p.matches := (p_lookup->>'matches')::integer;
  p.candidates := coalesce(p_lookup->'candidates', '[]');
  p.next_place := p_lookup->>'nextPlace';
  p.error_class := p_lookup->>'errorClass';
  p.next_check_at := (p_lookup->>'nextCheckAt')::timestamptz;
  p.usable_from := (p_lookup->>'usableFrom')::timestamptz;
  p.usable_until := (p_lookup->>'usableUntil')::timestamptz;
  p.checked_at := (p_lookup->>'checkedAt')::timestamptz;
  p.duration_ms := (p_lookup->>'durationMs')::integer;
  RETURN review.add_lookup(p, (p_lookup->>'executionVersion')::bigint, 'lookup.recorded', p_lookup->>'ending', NULL);
END
$$;
GRANT EXECUTE ON FUNCTION review.record_lookup(jsonb) TO onceover_app, onceover_worker;

-- May the person of this transaction look things up for this exception? Null = yes.
CREATE FUNCTION review.lookup_refusal(p_exception review.exceptions) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_actor record;
  v_authority text;
BEGIN
  SELECT * INTO v_actor FROM review.held_actor();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a person asks on demand' USING ERRCODE = 'OA003';
  END IF;
  -- Another tenant's exception and a missing one are the same answer.
  IF p_exception.exception_id IS NULL OR NOT p_exception.tenant_id = ANY (v_actor.tenant_ids) THEN
    RETURN 'NOT_FOUND';
  END IF;
  v_authority := (ledger.policy_for(p_exception.tenant_id, p_exception.operation)).authority;
  RETURN CASE
    WHEN NOT v_actor.roles && ARRAY['OPERATOR', 'APPROVER'] THEN 'ROLE_MISSING'
    WHEN v_authority <> 'general' AND NOT v_authority = ANY (v_actor.authorities) THEN 'AUTHORITY_MISSING'
    WHEN p_exception.state = 'CLOSED' THEN 'EXCEPTION_CLOSED'
    WHEN p_exception.execution_id IS NULL THEN 'NO_EXECUTION'
  END;
END
$$;

-- A person asks for a lookup now (R-062). Done: {"outcome": "done", "executionId": …}; the caller then asks outside this
-- transaction and records. Refused: {"outcome": "refused", "code": …}, audited as well.
CREATE FUNCTION review.request_lookup(p_exception_id uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  v_exception review.exceptions;
  v_code text;
BEGIN
  SELECT * INTO v_exception FROM review.exceptions WHERE exception_id = p_exception_id;
  v_code := coalesce(review.lookup_refusal(v_exception),
    CASE WHEN NOT EXISTS (SELECT 1 FROM review.connectors c
      WHERE c.connector_id = (ledger.policy_for(v_exception.tenant_id, v_exception.operation)).connector_id
        AND (c.tenant_id IS NULL OR c.tenant_id = v_exception.tenant_id)) THEN 'NO_CONNECTOR' END);
  IF v_code = 'NOT_FOUND' THEN
    v_exception := NULL;
  END IF;
  PERFORM review.append_audit('lookup.requested', CASE WHEN v_code IS NULL THEN 'done' ELSE 'refused' END, v_code, v_exception.tenant_id,
    v_exception.exception_id, v_exception.execution_id, NULL, v_exception.operation, NULL, '{}');
  RETURN CASE WHEN v_code IS NULL THEN jsonb_build_object('outcome', 'done', 'executionId', v_exception.execution_id)
              ELSE jsonb_build_object('outcome', 'refused', 'code', v_code) END;
END
$$;
GRANT EXECUTE ON FUNCTION review.request_lookup(uuid) TO onceover_app;

-- What a person saw (R-062): rights, form and subject are judged here, secrets in the text by lib/domain/secret-screen.
-- Members: operationId, exceptionId, executionVersion, place, seen, verdict, outcome, externalStatus?, checkedAt, resultId?, resultUrl?,
-- targetAccount?, contentAgrees, usableFrom, refusal? (a code found before: audited, nothing kept).
CREATE FUNCTION review.record_evidence(p_evidence jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p review.lookups;
  v_exception review.exceptions;
  v_row ledger.executions;
  v_operation_id uuid := (p_evidence->>'operationId')::uuid;
  v_code text;
BEGIN
  -- The lock orders two halves of a double click; the second one finds what the first one recorded.
  SELECT * INTO v_exception FROM review.exceptions WHERE exception_id = (p_evidence->>'exceptionId')::uuid FOR NO KEY UPDATE;
  IF EXISTS (SELECT 1 FROM review.audit_events WHERE operation_id = v_operation_id AND outcome = 'done'
      AND actor_id = current_setting('onceover.actor_id', true)) THEN
    RETURN jsonb_build_object('outcome', 'done', 'repeated', true);
  END IF;
  SELECT * INTO v_row FROM ledger.executions WHERE execution_id = v_exception.execution_id;
  p.execution_id := v_row.execution_id;
  p.exception_id := v_exception.exception_id;
  p.outcome := p_evidence->>'outcome';
  p.external_status := p_evidence->>'externalStatus';
  p.verdict := p_evidence->>'verdict';
  p.result_id := p_evidence->>'resultId';
  p.result_url := p_evidence->>'resultUrl';
  p.target_system := v_row.target_system;
  p.target_account := p_evidence->>'targetAccount';
  p.account_match := v_row.target_account IS NULL OR p.target_account = v_row.target_account;
  p.content_match := (p_evidence->>'contentAgrees')::boolean;
  p.comparison := '[]';
  p.candidates := '[]';
  p.place := p_evidence->>'place';
  p.seen := p_evidence->>'seen';
  p.checked_at := (p_evidence->>'checkedAt')::timestamptz;
  p.usable_from := (p_evidence->>'usableFrom')::timestamptz;
  v_code := coalesce(review.lookup_refusal(v_exception), p_evidence->>'refusal', CASE
    WHEN v_row.version <> (p_evidence->>'executionVersion')::bigint THEN 'CHANGED_SINCE_SEEN'
    WHEN p.checked_at > ledger.clock() THEN 'CHECKED_IN_THE_FUTURE'
    WHEN p.outcome = 'FOUND' AND p.account_match IS NOT TRUE THEN 'ACCOUNT_DIFFERS'
    WHEN p.outcome = 'FOUND' AND p.content_match IS NOT TRUE THEN 'CONTENT_NOT_CONFIRMED'
  END);
  IF v_code IS NULL THEN
    RETURN jsonb_build_object('outcome', 'done',
      'lookupId', review.add_lookup(p, v_row.version, 'evidence.recorded', NULL, v_operation_id));
  END IF;
  IF v_code = 'NOT_FOUND' THEN
    v_exception := NULL;
  END IF;
  PERFORM review.append_audit('evidence.recorded', 'refused', v_code, v_exception.tenant_id, v_exception.exception_id,
    v_exception.execution_id, NULL, v_exception.operation, v_operation_id, jsonb_build_object('verdict', p.verdict));
  RETURN jsonb_build_object('outcome', 'refused', 'code', v_code);
END
$$;
GRANT EXECUTE ON FUNCTION review.record_evidence(jsonb) TO onceover_app;
