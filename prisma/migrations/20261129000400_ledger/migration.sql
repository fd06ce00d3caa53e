-- The ledger's tables: who may write (principals, tokens), what is promised per operation (policies), and the three
-- kinds of facts: executions (one per intent), intakes (one per arrival), attempts (one per try at the effect).

CREATE TABLE ledger.principals (
  principal_id text PRIMARY KEY CHECK (principal_id ~ '^[\x21-\x7e]{1,128}$'),
  tenant_id    text NOT NULL REFERENCES review.tenants (tenant_id),
  -- The login role of a program that writes SQL; null for principals that only use the HTTP API.
  login_role   text UNIQUE,
  display_name text NOT NULL,
  created_at   timestamptz(6) NOT NULL DEFAULT now()
);

CREATE TABLE ledger.producer_tokens (
  token_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  principal_id text NOT NULL REFERENCES ledger.principals (principal_id),
  -- Shown in lists so that people can tell tokens apart; reveals nothing of the secret part.
  prefix       text NOT NULL,
  digest       bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  operations   text[],
  created_at   timestamptz(6) NOT NULL DEFAULT now(),
  expires_at   timestamptz(6),
  revoked_at   timestamptz(6)
);
CREATE INDEX producer_tokens_principal ON ledger.producer_tokens (principal_id);

CREATE TABLE ledger.operation_policies (
  tenant_id                       text NOT NULL,
  operation                       text NOT NULL,
  version                         integer NOT NULL CHECK (version >= 0),
  effect_class                    text NOT NULL DEFAULT 'IRREVERSIBLE' CHECK (effect_class IN ('NONE', 'REVERSIBLE', 'COMPENSABLE', 'IRREVERSIBLE')),
  protection_class                text NOT NULL DEFAULT 'NONE' CHECK (protection_class IN ('SAME_DATABASE', 'PROVIDER_KEY', 'CONDITIONAL', 'LOOKUP_ONLY', 'NONE')),
  authority                       text NOT NULL DEFAULT 'general',
  value_field                     text,
  value_currency                  text,
  proof                           text NOT NULL DEFAULT 'PRESENCE' CHECK (proof IN ('PRESENCE', 'ABSENCE', 'VALUE')),
  result_id_required              boolean NOT NULL DEFAULT true,
  shared_results                  boolean NOT NULL DEFAULT false,
  keyless                         text NOT NULL DEFAULT 'REFUSE' CHECK (keyless IN ('REFUSE', 'PASS')),
  allow_personal_keys             boolean NOT NULL DEFAULT false,
  include_fields                  text[],
  exclude_fields                  text[],
  field_defaults                  jsonb NOT NULL DEFAULT '{}',
  field_types                     jsonb NOT NULL DEFAULT '{}',
  display_fields                  text[] NOT NULL DEFAULT '{}',
  transient_codes                 text[] NOT NULL DEFAULT '{}',
  lease_seconds                   integer NOT NULL DEFAULT 60 CHECK (lease_seconds BETWEEN 1 AND 86400),
  grace_seconds                   integer NOT NULL DEFAULT 30 CHECK (grace_seconds BETWEEN 0 AND 86400),
  long_running_seconds            integer NOT NULL DEFAULT 3600 CHECK (long_running_seconds > 0),
  claim_within_seconds            integer NOT NULL DEFAULT 300 CHECK (claim_within_seconds > 0),
  retry_within_seconds            integer NOT NULL DEFAULT 3600 CHECK (retry_within_seconds > 0),
  retention_seconds               integer NOT NULL DEFAULT 7776000 CHECK (retention_seconds > 0),
  max_attempts                    integer NOT NULL DEFAULT 3 CHECK (max_attempts BETWEEN 1 AND 100),
  business_ref_unique             boolean NOT NULL DEFAULT false,
  single_executor                 text NOT NULL DEFAULT 'BUSINESS_REFERENCE' CHECK (single_executor IN ('NONE', 'BUSINESS_REFERENCE', 'OPERATION')),
  approval_ref_required           boolean NOT NULL DEFAULT false,
  approvals_required              integer NOT NULL DEFAULT 1 CHECK (approvals_required BETWEEN 1 AND 5),
  negative_proof_horizon_seconds  integer NOT NULL DEFAULT 600 CHECK (negative_proof_horizon_seconds >= 0),
  evidence_max_age_seconds        integer NOT NULL DEFAULT 900 CHECK (evidence_max_age_seconds > 0),
  approval_ttl_seconds            integer NOT NULL DEFAULT 86400 CHECK (approval_ttl_seconds > 0),
  execution_ttl_seconds           integer NOT NULL DEFAULT 3600 CHECK (execution_ttl_seconds > 0),
  -- How long the external system itself refuses a repeated key; null = unknown or never.
  dedupe_window_seconds           integer CHECK (dedupe_window_seconds > 0),
  conflict_tolerance              integer CHECK (conflict_tolerance > 0),
  conflict_window_seconds         integer NOT NULL DEFAULT 3600 CHECK (conflict_window_seconds > 0),
  sla_seconds                     integer NOT NULL DEFAULT 14400 CHECK (sla_seconds > 0),
  connector_id                    text,
  guide                           jsonb NOT NULL DEFAULT '{}',
  demo                            boolean NOT NULL DEFAULT false,
  created_at                      timestamptz(6) NOT NULL DEFAULT now(),
  created_by                      text NOT NULL,
  retired_at                      timestamptz(6),
  PRIMARY KEY (tenant_id, operation, version)
);
-- One policy in force per tenant and operation.
CREATE UNIQUE INDEX operation_policies_in_force ON ledger.operation_policies (tenant_id, operation) WHERE retired_at IS NULL;

