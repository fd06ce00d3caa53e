// Ways of breaking the ledger's own rules where they live: constraints, triggers, verbs, the sweep.
import type { Mutant } from './mutant';

const LEDGER = 'prisma/migrations/20261129000400_ledger/migration.sql';
const GUARDS = 'prisma/migrations/20261129000450_guards/migration.sql';
const EXCEPTIONS = 'prisma/migrations/20261129000480_exceptions/migration.sql';
const PROTOCOL = 'prisma/migrations/20261129000500_protocol/migration.sql';
const REPORTS = 'prisma/migrations/20261129000550_reports/migration.sql';
const POLICY_GUARDS = 'prisma/migrations/20261130000220_policy_guards/migration.sql';
const JUDGE = 'prisma/migrations/20261130000800_what_an_end_leaves/migration.sql';
const PAUSES = 'prisma/migrations/20261130000230_pauses/migration.sql';
const ABANDONED = 'prisma/migrations/20261130000620_abandoned_claims/migration.sql';
const SWEEP = 'prisma/migrations/20261129000700_sweep/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_SQL: readonly Mutant[] = [
  // Scope and content
  mutant(
    'R-001',
    LEDGER,
    'CONSTRAINT executions_scope_is_unique UNIQUE (principal_id, operation, idempotency_key)',
    `CONSTRAINT executions_scope_is_unique UNIQUE (principal_id, operation, idempotency_key),
  CONSTRAINT executions_content_is_unique UNIQUE (principal_id, operation, fingerprint)`,
  ),
  mutant('R-002e', LEDGER, 'USING (principal_id = (SELECT ledger.session_principal()))', 'USING (true)'),
  mutant(
    'R-012a',
    PROTOCOL,
    'p_arrival.fingerprint) <> p_row.fingerprint\n    OR',
    "p_arrival.fingerprint) = ''\n    OR",
  ),
  mutant('R-012b', PROTOCOL, 'OR coalesce(p_arrival.content_version <> p_row.content_version, false)', ''),
  mutant('R-012b', PROTOCOL, 'OR coalesce(p_arrival.target_account <> p_row.target_account, false)', ''),
  mutant(
    'R-012b',
    PROTOCOL,
    'OR coalesce(p_arrival.target_system <> p_row.target_system, false)',
    'OR p_arrival.target_system IS DISTINCT FROM p_row.target_system',
  ),
  mutant('R-012c', PAUSES, "IF NEW.disposition = 'CONTENT_CONFLICT' THEN\n", 'IF false THEN\n'),

  // Claiming
  mutant(
    'R-010b',
    GUARDS,
    "IF TG_OP = 'INSERT' OR NEW.attempt <> OLD.attempt THEN\n    INSERT INTO ledger.intakes",
    'IF false THEN\n    INSERT INTO ledger.intakes',
  ),
  mutant('R-011a', JUDGE, "'body', p_row.response_body)", "'body', p_row.response_body::jsonb::text)"),
  mutant(
    'R-011c',
    JUDGE,
    "IF p_row.state = 'UNKNOWN' OR v_blocking.exception_id IS NOT NULL THEN",
    'IF false THEN',
  ),
  mutant('R-013b', 'lib/ledger/http/replay.ts', 'Idempotency-Replayed', 'Idempotency-Repeated'),
  mutant(
    'R-015a',
    LEDGER,
    'ALTER TABLE ledger.intakes ENABLE ALWAYS TRIGGER intakes_are_only_added;',
    'DROP TRIGGER intakes_are_only_added ON ledger.intakes;',
  ),
  mutant(
    'R-016a',
    LEDGER,
    "WHERE state = 'PROCESSING' AND single_executor_key IS NOT NULL;",
    "WHERE state = 'RECEIVED' AND single_executor_key IS NOT NULL;",
  ),
  mutant('R-017a', LEDGER, 'WHERE business_ref_unique AND superseded_by IS NULL;', 'WHERE false;'),
  mutant(
    'R-017b',
    POLICY_GUARDS,
    'v_policy.business_ref_unique AND NEW.business_ref IS NOT NULL',
    'NEW.business_ref IS NOT NULL',
  ),
  mutant(
    'R-018a',
    JUDGE,
    "IF p_row.state <> 'PROCESSING' AND p_row.attempts_spent >= p_row.attempts_allowed THEN",
    'IF false THEN',
  ),
  mutant(
    'R-021',
    JUDGE,
    "IF p_arrival.attempt_id = p_row.attempt_id AND p_row.state = 'PROCESSING'",
    'IF false',
  ),

  // Results
  mutant(
    'R-014a',
    GUARDS,
    "WHEN p_new.result_id IS NULL AND p_result_id_required THEN 'MISSING_RESULT_ID'",
    '',
  ),
  mutant(
    'R-014b',
    GUARDS,
    'OR (p_old.target_account IS NOT NULL AND p_new.target_account IS DISTINCT FROM p_old.target_account) THEN',
    'THEN',
  ),
  mutant(
    'R-014f',
    POLICY_GUARDS,
    "AND NOT (NEW.moved_by = 'executor' AND NEW.state = 'SUCCEEDED' AND OLD.state <> 'SUCCEEDED') THEN",
    'AND false THEN',
  ),
  mutant(
    'R-016c',
    POLICY_GUARDS,
    "OR NEW.moved_by = 'claim' AND NEW.fencing_token <> OLD.fencing_token THEN",
    'THEN',
  ),
  mutant(
    'R-017a',
    POLICY_GUARDS,
    "IF TG_OP = 'INSERT' OR NEW.business_ref IS DISTINCT FROM OLD.business_ref THEN",
    "IF TG_OP = 'INSERT' THEN",
  ),
  mutant(
    'R-027c',
    POLICY_GUARDS,
    "AND NEW.lease_expires_at > v_now + interval '86400 seconds' THEN",
    'AND false THEN',
  ),
  mutant(
    'R-004d',
    POLICY_GUARDS,
    'IF NOT v_policy.allow_personal_keys AND ledger.personal_kind(NEW.idempotency_key) IS NOT NULL THEN',
    'IF false THEN',
  ),
  mutant('R-014c', LEDGER, 'WHERE result_id IS NOT NULL AND NOT result_shared;', 'WHERE false;'),
  mutant(
    'R-014d',
    POLICY_GUARDS,
    "IF p_row.state = 'SUCCEEDED' AND p_row.result_id IS NULL AND v_policy.result_id_required",
    'IF false',
  ),

  // Leases and tokens
  mutant(
    'R-027a',
    POLICY_GUARDS,
    "IF v_row.lease_expires_at <= v_now THEN\n      RETURN ledger.refusal('INVALID_STATE', 'LEASE_OVER', v_row);",
    "IF false THEN\n      RETURN ledger.refusal('INVALID_STATE', 'LEASE_OVER', v_row);",
  ),
  mutant(
    'R-028a',
    JUDGE,
    "attempts_spent = attempts_spent + CASE state WHEN 'PROCESSING' THEN 0 ELSE 1 END,",
    'attempts_spent = attempts_spent + 1,',
  ),
  mutant(
    'R-028b',
    JUDGE,
    "IF p_row.state = 'PROCESSING' AND p_row.effect_started_at IS NOT NULL AND p_row.lease_expires_at <= p_now THEN",
    'IF false THEN',
  ),
  mutant(
    'R-028c',
    GUARDS,
    '(OLD.lease_expires_at > v_now OR OLD.effect_started_at IS NOT NULL)',
    'OLD.lease_expires_at > v_now',
  ),
  mutant(
    'R-028d',
    EXCEPTIONS,
    "AND kind IN ('STUCK_PROCESSING', 'LONG_RUNNING')\n        AND NOT EXISTS",
    "AND kind = 'LONG_RUNNING'\n        AND NOT EXISTS",
  ),
  mutant('R-029b', REPORTS, "OR p_row.state = 'FAILED_FINAL' OR", 'OR'),
  mutant('R-029c', REPORTS, "ELSIF p_row.state = 'FAILED_RETRYABLE' THEN", 'ELSIF false THEN'),
  mutant('R-029d', REPORTS, 'IF v_result_id IS DISTINCT FROM p_row.result_id THEN', 'IF false THEN'),
  mutant('R-029e', GUARDS, 'IF NEW.fencing_token <> OLD.fencing_token THEN', 'IF false THEN'),
  mutant(
    'R-031',
    EXCEPTIONS,
    "WHEN v_old_state = 'UNKNOWN' THEN ARRAY['UNKNOWN_RESULT', ",
    "WHEN v_old_state = 'UNKNOWN' THEN ARRAY[",
  ),
  mutant(
    'R-033a',
    REPORTS,
    "IF v_row.state = 'PROCESSING' AND v_row.effect_started_at IS NOT NULL THEN\n    RETURN ledger.refusal('EFFECT_ALREADY_STARTED'",
    "IF false THEN\n    RETURN ledger.refusal('EFFECT_ALREADY_STARTED'",
  ),
  mutant(
    'R-033a',
    REPORTS,
    "moved_by = 'cancel', fencing_token = fencing_token + 1,",
    "moved_by = 'cancel',",
  ),
  mutant('R-037b', LEDGER, ' AND response_status NOT IN (408, 425, 429)', ''),

  // Retention
  mutant(
    'R-040a',
    SWEEP,
    "IF EXISTS (SELECT 1 FROM review.exceptions x WHERE x.execution_id = p_row.execution_id AND x.state = 'OPEN') THEN",
    'IF false THEN',
  ),
  mutant(
    'R-040b',
    SWEEP,
    "IF p_row.state IN ('SUCCEEDED', 'FAILED_FINAL') THEN",
    "IF p_row.state IN ('SUCCEEDED', 'FAILED_FINAL', 'FAILED_RETRYABLE') THEN",
  ),
  mutant('R-040c', SWEEP, 'IF p_row.expires_at <= p_now THEN', 'IF false THEN'),
  mutant('R-041', PAUSES, "ELSIF NEW.disposition = 'RECORD_EXPIRED' THEN", 'ELSIF false THEN'),
  mutant('R-043', JUDGE, 'p_row.expires_at <= p_now) THEN', 'p_row.expires_at < p_now) THEN'),

  // Exceptions
  mutant('R-045b', POLICY_GUARDS, 'IF v_moves AND NOT EXISTS (', 'IF v_moves AND false AND NOT EXISTS ('),
  mutant(
    'R-045d',
    SWEEP,
    'p_row.effect_started_at IS NOT NULL AND v_lease_and_grace <= p_now THEN\n    UPDATE',
    'false THEN\n    UPDATE',
  ),
  mutant('R-045e', SWEEP, "ELSIF p_row.state = 'RECEIVED' AND", 'ELSIF false AND'),
  mutant('R-045f', SWEEP, 'FOR NO KEY UPDATE SKIP LOCKED', 'FOR NO KEY UPDATE'),
  mutant(
    'R-046',
    ABANDONED,
    "SELECT exception_id INTO v_id FROM review.exceptions WHERE execution_id = p_execution_id AND kind = p_kind AND state = 'OPEN';",
    'v_id := NULL;',
  ),
  mutant('R-048b', ABANDONED, 'AND v_row.effect_started_at IS NULL THEN', 'THEN'),
  mutant('R-048b', ABANDONED, 'p_kind) + v_lower)', 'p_kind))'),
  mutant(
    'R-050a',
    EXCEPTIONS,
    "ELSE ARRAY['UNCLAIMED', 'STUCK_PROCESSING', 'LONG_RUNNING', 'EXPIRED_KEY'] END,",
    "ELSE ARRAY['UNCLAIMED', 'LONG_RUNNING', 'EXPIRED_KEY'] END,",
  ),
  mutant(
    'R-051',
    SWEEP,
    "ELSIF p_row.state = 'PROCESSING' AND ledger.long_running_from(p_row, v_policy) <= p_now THEN",
    'ELSIF false THEN',
  ),
];
