import { type ExceptionKind, type ExceptionState } from './exception-kinds';
import { type Verdict } from './lookup-verdict';

/** What a person would do next about an exception; the words are in the glossary. */
export type NextStep =
  | 'LOOK_UP'
  | 'LOOK_AGAIN'
  | 'LINK_RESULT'
  | 'CONFIRM_NOT_APPLIED'
  | 'HEAR_FROM_OWNER'
  | 'COMPARE_CONTENT'
  | 'NAME_THE_EFFECT'
  | 'ALLOW_OR_END'
  | 'SETTLE_KEY_RULE'
  | 'RESUME_OPERATION'
  | 'WAIT_FOR_SECOND'
  | 'WAIT_UNTIL'
  | 'NONE';

export interface NextStepSubject {
  kind: ExceptionKind;
  state: ExceptionState;
  /** True while it is deferred to a time that has not come. */
  deferred: boolean;
  /** True while a request waits for a second person. */
  awaitsSecond: boolean;
  /** Verdict of the latest lookup; null when nobody has looked. */
  verdict: Verdict | null;
}

/**
 * The one step that leads on, for lists. Advice, not permission: what may be decided is judged with the decision.
 * Evidence comes before opinion, so a question about the effect is answered by the latest verdict.
 */
export function nextStep({ kind, state, deferred, awaitsSecond, verdict }: NextStepSubject): NextStep {
  if (state === 'CLOSED') return 'NONE';
  if (awaitsSecond) return 'WAIT_FOR_SECOND';
  if (deferred) return 'WAIT_UNTIL';
  switch (kind) {
    case 'UNKNOWN_RESULT':
    case 'MISSING_RESULT_ID':
    case 'EXPIRED_KEY':
      return byVerdict(verdict);
    case 'STUCK_PROCESSING':
      return verdict === null || verdict === 'UNCLEAR' ? 'HEAR_FROM_OWNER' : byVerdict(verdict);
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
      return 'ALLOW_OR_END';
    case 'KEY_MISSING':
      return 'SETTLE_KEY_RULE';
    case 'OPERATION_PAUSED':
      return 'RESUME_OPERATION';
    default: {
      const impossible: never = kind;
      throw new Error(`bug: unknown exception kind ${String(impossible)}`);
    }
  }
}

function byVerdict(verdict: Verdict | null): NextStep {
  switch (verdict) {
    case null:
    case 'UNCLEAR':
      return 'LOOK_UP';
    case 'APPLIED':
      return 'LINK_RESULT';
    case 'NOT_APPLIED':
      return 'CONFIRM_NOT_APPLIED';
    case 'UNDER_WAY':
      return 'LOOK_AGAIN';
    default: {
      const impossible: never = verdict;
      throw new Error(`bug: unknown verdict ${String(impossible)}`);
    }
  }
}