-- The built-in default, which holds for every operation without a policy of its own (it is the column defaults).
INSERT INTO ledger.operation_policies (tenant_id, operation, version, created_by) VALUES ('*', '*', 0, 'system:built-in');

CREATE TABLE ledger.operation_pauses (
  tenant_id text NOT NULL,
  operation text NOT NULL,
  paused_at timestamptz(6) NOT NULL DEFAULT now(),
  reason    text NOT NULL,
  PRIMARY KEY (tenant_id, operation)
);

-- Moves that exist; every other one is refused by a trigger. lib/domain/transitions.ts is the same table for people
-- and pages, kept equal by a test. from_state is '' where a record begins.
CREATE TABLE ledger.transitions (
  from_state text NOT NULL,
  to_state   text NOT NULL,
  moved_by   text NOT NULL CHECK (moved_by IN ('register', 'claim', 'executor', 'cancel', 'sweep', 'person', 'ledger', 'retention')),
  PRIMARY KEY (from_state, to_state, moved_by)
);
INSERT INTO ledger.transitions (from_state, to_state, moved_by) VALUES
  ('', 'RECEIVED', 'register'),
  ('', 'RECEIVED', 'person'),
  ('', 'PROCESSING', 'claim'),
  ('RECEIVED', 'PROCESSING', 'claim'),
  ('FAILED_RETRYABLE', 'PROCESSING', 'claim'),
  ('PROCESSING', 'PROCESSING', 'claim'),
  ('PROCESSING', 'SUCCEEDED', 'executor'),
  ('PROCESSING', 'FAILED_FINAL', 'executor'),
  ('PROCESSING', 'FAILED_RETRYABLE', 'executor'),
  ('PROCESSING', 'UNKNOWN', 'executor'),
  ('PROCESSING', 'UNKNOWN', 'sweep'),
  ('RECEIVED', 'FAILED_FINAL', 'cancel'),
  ('PROCESSING', 'FAILED_FINAL', 'cancel'),
  ('PROCESSING', 'UNKNOWN', 'person'),
  ('PROCESSING', 'SUCCEEDED', 'person'),
  ('PROCESSING', 'FAILED_RETRYABLE', 'person'),
  ('PROCESSING', 'FAILED_FINAL', 'person'),
  ('RECEIVED', 'FAILED_FINAL', 'person'),
  ('FAILED_RETRYABLE', 'FAILED_FINAL', 'person'),
  ('FAILED_RETRYABLE', 'UNKNOWN', 'ledger'),
  ('FAILED_FINAL', 'SUCCEEDED', 'person'),
  ('UNKNOWN', 'SUCCEEDED', 'executor'),
  ('UNKNOWN', 'SUCCEEDED', 'person'),
  ('UNKNOWN', 'FAILED_RETRYABLE', 'person'),
  ('UNKNOWN', 'FAILED_FINAL', 'person'),
  ('SUCCEEDED', 'EXPIRED', 'retention'),
  ('FAILED_FINAL', 'EXPIRED', 'retention');

