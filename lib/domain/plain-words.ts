import type { NextStep } from './next-step';
import { businessView, type BusinessView, type ExecutionState } from './states';

export interface PlainSubject {
  readonly state: ExecutionState;
  /** What an expired record was. */
  readonly before: 'SUCCEEDED' | 'FAILED_FINAL' | null;
  /** Whether a retryable failure rests on a proof of no effect. */
  readonly noEffectProven: boolean;
  readonly superseded: boolean;
  readonly attemptsLeft: boolean;
  /** Of its most severe open exception; null when none is open. */
  readonly step: NextStep | null;
}

export interface PlainWords {
  readonly view: BusinessView | 'REPLACED';
  /** What follows: from the view itself, or because of what holds beside the state. */
  readonly next: BusinessView | 'REPLACED' | 'NO_ATTEMPTS' | 'AT_THE_DESK';
}

/** How it stands and what is next, for people outside of engineering. An open exception is what is next, whatever the state. */
export function plainWords(subject: PlainSubject): PlainWords {
  const { state, before, noEffectProven, superseded, attemptsLeft, step } = subject;
  const view = superseded
    ? 'REPLACED'
    : businessView(state, { noEffectProven, ...(before === null ? {} : { before }) });
  if (step !== null) return { view, next: 'AT_THE_DESK' };
  const claimable = state === 'RECEIVED' || state === 'FAILED_RETRYABLE';
  return { view, next: !superseded && claimable && !attemptsLeft ? 'NO_ATTEMPTS' : view };
}
