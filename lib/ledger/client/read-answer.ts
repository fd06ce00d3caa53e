import { isClaimedBody, isExecutionId, isResultReused, type Reader } from './answer-forms';
import { readJson, readProblem } from './read-problem';
import type { Settled } from './retry';
import type { Answer, ClaimAnswer, DuplicateHeld, Refused, Unavailable } from './types';
import type { Problem } from './wire';

/** Makes a claim's answer of what came; anything that the contract does not know is no answer at all. */
export function readClaimAnswer(
  settled: Settled,
  attemptId: string,
  statusUrl: (executionId: string) => string,
  findUrl: string,
): ClaimAnswer {
  if (settled.kind === 'UNAVAILABLE') {
    const { executionId } = settled;
    return { ...settled, statusUrl: executionId === null ? findUrl : statusUrl(executionId) };
  }
  const { status, headers, text } = settled;
  if (headers.get('idempotency-replayed') === 'true') return readReplay(settled, findUrl);
  const problem = status >= 400 ? readProblem(headers, text) : null;
  if (problem?.code === 'REQUEST_IN_PROGRESS') return held(problem, statusUrl);
  if (problem !== null) return refusedBy(problem);
  const body = readJson(text);
  if (status === 201 && isClaimedBody(body)) {
    const { disposition, executionId, fencingToken, attempt, leaseExpiresAt } = body;
    return { kind: 'CLAIMED', disposition, executionId, fencingToken, attempt, leaseExpiresAt, attemptId };
  }
  return strange(status, findUrl);
}

function readReplay(settled: Extract<Settled, { kind: 'response' }>, findUrl: string): ClaimAnswer {
  const { status, headers, text } = settled;
  const executionId = headers.get('onceover-execution');
  if (!isExecutionId(executionId)) return strange(status, findUrl);
  if (headers.get('onceover-disposition') === 'RESULT_REUSED') {
    const body = readJson(text);
    if (!isResultReused(body)) return strange(status, findUrl);
    const { resultId, resultUrl } = body;
    return { kind: 'RESULT_REUSED', executionId, resultId, resultUrl };
  }
  return { kind: 'REPLAYED', executionId, status, headers: Object.fromEntries(headers), bodyText: text };
}

function held(problem: Problem, statusUrl: (executionId: string) => string): ClaimAnswer {
  const { executionId, retryAfterSeconds = 1, owner = null, since = null, progress = null } = problem;
  if (executionId === undefined) return refusedBy(problem);
  const answer: DuplicateHeld = {
    kind: 'DUPLICATE_HELD',
    executionId,
    retryAfterSeconds,
    statusUrl: statusUrl(executionId),
    owner,
    since,
    progress,
  };
  return answer;
}

/** Makes the answer to any other call; `statusUrl` is where to ask when there was none that `isForm` knows. */
export function readAnswer<T>(settled: Settled, statusUrl: string | null, isForm: Reader<T>): Answer<T> {
  if (settled.kind === 'UNAVAILABLE') return { ...settled, statusUrl };
  const problem = settled.status >= 400 ? readProblem(settled.headers, settled.text) : null;
  if (problem !== null) return refusedBy(problem);
  const value = readJson(settled.text);
  if (settled.status >= 300 || !isForm(value)) return strange(settled.status, statusUrl);
  return { kind: 'OK', value };
}

function refusedBy(problem: Problem): Refused {
  return { kind: 'REFUSED', code: problem.code, executionId: problem.executionId ?? null, problem };
}

function strange(status: number, statusUrl: string | null): Unavailable {
  const message = `status ${status} from something that is not the ledger`;
  return {
    kind: 'UNAVAILABLE',
    reason: 'NOT_THE_LEDGER',
    code: null,
    executionId: null,
    sends: 1,
    retryAfterSeconds: null,
    statusUrl,
    message,
  };
}