CREATE TABLE ledger.executions (
  execution_id          uuid PRIMARY KEY DEFAULT ledger.new_id(),
  tenant_id             text NOT NULL REFERENCES review.tenants (tenant_id),
  principal_id          text NOT NULL REFERENCES ledger.principals (principal_id),
  operation             text COLLATE "C" NOT NULL CONSTRAINT executions_operation_is_visible_ascii CHECK (operation ~ '^[\x21-\x7e]{1,128}$'),
  idempotency_key       text COLLATE "C" NOT NULL CONSTRAINT executions_key_is_visible_ascii CHECK (idempotency_key ~ '^[\x21-\x7e]{1,255}$'),
  request_id            text,
  fingerprint           text COLLATE "C" NOT NULL CONSTRAINT executions_fingerprint_form CHECK (fingerprint ~ '^sha256:[0-9a-f]{64}$'),
  fingerprint_algorithm text NOT NULL DEFAULT 'rfc8785-sha256.1',
  policy_version        integer NOT NULL DEFAULT 0,
  field_hashes          jsonb,
  display_fields        jsonb,
  input_ref             text,
  content_version       text,
  target_system         text,
  target_account        text,
  workflow_id           text,
  step                  text,
  business_ref          text,
  business_ref_unique   boolean NOT NULL DEFAULT false,
  -- What a running execution holds alone: '*' for the whole operation, the business reference, or null for nothing.
  single_executor_key   text,
  approval_ref          jsonb,
  external_request_key  text,
  external_job_id       text,
  progress              jsonb,
  deadline              timestamptz(6),
  state                 text NOT NULL CHECK (state IN ('RECEIVED', 'PROCESSING', 'SUCCEEDED', 'FAILED_RETRYABLE', 'FAILED_FINAL', 'UNKNOWN', 'EXPIRED')),
  state_since           timestamptz(6) NOT NULL,
  moved_by              text NOT NULL,
  -- Why the result is in doubt; decides which kind of exception opens.
  unknown_reason        text CHECK (unknown_reason IN ('REPORTED', 'LEASE_OVER', 'NO_PROOF', 'MISSING_RESULT_ID', 'RESULT_MISMATCH', 'CONTRADICTED', 'DECLARED')),
  attempt               integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  -- Tries that count against max_attempts: a takeover of a lease that ended before the effect costs none.
  attempts_spent        integer NOT NULL DEFAULT 0 CHECK (attempts_spent >= 0),
  attempts_allowed      integer NOT NULL DEFAULT 3,
  fencing_token         bigint NOT NULL DEFAULT 0 CHECK (fencing_token >= 0),
  -- Set by the UPDATE OF fencing_token trigger when a direct writer presents its token; never stored.
  token_presented       boolean,
  attempt_id            uuid,
  owner                 text,
  claimed_at            timestamptz(6),
  lease_expires_at      timestamptz(6),
  -- A person said "wait until then" or "try again": the sweep's limits count from here.
  extended_until        timestamptz(6),
  effect_started_at     timestamptz(6),
  result_id             text,
  result_url            text,
  result_shared         boolean NOT NULL DEFAULT false,
  -- A result that was reported and could not be believed (R-014); result_id stays empty.
  reported_result_id    text,
  response_status       integer CONSTRAINT executions_response_is_final CHECK (response_status BETWEEN 200 AND 499 AND response_status NOT IN (408, 425, 429)),
  response_headers      jsonb,
  -- The exact text of the stored JSON body, so that a replay is byte for byte the first answer.
  response_body         text,
  failure_code          text,
  failure_message       text,
  failure_basis         text CHECK (failure_basis IN ('NOT_SENT', 'PROVIDER_TRANSIENT', 'LOOKUP')),
  superseded_by         uuid REFERENCES ledger.executions (execution_id) DEFERRABLE INITIALLY DEFERRED,
  reissue_of            uuid REFERENCES ledger.executions (execution_id),
  reissue_relation      text CHECK (reissue_relation IN ('RETRY_AS_NEW', 'CORRECTION', 'NEW_WORK')),
  lineage_id            uuid NOT NULL,
  -- What an EXPIRED record was.
  expired_from          text CHECK (expired_from IN ('SUCCEEDED', 'FAILED_FINAL')),
  -- When the sweep must look at this row next; null = never.
  sweep_at              timestamptz(6),
  version               bigint NOT NULL DEFAULT 1,
  created_at            timestamptz(6) NOT NULL,
  updated_at            timestamptz(6) NOT NULL,
  expires_at            timestamptz(6) NOT NULL,
  CONSTRAINT executions_scope_is_unique UNIQUE (principal_id, operation, idempotency_key),
  CONSTRAINT executions_unknown_has_reason CHECK (state <> 'UNKNOWN' OR unknown_reason IS NOT NULL),
  CONSTRAINT executions_processing_has_lease CHECK (state <> 'PROCESSING' OR (lease_expires_at IS NOT NULL AND owner IS NOT NULL AND attempt >= 1 AND fencing_token >= 1)),
  CONSTRAINT executions_not_superseded_by_itself CHECK (superseded_by <> execution_id),
  CONSTRAINT executions_instants_are_finite CHECK (isfinite(lease_expires_at) AND isfinite(deadline))
);

