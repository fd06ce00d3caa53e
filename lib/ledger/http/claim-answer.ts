import { isClaimingDisposition } from '@/lib/domain/dispositions';
import { isProblemCode, type ProblemCode } from '@/lib/domain/problem-codes';
import { isExecutionState } from '@/lib/domain/states';
import type { Execution } from '../client/wire';
import type { ArrivalAnswer } from '../protocol';
import { jsonResponse, ProblemError, problemResponse, type ProblemExtras } from './problem';
import { replayResponse } from './replay';

const statusPath = (executionId: string) => `/api/v1/executions/${executionId}`;

/** The HTTP answer to a claim: one row of the contract's table for each answer of the ledger. */
export function claimResponse(answer: ArrivalAnswer, options: { respondAsync: boolean }): Response {
  if (answer.code === null) return acceptedClaim(answer);
  if (!isProblemCode(answer.code)) throw unknownState();
  if (answer.code === 'REQUEST_IN_PROGRESS' && options.respondAsync) return heldResponse(answer);
  return refusedArrival(answer.code, answer);
}

/** The HTTP answer to a registration: 202 with the record, whatever state an equal earlier one has reached. */
export function registerResponse(answer: ArrivalAnswer): Response {
  if (answer.code !== null) {
    if (!isProblemCode(answer.code)) throw unknownState();
    return refusedArrival(answer.code, answer);
  }
  const execution = knownExecution(answer.execution);
  return jsonResponse(202, execution, { Location: statusPath(execution.executionId) });
}

function acceptedClaim(answer: ArrivalAnswer): Response {
  const execution = knownExecution(answer.execution);
  const { executionId, fencingToken, attempt, leaseExpiresAt } = execution;
  if (isClaimingDisposition(answer.disposition)) {
    const body = { disposition: answer.disposition, executionId, fencingToken, attempt, leaseExpiresAt };
    return jsonResponse(201, body, { Location: statusPath(executionId) });
  }
  if (answer.disposition !== 'RESULT_REUSED') throw unknownState();
  if (answer.replay != null) return replayResponse(answer.replay, executionId);
  const { resultId, resultUrl } = execution;
  return jsonResponse(
    200,
    { disposition: 'RESULT_REUSED', executionId, resultId, resultUrl },
    // The disposition tells this answer apart from a stored one that happens to look like it.
    {
      'Idempotency-Replayed': 'true',
      'Onceover-Execution': executionId,
      'Onceover-Disposition': 'RESULT_REUSED',
    },
  );
}

/** the caller chose to ask again at an address instead of waiting for a refusal. */
function heldResponse(answer: ArrivalAnswer): Response {
  const { executionId } = knownExecution(answer.execution);
  const seconds = Math.max(1, Math.floor(answer.retryAfterSeconds ?? 1));
  const body = { disposition: 'DUPLICATE_HELD', executionId, retryAfterSeconds: seconds, ...heldBy(answer) };
  return jsonResponse(202, body, {
    Location: statusPath(executionId),
    'Retry-After': String(seconds),
    'Preference-Applied': 'respond-async',
  });
}

function heldBy(answer: ArrivalAnswer) {
  return { owner: answer.owner ?? null, since: answer.since ?? null, progress: answer.progress ?? null };
}

/** Only codes whose condition passes by itself carry a retry hint; the others would be retried in vain (B-65, B-85). */
function refusedArrival(code: ProblemCode, answer: ArrivalAnswer): Response {
  const { execution } = answer;
  const headers: Record<string, string> =
    execution === undefined ? {} : { 'Onceover-Execution': execution.executionId };
  const of = (extras: ProblemExtras) =>
    problemResponse(
      code,
      detailOf(code, answer),
      { ...(execution && { executionId: execution.executionId }), ...extras },
      headers,
    );
  switch (code) {
    case 'REQUEST_IN_PROGRESS':
      return of({ retryAfterSeconds: answer.retryAfterSeconds ?? 1, ...heldBy(answer) });
    case 'SINGLE_EXECUTOR_BUSY':
    case 'REQUEST_STATUS_UNCONFIRMED':
    case 'OPERATION_PAUSED':
      return of({ retryAfterSeconds: answer.retryAfterSeconds ?? 1 });
    case 'IDEMPOTENCY_KEY_REUSED':
      return of({
        conflictingFields: answer.conflictingFields ?? [],
        ...(answer.newKey == null ? {} : { newKey: answer.newKey }),
        ...(answer.newExecutionId == null ? {} : { newExecutionId: answer.newExecutionId }),
      });
    case 'IDEMPOTENCY_KEY_SUPERSEDED':
      return of({
        ...(answer.newKey == null ? {} : { newKey: answer.newKey }),
        ...(answer.newExecutionId == null ? {} : { newExecutionId: answer.newExecutionId }),
      });
    case 'RECONCILE_REQUIRED':
      return of({
        underReview: execution?.underReview ?? false,
        nextCheckAt: execution?.nextCheckAt ?? null,
      });
    case 'IDEMPOTENCY_KEY_EXPIRED':
      return of({ resultId: execution?.resultId ?? null, resultUrl: execution?.resultUrl ?? null });
    case 'BUSINESS_REFERENCE_TAKEN':
      return of(answer.firstExecutionId == null ? {} : { executionId: answer.firstExecutionId });
    case 'EXECUTION_FAILED_FINAL':
      return of({ failureCode: answer.failureCode ?? null });
    default:
      return of({});
  }
}

const DETAILS: Partial<Record<ProblemCode, string>> = {
  REQUEST_IN_PROGRESS: 'The same request is being executed. Repeat it later with the same key.',
  IDEMPOTENCY_KEY_REUSED:
    'The key names another content, version or target. Nothing was executed; new content needs a new key.',
  RECONCILE_REQUIRED: 'Whether the effect exists is not known. It is being settled; nothing was executed.',
  IDEMPOTENCY_KEY_SUPERSEDED: 'The work was given a new key. Use that one.',
  BUSINESS_REFERENCE_TAKEN: 'Another key already stands for this business reference.',
  REQUEST_STATUS_UNCONFIRMED: 'A rival request has not committed yet. Repeat the request with the same key.',
  SINGLE_EXECUTOR_BUSY:
    'Another execution runs that this one must not overlap. Repeat it later with the same key.',
  ATTEMPTS_EXHAUSTED: 'Every allowed attempt was used. A person must allow more.',
  IDEMPOTENCY_KEY_EXPIRED: 'The record of this key has expired; it is never executed again.',
  OPERATION_PAUSED: 'Automatic execution of this operation is paused until a person resumes it.',
};

function detailOf(code: ProblemCode, answer: ArrivalAnswer): string {
  if (code === 'EXECUTION_FAILED_FINAL')
    return `The execution ended with ${answer.failureCode ?? 'a refusal'}.`;
  return DETAILS[code] ?? 'The request was refused.';
}

/** a state that this version does not know is never interpreted. */
export function knownExecution(execution: Execution | undefined): Execution {
  if (execution === undefined || !isExecutionState(execution.state)) throw unknownState();
  return execution;
}

function unknownState(): ProblemError {
  return new ProblemError(
    'UNKNOWN_IDEMPOTENCY_STATE',
    'The ledger answered with a state that this version does not know. Nothing was executed.',
  );
}
