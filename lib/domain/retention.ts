// How long a record must be kept: as long as its request can still come again.

/** Seconds, in the order in which one follows the other. */
export interface WaysToArrive {
  /** How long senders retransmit by themselves. */
  readonly retransmissionSeconds: number;
  /** How long a sender can be offline and then go on where it stopped. */
  readonly offlineReturnSeconds: number;
  /** How long people may hand old requests in again. */
  readonly manualReprocessingSeconds: number;
  /** How long the external system refuses a repeated key; null: it does not, or nobody knows. */
  readonly dedupeWindowSeconds: number | null;
  /** How long finding out what happened may take. */
  readonly investigationSeconds: number;
}

export interface LeastRetention {
  readonly seconds: number;
  /** The first way, in their order, that the planned retention ends in the middle of; null: it covers them all. */
  readonly tooShortFor: keyof WaysToArrive | null;
}

/** In the order in which one can begin when the one before has ended. */
export const WAYS_TO_ARRIVE = [
  'retransmissionSeconds',
  'offlineReturnSeconds',
  'manualReprocessingSeconds',
  'dedupeWindowSeconds',
  'investigationSeconds',
] as const satisfies readonly (keyof WaysToArrive)[];

/** The longest chain: each way can begin when the one before has ended. `ledger.least_retention` is the same sum. */
export function leastRetention(ways: WaysToArrive, plannedSeconds: number): LeastRetention {
  let seconds = 0;
  let tooShortFor: keyof WaysToArrive | null = null;
  for (const way of WAYS_TO_ARRIVE) {
    seconds += ways[way] ?? 0;
    if (seconds > plannedSeconds) tooShortFor ??= way;
  }
  return { seconds, tooShortFor };
}