-- R-014: the first link of an external result stands.
CREATE UNIQUE INDEX executions_result_is_linked_once
  ON ledger.executions (tenant_id, coalesce(target_system, ''), coalesce(target_account, ''), result_id)
  WHERE result_id IS NOT NULL AND NOT result_shared;
-- R-017: one execution in force per business reference, for ever.
CREATE UNIQUE INDEX executions_business_reference_is_unique
  ON ledger.executions (tenant_id, operation, business_ref)
  WHERE business_ref_unique AND superseded_by IS NULL;
-- R-016: one running execution per operation or business object where the provider cannot protect us.
CREATE UNIQUE INDEX executions_single_executor
  ON ledger.executions (tenant_id, operation, single_executor_key)
  WHERE state = 'PROCESSING' AND single_executor_key IS NOT NULL;
-- R-072: at most one live key per lineage.
CREATE UNIQUE INDEX executions_one_live_key_per_lineage
  ON ledger.executions (lineage_id)
  WHERE superseded_by IS NULL AND state IN ('RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE', 'UNKNOWN');
CREATE INDEX executions_sweep ON ledger.executions (sweep_at) WHERE sweep_at IS NOT NULL;
CREATE INDEX executions_waiting ON ledger.executions (principal_id, state, created_at, execution_id)
  WHERE state IN ('RECEIVED', 'FAILED_RETRYABLE') AND superseded_by IS NULL;
