/**
 * What the client offers. It needs `fetch` and nothing of Node, so it runs in browsers and edge workers too.
 * An expected "no" is a returned value; only a programming mistake throws.
 */
import type { ProblemCode } from '../../domain/problem-codes';
import type { RepeatedSend } from './effect-fetch';
import type { ReportFault } from './report-fault';
import type {
  CancelBody,
  ClaimBody,
  CompleteBody,
  EffectStartedBody,
  EffectStartedExecution,
  Execution,
  ExecutionPage,
  FailBody,
  HeartbeatBody,
  JsonValue,
  KeylessBody,
  Problem,
  StoredResponse,
  Target,
  UnknownBody,
} from './wire';

/** Time as the client sees it; tests replace it. Instants are milliseconds since 1970. */
export interface ClientClock {
  now(): number;
  /** Resolves after the milliseconds, or rejects with the signal's reason. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Bounds of the client's own retries: `INTERACTIVE`, `BACKGROUND`, or numbers of one's own over the default of five
 * tries in 30 seconds. Only retryable answers and lost connections are repeated.
 */
export interface RetryPolicy {
  /** Sends at most, the first included. */
  readonly maxAttempts: number;
  /** From the first send until giving up, in milliseconds. */
  readonly deadlineMs: number;
  /** Upper bound of the first wait; it doubles with each try, and each wait is random below it. */
  readonly baseDelayMs: number;
  /** Upper bound of any one wait that the server did not ask for. */
  readonly maxDelayMs: number;
  /** Bound of one send, in milliseconds; the server's own request limit is 10,000. */
  readonly requestTimeoutMs: number;
}

export interface LedgerClientOptions {
  /** Origin, with or without a path; `/api/v1` is appended. */
  readonly baseUrl: string;
  /** Bearer token of the principal. */
  readonly token: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Who works, shown to people. Default: a random name per client, because two processes must never share one. */
  readonly owner?: string;
  readonly clock?: ClientClock;
  /** Budget of every call that names none of its own. */
  readonly retry?: Partial<RetryPolicy>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Also wait, within the same bounds, for what passes by itself: an equal request in progress, a busy single executor,
   * a paused operation. Default false: the caller is told at once and decides.
   */
  readonly wait?: boolean;
  /**
   * Also repeat, within the same bounds, what was answered by something else than the ledger or by a fault of its own:
   * for what has happened and has to be stored. Default false.
   */
  readonly persist?: boolean;
}

/** A claim. The key is mandatory: the client has no call that makes an effect without one (B-76). */
export type ClaimRequest = ClaimBody & {
  /** 1 to 255 visible ASCII characters; names the intent and stays the same on every retransmission. */
  readonly key: string;
};

/** The work is ours. */
export interface Claimed {
  readonly kind: 'CLAIMED';
  /** RETRY_SAME_KEY after a retryable failure; SAME_ATTEMPT when the first answer was lost. */
  readonly disposition: 'CLAIMED' | 'RETRY_SAME_KEY' | 'SAME_ATTEMPT';
  readonly executionId: string;
  readonly fencingToken: string;
  readonly attempt: number;
  readonly leaseExpiresAt: string;
  readonly attemptId: string;
}

/** The stored response of the first run, byte for byte. Its status is the stored one, so it may itself be an error. */
export interface Replayed {
  readonly kind: 'REPLAYED';
  readonly executionId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
}

/** Done before, and no response was stored. */
export interface ResultReused {
  readonly kind: 'RESULT_REUSED';
  readonly executionId: string;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
}

/** Somebody else works on the same request. */
export interface DuplicateHeld {
  readonly kind: 'DUPLICATE_HELD';
  readonly executionId: string;
  readonly retryAfterSeconds: number;
  readonly statusUrl: string;
  readonly owner: string | null;
  readonly since: string | null;
  readonly progress: JsonValue;
}

/** An expected "no" with its code. `problem` carries the members that belong to the code. */
export interface Refused {
  readonly kind: 'REFUSED';
  readonly code: ProblemCode;
  readonly executionId: string | null;
  readonly problem: Problem;
}

/**
 * No answer that could be relied on within the retry budget. Nothing may be executed.
 * `statusUrl` says where to ask later: the execution, or the key where no execution is known. Null for keyless reports.
 */
export interface Unavailable {
  readonly kind: 'UNAVAILABLE';
  readonly reason:
    | 'CONNECTION_LOST'
    | 'TIMED_OUT'
    | 'RETRY_AFTER_TOO_LONG'
    | 'ATTEMPTS_USED'
    | 'ABORTED'
    | 'NOT_THE_LEDGER'
    /** A redirect that is no stored answer: the address of the ledger is another one. */
    | 'REDIRECTED'
    /** Longer than any answer of the ledger. */
    | 'ANSWER_TOO_LONG';
  readonly code: ProblemCode | null;
  readonly executionId: string | null;
  readonly sends: number;
  readonly retryAfterSeconds: number | null;
  readonly statusUrl: string | null;
  readonly message: string;
}

export type ClaimAnswer = Claimed | Replayed | ResultReused | DuplicateHeld | Refused | Unavailable;

export type Answer<T> = { readonly kind: 'OK'; readonly value: T } | Refused | Unavailable;

export interface WaitingQuery {
  readonly state: 'RECEIVED' | 'FAILED_RETRYABLE';
  readonly operation?: string;
  /** Only executions that a reissue made. */
  readonly reissued?: boolean;
  /** 1 to 200. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** What the effect of `once` is given. */
export interface EffectContext {
  readonly executionId: string;
  readonly key: string;
  readonly attempt: number;
  readonly attemptId: string;
  readonly fencingToken: string;
  /** Key to hand to an outside system that honours request keys; the same on every retry. */
  readonly externalRequestKey: string;
  /** Aborts when the call may no longer be sent or the lease is lost. Hand it to every outside call. */
  readonly signal: AbortSignal;
  /**
   * The fetch for outside calls, with `signal` built in. One layer alone retries: a second send of the same request in
   * this attempt is refused with `SentAgain`, and then only a result is believed; everything else is in doubt.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Instant (RFC 3339) until which the outside call may be sent. */
  readonly sendBefore: string;
  /** Reports progress with the next heartbeat; also carries the outside system's job id. */
  report(progress: { readonly externalJobId?: string; readonly progress?: JsonValue }): Promise<void>;
}

/** What a finished effect tells. Without `resultId` the execution ends in doubt unless the policy says that none exists. */
export interface EffectResult {
  readonly resultId?: string;
  readonly resultUrl?: string;
  readonly target?: Target;
  readonly response?: StoredResponse;
}

export type OnceOptions = ClaimRequest & {
  readonly signal?: AbortSignal;
  /** Bounds of the claim and of reports other than the result's. */
  readonly retry?: Partial<RetryPolicy>;
  /** As in `CallOptions`, for the claim. */
  readonly wait?: boolean;
  /** How long storing a finished effect's result is tried, in milliseconds. Default 60,000 (B-26). */
  readonly storeDeadlineMs?: number;
  /**
   * Bound of the effect itself in milliseconds. Default: until the lease can no longer be renewed. When less is left
   * before the claim's `deadline`, the effect is not begun.
   */
  readonly effectTimeoutMs?: number;
  /** Asked before `context.fetch` sends the same request once more in one attempt. Default: never. */
  readonly mayRepeat?: (repeated: RepeatedSend) => boolean;
  /** Called after the claim and before the effect is announced; return false to release the claim untouched. */
  readonly beforeEffect?: (claim: Claimed) => boolean | Promise<boolean>;
};

/** `fault` says what of the effect's word the ledger could not take; null when it took everything. */
export type OnceOutcome =
  /** The result is stored. */
  | {
      readonly kind: 'COMPLETED';
      readonly execution: Execution;
      /** False when the effect's response could not be stored (a forbidden header, a value that is not JSON); the result is. */
      readonly responseStored: boolean;
      readonly fault: ReportFault | null;
    }
  /** The failure is stored; `execution.state` tells whether the same key may be tried again. */
  | {
      readonly kind: 'FAILED';
      readonly execution: Execution;
      readonly retryable: boolean;
      readonly fault: ReportFault | null;
    }
  /** The effect may have happened; people or a lookup settle it. `execution` is null when not even that could be stored. */
  | {
      readonly kind: 'IN_DOUBT';
      readonly executionId: string;
      readonly execution: Execution | null;
      readonly statusUrl: string;
      readonly message: string;
      readonly fault: ReportFault | null;
      /**
       * Of an effect that went on when its time was over: what became of the result that it still came to, which is
       * reported like any other; null when it came to none. Never rejects.
       */
      readonly late?: Promise<OnceOutcome | null>;
    }
  /** Somebody else holds the execution now; the effect's result, if any, was kept as a late report. */
  | { readonly kind: 'FENCED'; readonly executionId: string; readonly effectRan: boolean }
  /** Nothing ran: released before the effect. */
  | { readonly kind: 'RELEASED'; readonly executionId: string; readonly execution: Execution | null }
  | Replayed
  | ResultReused
  | DuplicateHeld
  | Refused
  | Unavailable;

export interface LedgerClient {
  readonly owner: string;
  claim(request: ClaimRequest, options?: CallOptions): Promise<ClaimAnswer>;
  /** Makes the record without claiming it; an equal earlier one is answered as it is now. */
  register(request: ClaimRequest, options?: CallOptions): Promise<Answer<Execution>>;
  effectStarted(
    executionId: string,
    body: EffectStartedBody,
    options?: CallOptions,
  ): Promise<Answer<EffectStartedExecution>>;
  heartbeat(executionId: string, body: HeartbeatBody, options?: CallOptions): Promise<Answer<Execution>>;
  complete(executionId: string, body: CompleteBody, options?: CallOptions): Promise<Answer<Execution>>;
  fail(executionId: string, body: FailBody, options?: CallOptions): Promise<Answer<Execution>>;
  reportUnknown(executionId: string, body: UnknownBody, options?: CallOptions): Promise<Answer<Execution>>;
  cancel(executionId: string, body: CancelBody, options?: CallOptions): Promise<Answer<Execution>>;
  get(executionId: string, options?: CallOptions): Promise<Answer<Execution>>;
  find(operation: string, key: string, options?: CallOptions): Promise<Answer<ExecutionPage>>;
  listWaiting(query: WaitingQuery, options?: CallOptions): Promise<Answer<ExecutionPage>>;
  listWorkflow(workflowId: string, options?: CallOptions): Promise<Answer<ExecutionPage>>;
  /** Reports that a request arrived without a key. It protects nothing and is never repeated by itself. */
  keyless(body: KeylessBody, options?: CallOptions): Promise<Answer<{ readonly intakeId: string }>>;
  once(options: OnceOptions, effect: (context: EffectContext) => Promise<EffectResult>): Promise<OnceOutcome>;
  statusUrl(executionId: string): string;
}
