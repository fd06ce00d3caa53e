// Ways of breaking outage mode: incidents, providers' reports and what is made of them.
import type { Mutant } from './mutant';

const INCIDENTS = 'prisma/migrations/20261205000100_incidents/migration.sql';
const REPORTS = 'prisma/migrations/20261205000110_provider_reports/migration.sql';
const ASIDE = 'prisma/migrations/20261207000300_rows_set_aside/migration.sql';
const APPLICATION = 'prisma/migrations/20261205000120_report_application/migration.sql';
const WORTH = 'prisma/migrations/20261206000220_worth_of_an_orphan/migration.sql';
const ORPHANS = 'prisma/migrations/20261205000130_orphan_effects/migration.sql';
const HELD_UP = 'prisma/migrations/20261206000200_held_up_reports/migration.sql';
const FILE = 'lib/domain/report-file.ts';
const VERDICT = 'lib/domain/report-verdict.ts';
const JUDGE = 'lib/review/incidents/judge-report.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_INCIDENTS: readonly Mutant[] = [
  // One incident of a system
  mutant(
    'R-056a',
    'prisma/migrations/20261206000210_outage_limits/migration.sql',
    'WHERE u.opened_at >= u.reached - v_limit.within\n          AND NOT EXISTS',
    'WHERE NOT EXISTS',
  ),
  mutant(
    'R-056a',
    INCIDENTS,
    "o.system = u.system AND o.state = 'OPEN'\n    ON CONFLICT",
    'false\n    ON CONFLICT',
  ),
  mutant('R-056a', INCIDENTS, 'SELECT coalesce(p_row.target_system, (', 'SELECT coalesce(NULL, ('),
  mutant('R-056b', INCIDENTS, "m.incident_id = OLD.incident_id AND x.state = 'OPEN'", 'false'),
  mutant(
    'R-056b',
    INCIDENTS,
    "m.incident_id = o.incident_id AND x.state = 'OPEN')\n      FOR NO KEY",
    'true)\n      FOR NO KEY',
  ),
  mutant('R-056c', INCIDENTS, "'reason', 'incident')", "'reason', 'opened')"),
  mutant('R-056c', INCIDENTS, 'coalesce(review.lookup_refusal(x),', 'coalesce(NULL,'),
  mutant('R-056c', INCIDENTS, 'OR NOT (f.incident).tenant_id = ANY (v_actor.tenant_ids)', ''),

  // The dry run
  mutant('R-056d', VERDICT, "if (status !== 'done') return", 'if (false) return'),
  mutant(
    'R-056d',
    VERDICT,
    'if (!accountMatch || contentMatch === false) return',
    'if (contentMatch === false) return',
  ),
  mutant(
    'R-056d',
    VERDICT,
    'if (!accountMatch || contentMatch === false) return',
    'if (!accountMatch) return',
  ),
  mutant('R-056d', VERDICT, 'if (contentMatch === null) return', 'if (false) return'),
  mutant('R-056d', VERDICT, 'isShared(claims, row.executionId) || ', ''),
  mutant('R-056d', VERDICT, ' || isShared(results, row.resultId)', ''),
  mutant('R-056d', VERDICT, 'judged.filter((row) => !isFailure(row, ground))', 'judged'),
  mutant('R-056d', VERDICT, 'if (one.isSettled) return', 'if (false) return'),
  mutant('R-056d', VERDICT, 'findSecrets(text).length > 0', 'false'),
  mutant('R-056d', VERDICT, "if (known.length > 1) return { ...named, verdict: 'MULTIPLE' };", ''),
  mutant(
    'R-056d',
    'lib/domain/report-reading.ts',
    'content: z.array(contentColumn).min(1)',
    'content: z.array(contentColumn)',
  ),

  // The file
  mutant('R-056e', FILE, 'if (control !== null) return', 'if (false) return'),
  mutant('R-056e', FILE, '{ fatal: true }', '{ fatal: false }'),
  mutant('R-056e', FILE, 'if (bytes.byteLength > REPORT_BYTES) return', 'if (false) return'),
  mutant('R-056e', FILE, 'if (rows.length > REPORT_ROWS)', 'if (false)'),
  mutant('R-056e', FILE, 'if (names.length > REPORT_COLUMNS) return', 'if (false) return'),
  mutant('R-056e', FILE, 'UNUSABLE.has(name.trim()) || ', ''),
  mutant('R-056e', FILE, "size < names.length ? 'HEADER_TWICE' : null", "size < 0 ? 'HEADER_TWICE' : null"),
  mutant('R-056e', FILE, '(bytes[at] === CR && bytes[at + 1] !== LF)', 'bytes[at] === CR'),
  mutant('R-056e', JUDGE, 'if (unnamed.length > 0) return', 'if (false) return'),
  mutant('R-056e', JUDGE, 'if (missing.length > 0) return', 'if (false) return'),
  mutant(
    'R-056f',
    REPORTS,
    'CREATE UNIQUE INDEX provider_reports_one_of_a_file',
    'CREATE INDEX provider_reports_one_of_a_file',
  ),

  // The sample and the second person
  mutant('R-056g', REPORTS, 'least(20, greatest(5, ceil(', 'least(20, greatest(4, ceil('),
  mutant('R-056g', REPORTS, 'least(20, greatest(5, ceil(', 'least(21, greatest(5, ceil('),
  mutant('R-056g', REPORTS, '* 0.05)', '* 0.04)'),
  mutant(
    'R-056h',
    REPORTS,
    'SELECT count(*)::integer FROM review.report_rows r WHERE r.report_id = p_report_id AND r.sampled',
    'SELECT 0 * count(*)::integer FROM review.report_rows r WHERE r.report_id = p_report_id AND r.sampled',
  ),
  mutant(
    'R-056h',
    HELD_UP,
    "WHEN f.actor_id IN (r.judged_by, r.proposed_by) THEN 'SELF_APPROVAL'\n    WHEN r.state <> 'PROPOSED'",
    "WHEN r.state <> 'PROPOSED'",
  ),
  mutant(
    'R-056h',
    HELD_UP,
    "WHEN f.actor_id IN (r.judged_by, r.proposed_by) THEN 'SELF_APPROVAL'\n    WHEN r.expires_at",
    'WHEN r.expires_at',
  ),
  mutant('R-056h', REPORTS, 'IF NOT v_agrees THEN', 'IF false THEN'),
  mutant(
    'R-056h',
    REPORTS,
    "WHEN review.report_bar(r, r.proposed_by) IS NOT NULL THEN 'REQUESTER_NOT_ENTITLED'",
    '',
  ),
  mutant('R-056h', REPORTS, "WHEN (OLD.state = 'PROPOSED' AND NEW.state = 'CONFIRMED')", 'WHEN (false)'),
  mutant(
    'R-056h',
    REPORTS,
    "IF NEW.state = 'CONFIRMED' AND review.sample_missing(OLD.report_id) > 0 THEN",
    'IF false THEN',
  ),
  mutant(
    'R-056h',
    REPORTS,
    "WHEN EXISTS (SELECT FROM review.report_checks WHERE report_id = r.report_id AND row_number = v_row) THEN 'CHECKED_ALREADY'",
    '',
  ),
  mutant('R-056h', APPLICATION, 'PERFORM review.expire_report(v_report);', 'NULL;'),

  // Carrying it out
  mutant(
    'R-056i',
    APPLICATION,
    "WHEN (f.execution).version <> w.execution_version THEN 'CHANGED_SINCE_SEEN'",
    '',
  ),
  mutant('R-056i', APPLICATION, "WHEN (f.exception).state = 'CLOSED' THEN 'EXCEPTION_CLOSED'", ''),
  mutant('R-056i', APPLICATION, ' OR review.report_bar(r, r.decided_by) IS NOT NULL', ''),
  mutant(
    'R-056i',
    APPLICATION,
    "USING ERRCODE = 'OO008', DETAIL = v_code;\n      END IF;",
    "USING ERRCODE = 'OO008', DETAIL = '';\n      END IF;",
  ),
  mutant('R-056i', APPLICATION, '+ extract(epoch FROM r.decided_at - r.as_of)::integer', ''),
  mutant('R-056i', APPLICATION, 'f.actor_id := r.decided_by;', 'f.actor_id := r.proposed_by;'),
  mutant(
    'R-056j',
    APPLICATION,
    "WHERE kind = 'ORPHAN_EFFECT' DO NOTHING\n",
    "WHERE kind = 'ORPHAN_EFFECT' DO UPDATE SET reason_code = excluded.reason_code\n",
  ),
  mutant(
    'R-056j',
    'lib/review/incidents/report-ground.ts',
    "x.detail->>'resultId' = any($2::text[])`;",
    'false`;',
  ),
  mutant(
    'R-056k',
    ASIDE,
    'UPDATE review.report_rows SET outcome = v_outcome,',
    "UPDATE review.report_rows SET outcome = CASE WHEN v_outcome = 'LINKED' THEN 'FAILED' ELSE v_outcome END,",
  ),
  mutant(
    'R-056k',
    'lib/review/incidents/apply-report.ts',
    "if (taken.outcome !== 'row') return taken;",
    "if (taken.outcome === 'row') return taken;",
  ),
  mutant('R-056k', ASIDE, "'^(22|23|OO)'", "'^(22|23)'"),
  mutant('AU-02', ASIDE, "IF SQLSTATE !~ '^(22|23|OO)' THEN RAISE; END IF;", ''),

  // What nobody knows, and what somebody wrote
  mutant('R-056j', ORPHANS, 'ALTER COLUMN execution_id DROP NOT NULL, ', ''),
  mutant('R-056j', WORTH, '  IF p_row.execution_id IS NULL THEN', '  IF false THEN'),
  mutant(
    'R-056j',
    ORPHANS,
    'CREATE UNIQUE INDEX approval_requests_one_in_flight_alone',
    'CREATE INDEX approval_requests_one_in_flight_alone',
  ),
  mutant(
    'R-056j',
    'lib/review/incidents/outage-of.ts',
    'x.tenant_id = any($2::text[])',
    '$2::text[] is not null',
  ),
  mutant(
    'R-089a',
    ORPHANS,
    'AND (w.exception_id = ANY (p_exceptions)',
    'AND false AND (w.exception_id = ANY (p_exceptions)',
  ),
  mutant('R-089a', ORPHANS, "OR (e.event = 'incident.sample_checked' AND EXISTS", 'OR (false AND EXISTS'),
];
