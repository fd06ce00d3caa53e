import { isUndone, learnedNothing, twoSources } from './decision-evidence';
import type { Decision } from './decisions';
import { type ExceptionKind, type ExceptionState } from './exception-kinds';
import { evidenceStanding, linkStanding, shownNoEffect, type StandsOn } from './offer-standing';

/** What a person would do next about an exception; the words are in the glossary. */
export type NextStep =
  | 'LOOK_UP'
  | 'LOOK_AGAIN'
  | 'ASK_A_COLLEAGUE'
  | 'WAIT_FOR_HORIZON'
  | 'CHECK_WITH_PROVIDER'
  | 'LINK_RESULT'
  | 'CONFIRM_KNOWN_RESULT'
  | 'CONFIRM_NOT_APPLIED'
  | 'REQUEST_REISSUE'
  | 'SETTLE_UNDONE'
  | 'HEAR_FROM_OWNER'
  | 'COMPARE_CONTENT'
  | 'NAME_THE_EFFECT'
  | 'ALLOW_OR_END'
  | 'FIND_EXECUTOR'
  | 'SETTLE_KEY_RULE'
  | 'RESUME_OPERATION'
  | 'WAIT_FOR_SECOND'
  | 'WAIT_UNTIL'
  | 'NONE';

export interface StepSubject extends StandsOn {
  readonly kind: ExceptionKind;
  readonly state: ExceptionState;
  /** True while it is deferred to a time that has not come. */
  readonly deferred: boolean;
  /** A request about the exception or its execution waits for a second person, or to be carried out. */
  readonly requestInFlight: boolean;
}

/**
 * The one step that leads on: the queue, the exception's page and the execution's page all take it from here, and the page
 * recommends the decision that belongs to it. Advice, not permission. Evidence comes before opinion, so a question about
 * the effect is answered by what the looks can carry.
 */
export function nextStep(subject: StepSubject): NextStep {
  if (subject.state === 'CLOSED') return 'NONE';
  if (subject.requestInFlight) return 'WAIT_FOR_SECOND';
  if (subject.deferred) return 'WAIT_UNTIL';
  switch (subject.kind) {
    case 'UNKNOWN_RESULT':
    case 'MISSING_RESULT_ID':
    case 'EXPIRED_KEY':
    case 'STUCK_PROCESSING':
      return byEvidence(subject);
    case 'LONG_RUNNING':
      return 'HEAR_FROM_OWNER';
    case 'CONTENT_CONFLICT':
      return 'COMPARE_CONTENT';
    case 'RESULT_MISMATCH':
    case 'DUPLICATE_RESULT':
    case 'ORPHAN_EFFECT':
    case 'CONTRADICTED_DECISION':
      return 'NAME_THE_EFFECT';
    case 'RETRY_STALLED':
    case 'UNCLAIMED':
      // Where one may claim it at any moment, allowing more changes nothing: nobody comes.
      return subject.execution?.attemptsLeft === true ? 'FIND_EXECUTOR' : 'ALLOW_OR_END';
    case 'KEY_MISSING':
      return 'SETTLE_KEY_RULE';
    case 'OPERATION_PAUSED':
      return 'RESUME_OPERATION';
    default: {
      const impossible: never = subject.kind;
      throw new Error(`bug: unknown exception kind ${String(impossible)}`);
    }
  }
}

function byEvidence(subject: StepSubject): NextStep {
  const { execution, kind, lookups, policy } = subject;
  if (execution === null) return 'LOOK_UP';
  if (kind === 'EXPIRED_KEY' && execution.resultId !== null) return 'CONFIRM_KNOWN_RESULT';
  if (linkStanding(subject).refusal === null) return 'LINK_RESULT';
  const sources = twoSources(lookups, execution.version);
  // Waiting settles nothing between a person and the system; another pair of eyes does.
  if (sources.contrary !== null) return 'ASK_A_COLLEAGUE';
  const notApplied = evidenceStanding(subject, 'NOT_APPLIED');
  // On an expired record "not applied" settles the exception alone: work that is still wanted needs a new key.
  if (notApplied.refusal === null)
    return execution.state === 'EXPIRED' ? 'REQUEST_REISSUE' : 'CONFIRM_NOT_APPLIED';
  if (notApplied.opensAt !== null) return 'WAIT_FOR_HORIZON';
  if (isUndone(sources, policy.proof) && shownNoEffect(subject).refusal === null) return 'SETTLE_UNDONE';
  const { decisive, contradict } = sources;
  if (contradict || decisive?.verdict === 'UNDER_WAY') return 'LOOK_AGAIN';
  if (decisive === null || learnedNothing(decisive))
    return kind === 'STUCK_PROCESSING' ? 'HEAR_FROM_OWNER' : 'LOOK_UP';
  if (decisive.outcome === 'MULTIPLE') return 'NAME_THE_EFFECT';
  // What carried once is too old, or the system may have forgotten: only a new look says more.
  if (decisive.outcome !== 'MISMATCH' && (isUndone(sources, policy.proof) || isStale(subject)))
    return 'LOOK_UP';
  // Found, but not as what was asked for, or in a state that proves nothing: looking again alone will not change it.
  return 'CHECK_WITH_PROVIDER';
}

function isStale(subject: StepSubject): boolean {
  return (['APPLIED', 'NOT_APPLIED'] as const).some((wanted) =>
    ['EVIDENCE_STALE', 'EVIDENCE_PROVES_NOTHING', 'HORIZON_NOT_OVER'].includes(
      evidenceStanding(subject, wanted).refusal ?? '',
    ),
  );
}

/** The decision that the step comes to; null where none is due yet. */
export function decisionOfStep(step: NextStep, kind: ExceptionKind): Decision | null {
  switch (step) {
    case 'LINK_RESULT':
    case 'CONFIRM_KNOWN_RESULT':
    case 'CONFIRM_NOT_APPLIED':
    case 'REQUEST_REISSUE':
    case 'RESUME_OPERATION':
      return step;
    case 'SETTLE_UNDONE':
      return 'FINAL_FAILURE';
    case 'COMPARE_CONTENT':
      return 'KEEP_ORIGINAL';
    case 'ALLOW_OR_END':
      return 'ALLOW_ATTEMPTS';
    case 'SETTLE_KEY_RULE':
      return 'RECORD_KEY_RULE';
    case 'HEAR_FROM_OWNER':
      return kind === 'LONG_RUNNING' ? 'EXTEND' : null;
    case 'NAME_THE_EFFECT':
      return ['RESULT_MISMATCH', 'DUPLICATE_RESULT', 'ORPHAN_EFFECT', 'CONTRADICTED_DECISION'].includes(kind)
        ? 'SETTLE_EFFECT'
        : null;
    case 'LOOK_UP':
    case 'FIND_EXECUTOR':
    case 'LOOK_AGAIN':
    case 'ASK_A_COLLEAGUE':
    case 'WAIT_FOR_HORIZON':
    case 'CHECK_WITH_PROVIDER':
    case 'WAIT_FOR_SECOND':
    case 'WAIT_UNTIL':
    case 'NONE':
      return null;
    default: {
      const impossible: never = step;
      throw new Error(`bug: unknown step ${String(impossible)}`);
    }
  }
}
