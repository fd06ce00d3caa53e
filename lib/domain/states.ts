/** The states of an execution. Source: domain, section 1. */
export const EXECUTION_STATES = [
  'RECEIVED',
  'PROCESSING',
  'SUCCEEDED',
  'FAILED_RETRYABLE',
  'FAILED_FINAL',
  'UNKNOWN',
  'EXPIRED',
] as const;

export type ExecutionState = (typeof EXECUTION_STATES)[number];

/** States that no executor leaves any more; only they may be tombstoned. */
const TERMINAL_STATES = ['SUCCEEDED', 'FAILED_FINAL', 'EXPIRED'] as const satisfies readonly ExecutionState[];

export function isExecutionState(value: unknown): value is ExecutionState {
  return (EXECUTION_STATES as readonly unknown[]).includes(value);
}

export function isTerminal(state: ExecutionState): boolean {
  return (TERMINAL_STATES as readonly ExecutionState[]).includes(state);
}

/** What non-engineers see of a step, told from its state alone. */
export type BusinessView =
  'NOT_ATTEMPTED' | 'IN_PROGRESS' | 'CONFIRMED_COMPLETE' | 'CONFIRMED_REFUSED' | 'RESULT_UNKNOWN';

/**
 * The business view of an execution.
 *
 * `before` is the state that an EXPIRED record had; an expired record shows what it was, with the mark.
 * `noEffectProven` tells whether FAILED_RETRYABLE rests on a proof; without one nothing is claimed about the effect.
 */
export function businessView(
  state: ExecutionState,
  options: { before?: 'SUCCEEDED' | 'FAILED_FINAL'; noEffectProven?: boolean } = {},
): BusinessView {
  switch (state) {
    case 'RECEIVED':
      return 'NOT_ATTEMPTED';
    case 'FAILED_RETRYABLE':
      return options.noEffectProven === false ? 'RESULT_UNKNOWN' : 'NOT_ATTEMPTED';
    case 'PROCESSING':
      return 'IN_PROGRESS';
    case 'SUCCEEDED':
      return 'CONFIRMED_COMPLETE';
    case 'FAILED_FINAL':
      return 'CONFIRMED_REFUSED';
    case 'UNKNOWN':
      return 'RESULT_UNKNOWN';
    case 'EXPIRED':
      if (options.before === 'SUCCEEDED') return 'CONFIRMED_COMPLETE';
      return options.before === 'FAILED_FINAL' ? 'CONFIRMED_REFUSED' : 'RESULT_UNKNOWN';
    default: {
      const impossible: never = state;
      throw new Error(`bug: unknown execution state ${String(impossible)}`);
    }
  }
}
