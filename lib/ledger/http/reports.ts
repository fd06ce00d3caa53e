import type { z } from 'zod';
import { isProblemCode, type ProblemCode } from '@/lib/domain/problem-codes';
import { statement } from '@/lib/db/statement';
import { report, type ReportAnswer, type ReportVerb } from '../protocol';
import { requireOperation } from './authenticate';
import { knownExecution } from './claim-answer';
import type { ApiContext } from './context';
import { parseInput } from './parse-input';
import { jsonResponse, ProblemError, problemResponse } from './problem';
import { readBody } from './request-body';
import {
  cancelBody,
  completeBody,
  effectStartedBody,
  failBody,
  heartbeatBody,
  unknownBody,
  type ResponseInput,
} from './schemas';
import { storableResponse, type StoredAnswer } from './stored-response';

const SCHEMAS = {
  'effect-started': effectStartedBody,
  heartbeat: heartbeatBody,
  complete: completeBody,
  fail: failBody,
  unknown: unknownBody,
  cancel: cancelBody,
} as const satisfies Record<ReportVerb, z.ZodType>;

export const REPORT_VERBS = Object.keys(SCHEMAS) as ReportVerb[];

/** `POST /executions/{id}/{verb}`: what an executor says about its attempt. */
export async function reportVerb(c: ApiContext, verb: ReportVerb): Promise<Response> {
  const executionId = readExecutionId(c);
  await requireOperationOf(c, executionId);
  const { value, slices } = await readBody(c.req.raw, ['/response/body']);
  const input = parseInput(SCHEMAS[verb], value);
  const response = 'response' in input ? responseOf(input, slices.get('/response/body')) : undefined;
  const body = { ...input, response };
  const answer = await report(c.var.pool, verb, c.var.principal.principalId, executionId, body);
  c.var.facts.code = answer.code ?? undefined;
  return answer.code === null ? accepted(answer) : refused(answer);
}

/** Ids that are no UUID name nothing, exactly like ids that are unknown or somebody else's. */
export function readExecutionId(c: ApiContext): string {
  const id = c.req.param('id') ?? '';
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw notFound();
  c.var.facts.executionId = id.toLowerCase();
  return id.toLowerCase();
}

export function notFound(): ProblemError {
  return new ProblemError('NOT_FOUND', 'No execution of the principal of this token has this id.');
}

const OPERATION = 'select operation from ledger.executions where execution_id = $1 and principal_id = $2';

/** Only tokens that are limited to operations need to know which one the record belongs to. */
async function requireOperationOf(c: ApiContext, executionId: string): Promise<void> {
  if (c.var.principal.operations === null) return;
  const values = [executionId, c.var.principal.principalId];
  const { rows } = await statement<{ operation: string }>(c.var.pool, OPERATION, values, {
    repeatable: true,
  });
  const [row] = rows;
  if (row === undefined) throw notFound();
  requireOperation(c.var.principal, row.operation);
}

function responseOf(
  input: { response?: ResponseInput; retryable?: boolean },
  slice: string | undefined,
): StoredAnswer | undefined {
  // What may be tried again has no final answer yet, so nothing of it is kept (B-79).
  if (input.response === undefined || input.retryable === true) return undefined;
  return storableResponse(input.response, slice);
}

function accepted(answer: ReportAnswer): Response {
  const execution = knownExecution(answer.execution);
  return jsonResponse(
    200,
    answer.sendBefore === undefined ? execution : { ...execution, sendBefore: answer.sendBefore },
  );
}

const DETAILS: Partial<Record<ProblemCode, string>> = {
  FENCED: 'The token is not the present one. Nothing was changed; stop working on this execution.',
  RESULT_CONFLICT: 'The execution already has another result, which stands.',
  EFFECT_ALREADY_STARTED: 'The effect has been started and can no longer be cancelled.',
  RECONCILE_REQUIRED: 'Something in this lineage is under review; the effect must not be started.',
};

const STATE_DETAILS: Readonly<Record<string, string>> = {
  NOT_IN_PROGRESS: 'The execution is not in progress.',
  LEASE_OVER: 'The lease is over. Claim again before the effect is started.',
  OTHER_EXTERNAL_REQUEST_KEY:
    'The provider tells repetitions by the external request key; an execution keeps the one it began with.',
  NOT_CANCELLABLE: 'The execution has ended, is in doubt or was replaced.',
};

function refused(answer: ReportAnswer): Response {
  const { code, execution } = answer;
  if (code === 'NOT_FOUND') throw notFound();
  if (!isProblemCode(code))
    throw new ProblemError(
      'UNKNOWN_IDEMPOTENCY_STATE',
      'The ledger gave an answer that this version does not know.',
    );
  const detail =
    (answer.detail != null ? STATE_DETAILS[answer.detail] : undefined) ??
    DETAILS[code] ??
    'The report was refused.';
  const review =
    code === 'RECONCILE_REQUIRED'
      ? { underReview: execution?.underReview ?? true, nextCheckAt: execution?.nextCheckAt ?? null }
      : {};
  return problemResponse(code, detail, {
    ...(execution && { executionId: execution.executionId, state: execution.state }),
    ...review,
  });
}
