// Ways of breaking what keeps providers' reports going, who may send them on, and what makes an outage of unknown results.
import type { Mutant } from './mutant';

const HELD_UP = 'prisma/migrations/20261206000200_held_up_reports/migration.sql';
const ASIDE = 'prisma/migrations/20261207000300_rows_set_aside/migration.sql';
const LIMITS = 'prisma/migrations/20261206000210_outage_limits/migration.sql';
const WORTH = 'prisma/migrations/20261206000220_worth_of_an_orphan/migration.sql';
const EXPORT = 'lib/review/incidents/export-report.ts';
const NAMES = 'prisma/migrations/20261206000240_what_a_report_may_name/migration.sql';
const VERDICT = 'lib/domain/report-verdict.ts';
const READING = 'lib/domain/report-reading.ts';
const APPLY = 'lib/review/incidents/apply-report.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_HELD_REPORTS: readonly Mutant[] = [
  // What stops a report
  mutant('R-056l', APPLY, 'return holdUp(run, codeOf(error), counts);', 'throw error;'),
  mutant('R-056l', APPLY, 'review.go_on_with_report($1::uuid)', '$1::uuid'),
  mutant('R-056l', APPLY, '[error, rows > 0]', '[error, false]'),
  mutant('R-056l', ASIDE, 'ELSE r.failures + 1 END', 'ELSE 1 END'),
  mutant('R-056l', ASIDE, 'ELSE coalesce(held_up_since, v_now) END', 'ELSE v_now END'),
  mutant('R-056l', HELD_UP, "least(interval '1 hour', ", "least(interval '1 day', "),
  mutant(
    'R-056l',
    ASIDE,
    "'apply-report:' || r.report_id, r.next_try_at);",
    "'apply-report:' || r.report_id);",
  ),
  mutant('R-056l', HELD_UP, 'PERFORM review.hold_report_up(v_id, NULL, false);', 'NULL;'),
  mutant('R-056l', HELD_UP, 'AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL)', ''),
  mutant('R-056l', HELD_UP, ' OR j.locked_at IS NOT NULL)', ')'),
  mutant(
    'R-056l',
    ASIDE,
    "WHERE report_id = p_report_id AND state = 'CONFIRMED' FOR NO KEY",
    'WHERE report_id = p_report_id FOR NO KEY',
  ),

  // What stops a row alone
  mutant('R-056p', APPLY, 'if (rowNumber === null) throw error;', 'throw error;'),
  mutant('R-056p', APPLY, 'inARow === FAILURES_IN_A_ROW', 'inARow === 1'),
  mutant('R-056p', ASIDE, 'ORDER BY w.failures, w.row_number LIMIT 1', 'ORDER BY w.row_number LIMIT 1'),
  mutant('R-056p', ASIDE, 'review.report_wait(w.failures + 1)', 'review.report_wait(1)'),
  mutant('R-056p', ASIDE, 'CASE WHEN v_due > v_now THEN v_due ELSE', 'CASE WHEN false THEN v_due ELSE'),
  mutant('R-056p', ASIDE, 'failures = 0, last_error = NULL, next_try_at = NULL\n', 'failures = w.failures\n'),

  // What makes an outage
  mutant('R-056a', LIMITS, 'coalesce(l.unknown_results, 20)', 'coalesce(l.unknown_results, 19)'),
  mutant('R-056a', LIMITS, 'coalesce(l.within_seconds, 600)', 'coalesce(l.within_seconds, 3600)'),
  mutant('R-056n', LIMITS, 'coalesce(l.unknown_results, 20)', '20'),
  mutant('R-056n', LIMITS, 'coalesce(l.within_seconds, 600)', '600'),
  mutant('R-056n', LIMITS, ' AND n.tenant_id = ANY (v_limit.tenants)', ''),
  mutant(
    'R-056n',
    'lib/commands/configuration.ts',
    "'review.outage_limits', limit)",
    "'review.outage_limits', { ...limit, withinSeconds: 600 })",
  ),

  // What an orphan is worth
  mutant('R-081p', WORTH, "f->'found')", 'NULL)'),
  mutant(
    'R-081p',
    WORTH,
    "jsonb_build_object('stakeAmount', v.amount::text,",
    "jsonb_build_object('stakeAmount', NULL,",
  ),
  mutant(
    'R-081p',
    WORTH,
    'e.execution_id = r.execution_id), r.exception_id)',
    'e.execution_id = r.execution_id), NULL)',
  ),
  mutant(
    'R-081p',
    'lib/domain/exposure-then.ts',
    '(known.execution ?? known.orphan)?.amount',
    'known.execution?.amount',
  ),
  mutant('R-081p', 'lib/domain/report-verdict.ts', "ruleOf(each, '0'), null", "{ kind: 'exact' }, null"),
  mutant(
    'R-081p',
    'lib/review/get-request.ts',
    'coalesce(r.target_account, w.target_account)',
    'r.target_account',
  ),
  mutant('R-056j', WORTH, "IS DISTINCT FROM (f.exception).detail->>'resultId' THEN", 'IS NULL THEN'),

  // What hostile and clumsy rows would do
  mutant(
    'R-059j',
    NAMES,
    "WHEN r.as_of < date_trunc('minute', (f.execution).created_at) THEN 'CHECKED_BEFORE_THE_EXECUTION'",
    '',
  ),
  mutant('R-059j', VERDICT, 'if (isEarlier(ground.asOf, one.beganAt))', 'if (false)'),
  mutant('R-059j', VERDICT, 'Math.floor(Date.parse(beganAt) / 60_000) * 60_000', 'Date.parse(beganAt)'),
  mutant('R-056d', NAMES, 'e.tenant_id <> (f.incident).tenant_id', 'false'),
  mutant('R-056d', NAMES, 'x.execution_id IS DISTINCT FROM w.execution_id', 'false'),
  mutant(
    'R-056d',
    VERDICT,
    "if (ground.isKnownResult(row.resultId, one.executionId)) return { ...found, verdict: 'MULTIPLE' };",
    '',
  ),
  mutant(
    'R-056d',
    VERDICT,
    'countOf(claiming.map((row) => row.resultId))',
    'countOf(judged.filter(bringsAbout).map((row) => row.resultId))',
  ),
  mutant('R-056d', READING, '\\p{Cf}', ''),
  mutant('R-056d', READING, '|^\\s|\\s$', ''),
  mutant('R-056d', READING, '\\d+)?E\\+\\d+$/i.test(text)', '\\d+)?E\\+\\d+$/i.test(text) && false'),

  // Who takes its rows out
  mutant(
    'R-056o',
    EXPORT,
    "await appendAudit(tx, { event: EVENT, outcome: 'done', tenantId, operation, body });",
    '',
  ),
  mutant('R-056o', EXPORT, 'r.tenant_id = any(a.tenant_ids)', 'true'),
  mutant('R-056o', EXPORT, "if (csv === null) await auditRefusal(ctx, EVENT, 'NOT_FOUND', {}, {});", ''),

  // The guide is about the pages as they are
  mutant(
    'R-063x',
    'lib/domain/messages/en/connectors.json',
    '"label": "Account of the credentials"',
    '"label": "Fixed account"',
  ),

  // Who sends it on
  mutant(
    'R-056m',
    HELD_UP,
    "f.actor_id IN (r.judged_by, r.proposed_by) THEN 'SELF_APPROVAL'\n    WHEN r.state",
    "f.actor_id = r.proposed_by THEN 'SELF_APPROVAL'\n    WHEN r.state",
  ),
  mutant(
    'R-056m',
    HELD_UP,
    "f.actor_id IN (r.judged_by, r.proposed_by) THEN 'SELF_APPROVAL'\n    WHEN r.expires",
    "f.actor_id = r.judged_by THEN 'SELF_APPROVAL'\n    WHEN r.expires",
  ),
  mutant(
    'R-056m',
    HELD_UP,
    'decided_by <> proposed_by AND decided_by <> judged_by',
    'decided_by <> proposed_by',
  ),
  mutant(
    'R-056m',
    HELD_UP,
    'checked_by <> proposed_by AND checked_by <> judged_by',
    'checked_by <> proposed_by',
  ),
  mutant(
    'R-056m',
    HELD_UP,
    "OR (NEW.proposed_by IS DISTINCT FROM OLD.proposed_by AND NOT (OLD.state = 'JUDGED' AND NEW.state = 'PROPOSED'))",
    '',
  ),
  mutant(
    'R-056m',
    HELD_UP,
    "PERFORM pg_advisory_xact_lock(hashtextextended('onceover report ' || (p_input->>'reportId')::uuid, 0));",
    '',
  ),
  mutant(
    'R-056m',
    HELD_UP,
    "SET state = 'PROPOSED', proposed_by = f.actor_id,",
    "SET state = 'PROPOSED', proposed_by = r.judged_by,",
  ),
];
