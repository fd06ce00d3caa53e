// Ways of breaking what an operation's policy decides: protection, approvals, failure codes, retention, pauses.
import type { Mutant } from './mutant';

const IDS = 'prisma/migrations/20261204000100_operation_ids/migration.sql';
const OUTCOMES = 'prisma/migrations/20261130000200_operation_outcomes/migration.sql';
const APPROVALS = 'prisma/migrations/20261130000210_approval_uses/migration.sql';
const GUARDS = 'prisma/migrations/20261130000220_policy_guards/migration.sql';
const ENDS = 'prisma/migrations/20261130000800_what_an_end_leaves/migration.sql';
const PAUSES = 'prisma/migrations/20261130000230_pauses/migration.sql';
const INPUT = 'prisma/migrations/20261130000240_open_input/migration.sql';
const DECISIONS = 'prisma/migrations/20261129000900_decisions/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_POLICIES: readonly Mutant[] = [
  mutant(
    'R-054c',
    'lib/review/read-pause.ts',
    "counted('conflicts') + counted('mismatches')",
    "counted('mismatches')",
  ),
  mutant(
    'R-054c',
    'lib/review/read-pause.ts',
    "return callerAnswer(paused ? 'OPERATION_PAUSED' : 'CLAIMED');",
    "return callerAnswer('OPERATION_PAUSED');",
  ),
  mutant('R-054c', 'lib/review/read-pause.ts', "if (last === 'CONTENT_CONFLICT')", 'if (false)'),
  mutant(
    'R-054c',
    'lib/review/read-pause.ts',
    ' and i.received_at > $3::timestamptz',
    ' and ($3::timestamptz is null or true)',
  ),
  mutant(
    'R-054c',
    'lib/review/read-pause.ts',
    '($4::timestamptz is null or i.received_at',
    '($4::timestamptz is null or true or i.received_at',
  ),
  // Protection
  mutant('R-016b', OUTCOMES, "p_policy.effect_class IN ('IRREVERSIBLE', 'COMPENSABLE')", 'false'),
  mutant('R-016b', OUTCOMES, "('IRREVERSIBLE', 'COMPENSABLE')", "('IRREVERSIBLE')"),
  mutant(
    'R-016b',
    OUTCOMES,
    'p_policy.protection_valid_until > ledger.clock()',
    'p_policy.protection_valid_until >= ledger.clock()',
  ),
  mutant('R-016b', OUTCOMES, 'p_policy.protection_checked_at <= ledger.clock() AND ', ''),
  mutant('R-016b', OUTCOMES, 'IN (0, 5)', 'IN (0, 4, 5)'),
  mutant('R-016b', OUTCOMES, "ledger.protection_of(p_policy) = 'PROVIDER_KEY' AND p_code", 'p_code'),
  mutant('R-016b', OUTCOMES, "IN ('LOOKUP_ONLY', 'NONE') THEN", "IN ('NONE') THEN"),
  mutant('R-016b', GUARDS, 'CASE ledger.single_executor_of(v_policy)\n', 'CASE v_policy.single_executor\n'),
  mutant(
    'R-016b',
    GUARDS,
    "IF TG_OP = 'INSERT' OR NEW.moved_by = 'claim' AND",
    "IF TG_OP = 'INSERT' OR false AND",
  ),
  mutant(
    'R-016b',
    'lib/review/read-exception-facts.ts',
    "'protectionClass', ledger.protection_of(p),",
    "'protectionClass', p.protection_class,",
  ),

  // Approvals
  mutant('R-019a', GUARDS, "v_row.target_system <> v_row.approval_ref#>>'{target,system}' OR ", ''),
  mutant(
    'R-019a',
    GUARDS,
    "IF v_row.content_version <> v_row.approval_ref->>'contentVersion' THEN",
    'IF false THEN',
  ),
  mutant(
    'R-019a',
    GUARDS,
    "coalesce(p_claim#>>'{target,account}', v_row.approval_ref#>>'{target,account}')",
    "p_claim#>>'{target,account}'",
  ),
  mutant('R-019a', ENDS, 'IF p_arrival.approval_ref <> p_row.approval_ref THEN', 'IF false THEN'),
  mutant('R-019a', APPROVALS, 'IF v_approval IS NULL THEN', 'IF false THEN'),
  mutant(
    'R-019b',
    GUARDS,
    "v_moves AND NEW.moved_by IN ('register', 'claim') AND v_policy.approval_ref_required",
    'false',
  ),
  mutant(
    'R-019c',
    'lib/domain/policy-proposal.ts',
    "effectClass === 'IRREVERSIBLE'",
    "effectClass !== 'NONE'",
  ),
  mutant('R-019d', APPROVALS, 'IF FOUND AND v_last.approved <> NEW.approval_ref THEN', 'IF false THEN'),
  mutant(
    'R-019d',
    APPROVALS,
    'RETURN \'{"count": 1}\' || v_approval;',
    'RETURN \'{"count": 9}\' || v_approval;',
  ),
  mutant('R-019d', APPROVALS, 'CONSTRAINT approval_uses_stay_within_count CHECK (use_number', 'CHECK (0'),
  mutant(
    'R-019d',
    APPROVALS,
    'AFTER UPDATE OF approval_ref ON ledger.executions\n  FOR EACH ROW WHEN (NEW.approval_ref IS NOT NULL AND OLD',
    'AFTER UPDATE OF approval_ref ON ledger.executions\n  FOR EACH ROW WHEN (NEW.approval_ref IS NULL AND OLD',
  ),
  mutant('R-019d', GUARDS, 'IF OLD.approval_ref IS NOT NULL AND', 'IF false AND'),

  // What failure codes mean
  mutant(
    'R-037a',
    OUTCOMES,
    'WHEN p_effect_started AND NOT ledger.proves_no_effect',
    'WHEN false AND NOT ledger.proves_no_effect',
  ),
  mutant(
    'R-037c',
    OUTCOMES,
    "(p_told = 'FAILED_FINAL' AND p_policy.outcome_codes IS NULL)",
    "p_told = 'FAILED_FINAL'",
  ),
  mutant('R-037c', OUTCOMES, "c.class = 'FINAL' OR ", ''),
  mutant('R-037c', OUTCOMES, "WHEN c.class IS NOT NULL THEN 'FAILED_RETRYABLE'", ''),
  mutant('R-037c', GUARDS, "IF NEW.state <> 'FAILED_FINAL' THEN", 'IF false THEN'),
  mutant(
    'R-037c',
    GUARDS,
    'NEW.effect_started_at IS NOT NULL, v_policy)',
    'OLD.effect_started_at IS NOT NULL, v_policy)',
  ),
  mutant(
    'R-037c',
    OUTCOMES,
    "('FINAL', 'RETRYABLE', 'FIX_FIRST'), false)",
    "('FINAL', 'RETRYABLE', 'FIX_FIRST'), true)",
  ),
  mutant(
    'R-037c',
    GUARDS,
    'OR v_row.state = ledger.failed_state(v_told,',
    'OR v_told = ledger.failed_state(v_row.state,',
  ),
  mutant('R-037d', GUARDS, 'NEW.attempts_allowed := NEW.attempts_spent;', 'NULL;'),
  mutant(
    'R-037d',
    GUARDS,
    "NEW.failure_code) = 'FIX_FIRST' THEN\n    PERFORM",
    "NEW.failure_code) = '' THEN\n    PERFORM",
  ),
  mutant('R-037d', 'lib/ledger/http/reads.ts', ' and not ${WAITS_FOR_A_PERSON}', ''),
  mutant('R-037d', 'lib/review/read-exception-facts.ts', "->>'condition'", "->>'class'"),

  // The key that travels on
  mutant('R-032', GUARDS, 'NEW.external_request_key := NEW.idempotency_key;', 'NULL;'),
  mutant(
    'R-032',
    GUARDS,
    "IF v_keeps_key AND p_report->>'externalRequestKey'",
    "IF false AND p_report->>'externalRequestKey'",
  ),
  mutant(
    'R-032',
    ENDS,
    'IF p_arrival.external_request_key <> p_row.external_request_key AND',
    'IF false AND',
  ),
  mutant(
    'R-032',
    ENDS,
    'IF NEW.external_request_key IS DISTINCT FROM OLD.external_request_key AND',
    'IF false AND',
  ),
  mutant(
    'R-032',
    ENDS,
    "OR p_policy.protection_class = 'PROVIDER_KEY' AND p_policy.protection_checked_at IS NOT NULL",
    '',
  ),

  // The original input
  mutant(
    'R-008c',
    INPUT,
    "v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(v_row",
    "ARRAY['OPERATOR'], ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(v_row",
  ),
  mutant(
    'R-008c',
    INPUT,
    "THEN 'INPUT_NOT_KEPT'\n           WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 10",
    "THEN 'INPUT_NOT_KEPT'\n           WHEN review.visible_length(p_input->>'rationale') NOT BETWEEN 0",
  ),
  mutant(
    'R-008c',
    INPUT,
    "v_row.operation, (p_input->>'operationId')::uuid, jsonb_build_object('rationale', p_input->>'rationale'));",
    "v_row.operation, (p_input->>'operationId')::uuid, '{}');",
  ),
  mutant(
    'R-008c',
    IDS,
    "(p_input->>'operationId')::uuid); END IF;\n  PERFORM review.append_audit('input.opened'",
    "(p_input->>'operationId')::uuid) || jsonb_build_object('inputRef', v_row.input_ref); END IF;\n  PERFORM review.append_audit('input.opened'",
  ),
  mutant(
    'R-008c',
    'lib/review/get-execution.ts',
    'e.input_ref is not null as "hasInput"',
    'e.input_ref as "hasInput"',
  ),
  mutant(
    'R-008c',
    'lib/domain/permissions.ts',
    "'input.open': { roles: operators, authority: true }",
    "'input.open': { roles: operators, authority: false }",
  ),

  // Identity and retention
  mutant(
    'R-007',
    GUARDS,
    'WHERE principal_id = p_principal_id AND operation = v_arrival.operation AND idempotency_key = v_arrival.idempotency_key;',
    'WHERE fingerprint = v_arrival.fingerprint ORDER BY created_at LIMIT 1;',
  ),
  mutant(
    'R-039',
    'lib/domain/retention.ts',
    'if (seconds > plannedSeconds)',
    'if (seconds >= plannedSeconds)',
  ),
  mutant(
    'R-039',
    'lib/domain/retention.ts',
    "  'manualReprocessingSeconds',\n  'dedupeWindowSeconds',",
    "  'dedupeWindowSeconds',\n  'manualReprocessingSeconds',",
  ),
  mutant('R-039', OUTCOMES, ' + coalesce(p_dedupe_window, 0)', ''),
  mutant('R-039', OUTCOMES, 'p_retransmission::bigint + p_offline_return', 'p_retransmission::bigint'),
  mutant(
    'R-039',
    OUTCOMES,
    'retention_seconds >= ledger.least_retention(',
    'retention_seconds > ledger.least_retention(',
  ),

  // Pauses
  mutant(
    'R-054a',
    PAUSES,
    'IF v_conflicts + v_mismatches <= p_policy.conflict_tolerance THEN',
    'IF true THEN',
  ),
  mutant('R-054a', PAUSES, 'IF v_conflicts + v_mismatches <=', 'IF v_conflicts <='),
  mutant('R-054a', PAUSES, 'PERFORM pg_advisory_xact_lock', 'PERFORM pg_advisory_xact_lock_shared'),
  mutant('R-054a', PAUSES, 'i.received_at > v_since', 'i.received_at >= v_since'),
  mutant('R-054a', PAUSES, 'v.at > v_since', 'v.at >= v_since'),
  mutant(
    'R-054b',
    PAUSES,
    "WHERE x.tenant_id = p_tenant_id AND x.operation = p_operation AND x.kind = 'OPERATION_PAUSED'));",
    'WHERE false));',
  ),
  mutant(
    'R-054b',
    DECISIONS,
    'DELETE FROM ledger.operation_pauses WHERE tenant_id = (f.exception).tenant_id AND operation = (f.exception).operation;',
    '',
  ),
  mutant(
    'R-054b',
    DECISIONS,
    "'RESUME_OPERATION', ARRAY['ADMIN', 'APPROVER'];",
    "'RESUME_OPERATION', ARRAY['ADMIN', 'APPROVER', 'OPERATOR'];",
  ),
];
