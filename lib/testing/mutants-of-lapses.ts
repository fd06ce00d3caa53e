// Ways of breaking what is told of that which ends by time alone, and what a verification looks at and finds.
import type { Mutant } from './mutant';

const LAPSES = 'prisma/migrations/20261205000300_connector_lapses/migration.sql';
const TOLD = 'prisma/migrations/20261205000310_ends_told/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

const LOG = 'lib/audit/verifier/verify-log.mjs';
const TRAIL = 'lib/audit/verifier/checkpoint-trail.mjs';
const SEALS = 'lib/audit/verifier/seals.mjs';
const RUNS = 'lib/audit/verifier/retirements.mjs';
const TEXTS = 'lib/audit/verifier/texts.mjs';
const TIMES = 'lib/audit/verifier/times.mjs';
const VERIFY = 'lib/audit/verify-database.ts';

const UNTOLD = "UPDATE review.connector_proposals SET state = 'EXPIRED' WHERE proposal_id = w.proposal_id;";

export const MUTANTS_OF_LAPSES: readonly Mutant[] = [
  mutant('R-078m', LAPSES, 'LOOP\n    PERFORM review.expire_connector_proposal(w);', `LOOP\n    ${UNTOLD}`),
  mutant(
    'R-078m',
    LAPSES,
    'IF FOUND THEN PERFORM review.expire_connector_proposal(w);',
    `IF FOUND THEN ${UNTOLD}`,
  ),
  mutant('R-078m', LAPSES, 'AND coalesce(tenant_id = ANY (f.tenant_ids), true) FOR', 'FOR'),
  mutant('R-063p', LAPSES, "AND state = 'PENDING' AND expires_at <= f.now\n", 'AND false\n'),
  mutant('R-081o', LAPSES, 'review.decide_until(q) <= v_now', 'q.decide_by <= v_now'),
  mutant('R-081o', LAPSES, 'review.execute_until(q) <= v_now', 'q.execute_by <= v_now'),
  mutant('R-087aa', TOLD, "'linkEndsAt', v_link_ends, 'after'", "'after'"),
  mutant('R-087aa', TOLD, "'linkEndsAt', v_link_ends, 'before'", "'before'"),

  // What a verification of the database looks at by itself
  mutant('R-087z', VERIFY, '() => storedTrail(pool, readKeys(keys)),', '() => Promise.resolve(null),'),
  mutant('R-087z', VERIFY, 'rows.report.exitCode !== 0 || published === undefined', 'rows !== null'),
  mutant(
    'R-087z',
    VERIFY,
    'return existsSync(file) ? file : undefined;',
    'return existsSync(file) ? undefined : undefined;',
  ),
  mutant('R-087z', VERIFY, 'checkpoints ?? publishedIn(dataDir)', 'publishedIn(dataDir) ?? checkpoints'),
  mutant(
    'R-087z',
    VERIFY,
    'if (alarm === null) return report;',
    'if (alarm?.code !== undefined || alarm === null) return report;',
  ),

  // Logs from which events have left in several runs
  mutant(
    'R-087ab',
    LOG,
    '(await trail?.end(point)) ?? witness?.end()',
    'witness?.end() ?? (await trail?.end(point))',
  ),
  mutant('R-087ab', LOG, 'record.occurredAt, signed.since', 'record.occurredAt, signed.at'),
  mutant('R-087ab', TRAIL, 'this.agreed?.number === number ? this.agreed.since : at', 'at'),
  mutant('R-087ab', SEALS, '(first === undefined || retired.first === first.toString()) &&', ''),
  mutant('R-087ab', SEALS, '(archive === undefined || retired.archive === archive) &&', ''),
  mutant('R-087ab', RUNS, 'told.anchors === anchorsDigest(retirements)', 'told.anchors !== undefined'),
  mutant(
    'R-087ab',
    RUNS,
    "if (at < 0) return { number: BigInt(event.number), reason: 'ANCHOR' };",
    'if (at < 0) return null;',
  ),
  mutant(
    'R-087ab',
    TEXTS,
    'Object.keys(texts).some((path) => !Object.hasOwn(commitments, path))',
    'texts === commitments',
  ),
  mutant('R-087ab', TIMES, '    this.before = at;', '    this.before ??= at;'),
];
