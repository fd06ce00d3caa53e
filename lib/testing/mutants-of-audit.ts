// Ways of breaking the signer, the verifier and the export of the audit.
import type { Mutant } from './mutant';

const CHECKPOINTS = 'prisma/migrations/20261201000100_audit_checkpoints/migration.sql';
const JUDGE = 'lib/audit/signer/judge-head.ts';
const FILES = 'lib/audit/signer/signer-files.ts';
const RING = 'lib/audit/verifier/key-ring.mjs';
const TRAIL = 'lib/audit/verifier/checkpoint-trail.mjs';
const EXPORT = 'lib/audit/verifier/verify-export.mjs';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_AUDIT: readonly Mutant[] = [
  // The signer
  mutant(
    'R-087i',
    'lib/audit/signer/sign-head.ts',
    'change !== undefined && head !== null && stops.length === 0',
    'head !== null && stops.length === 0',
  ),
  mutant('R-087i', FILES, 'unpublished: [...unpublished, line],', 'unpublished,'),
  mutant(
    'R-087i',
    CHECKPOINTS,
    'GRANT EXECUTE ON FUNCTION review.publish_checkpoint(text),',
    'GRANT EXECUTE ON FUNCTION review.publish_checkpoint(text) TO onceover_app; GRANT EXECUTE ON FUNCTION review.publish_checkpoint(text),',
  ),
  mutant(
    'R-087i',
    CHECKPOINTS,
    'ALTER TABLE review.audit_checkpoints ENABLE ALWAYS TRIGGER audit_checkpoints_are_only_added;',
    'ALTER TABLE review.audit_checkpoints DISABLE TRIGGER audit_checkpoints_are_only_added;',
  ),
  mutant(
    'R-087i',
    CHECKPOINTS,
    `IF p_event NOT IN ('audit.key_rotated', 'audit.key_revoked') THEN`,
    'IF false THEN',
  ),
  mutant('R-087j', JUDGE, 'if (last !== null && !(await holds(db, from, anchor))) {', 'if (last === from) {'),
  mutant(
    'R-087j',
    JUDGE,
    'return event?.number === number.toString() && event.hash === hash;',
    'return event?.number === number.toString() && hash !== "";',
  ),
  mutant(
    'R-087j',
    JUDGE,
    "return alarm('BROKEN', found.fault.number);",
    'return { ok: true, logId: first?.hash ?? "", head: head ?? from };',
  ),
  mutant('R-087j', JUDGE, "if (last === null && (await hasCheckpoints(db))) return alarm('STATE_LOST');", ''),
  mutant('R-087j', 'lib/audit/signer/signer-files.ts', '    this.checkEnd(state);\n', ''),
  mutant(
    'R-087j',
    JUDGE,
    "begun !== last.logId) return alarm('OTHER_LOG', 1n);",
    "begun === '') return alarm('OTHER_LOG', 1n);",
  ),
  mutant('R-087j', CHECKPOINTS, 'IF v_kept IS DISTINCT FROM p_record THEN', 'IF false THEN'),
  mutant('R-087j', CHECKPOINTS, 'WHEN alarm = p_alarm THEN alarm_since ELSE', 'ELSE'),
  mutant('R-087k', FILES, 'state.pending === null ? state : this.settle(state, state.pending)', 'state'),
  mutant('R-087k', FILES, 'if (readEnd(file, Buffer.byteLength(line)) === line) return;', ''),
  mutant('R-087k', FILES, 'line.slice(begun.length)', 'line'),
  mutant(
    'R-087l',
    JUDGE,
    "if (last !== null && keyAfter(last) !== key.keyId) return alarm('KEY_NOT_CURRENT');",
    '',
  ),
  mutant(
    'R-087l',
    CHECKPOINTS,
    '  IF FOUND THEN\n    RETURN v_number;',
    '  IF false THEN\n    RETURN v_number;',
  ),
  mutant(
    'R-087l',
    'lib/audit/signer/change-keys.ts',
    'if (revokedKeyId === signer.key.keyId)',
    "if (revokedKeyId === '')",
  ),
  mutant('R-087l', 'lib/audit/signer/signing-key.ts', ".replaceAll('\\\\n', '\\n')", ''),

  // The verifier
  mutant('R-087l', RING, "if (record.keyId !== this.current) return 'KEY_RETIRED';", ''),
  mutant('R-087l', RING, 'record.signedAt >= key.revokedAt', "key.revokedAt === ''"),
  mutant('R-087l', RING, "if (!isSigned(spki, record, record.newSignature)) return 'SIGNATURE';", ''),
  mutant('R-087l', RING, '(this.pinned && !this.keys.has(keyId))', 'false'),
  mutant('R-087l', TRAIL, 'first || record.previous !== previous ||', 'first ||'),
  mutant('R-087l', TRAIL, "if (record.logId !== before.logId) return 'OTHER_LOG';", ''),
  mutant('R-087l', TRAIL, 'step < 0n ||', ''),
  mutant('R-087m', RING, "if (!isSigned(key.spki, record, record.signature)) return 'SIGNATURE';", ''),
  mutant('R-087m', TRAIL, 'if (this.waiting.hash !== point.hash) return this.rewritten();', ''),
  mutant(
    'R-087m',
    TRAIL,
    "return this.waiting === null ? null : { number: reached.number + 1n, reason: 'MISSING' };",
    'return null;',
  ),
  mutant(
    'R-087m',
    'lib/audit/verifier/checkpoint.mjs',
    "Buffer.from(value, 'base64').toString('base64') === value",
    "Buffer.from(value, 'base64').length > 0",
  ),
  mutant('R-087m', 'lib/audit/verifier/verify-log.mjs', '(await trail?.meet(point)) ?? null', 'null'),
  mutant(
    'R-087m',
    'lib/audit/kept-trail.ts',
    'if (rows.length === 0) return null;',
    'if (rows.length >= 0) return null;',
  ),
  mutant('R-087n', 'lib/audit/verifier/event-hash.mjs', '    text(record.sourceAddress),\n', ''),
  mutant('AU-10', 'lib/audit/verifier/fields.mjs', 'LONE_SURROGATE.test(value) ? NO_TEXT : ', ''),

  // What is not signed yet
  mutant('R-087o', 'lib/audit/signing-status.ts', 'const LATE_SECONDS = 120;', 'const LATE_SECONDS = 3_600;'),
  mutant('R-087o', 'lib/audit/signing-status.ts', "alarm !== null ? 'alarm' : row.late", 'row.late'),
  mutant(
    'R-087o',
    'lib/audit/signing-status.ts',
    'on e.number = coalesce(c.number, 0) + 1',
    'on e.number = h.number',
  ),

  // The export
  mutant(
    'R-088c',
    'lib/audit/verifier/export-reading.mjs',
    "if (auditHash(event) !== event.hash) return { number, reason: 'CHANGED' };",
    '',
  ),
  mutant('R-088c', EXPORT, 'if (reading === null || !ended) return', 'if (reading === null) return'),
  mutant(
    'R-088c',
    EXPORT,
    "if (value.events !== reading.events) return { kind: 'unreadable', line, reason: 'CUT' };",
    '',
  ),
  mutant('R-088c', EXPORT, "if (reason !== null) return { kind: 'distrusted', line, reason };", ''),
  mutant('R-088c', 'lib/audit/verifier/export-reading.mjs', '      this.unsignedFrom = number;\n', ''),
  mutant('R-088c', 'lib/review/export-lines.ts', 'BigInt(number) <= upTo', 'BigInt(number) < upTo'),
  mutant('R-088c', 'lib/domain/csv.ts', 'cell === null ? null : calmCell(cell)', 'cell'),
  mutant('R-096b', 'lib/domain/csv.ts', "/^'*(", '/^('),
  mutant('R-096a', 'lib/domain/csv.ts', '\\uff1d', ''),
  mutant('R-088d', 'lib/review/export-audit.ts', "if (!hasRoleFor(actor, 'audit.export')) return null;", ''),
  mutant('R-088d', 'lib/review/export-audit.ts', 'roles: now.roles.filter(isRole)', 'roles: ctx.actor.roles'),
  mutant(
    'R-088d',
    'lib/review/export-audit.ts',
    'body: { format, filters }',
    'body: { format, filters, filter }',
  ),
  mutant('R-088d', 'lib/review/export-places.ts', 'if (taken.size >= PLACES) return null;', ''),
  mutant(
    'R-088d',
    'lib/review/export-audit.ts',
    '      place.release();\n      await chunks.return(undefined);',
    '      await chunks.return(undefined);',
  ),

  // The story
  mutant(
    'R-088b',
    'lib/domain/audit-story.ts',
    'BigInt(other.number) < number',
    'other.number < event.number',
  ),
  mutant('R-088b', 'lib/domain/audit-story.ts', " && other.outcome === 'done'", ''),
  mutant('R-088b', 'lib/domain/audit-story.ts', "memberOf(event, 'evidenceId') ??", 'null ??'),
  mutant('R-088b', 'lib/domain/audit-story.ts', "(request && memberOf(request, 'evidenceId'))", 'null'),
];
