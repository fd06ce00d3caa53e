import type { Decision, Relation } from './decisions';
import { isTerminal, type ExecutionState } from './states';

/** What a caller that sends the same key again is answered. Source: contract, "Claim answers". */
export type CallerAnswerCode =
  | 'CLAIMED'
  | 'RETRY_SAME_KEY'
  | 'STORED_RESPONSE'
  | 'RESULT_REUSED'
  | 'EXECUTION_FAILED_FINAL'
  | 'REQUEST_IN_PROGRESS'
  | 'RECONCILE_REQUIRED'
  | 'ATTEMPTS_EXHAUSTED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_SUPERSEDED'
  | 'IDEMPOTENCY_KEY_EXPIRED'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'PASSED_UNPROTECTED'
  | 'OPERATION_PAUSED';

export interface CallerAnswer {
  readonly code: CallerAnswerCode;
  /** HTTP status. */
  readonly status: number;
  /** The result that goes with it; null where there is none. */
  readonly resultId: string | null;
}

const STATUS: Readonly<Record<Exclude<CallerAnswerCode, 'STORED_RESPONSE'>, number>> = {
  CLAIMED: 201,
  RETRY_SAME_KEY: 201,
  RESULT_REUSED: 200,
  EXECUTION_FAILED_FINAL: 409,
  REQUEST_IN_PROGRESS: 409,
  RECONCILE_REQUIRED: 409,
  ATTEMPTS_EXHAUSTED: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_KEY_SUPERSEDED: 409,
  IDEMPOTENCY_KEY_EXPIRED: 410,
  IDEMPOTENCY_KEY_MISSING: 400,
  PASSED_UNPROTECTED: 200,
  OPERATION_PAUSED: 503,
};

export interface ImpactSubject {
  readonly state: ExecutionState;
  readonly superseded: boolean;
  /** Its retention is over, swept or not: a terminal record counts as expired from that instant on. */
  readonly retentionOver: boolean;
  readonly underReview: boolean;
  readonly leaseLive: boolean;
  readonly effectStarted: boolean;
  readonly attemptsLeft: boolean;
  /** The operation's automatic execution is stopped: what would be claimed is refused. */
  readonly paused: boolean;
  /** Status of the stored response; null when none is stored. */
  readonly responseStatus: number | null;
  readonly resultId: string | null;
}

/** An answer that the ledger makes by itself, with its fixed status. */
export function callerAnswer(
  code: Exclude<CallerAnswerCode, 'STORED_RESPONSE'>,
  resultId: string | null = null,
): CallerAnswer {
  return { code, status: STATUS[code], resultId };
}

/** What an equal retransmission is answered at this moment, in the ledger's order of checks. */
export function answerNow(subject: ImpactSubject): CallerAnswer {
  if (subject.superseded) return callerAnswer('IDEMPOTENCY_KEY_SUPERSEDED');
  if (subject.retentionOver && isTerminal(subject.state))
    return callerAnswer('IDEMPOTENCY_KEY_EXPIRED', subject.resultId);
  switch (subject.state) {
    case 'EXPIRED':
      return callerAnswer('IDEMPOTENCY_KEY_EXPIRED', subject.resultId);
    case 'SUCCEEDED':
      return settled('RESULT_REUSED', subject);
    case 'FAILED_FINAL':
      return settled('EXECUTION_FAILED_FINAL', subject);
    case 'UNKNOWN':
      return callerAnswer('RECONCILE_REQUIRED');
    case 'PROCESSING':
      if (subject.underReview) return callerAnswer('RECONCILE_REQUIRED');
      if (subject.leaseLive) return callerAnswer('REQUEST_IN_PROGRESS');
      if (subject.effectStarted) return callerAnswer('RECONCILE_REQUIRED');
      return callerAnswer(subject.paused ? 'OPERATION_PAUSED' : 'CLAIMED');
    case 'RECEIVED':
    case 'FAILED_RETRYABLE':
      if (subject.underReview) return callerAnswer('RECONCILE_REQUIRED');
      if (subject.paused) return callerAnswer('OPERATION_PAUSED');
      if (!subject.attemptsLeft) return callerAnswer('ATTEMPTS_EXHAUSTED');
      return callerAnswer(subject.state === 'RECEIVED' ? 'CLAIMED' : 'RETRY_SAME_KEY');
    default: {
      const impossible: never = subject.state;
      throw new Error(`bug: unknown execution state ${String(impossible)}`);
    }
  }
}

function settled(code: 'RESULT_REUSED' | 'EXECUTION_FAILED_FINAL', subject: ImpactSubject): CallerAnswer {
  const { responseStatus, resultId } = subject;
  return responseStatus === null
    ? callerAnswer(code, resultId)
    : { code: 'STORED_RESPONSE', status: responseStatus, resultId };
}

/** What the decision would name or choose, where the answer depends on it. */
export interface ImpactChoice {
  readonly resultId?: string | null;
  readonly relation?: Relation;
  /** Another open exception goes on holding the lineage. */
  readonly stillUnderReview?: boolean;
}

/** What an equal retransmission would be answered after the decision, before anything else happens. */
export function answerAfter(
  decision: Decision,
  subject: ImpactSubject,
  choice: ImpactChoice = {},
): CallerAnswer {
  // A decision raises no tombstone: the key stays expired whatever is settled.
  if (subject.state === 'EXPIRED' && decision !== 'REQUEST_REISSUE')
    return callerAnswer('IDEMPOTENCY_KEY_EXPIRED', subject.resultId ?? choice.resultId ?? null);
  const underReview = choice.stillUnderReview ?? false;
  const after = (state: ExecutionState, changes: Partial<ImpactSubject> = {}): CallerAnswer =>
    answerNow({
      ...subject,
      underReview,
      attemptsLeft: true,
      // A record that reaches its end now begins its retention now.
      retentionOver: subject.retentionOver && state === subject.state,
      ...changes,
      state,
    });
  switch (decision) {
    case 'LINK_RESULT':
      return after('SUCCEEDED', { resultId: choice.resultId ?? subject.resultId });
    case 'CONFIRM_NOT_APPLIED':
      return after('FAILED_RETRYABLE');
    case 'FINAL_FAILURE':
      return after('FAILED_FINAL', { responseStatus: null });
    case 'EXTEND':
      return after('PROCESSING', { leaseLive: true });
    case 'DECLARE_UNKNOWN':
      return after('UNKNOWN');
    case 'ALLOW_ATTEMPTS':
      return after(subject.state);
    case 'REQUEST_REISSUE':
      return choice.relation === 'NEW_WORK' ? answerNow(subject) : callerAnswer('IDEMPOTENCY_KEY_SUPERSEDED');
    case 'SETTLE_EFFECT':
      return choice.resultId != null && ['UNKNOWN', 'FAILED_FINAL'].includes(subject.state)
        ? after('SUCCEEDED', { resultId: choice.resultId })
        : answerNow({ ...subject, underReview });
    case 'CONFIRM_KNOWN_RESULT':
    case 'KEEP_ORIGINAL':
    case 'RESUME_OPERATION':
      return answerNow({ ...subject, underReview });
    case 'RECORD_KEY_RULE':
    case 'ACCEPT_UNPROTECTED':
      throw new Error(`bug: ${decision} is about arrivals without a key`);
    default: {
      const impossible: never = decision;
      throw new Error(`bug: unknown decision ${String(impossible)}`);
    }
  }
}
