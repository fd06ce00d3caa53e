import type { ProblemCode } from '@/lib/domain/problem-codes';
import type { Problem } from './client/wire';
import type { ArrivalAnswer } from './protocol';

type RefusalMembers = Partial<Omit<Problem, 'type' | 'title' | 'status' | 'detail' | 'code'>>;

/** Who works on a held duplicate, since when, and how far it is. */
export function heldBy(answer: ArrivalAnswer) {
  return { owner: answer.owner ?? null, since: answer.since ?? null, progress: answer.progress ?? null };
}

/** Only codes whose condition passes by itself carry a retry hint; the others would be retried in vain (B-65, B-85). */
export function refusalMembers(code: ProblemCode, answer: ArrivalAnswer): RefusalMembers {
  const { execution } = answer;
  const own: RefusalMembers = execution === undefined ? {} : { executionId: execution.executionId };
  const successor = {
    ...(answer.newKey == null ? {} : { newKey: answer.newKey }),
    ...(answer.newExecutionId == null ? {} : { newExecutionId: answer.newExecutionId }),
  };
  switch (code) {
    case 'REQUEST_IN_PROGRESS':
      return { ...own, retryAfterSeconds: answer.retryAfterSeconds ?? 1, ...heldBy(answer) };
    case 'SINGLE_EXECUTOR_BUSY':
    case 'REQUEST_STATUS_UNCONFIRMED':
    case 'OPERATION_PAUSED':
      return { ...own, retryAfterSeconds: answer.retryAfterSeconds ?? 1 };
    case 'IDEMPOTENCY_KEY_REUSED':
      return { ...own, conflictingFields: answer.conflictingFields ?? [], ...successor };
    case 'IDEMPOTENCY_KEY_SUPERSEDED':
      return { ...own, ...successor };
    case 'RECONCILE_REQUIRED':
      return {
        ...own,
        underReview: execution?.underReview ?? false,
        nextCheckAt: execution?.nextCheckAt ?? null,
      };
    case 'IDEMPOTENCY_KEY_EXPIRED':
      return { ...own, resultId: execution?.resultId ?? null, resultUrl: execution?.resultUrl ?? null };
    case 'BUSINESS_REFERENCE_TAKEN':
      return answer.firstExecutionId == null ? own : { executionId: answer.firstExecutionId };
    case 'EXECUTION_FAILED_FINAL':
      return { ...own, failureCode: answer.failureCode ?? null };
    default:
      return own;
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

export function refusalDetail(code: ProblemCode, answer: ArrivalAnswer): string {
  if (code === 'EXECUTION_FAILED_FINAL')
    return `The execution ended with ${answer.failureCode ?? 'a refusal'}.`;
  return DETAILS[code] ?? 'The request was refused.';
}
