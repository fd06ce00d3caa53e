// Ways of breaking how old audit events leave: partitions, archives, anchors, and who still needs them.
import type { Mutant } from './mutant';

const RETENTION = 'prisma/migrations/20261203000110_audit_retention/migration.sql';
const RETIRE = 'lib/audit/retire/retire-audit.ts';
const WITNESS = 'lib/audit/verifier/retirements.mjs';
const ARCHIVES = 'lib/audit/verifier/archives.mjs';
const FORM = 'lib/audit/verifier/export-form.mjs';
const READING = 'lib/audit/verifier/export-reading.mjs';
const JUDGE = 'lib/audit/signer/judge-head.ts';
const TRAIL = 'lib/audit/verifier/checkpoint-trail.mjs';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_RETENTION: readonly Mutant[] = [
  // The partitions
  mutant(
    'R-087f',
    RETENTION,
    "EXECUTE format('ALTER TABLE review.%I ENABLE ALWAYS TRIGGER %I', v_name, p_table || '_are_only_added');",
    '',
  ),
  mutant(
    'R-087f',
    RETENTION,
    'CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON',
    'CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON',
  ),
  mutant(
    'R-087e',
    RETENTION,
    "EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON review.%I FROM CURRENT_USER', v_name);",
    '',
  ),
  mutant('R-089f', RETENTION, '  LOCK TABLE ONLY review.audit_events IN ROW EXCLUSIVE MODE;\n', ''),

  // The anchor
  mutant('R-087r', TRAIL, "isSigned ? null : { number: anchor.number, reason: 'ANCHOR' }", 'null'),
  mutant('R-087r', TRAIL, 'this.agreed?.number === anchor.number', 'true'),
  mutant(
    'R-087r',
    WITNESS,
    'return this.confirmed === retirements.length ? null : this.fault(this.confirmed);',
    'return null;',
  ),
  mutant(
    'R-087r',
    WITNESS,
    'if (!tellsOf(this.retirements.slice(0, at + 1), event)) return this.fault(at);',
    '',
  ),
  mutant('R-087r', WITNESS, 'told.anchors === anchorsDigest(retirements)', 'retirements.length > 0'),
  mutant(
    'R-087r',
    JUDGE,
    "if (anchor !== null && !(await isTold(db, retirements))) return alarm('BROKEN', anchor.last);",
    '',
  ),
  mutant('R-087r', JUDGE, "if (begun === null) return alarm('REWRITTEN', (anchor?.last ?? 0n) + 1n);", ''),
  mutant(
    'R-087r',
    'lib/audit/verify-chain.ts',
    'if (now.length === retirements.length) return found;',
    'return found;',
  ),
  mutant('R-087t', JUDGE, 'if (anchor?.last === number) return anchor.hash === hash;', ''),
  mutant('R-087t', JUDGE, 'new Stops(cut ?? head?.number ?? 0n)', 'new Stops(head?.number ?? 0n)'),
  mutant(
    'R-087t',
    'lib/audit/signer/change-keys.ts',
    "if (pass.kind !== 'signed' || !pass.more) return pass;",
    'return pass;',
  ),

  // The archives
  mutant('R-087s', ARCHIVES, 'row.sha256 !== (await sha256Of(file))', 'row.sha256 === ""'),
  mutant(
    'R-087s',
    ARCHIVES,
    'return before === 0n || row === undefined ? CHAIN_START :',
    'return row !== undefined ? CHAIN_START : row === undefined ? CHAIN_START :',
  ),
  mutant(
    'R-087s',
    ARCHIVES,
    'archives.sort((a, b) => (a.first < b.first ? -1 : 1))',
    'archives.sort((a, b) => (a.first < b.first ? 1 : -1))',
  ),
  mutant(
    'R-089d',
    READING,
    'return this.agreed.last === archived.last ?',
    'if (this.texts.end() !== null) return this.texts.end();\n    return this.agreed.last === archived.last ?',
  ),
  mutant('R-088e', READING, 'this.at = header.after;', "this.at = { number: 0n, hash: '' };"),
  mutant('R-088e', FORM, 'if (after && !isPoint) return null;', ''),
  mutant('R-088e', 'lib/review/export-lines.ts', 'after: anchor && {', 'after: null && {'),
  mutant('R-088e', 'lib/review/audit-filter.ts', "`e.event = 'audit.retired'`", '`false`'),
  mutant(
    'R-088e',
    'lib/review/list-audit-events.ts',
    'e.number = any(array(select page.number from page))',
    'e.number in (select page.number from page)',
  ),

  // What may leave, and how
  mutant('R-089e', RETENTION, 'v_refusal := \'{"code": "TOO_YOUNG"}\';', 'NULL;'),
  mutant('R-089e', RETENTION, 'v_refusal := \'{"code": "NOT_SIGNED"}\';', 'NULL;'),
  mutant('R-089e', RETENTION, "IF v_holders <> '{}' THEN", 'IF false THEN'),
  mutant('R-089e', RETENTION, "WHERE x.state = 'OPEN' AND (", "WHERE x.state = 'CLOSED' AND ("),
  mutant('R-089e', RETENTION, "WHERE r.state IN ('PENDING', 'APPROVED')", "WHERE r.state IN ('APPROVED')"),
  mutant('R-089e', RETENTION, 'WHERE u.reviewed_at IS NULL\n', 'WHERE u.reviewed_at IS NOT NULL\n'),
  mutant(
    'R-089e',
    RETENTION,
    'CHECK (keep_days BETWEEN 30 AND 36500)',
    'CHECK (keep_days BETWEEN 1 AND 36500)',
  ),
  mutant('R-089e', RETIRE, "if (whole.kind !== 'verified') return", "if (whole.kind === 'partial') return"),
  mutant('R-089e', RETIRE, "if (fault !== null) return { outcome: 'unproven', text: fault };", ''),
  mutant('R-089d', RETENTION, 'IF v_texts <> p_texts THEN', 'IF false THEN'),
  mutant(
    'R-089d',
    RETENTION,
    'REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_cuts, review.audit_retirements FROM CURRENT_USER;',
    '',
  ),
  mutant(
    'R-089d',
    RETENTION,
    'ALTER TABLE review.audit_retirements ENABLE ALWAYS TRIGGER audit_retirements_are_only_added;',
    'DROP TRIGGER audit_retirements_are_only_added ON review.audit_retirements;',
  ),
  mutant('R-089f', RETIRE, "if (rows[0]?.held !== true) return { outcome: 'busy' };", ''),
  mutant(
    'R-089f',
    RETIRE,
    'if (fs.existsSync(file) && (await faultOf(needs, file, range)) !== null)',
    'if (range.last < 0n)',
  ),
];
