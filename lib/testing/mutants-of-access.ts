// Ways of breaking who is asking and what is recorded.
import type { Mutant } from './mutant';

const AUDIT = 'prisma/migrations/20261129000300_audit/migration.sql';
const PARTITIONS = 'prisma/migrations/20261203000100_audit_partitions/migration.sql';
const ACCESS = 'prisma/migrations/20261129000200_access/migration.sql';

export const MUTANTS_OF_ACCESS: readonly Mutant[] = [
  // The chain
  {
    rule: 'R-087a',
    file: 'lib/audit/verifier/fields.mjs',
    find: 'if (value === null) return ABSENT;',
    replace: 'if (value === null) return present(Buffer.alloc(0));',
  },
  {
    rule: 'AU-10',
    file: 'prisma/migrations/20261204000720_instants_in_full/migration.sql',
    find: `to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    replace: 'p_at::text',
  },
  {
    rule: 'R-087c',
    file: 'lib/audit/verifier/follow-chain.mjs',
    find: `if (auditHash(record) !== record.hash) return fault(number, 'CHANGED');`,
    replace: '',
  },
  {
    rule: 'R-087c',
    file: 'lib/audit/verifier/follow-chain.mjs',
    find: `if (record.previousHash !== from.hash) return fault(number, 'UNLINKED');`,
    replace: '',
  },
  {
    rule: 'R-087d',
    file: 'lib/audit/verifier/follow-chain.mjs',
    find: `if (reached.number < head.number) return { number: reached.number + 1n, reason: 'MISSING' };`,
    replace: '',
  },
  {
    rule: 'R-087e',
    file: PARTITIONS,
    find: 'GRANT SELECT ON review.audit_events TO',
    replace: 'GRANT SELECT, UPDATE ON review.audit_events TO',
  },
  {
    rule: 'R-087e',
    file: PARTITIONS,
    find: 'REVOKE UPDATE, DELETE, TRUNCATE ON review.audit_events FROM CURRENT_USER;',
    replace: '',
  },
  {
    rule: 'R-087f',
    file: PARTITIONS,
    find: 'ALTER TABLE review.audit_events ENABLE ALWAYS TRIGGER audit_events_are_only_added;',
    replace: '',
  },
  {
    rule: 'R-087f',
    file: PARTITIONS,
    find: 'BEFORE UPDATE OR DELETE OR TRUNCATE ON review.audit_events',
    replace: 'BEFORE UPDATE OR TRUNCATE ON review.audit_events',
  },
  {
    rule: 'R-087f',
    file: AUDIT,
    find: 'ALTER TABLE review.audit_head ENABLE ALWAYS TRIGGER audit_head_only_moves_on;',
    replace: '',
  },
  {
    rule: 'R-087g',
    file: 'lib/audit/verifier/verify-log.mjs',
    find: 'judgeHead(point, head, last) ?? ',
    replace: '',
  },
  {
    rule: 'R-087h',
    file: AUDIT,
    find: 'UPDATE review.audit_head SET number = number + 1 RETURNING number, hash INTO STRICT e.number, e.previous_hash;',
    replace: `SELECT number + 1, hash INTO STRICT e.number, e.previous_hash FROM review.audit_head; UPDATE review.audit_head SET number = e.number;`,
  },
  {
    rule: 'R-086a',
    file: AUDIT,
    find: `RAISE EXCEPTION 'an audit event needs an actor and a request' USING ERRCODE = 'OA001';`,
    replace: 'NULL;',
  },
  {
    rule: 'R-086a',
    file: ACCESS,
    find: `OR coalesce(current_setting('onceover.request_id', true), '') = '' THEN`,
    replace: 'THEN',
  },
  {
    rule: 'R-086b',
    file: AUDIT,
    find: `e.source_address := nullif(current_setting('onceover.source_address', true), '');`,
    replace: '',
  },
  { rule: 'R-086c', file: AUDIT, find: ` ('audit.exported'),`, replace: '' },
  {
    rule: 'R-086c',
    file: AUDIT,
    find: `CHECK (outcome <> 'refused' OR refusal_code IS NOT NULL)`,
    replace: 'CHECK (true)',
  },
  {
    rule: 'R-086d',
    file: 'lib/access/sign-in.ts',
    find: '...(known ? { personId: known.personId } : {}),',
    replace: 'email,',
  },
  // Sessions and sign-in
  {
    rule: 'R-078a',
    file: ACCESS,
    find: 'AND p.disabled_at IS NULL\n       FOR SHARE;',
    replace: 'FOR SHARE;',
  },
  {
    rule: 'R-078a',
    file: ACCESS,
    find: 'p.disabled_at IS NULL\n       FOR SHARE;',
    replace: 'p.disabled_at IS NULL;',
  },
  { rule: 'AN-07', file: 'lib/access/session.ts', find: 'and p.disabled_at is null', replace: '' },
  {
    rule: 'AN-06',
    file: 'lib/access/session.ts',
    find: 'where s.secret_digest = $1 and s.revoked_at is null',
    replace: 'where s.secret_digest = $1',
  },
  {
    rule: 'AN-05',
    file: 'lib/access/sign-in.ts',
    find: 'await revokeSession(tx, origin.previousSecret);',
    replace: '',
  },
  { rule: 'AN-18', file: 'lib/access/session.ts', find: 's.expires_at > ledger.clock() and', replace: '' },
  {
    rule: 'AN-18',
    file: 'lib/access/session.ts',
    find: 's.last_seen_at > ledger.clock() - make_interval(secs => $2)',
    replace: 's.last_seen_at >= ledger.clock() - make_interval(secs => $2)',
  },
  {
    rule: 'AN-01',
    file: 'lib/access/password.ts',
    find: 'const against = stored ?? (await dummy);',
    replace: 'if (stored === null) return false;\n  const against = stored;',
  },
  {
    rule: 'AN-02',
    file: 'lib/access/admit-sign-in.ts',
    find: `outcome = 'FAILED' or (outcome = 'PENDING'`,
    replace: `outcome = 'FAILED' or (outcome = 'NEVER'`,
  },
  {
    rule: 'AN-02',
    file: 'lib/domain/sign-in-throttle.ts',
    find: 'if (!history.sourceKnown) waits.push(',
    replace: 'waits.push(',
  },
  {
    rule: 'AN-03',
    file: 'lib/access/auth-body.ts',
    find: 'if (values.length === 1) body[name] = values[0];',
    replace: 'body[name] = values[0];',
  },
  {
    rule: 'AN-09',
    file: 'lib/access/auth-handler.ts',
    find: `if (path === 'session') body = await withoutSessionData(pool, origin, body);`,
    replace: '',
  },
  {
    rule: 'AN-10',
    file: 'lib/domain/return-path.ts',
    find: 'if (resolved === null || resolved.origin !== canonicalOrigin) return DEFAULT_PATH;',
    replace: 'if (resolved === null) return DEFAULT_PATH;',
  },
  {
    rule: 'AN-10',
    file: 'lib/access/auth-request.ts',
    find: 'own[CALLBACK_COOKIE] = ourAddress(callback);',
    replace: 'own[CALLBACK_COOKIE] = callback;',
  },
  {
    rule: 'AN-14',
    file: 'lib/access/password.ts',
    find: 'verify(against, password)',
    replace: 'verify(against, password.trim())',
  },
  {
    rule: 'AN-15',
    file: 'lib/access/sign-in.ts',
    find: 'needsRehash(known.passwordHash) ? await',
    replace: 'false ? await',
  },
  {
    rule: 'AN-17',
    file: 'lib/access/session-cookie.ts',
    find: '} catch {\n    return null;\n  }',
    replace: '} catch (error) {\n    throw error;\n  }',
  },
  { rule: 'AN-19', file: 'lib/domain/email-identity.ts', find: `.normalize('NFKC')`, replace: '' },
  {
    rule: 'HD-01',
    file: 'lib/access/auth-handler.ts',
    find: 'if (!comesFromOurPages(request.headers)) return plain(403);',
    replace: '',
  },
  {
    rule: 'HD-01',
    file: 'lib/domain/same-origin.ts',
    find: `return headers.secFetchSite === null || headers.secFetchSite === 'same-origin';`,
    replace: 'return true;',
  },
  {
    rule: 'AU-15',
    file: 'lib/domain/source-address.ts',
    find: 'while (isTrusted(nearest, ranges) && chain.length > 0)',
    replace: 'while (chain.length > 0)',
  },
  // Who may, and who sees
  {
    rule: 'R-098a',
    file: 'lib/domain/permissions.ts',
    find: `if (!rights.tenantIds.includes(subject.tenantId)) return 'TENANT_NOT_GRANTED';`,
    replace: '',
  },
  {
    rule: 'R-098b',
    file: 'lib/db/cursor.ts',
    find: "for (const part of [...binding.map((text) => Buffer.from(text, 'utf8')), body])",
    replace: 'for (const part of [body])',
  },
  {
    rule: 'R-098c',
    file: 'lib/review/get-audit-event.ts',
    find: 'where e.number = ${wanted} and ${visible(ctx, $)}',
    replace: 'where e.number = ${wanted} and (true or ${visible(ctx, $)})',
  },
  {
    rule: 'R-098c',
    file: 'lib/review/audit-filter.ts',
    find: ' and h.name = any(${granted})',
    replace: '',
  },
  {
    rule: 'R-070a',
    file: 'lib/domain/permissions.ts',
    find: `if (subject.requestedBy !== undefined && subject.requestedBy === rights.personId) return 'OWN_REQUEST';`,
    replace: '',
  },
  {
    rule: 'R-048a',
    file: 'lib/domain/permissions.ts',
    find: 'if (demand.authority && !hasAuthority(rights, subject.authority ?? GENERAL_AUTHORITY))',
    replace: 'if (false && !hasAuthority(rights, subject.authority ?? GENERAL_AUTHORITY))',
  },
  // Transactions
  {
    rule: 'R-085a',
    file: 'lib/db/transaction.ts',
    find: `throw new OutcomeUnknownError('no answer to COMMIT', { cause: error });`,
    replace: 'throw error;',
  },
  { rule: 'B-14', file: 'lib/db/transaction.ts', find: "if (current() !== 'open')", replace: 'if (false)' },
  { rule: 'AU-07', file: 'lib/db/sqlstate.ts', find: '  SQLSTATE.deadlockDetected,\n', replace: '' },
];
