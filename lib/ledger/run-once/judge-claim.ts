import { isClaimingDisposition } from '@/lib/domain/dispositions';
import { isProblemCode, PROBLEM_CODES, problemType, type ProblemCode } from '@/lib/domain/problem-codes';
import { isExecutionState } from '@/lib/domain/states';
import { heldBy, refusalDetail, refusalMembers } from '../arrival-refusal';
import type { DuplicateHeld, Refused, Replayed, ResultReused } from '../client/types';
import type { Execution } from '../client/wire';
import { isHeaderValue, isStorable } from '../http/stored-response';
import type { ArrivalAnswer } from '../protocol';

/** A state that this version does not know is never interpreted: nothing is executed and nothing kept. */
export class UnknownState extends Error {
  override readonly name = 'UnknownState';
}

/** A rival's record cannot be read yet; the whole may be tried again. */
export class NotYetReadable extends Error {
  override readonly name = 'NotYetReadable';
}

export type Judged =
  | { readonly claimed: true; readonly execution: Execution }
  | {
      readonly claimed: false;
      readonly executionId: string | null;
      readonly outcome: Replayed | ResultReused | Omit<DuplicateHeld, 'statusUrl'> | Refused;
    };

/** What a claim's answer means to the caller. */
export function judgeClaim(answer: ArrivalAnswer): Judged {
  const { code, disposition, execution } = answer;
  if (code === 'REQUEST_STATUS_UNCONFIRMED') throw new NotYetReadable('a rival has not committed yet');
  if (code !== null) {
    if (!isProblemCode(code)) throw new UnknownState(code);
    const executionId = execution?.executionId ?? null;
    if (code === 'REQUEST_IN_PROGRESS' && executionId !== null)
      return { claimed: false, executionId, outcome: held(executionId, answer) };
    return { claimed: false, executionId, outcome: refusal(code, answer) };
  }
  if (execution === undefined || !isExecutionState(execution.state))
    throw new UnknownState(String(execution?.state));
  if (disposition === 'RESULT_REUSED')
    return { claimed: false, executionId: execution.executionId, outcome: reused(execution, answer) };
  if (!isClaimingDisposition(disposition)) throw new UnknownState(String(disposition));
  // Claimed with this attempt id by somebody who announced an effect: that is leased work, and it may be under way.
  if (execution.effectStartedAt !== null)
    return {
      claimed: false,
      executionId: execution.executionId,
      outcome: refusal('INVALID_STATE', answer),
    };
  return { claimed: true, execution };
}

function reused(execution: Execution, answer: ArrivalAnswer): Replayed | ResultReused {
  const { executionId, resultId, resultUrl } = execution;
  const { replay } = answer;
  if (replay == null) return { kind: 'RESULT_REUSED', executionId, resultId, resultUrl };
  const headers = Object.entries(replay.headers).filter(
    (header): header is [string, string] => isStorable(header[0].toLowerCase()) && isHeaderValue(header[1]),
  );
  return {
    kind: 'REPLAYED',
    executionId,
    status: replay.status,
    headers: Object.fromEntries(headers),
    bodyText: replay.body ?? '',
  };
}

function held(executionId: string, answer: ArrivalAnswer): Omit<DuplicateHeld, 'statusUrl'> {
  const retryAfterSeconds = answer.retryAfterSeconds ?? 1;
  return { kind: 'DUPLICATE_HELD', executionId, retryAfterSeconds, ...heldBy(answer) };
}

/** The same words that the HTTP API answers with. */
export function refusal(code: ProblemCode, answer: ArrivalAnswer): Refused {
  const { status, title } = PROBLEM_CODES[code];
  const problem = {
    type: problemType(code),
    title,
    status,
    detail: refusalDetail(code, answer),
    code,
    ...refusalMembers(code, answer),
  };
  return { kind: 'REFUSED', code, executionId: problem.executionId ?? null, problem };
}
