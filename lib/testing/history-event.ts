/** One call as its caller saw it. Times are monotonic milliseconds of one machine. */
export interface HistoryEvent {
  readonly scope: string;
  readonly process: string;
  /** `decision`: a person settled the scope; needed wherever people act, since it explains what no caller did. */
  readonly call: 'claim' | 'effect_started' | 'complete' | 'fail' | 'unknown' | 'decision';
  readonly invokedAt: number;
  /** Null when no answer came: the call may have happened or not, at any time since. */
  readonly returnedAt: number | null;
  /** The token that a claim was given or that a report presented. */
  readonly token?: string | number;
  /** The record's state as answered; of a claim only where the answer tells it. */
  readonly state?: string;
  /** Presented by `complete` or a decision, answered by a replay. */
  readonly resultId?: string | null;
  /** Of a claim: `RESULT_REUSED` for every replay of a success; a replayed refusal has the state `FAILED_FINAL`. */
  readonly disposition?: string;
  /** Of a refusal; absent or null when accepted. */
  readonly code?: string | null;
}
