import { isClaimingDisposition } from '@/lib/domain/dispositions';
import { isProblemCode, type ProblemCode } from '@/lib/domain/problem-codes';
import { isExecutionState } from '@/lib/domain/states';
import type { Execution } from '../client/wire';
import { heldBy, refusalDetail, refusalMembers } from '../arrival-refusal';
import type { ArrivalAnswer } from '../protocol';
import { jsonResponse, ProblemError, problemResponse } from './problem';
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

function refusedArrival(code: ProblemCode, answer: ArrivalAnswer): Response {
  const { execution } = answer;
  const headers: Record<string, string> =
    execution === undefined ? {} : { 'Onceover-Execution': execution.executionId };
  return problemResponse(code, refusalDetail(code, answer), refusalMembers(code, answer), headers);
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
