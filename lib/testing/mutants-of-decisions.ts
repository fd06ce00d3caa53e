// Ways of breaking what people decide: evidence, four eyes, reissues, desk acts.
import type { Mutant } from './mutant';

const IDS = 'prisma/migrations/20261204000100_operation_ids/migration.sql';
const EXCEPTIONS = 'prisma/migrations/20261129000480_exceptions/migration.sql';
const DECISIONS = 'prisma/migrations/20261129000900_decisions/migration.sql';
const EYES = 'prisma/migrations/20261203000300_four_eyes/migration.sql';
const GLASS = 'prisma/migrations/20261202000130_break_glass/migration.sql';
const APPROVALS = 'prisma/migrations/20261129000950_approvals/migration.sql';
const SETTLEMENTS = 'prisma/migrations/20261130000300_named_refusals/migration.sql';
const REPORTS = 'prisma/migrations/20261205000120_report_application/migration.sql';
const SOURCES = 'prisma/migrations/20261130000310_two_sources/migration.sql';
const CONTRARY = 'prisma/migrations/20261130000600_contrary_looks/migration.sql';
const PAUSES = 'prisma/migrations/20261130000230_pauses/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_DECISIONS: readonly Mutant[] = [
  mutant('R-044', 'lib/domain/exposure.ts', 'over: until <= now', 'over: until < now'),
  mutant(
    'R-049a',
    DECISIONS,
    'assignee_id = coalesce(assignee_id, f.actor_id)\n',
    'assignee_id = f.actor_id\n',
  ),
  mutant(
    'R-049a',
    DECISIONS,
    'IF f.refusal IS NULL THEN\n    UPDATE review.exceptions SET deferred_until = v_until,',
    'IF false THEN\n    UPDATE review.exceptions SET deferred_until = v_until,',
  ),
  mutant(
    'R-052',
    EXCEPTIONS,
    "AND x.kind IN ('UNKNOWN_RESULT', 'RESULT_MISMATCH', 'DUPLICATE_RESULT', 'CONTRADICTED_DECISION', 'EXPIRED_KEY')",
    "AND x.kind = 'DUPLICATE_RESULT'",
  ),

  // Link, not applied, final failure
  mutant(
    'R-066a',
    SOURCES,
    "state = CASE state WHEN 'EXPIRED' THEN 'EXPIRED' ELSE 'SUCCEEDED' END,",
    'state = state,',
  ),
  mutant('R-066b', REPORTS, "RETURN 'RESULT_LINKED_ELSEWHERE';", 'RETURN NULL;'),
  mutant('R-060f', CONTRARY, "< p_now THEN 'EVIDENCE_STALE'\n", '< p_now THEN NULL\n'),
  mutant('R-064i', CONTRARY, "THEN 'HORIZON_NOT_OVER'", 'THEN NULL'),
  mutant(
    'R-067a',
    APPROVALS,
    "state = 'FAILED_RETRYABLE', moved_by = 'person', fencing_token = fencing_token + 1,",
    "state = 'FAILED_RETRYABLE', moved_by = 'person',",
  ),
  mutant('R-067b', CONTRARY, "IF (f.policy).effect_class = 'IRREVERSIBLE' OR", 'IF'),
  mutant(
    'R-068',
    CONTRARY,
    "IF (f.execution).state = 'UNKNOWN' OR ((f.execution).state = 'PROCESSING'",
    "IF false OR ((f.execution).state = 'PROCESSING'",
  ),
  mutant(
    'R-069a',
    DECISIONS,
    "WHEN p_decision NOT IN ('LINK_RESULT', 'CONFIRM_KNOWN_RESULT')\n             AND review",
    'WHEN false\n             AND review',
  ),
  mutant(
    'R-069b',
    SOURCES,
    "WHEN v_relation <> 'RETRY_AS_NEW' AND (f.execution).state = 'UNKNOWN'",
    'WHEN false',
  ),

  // Four eyes
  mutant(
    'R-070a',
    SETTLEMENTS,
    "WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'",
    "WHEN false THEN 'SELF_APPROVAL'",
  ),
  mutant(
    'R-070a',
    APPROVALS,
    'CONSTRAINT decisions_approver_is_not_requester CHECK (approver_id <> requested_by)',
    'CONSTRAINT decisions_approver_is_not_requester CHECK (true)',
  ),
  mutant(
    'R-070b',
    SETTLEMENTS,
    "WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'\n    WHEN review.visible_length(p_input->>'rationale')",
    "WHEN review.visible_length(p_input->>'rationale')",
  ),
  mutant('R-070b', CONTRARY, "WHEN p_row.version <> r.execution_version THEN 'EXECUTION_CHANGED'", ''),
  mutant('R-070c', EYES, 'IF review.decide_until(r) <= v_now THEN', 'IF false THEN'),
  mutant(
    'R-070d',
    APPROVALS,
    "v_lookup.verdict = 'APPLIED' THEN 'EFFECT_FOUND' END);",
    "false THEN 'EFFECT_FOUND' END);",
  ),
  mutant('R-070d', APPROVALS, 'OR v_lookup.checked_at < v_approval.decided_at', ''),

  // Reissues
  mutant(
    'R-071a',
    APPROVALS,
    "IF r.relation <> 'NEW_WORK' THEN\n    UPDATE ledger.executions SET superseded_by",
    'IF false THEN\n    UPDATE ledger.executions SET superseded_by',
  ),
  mutant(
    'R-071b',
    SETTLEMENTS,
    'SELECT * INTO r FROM review.approval_requests WHERE request_id = r.request_id FOR NO KEY UPDATE;\n  v_now := ledger.clock();',
    'v_now := ledger.clock();',
  ),
  mutant(
    'R-072a',
    'prisma/migrations/20261129000400_ledger/migration.sql',
    "WHERE superseded_by IS NULL AND state IN ('RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE', 'UNKNOWN');",
    'WHERE false;',
  ),
  mutant(
    'R-073',
    PAUSES,
    "AND x.state = 'CLOSED' AND x.closing = 'DECISION'\n",
    "AND x.state = 'CLOSED' AND false\n",
  ),

  // Who, and which decision for which kind
  mutant(
    'R-074a',
    DECISIONS,
    "WHEN p_authority <> 'general' AND NOT p_authority = ANY (p_authorities) THEN 'AUTHORITY_MISSING'",
    '',
  ),
  mutant(
    'R-074a',
    DECISIONS,
    "CASE WHEN NOT p_roles && p_allowed THEN 'ROLE_MISSING'",
    "CASE WHEN false THEN 'ROLE_MISSING'",
  ),
  mutant('R-074b', DECISIONS, "WHEN v_rule.kind IS NULL THEN 'DECISION_NOT_FOR_KIND'", ''),
  mutant('R-074b', DECISIONS, "ARRAY['ADMIN', 'APPROVER'];", "ARRAY['ADMIN', 'APPROVER', 'OPERATOR'];"),
  mutant(
    'R-075',
    DECISIONS,
    "unknown_reason = 'DECLARED', fencing_token = fencing_token + 1",
    "unknown_reason = 'DECLARED'",
  ),

  mutant(
    'R-076',
    'lib/domain/decisions.ts',
    "CONFIRM_NOT_APPLIED: 'RECOVER',",
    "CONFIRM_NOT_APPLIED: 'NEW',",
  ),

  // One transaction over what was seen
  mutant(
    'R-077a',
    DECISIONS,
    "CASE WHEN (f.exception).version <> (p_input->>'exceptionVersion')::bigint\n             OR",
    'CASE WHEN false OR',
  ),
  mutant(
    'R-078a',
    'prisma/migrations/20261129000200_access/migration.sql',
    "current_setting('onceover.actor_id')::uuid AND p.disabled_at IS NULL",
    "current_setting('onceover.actor_id')::uuid",
  ),
  mutant(
    'R-079',
    SOURCES,
    'result_id = coalesce(result_id, v_lookup.result_id), result_url',
    'result_id = result_id, result_url',
  ),
  mutant('R-066b', SETTLEMENTS, "THEN 'RESULT_LINKED_ELSEWHERE'\n", 'THEN NULL\n'),
  mutant('R-083', SETTLEMENTS, "EXCEPTION WHEN SQLSTATE 'OO007'", "EXCEPTION WHEN SQLSTATE 'OO008'"),
  mutant('R-083', 'lib/review/run-command.ts', "? 'LEDGER_REFUSED' : null", '? null : null'),
  mutant('R-083', GLASS, "THEN 'APPROVERS_NOT_ENTITLED'", 'THEN NULL'),
  mutant(
    'R-084',
    IDS,
    "WHEN r.requested_by <> v_actor.person_id THEN 'NOT_YOUR_REQUEST'",
    "WHEN false THEN 'NOT_YOUR_REQUEST'",
  ),
];
