import type { ExecutionState } from './states';

/** Who may move an execution. A person's move is a decision of `lib/review`; `ledger` is the ledger's own finding. */
export const MOVERS = [
  'register',
  'claim',
  'executor',
  'cancel',
  'sweep',
  'person',
  'ledger',
  'retention',
] as const;

export type Mover = (typeof MOVERS)[number];

export interface Transition {
  /** null where a record begins. */
  readonly from: ExecutionState | null;
  readonly to: ExecutionState;
  readonly by: Mover;
}

/**
 * Every move that exists; all others are refused by the database. `ledger.transitions` is the same table in SQL and a
 * test keeps the two equal. Conditions beyond the states (lease over, effect not started, token) belong to the verbs.
 */
export const TRANSITIONS: readonly Transition[] = [
  { from: null, to: 'RECEIVED', by: 'register' },
  { from: null, to: 'RECEIVED', by: 'person' },
  { from: null, to: 'PROCESSING', by: 'claim' },
  { from: 'RECEIVED', to: 'PROCESSING', by: 'claim' },
  { from: 'FAILED_RETRYABLE', to: 'PROCESSING', by: 'claim' },
  { from: 'PROCESSING', to: 'PROCESSING', by: 'claim' },
  { from: 'PROCESSING', to: 'SUCCEEDED', by: 'executor' },
  { from: 'PROCESSING', to: 'FAILED_FINAL', by: 'executor' },
  { from: 'PROCESSING', to: 'FAILED_RETRYABLE', by: 'executor' },
  { from: 'PROCESSING', to: 'UNKNOWN', by: 'executor' },
  { from: 'PROCESSING', to: 'UNKNOWN', by: 'sweep' },
  { from: 'RECEIVED', to: 'FAILED_FINAL', by: 'cancel' },
  { from: 'PROCESSING', to: 'FAILED_FINAL', by: 'cancel' },
  { from: 'PROCESSING', to: 'UNKNOWN', by: 'person' },
  { from: 'PROCESSING', to: 'SUCCEEDED', by: 'person' },
  { from: 'PROCESSING', to: 'FAILED_RETRYABLE', by: 'person' },
  { from: 'PROCESSING', to: 'FAILED_FINAL', by: 'person' },
  { from: 'RECEIVED', to: 'FAILED_FINAL', by: 'person' },
  { from: 'FAILED_RETRYABLE', to: 'FAILED_FINAL', by: 'person' },
  { from: 'FAILED_RETRYABLE', to: 'UNKNOWN', by: 'ledger' },
  { from: 'FAILED_FINAL', to: 'SUCCEEDED', by: 'person' },
  { from: 'UNKNOWN', to: 'SUCCEEDED', by: 'executor' },
  { from: 'UNKNOWN', to: 'SUCCEEDED', by: 'person' },
  { from: 'UNKNOWN', to: 'FAILED_RETRYABLE', by: 'person' },
  { from: 'UNKNOWN', to: 'FAILED_FINAL', by: 'person' },
  { from: 'SUCCEEDED', to: 'EXPIRED', by: 'retention' },
  { from: 'FAILED_FINAL', to: 'EXPIRED', by: 'retention' },
];

export function canMove(from: ExecutionState | null, to: ExecutionState, by: Mover): boolean {
  return TRANSITIONS.some((move) => move.from === from && move.to === to && move.by === by);
}
