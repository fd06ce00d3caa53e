import type { FingerprintPolicy } from '@/lib/domain/fingerprint';
import type {
  DuplicateHeld,
  EffectResult,
  OnceOutcome,
  Refused,
  Replayed,
  ResultReused,
} from '../client/types';
import type { FinalRefusal } from '../client/effect-errors';
import type { ClaimFields, Execution, JsonValue } from '../client/wire';

/** Exactly one of the two names the content. All senders of one key must come to the same fingerprint. */
type RunOnceContent =
  | {
      readonly payload: JsonValue;
      /** Which fields of the payload count. Default: all of them, strictly as RFC 8785 has it. */
      readonly policy?: FingerprintPolicy;
      readonly fingerprint?: never;
    }
  /** "sha256:" and 64 hexadecimal digits. */
  | { readonly fingerprint: string; readonly payload?: never; readonly policy?: never };

/** A claim whose effect is a change in the same database; it needs no lease, since nobody sees it before it is done. */
export type RunOnceRequest = Omit<ClaimFields, 'leaseSeconds'> &
  RunOnceContent & {
    /** 1 to 255 visible ASCII characters; names the intent and stays the same on every retransmission. */
    readonly key: string;
    /** Values that people may see with the record, by JSON pointer. */
    readonly displayFields?: Readonly<Record<string, JsonValue>>;
  };

export interface RunOnceOptions {
  /** Runs of the work at most, the first included. Default 3. */
  readonly maxAttempts?: number;
  /** Milliseconds for everything: connection, locks, statements, commit and repetitions. Default 30,000. */
  readonly deadlineMs?: number;
  /** Upper bound of the first wait in milliseconds; it doubles, and each wait is random below it. Default 50. */
  readonly baseDelayMs?: number;
  /** Upper bound of any one wait in milliseconds. Default 1,000. */
  readonly maxDelayMs?: number;
  /** Default READ COMMITTED. */
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
}

/** What the work is told beside its transaction. */
export interface RunOnceContext {
  readonly executionId: string;
  readonly key: string;
  readonly attempt: number;
  readonly attemptId: string;
  readonly fencingToken: string;
  /** Aborts when the time is over and the transaction with it. */
  readonly signal: AbortSignal;
}

/** The business change. It may run several times, each time in a transaction that forgot the one before. */
export type RunOnceWork<Tx, Result extends EffectResult> = (
  tx: Tx,
  context: RunOnceContext,
) => Promise<Result>;

/** Nothing is known to have happened, and nothing of it can be believed to have failed: repeat it with the same key. */
export interface RunOnceUnavailable {
  readonly kind: 'UNAVAILABLE';
  readonly code: 'RETRY_LIMIT_REACHED' | 'RETRY_DEADLINE_EXCEEDED' | 'REQUEST_STATUS_UNCONFIRMED';
  /** Transactions that were begun. */
  readonly tries: number;
  readonly message: string;
  /** What stood in the way at last. */
  readonly cause: unknown;
}

export type RunOnceOutcome<Result extends EffectResult> =
  /** Claim, change and result are committed. */
  | { readonly kind: 'COMPLETED'; readonly execution: Execution; readonly result: Result }
  /**
   * The refusal is committed as the operation's table of codes has it (R-037c), and nothing of the change: of the run that
   * refused. Later ones are `REPLAYED` or `REFUSED`.
   */
  | {
      readonly kind: 'FAILED';
      readonly execution: Execution;
      readonly retryable: boolean;
      readonly refusal: FinalRefusal;
    }
  /** Committed, but the ledger does not believe the result or the refusal: people settle it. */
  | Pick<
      Extract<OnceOutcome, { kind: 'IN_DOUBT' }> & { readonly execution: Execution },
      'kind' | 'executionId' | 'execution' | 'message'
    >
  | Replayed
  | ResultReused
  | Omit<DuplicateHeld, 'statusUrl'>
  | Refused
  | RunOnceUnavailable;