CREATE INDEX executions_by_workflow ON ledger.executions (principal_id, workflow_id) WHERE workflow_id IS NOT NULL;
CREATE INDEX executions_by_lineage ON ledger.executions (lineage_id);
CREATE INDEX executions_by_request ON ledger.executions (tenant_id, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX executions_by_result ON ledger.executions (tenant_id, result_id) WHERE result_id IS NOT NULL;
CREATE INDEX executions_by_key ON ledger.executions (tenant_id, idempotency_key);
CREATE INDEX executions_recent ON ledger.executions (tenant_id, created_at DESC, execution_id DESC);
CREATE INDEX executions_by_state ON ledger.executions (tenant_id, state, created_at DESC, execution_id DESC);
-- Both sides of a replay write this row often and never its indexed columns' neighbours: leave room for HOT updates.
ALTER TABLE ledger.executions SET (fillfactor = 80);

CREATE TABLE ledger.intakes (
  intake_id          uuid PRIMARY KEY DEFAULT ledger.new_id(),
  execution_id       uuid REFERENCES ledger.executions (execution_id),
  tenant_id          text NOT NULL,
  principal_id       text NOT NULL,
  operation          text COLLATE "C" NOT NULL,
  idempotency_key    text COLLATE "C",
  request_id         text,
  trace_id           text,
  attempt_id         uuid,
  fingerprint        text COLLATE "C",
  field_hashes       jsonb,
  display_fields     jsonb,
  content_version    text,
  target_system      text,
  target_account     text,
  conflicting_fields jsonb,
  disposition        text NOT NULL CHECK (disposition IN ('CLAIMED', 'RESULT_REUSED', 'DUPLICATE_HELD', 'CONTENT_CONFLICT', 'KEY_MISSING', 'RECONCILE_REQUIRED', 'RETRY_SAME_KEY', 'RECORD_EXPIRED', 'SUPERSEDED', 'OPERATION_PAUSED', 'REGISTERED', 'SAME_ATTEMPT', 'BUSINESS_REFERENCE_TAKEN', 'SINGLE_EXECUTOR_BUSY', 'ATTEMPTS_EXHAUSTED')),
  -- Written by a verb of the protocol, or by the trigger of a direct INSERT/UPDATE in plain SQL.
  via                text NOT NULL DEFAULT 'FUNCTION' CHECK (via IN ('FUNCTION', 'DIRECT')),
  login_role         text NOT NULL DEFAULT session_user,
  received_at        timestamptz(6) NOT NULL DEFAULT ledger.clock()
);
CREATE INDEX intakes_by_execution ON ledger.intakes (execution_id, received_at, intake_id);
CREATE INDEX intakes_by_operation ON ledger.intakes (tenant_id, operation, received_at);
-- Conflict tolerance (R-054) and the list of a keyless operation's arrivals.
CREATE INDEX intakes_in_doubt ON ledger.intakes (tenant_id, operation, disposition, received_at)
  WHERE disposition IN ('CONTENT_CONFLICT', 'KEY_MISSING');

CREATE TABLE ledger.attempts (
  execution_id      uuid NOT NULL REFERENCES ledger.executions (execution_id),
  attempt           integer NOT NULL,
  attempt_id        uuid,
  fencing_token     bigint NOT NULL,
  owner             text NOT NULL,
  started_at        timestamptz(6) NOT NULL,
  effect_started_at timestamptz(6),
  external_job_id   text,
  ended_at          timestamptz(6),
  outcome           text CHECK (outcome IN ('SUCCEEDED', 'FAILED_FINAL', 'FAILED_RETRYABLE', 'UNKNOWN', 'CANCELLED', 'TAKEN_OVER', 'DECIDED')),
  failure_code      text,
  failure_message   text,
  PRIMARY KEY (execution_id, attempt)
);

-- Reports with a token that is no longer the present one: never applied, never lost (R-029).
CREATE TABLE ledger.late_reports (
  report_id     uuid PRIMARY KEY DEFAULT ledger.new_id(),
  execution_id  uuid NOT NULL REFERENCES ledger.executions (execution_id),
  fencing_token bigint NOT NULL,
  verb          text NOT NULL,
  result_id     text,
  result_url    text,
  body          jsonb NOT NULL,
  state_found   text NOT NULL,
  received_at   timestamptz(6) NOT NULL DEFAULT ledger.clock()
);
CREATE INDEX late_reports_by_execution ON ledger.late_reports (execution_id, received_at);

-- Facts are only added. ENABLE ALWAYS: a session that plays replica does not get around it.
CREATE FUNCTION ledger.refuse_change() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '% on %.% is refused: its rows are only ever added', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'OO001';
END
$$;

CREATE TRIGGER intakes_are_only_added BEFORE UPDATE OR DELETE ON ledger.intakes FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER intakes_are_not_truncated BEFORE TRUNCATE ON ledger.intakes FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER late_reports_are_only_added BEFORE UPDATE OR DELETE ON ledger.late_reports FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER late_reports_are_not_truncated BEFORE TRUNCATE ON ledger.late_reports FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER executions_are_not_deleted BEFORE DELETE ON ledger.executions FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER executions_are_not_truncated BEFORE TRUNCATE ON ledger.executions FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER attempts_are_not_deleted BEFORE DELETE ON ledger.attempts FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER attempts_are_not_truncated BEFORE TRUNCATE ON ledger.attempts FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.intakes ENABLE ALWAYS TRIGGER intakes_are_only_added;
ALTER TABLE ledger.intakes ENABLE ALWAYS TRIGGER intakes_are_not_truncated;
ALTER TABLE ledger.late_reports ENABLE ALWAYS TRIGGER late_reports_are_only_added;
ALTER TABLE ledger.late_reports ENABLE ALWAYS TRIGGER late_reports_are_not_truncated;
ALTER TABLE ledger.executions ENABLE ALWAYS TRIGGER executions_are_not_deleted;
ALTER TABLE ledger.executions ENABLE ALWAYS TRIGGER executions_are_not_truncated;
ALTER TABLE ledger.attempts ENABLE ALWAYS TRIGGER attempts_are_not_deleted;
ALTER TABLE ledger.attempts ENABLE ALWAYS TRIGGER attempts_are_not_truncated;

GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO onceover_app, onceover_worker;
REVOKE SELECT ON ledger.producer_tokens FROM onceover_worker;

-- Which principal is this login? The one home of "principal by session_user".
CREATE FUNCTION ledger.session_principal() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT principal_id FROM ledger.principals WHERE login_role = session_user $$;
GRANT EXECUTE ON FUNCTION ledger.session_principal() TO onceover_producer, onceover_app, onceover_worker;

-- A SQL producer sees and touches its own rows only, and of those only what an executor may say. Everything else of
-- a row (attempt, version, expiry, who moved it) is filled in by the triggers of the protocol.
ALTER TABLE ledger.executions ENABLE ROW LEVEL SECURITY;
CREATE POLICY executions_of_the_session ON ledger.executions TO onceover_producer
  USING (principal_id = (SELECT ledger.session_principal()))
  WITH CHECK (principal_id = (SELECT ledger.session_principal()));
CREATE POLICY executions_for_the_product ON ledger.executions FOR SELECT TO onceover_app, onceover_worker USING (true);

GRANT SELECT ON ledger.executions TO onceover_producer;
GRANT INSERT (principal_id, operation, idempotency_key, request_id, fingerprint, content_version, target_system, target_account,
              workflow_id, step, business_ref, external_request_key, input_ref, deadline, state, owner, attempt_id,
              lease_expires_at, display_fields)
  ON ledger.executions TO onceover_producer;
GRANT UPDATE (state, fencing_token, owner, attempt_id, lease_expires_at, effect_started_at, external_job_id, external_request_key,
              progress, result_id, result_url, target_system, target_account, failure_code, failure_message, failure_basis)
  ON ledger.executions TO onceover_producer;
