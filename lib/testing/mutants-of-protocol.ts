// Ways of breaking the producer API and its client.
import type { Mutant } from './mutant';

const ANSWER = 'lib/ledger/http/claim-answer.ts';
const RETRY = 'lib/ledger/client/retry.ts';
const ONCE = 'lib/ledger/client/once.ts';
const OUTCOME = 'lib/ledger/client/report-outcome.ts';

export const MUTANTS_OF_PROTOCOL: readonly Mutant[] = [
  // The API
  {
    rule: 'R-002c',
    file: 'lib/ledger/http/reads.ts',
    find: 'where e.principal_id = $1 and',
    replace: 'where ($1::text is not null) and',
  },
  {
    rule: 'R-002d',
    file: 'lib/ledger/http/schemas.ts',
    find: '  .strictObject(claimFields)',
    replace: '  .object(claimFields)',
  },
  {
    rule: 'R-003a',
    file: 'lib/ledger/http/arrivals.ts',
    find: `if (reading.code === 'IDEMPOTENCY_KEY_MISSING') return null;`,
    replace: `if (reading.code === 'IDEMPOTENCY_KEY_MISSING') return c.var.requestId;`,
  },
  {
    rule: 'R-003b',
    file: 'lib/ledger/http/arrivals.ts',
    find: 'if (answer.unprotected)',
    replace: 'if (!answer.unprotected)',
  },
  {
    rule: 'R-006f',
    file: 'lib/ledger/arrival-content.ts',
    find: 'if (older.ok) fingerprints[policy.version]',
    replace: 'if (!older.ok) fingerprints[policy.version]',
  },
  {
    rule: 'R-011a',
    file: 'lib/ledger/http/stored-response.ts',
    find: 'if (body === undefined || slice === undefined) return null;',
    replace: 'if (!body || slice === undefined) return null;',
  },
  {
    rule: 'R-011a',
    file: 'lib/ledger/http/stored-response.ts',
    find: 'if (!isStorable(name)) {',
    replace: 'if (false) {',
  },
  {
    rule: 'R-013a',
    file: 'lib/ledger/http/authenticate.ts',
    find: 'principal.operations === null ||',
    replace: 'principal.operations !== null ||',
  },
  {
    rule: 'R-013b',
    file: 'lib/ledger/http/replay.ts',
    find: 'if (isStorable(name.toLowerCase()) && isHeaderValue(value))',
    replace: `if (isStorable(name.toLowerCase()) && typeof value === 'string')`,
  },
  { rule: 'R-018', file: 'lib/ledger/http/authenticate.ts', find: 't.revoked_at is null and', replace: '' },
  {
    rule: 'R-018d',
    file: 'lib/ledger/arrival-refusal.ts',
    find: 'conflictingFields: answer.conflictingFields ?? [],',
    replace: 'conflictingFields: answer.conflictingFields ?? [], retryAfterSeconds: 1,',
  },
  {
    rule: 'R-020',
    file: ANSWER,
    find: 'return jsonResponse(202, execution,',
    replace: 'return jsonResponse(200, execution,',
  },
  {
    rule: 'R-026',
    file: 'lib/db/statement.ts',
    find: 'return repeatable && wasSent(error)',
    replace: 'return !repeatable && wasSent(error)',
  },
  { rule: 'R-033', file: ANSWER, find: '&& options.respondAsync', replace: '&& !options.respondAsync' },
  {
    rule: 'R-035',
    file: 'lib/ledger/http/reads.ts',
    find: '(e.created_at, e.execution_id) > (',
    replace: '(e.created_at, e.execution_id) >= (',
  },
  {
    rule: 'R-038',
    file: 'lib/ledger/http/database-errors.ts',
    find: 'isUnreachable(error) || isTransient(error)',
    replace: 'isTransient(error)',
  },
  {
    rule: 'AZ-14',
    file: 'lib/ledger/producer-token.ts',
    find: 'prefix: token.slice(0, PREFIX_LENGTH)',
    replace: 'prefix: token',
  },
  // The client
  {
    rule: 'R-021',
    file: 'lib/ledger/client/create-client.ts',
    find: 'owner: fields.owner ?? owner, attemptId }',
    replace: 'owner: fields.owner ?? owner, attemptId: newAttemptId() }',
  },
  { rule: 'R-027', file: ONCE, find: 'keeper.run();', replace: 'stop.abort();' },
  {
    rule: 'R-034',
    file: RETRY,
    find: 'if (wait && WAITABLE.includes(code))',
    replace: 'if (WAITABLE.includes(code))',
  },
  {
    rule: 'R-034',
    file: RETRY,
    find: `const kind = repeatable && received.reason !== 'ABORTED'`,
    replace: `const kind = received.reason !== 'ABORTED'`,
  },
  {
    rule: 'R-034b',
    file: RETRY,
    find: 'const tooLong = waitMs >= left();',
    replace: 'const tooLong = false;',
  },
  { rule: 'R-034b', file: RETRY, find: 'return Math.max(1, random() * bound);', replace: 'return 0;' },
  {
    rule: 'R-030',
    file: 'lib/ledger/client/lease-keeper.ts',
    find: 'if (this.mayExtend) void this.renew();',
    replace: '',
  },
  {
    rule: 'R-029a',
    file: 'lib/ledger/client/lease-keeper.ts',
    find: `if (answer.kind === 'REFUSED' && !this.stopped.signal.aborted) {`,
    replace: 'if (false) {',
  },
  { rule: 'R-035', file: ONCE, find: 'if (found.value.effectStartedAt !== null) {', replace: 'if (false) {' },
  {
    rule: 'R-036',
    file: OUTCOME,
    find: `const code = error instanceof EffectInDoubt || error instanceof EffectError ? error.code : codeOf(error);`,
    replace: `const code = 'X'; if (!(error instanceof EffectInDoubt)) return failed(client, claim, await client.fail(executionId, { fencingToken, retryable: false, code, message: '' }, options));`,
  },
  {
    rule: 'R-037',
    file: OUTCOME,
    find: 'const failure = { fencingToken, retryable: false,',
    replace: 'const failure = { fencingToken, retryable: true,',
  },
  {
    rule: 'R-010a',
    file: 'lib/ledger/client/once.ts',
    find: `if (claim.kind !== 'CLAIMED') return claim;`,
    replace: `if (claim.kind !== 'CLAIMED' && claim.kind !== 'DUPLICATE_HELD') return claim;`,
  },
];
