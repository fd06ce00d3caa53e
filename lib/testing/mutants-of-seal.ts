// Ways of breaking what seals the audit: the signer's word on retirements, who appends, times, exports by themselves.
import type { Mutant } from './mutant';

const SEALS = 'lib/audit/verifier/seals.mjs';
const DUE = 'lib/audit/signer/due-retirement.ts';
const JUDGE = 'lib/audit/signer/judge-head.ts';
const TIMES = 'lib/audit/verifier/times.mjs';
const SIGNED = 'prisma/migrations/20261204000700_signed_retirements/migration.sql';
const WRITERS = 'prisma/migrations/20261204000710_audit_writers/migration.sql';
const READING = 'lib/audit/verifier/export-reading.mjs';
const REPORT = 'lib/audit/verifier/report.mjs';
const INSTANTS = 'prisma/migrations/20261204000720_instants_in_full/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_SEAL: readonly Mutant[] = [
  // The signer's word
  mutant(
    'R-087u',
    'lib/audit/verifier/verify-log.mjs',
    'trail.fault === null ? witness.unsealed(trail.seals) : null',
    'null',
  ),
  mutant('R-087u', JUDGE, "if (unsealed !== null) return alarm('BROKEN', unsealed.last);", ''),
  mutant('R-087u', DUE, 'if (sha256 !== proposal.sha256) return null;', ''),
  mutant('R-087u', DUE, '|| !isOldEnough(end.signedAt, now, proposal.keepDays)', ''),
  mutant('R-087u', SEALS, 'return days >= FEWEST_DAYS && Date', 'return Date'),
  mutant(
    'R-087u',
    SIGNED,
    'IF NOT review.is_retirement_signed(p_last, p_archive, p_sha256) THEN',
    'IF false THEN',
  ),
  mutant(
    'R-087u',
    'lib/audit/retire/retire-audit.ts',
    'if (trail.fault === null && trail.seals.holds(range)) return null;',
    'return null;',
  ),

  // Who appends
  mutant('R-087v', WRITERS, 'p_outcome = ANY (t.app_outcomes)', 'true'),
  mutant('R-087v', WRITERS, "'audit.key_revoked', 'audit.retired',", "'audit.key_revoked',"),
  mutant('R-087v', WRITERS, '  FROM onceover_app, onceover_worker;', '  FROM onceover_worker;'),

  mutant('R-089f', WRITERS, '  LOCK TABLE ONLY review.audit_events IN ROW EXCLUSIVE MODE;\n', ''),

  // What an exported file says of itself
  mutant('R-087y', READING, '|| number <= this.told)', ')'),
  mutant(
    'R-087y',
    READING,
    "if (this.strange !== null && record.type === 'checkpoint')",
    'if (this.strange === 0n)',
  ),
  mutant('R-087y', READING, '(upTo !== null && !filtered && last !== upTo)', '(last < 0n)'),
  mutant('R-087y', READING, '|| this.told > (upTo ?? last)', ''),
  mutant('R-087y', READING, '&& after.number > 0n && !this.isSealed()', '&& after.number < 0n'),
  mutant(
    'R-087y',
    READING,
    "if (!this.agreed.begin) return { number: archived.first - 1n, reason: 'ANCHOR' };",
    '',
  ),
  mutant('R-087y', READING, 'return this.agreed.last === archived.last ?', 'return archived !== null ?'),
  mutant('R-087y', READING, 'late: proof.complete ? this.late : null', 'late: null'),
  mutant(
    'R-087y',
    'lib/audit/verifier/main.mjs',
    'if (seals.fault === null && !seals.seals.holds(range))',
    'if (trail === seals)',
  ),
  mutant('R-087y', REPORT, 'const told = absent - untold;', 'const told = absent;'),
  mutant('R-087y', REPORT, 'BigInt(before.number) > last\n', 'last < 0n\n'),

  // What the command and the signer look at by themselves
  mutant(
    'R-087z',
    'lib/audit/signer/signer-files.ts',
    'if (state.mark === mark && state.digest !== undefined) return state;',
    'return state;',
  ),
  mutant(
    'R-087z',
    'lib/audit/signer/signer-files.ts',
    'if (record === null || record.previous !== previous) return null;',
    'if (record === null) return null;',
  ),

  // Times
  mutant('R-087w', JUDGE, "if (!(await agreeOnTime(db, at, last))) return alarm('CLOCK');", ''),
  mutant(
    'R-087w',
    JUDGE,
    'if (times.misdated !== null && signer.acceptTimes !== true)',
    'if (times === null)',
  ),
  mutant('R-087w', TIMES, 'if (before !== null && isBefore(at, before))', 'if (before === at)'),
  mutant('R-087w', TIMES, 'if (isBefore(signedAt, at))', 'if (signedAt === at)'),
  mutant('R-087w', TIMES, 'CLOCK_TOLERANCE_MS = 300_000', 'CLOCK_TOLERANCE_MS = 1_000'),
  mutant('R-087w', REPORT, 'exitCode: found.misdated === undefined ? 0 : 1', 'exitCode: 0'),
  mutant(
    'R-087w',
    'lib/audit/verifier/checkpoint-trail.mjs',
    "if (isBefore(record.signedAt, before.signedAt)) return 'EARLIER';",
    '',
  ),
  mutant('R-087x', INSTANTS, "THEN ' BC' ELSE", "THEN '' ELSE"),
  mutant(
    'R-087q',
    'lib/audit/verify-chain.ts',
    "if (stray !== null) return { kind: 'broken'",
    "if (stray === 0n) return { kind: 'broken'",
  ),
];
