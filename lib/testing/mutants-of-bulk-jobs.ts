// Ways of breaking bulk jobs: what is frozen, who acts, each row once, and the sums.
import type { Mutant } from './mutant';

const TABLES = 'prisma/migrations/20261206000400_bulk_jobs/migration.sql';
const ACTS = 'prisma/migrations/20261206000410_bulk_job_acts/migration.sql';
const ONCE = 'prisma/migrations/20261207000400_told_once_of_a_job/migration.sql';
const WORDS = 'prisma/migrations/20261207000420_words_of_bulk_jobs/migration.sql';
const ROWS = 'prisma/migrations/20261206000420_bulk_job_rows/migration.sql';
const RUN = 'lib/review/bulk/run-bulk-job.ts';
const ASK = 'lib/review/bulk/ask-for-row.ts';
const FROZEN = 'lib/review/bulk/frozen-rows.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_BULK_JOBS: readonly Mutant[] = [
  // What is frozen, and for whom
  mutant('R-053f', FROZEN, 'and ${exceptionConditions(filter, search, actor, $)}', ''),
  mutant('R-053f', ACTS, "WHEN x.state = 'CLOSED' THEN 'EXCEPTION_CLOSED'\n      WHEN", 'WHEN'),
  mutant(
    'R-053f',
    ACTS,
    "IF v_code = 'REPEATED' THEN\n    RETURN jsonb_build_object('outcome', 'done', 'repeated', true,",
    "IF false THEN\n    RETURN jsonb_build_object('outcome', 'done', 'repeated', true,",
  ),
  mutant(
    'R-053f',
    ACTS,
    "(j.started_by <> v_actor.person_id AND NOT 'MANAGER' = ANY (v_actor.roles))",
    'false',
  ),
  mutant('R-053f', ACTS, "v_step NOT IN ('pause', 'abort') THEN", "v_step = 'never' THEN"),
  mutant('R-053f', ACTS, 'WHEN cardinality(v_tenants) > 1 THEN', 'WHEN false THEN'),
  mutant('R-053b', ACTS, 'WHERE x.tenant_id = ANY (v_actor.tenant_ids);', 'WHERE true;'),
  mutant('R-053f', ACTS, "WHEN j.row_count = 0 THEN 'NOTHING_MATCHES'", "WHEN false THEN 'NOTHING_MATCHES'"),

  // Each row is its starter's own act
  mutant(
    'R-053g',
    ROWS,
    "set_config('onceover.request_id', format('bulk-job:%s:%s', j.job_id, p_row_number), true)",
    'null',
  ),
  mutant('R-053g', ROWS, "set_config('onceover.actor_id', j.started_by::text, true)", 'null'),
  mutant(
    'R-053g',
    ROWS,
    "IF SQLSTATE = 'OA003' THEN v_answer := review.refuse_bulk_row(j, w, 'ACCOUNT_DISABLED');",
    "IF false THEN v_answer := review.refuse_bulk_row(j, w, 'ACCOUNT_DISABLED');",
  ),
  mutant('R-053g', ROWS, "x.state = 'OPEN' AND x.version <> w.exception_version", 'false'),
  mutant('R-053g', ROWS, "IF v_answer->>'outcome' = 'ask' THEN", 'IF false THEN'),

  // Killed, paused, gone on with: once
  mutant('R-053i', ASK, 'if (rows[0]?.held !== true) return;', ''),
  mutant(
    'R-053i',
    ROWS,
    'AND (r.taken_at IS NULL OR r.taken_at <= v_now - review.bulk_lease())',
    'AND r.taken_at IS NULL',
  ),
  mutant('R-053h', ROWS, "< ledger.clock() - interval '30 seconds'", "< ledger.clock() - interval '1 day'"),
  mutant(
    'R-053g',
    ROWS,
    "SET state = 'PAUSED', paused_because = 'CANARY' WHERE",
    'SET canary_passed = true WHERE',
  ),
  mutant('R-053f', RUN, "if (step.outcome === 'stopped') run.done = 'STOPPED';", ''),

  // Races
  mutant(
    'R-053i',
    ROWS,
    "IF j.state IS DISTINCT FROM 'RUNNING' THEN",
    "IF j.state IN ('PREVIEW', 'DONE') THEN",
  ),
  mutant(
    'R-053i',
    ACTS,
    "WHEN v_step = 'resume' AND j.state <> 'PAUSED' THEN 'JOB_NOT_PAUSED'",
    "WHEN false THEN 'JOB_NOT_PAUSED'",
  ),
  mutant('R-053i', ACTS, "WHEN j.ended_at IS NOT NULL THEN 'JOB_ENDED'", "WHEN false THEN 'JOB_ENDED'"),
  mutant('R-053i', ROWS, 'AND w.lease = p_lease AND w.taken_at IS NOT NULL', ''),
  mutant('R-053i', ROWS, 'IF j.ended_at IS NOT NULL OR j.started_at IS NULL OR', 'IF'),
  mutant('R-053i', ROWS, 'IF v_due > v_now THEN', 'IF false THEN'),
  mutant('R-053i', ROWS, 'WHERE job_id = p_job_id FOR NO KEY UPDATE;', 'WHERE job_id = p_job_id;'),

  // What the database keeps
  mutant('R-053j', TABLES, 'to_jsonb(NEW) - v_free - v_sums <> to_jsonb(OLD) - v_free - v_sums', 'false'),
  mutant('R-053j', TABLES, 'pg_trigger_depth() < 2 AND', 'false AND'),
  mutant('R-053j', TABLES, "OR OLD.state <> 'PENDING' OR NEW.lease", 'OR NEW.lease'),
  mutant('R-053j', TABLES, 'w.row_number > j.row_count OR', ''),
  mutant('R-053j', TABLES, 'count(*) <> j.row_count OR max(w.row_number) <> j.row_count', 'false'),
  mutant(
    'R-053j',
    ROWS,
    "ended_at = ledger.clock(), words = NULL, params = params - ARRAY['place', 'reason']",
    'ended_at = ledger.clock()',
  ),

  // Told once of a job
  mutant('R-053k', ONCE, '  IF v_job IS NOT NULL THEN', '  IF false THEN'),
  mutant('R-053k', ONCE, "j.state = 'RUNNING') ORDER", "j.state = 'DONE') ORDER"),
  mutant('R-053k', ONCE, " AND j.params->>'assigneeId' = p_to::text", ''),
  mutant(
    'R-053k',
    'lib/review/notifications/list-notifications.ts',
    `case when n.reason = 'ASSIGNED' then j.done end`,
    'null::integer',
  ),

  // A stored link
  mutant(
    'R-053l',
    ROWS,
    "IF j.act = 'link' AND w.foreseen IS NOT NULL THEN RETURN review.refuse_bulk_row(j, w, w.foreseen); END IF;",
    '',
  ),
  mutant('R-053l', ROWS, "(j.act = 'look-up' OR w.look_again) THEN", "j.act = 'look-up' THEN"),
  mutant('R-053l', ROWS, 'NOT review.shows_the_same(w.evidence_id, p_lookup_id)', 'false'),

  // Words of jobs that have not ended
  mutant('R-089l', WORDS, '  PERFORM review.erase_jobs(s.person, p_exceptions);\n', ''),
  mutant('R-089l', WORDS, 'b.started_by = p_person_id OR EXISTS', 'EXISTS'),
  mutant(
    'R-089l',
    WORDS,
    'UPDATE review.bulk_jobs SET words = NULL WHERE',
    'UPDATE review.bulk_jobs SET words = words WHERE',
  ),
  mutant('R-089l', WORDS, ' OR NEW.words <> OLD.words OR', ' OR'),
];
