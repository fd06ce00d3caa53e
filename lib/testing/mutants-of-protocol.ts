// Ways of breaking the producer API.
import type { Mutant } from './mutant';

const DOOR = 'lib/ledger/http/front-door.mjs';
const ANSWER = 'lib/ledger/http/claim-answer.ts';

export const MUTANTS_OF_PROTOCOL: readonly Mutant[] = [
  {
    rule: 'R-006a',
    file: 'lib/domain/safe-parse.ts',
    find: 'if (!(error instanceof TypeError) || error.message !== UNCOMPARABLE) throw error;',
    replace: 'throw error;',
  },
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
  ...["'externalJobId', p_row.external_job_id,", "'progress', p_row.progress,"].map((find) => ({
    rule: 'R-030',
    file: 'prisma/migrations/20261130000700_job_and_progress/migration.sql',
    find,
    replace: '',
  })),
  {
    rule: 'R-030',
    file: 'lib/review/get-execution.ts',
    find: 'e.external_job_id as "externalJobId", e.progress,',
    replace: 'null as "externalJobId", null as progress,',
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
    find: 'older.map(({ version, content }) => [version, fingerprintOf(content)])',
    replace: '[]',
  },
  {
    rule: 'R-018e',
    file: 'lib/ledger/http/parse-input.ts',
    find: 'rank(left) - rank(right)',
    replace: 'rank(right) - rank(left)',
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
  // Malformed requests, and what is published
  {
    rule: 'R-018e',
    file: DOOR,
    find: "if (!isPercentEncoded(url)) return invalid('The address is not percent-encoded UTF-8.');",
    replace: '',
  },
  { rule: 'R-018e', file: DOOR, find: "server.on('clientError', answerBroken);", replace: '' },
  { rule: 'R-018e', file: DOOR, find: 'Object.assign(server, { requireHostHeader: false });', replace: '' },
  {
    rule: 'R-018e',
    file: 'lib/ledger/http/document-answers.ts',
    find: '[409, 410, 503].includes(',
    replace: '[409, 503].includes(',
  },
  {
    rule: 'R-018e',
    file: 'lib/ledger/http/document-schemas.ts',
    find: "io: 'input',\n    unrepresentable",
    replace: "io: 'output',\n    unrepresentable",
  },
  {
    rule: 'R-018e',
    file: 'lib/ledger/http/answer-schemas.ts',
    find: 'failureCode: absent.optional(),',
    replace: '',
  },
  {
    rule: 'R-025',
    file: 'lib/ledger/http/database-errors.ts',
    find: 'if (state === MOVE_REFUSED) {',
    replace: 'if (false) {',
  },
  {
    rule: 'R-035',
    file: 'lib/ledger/http/reads.ts',
    find: "if ('workflowId' in query)",
    replace: "if ('workflow' in query)",
  },
  {
    rule: 'AZ-14',
    file: 'lib/ledger/producer-token.ts',
    find: 'prefix: token.slice(0, PREFIX_LENGTH)',
    replace: 'prefix: token',
  },
];
