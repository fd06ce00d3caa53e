import { ConstantBackoff, ExponentialBackoff, fullJitterGenerator, handleWhenResult, retry } from 'cockatiel';
import type { ProblemCode } from '../../domain/problem-codes';
import { parseRetryAfter } from '../../domain/retry-after';
import { exchange, type Received, type Sending } from './exchange';
import { readProblem } from './read-problem';
import type { CallOptions, ClientClock, RetryPolicy, Unavailable } from './types';

/** Nothing was done, and the same request may succeed soon. */
const PASSING: readonly ProblemCode[] = [
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'DATABASE_UNAVAILABLE',
  'RETRY_DEADLINE_EXCEEDED',
  'RETRY_LIMIT_REACHED',
  'REQUEST_STATUS_UNCONFIRMED',
];
/** Passes by itself, but may take as long as somebody else's work. */
const WAITABLE: readonly ProblemCode[] = ['REQUEST_IN_PROGRESS', 'SINGLE_EXECUTOR_BUSY', 'OPERATION_PAUSED'];
/** Statuses of gateways that did not let it through to the ledger. */
const GATEWAY: readonly number[] = [429, 502, 503, 504];

export interface Sender {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: ClientClock;
}

type Response = Extract<Received, { kind: 'response' }>;

/** The answer that settles a call, or why there is none. */
export type Settled = Response | Omit<Unavailable, 'statusUrl'>;

/** The library counts and draws; our own clock waits, so that tests and skewed clocks decide what time it is. */
const WITHOUT_TIMER = new ConstantBackoff(0);

interface Tried {
  readonly again: boolean;
  /** What the call answers if this was the last try. */
  readonly settled: Settled;
}

/**
 * Sends until an answer settles the call, within attempts and deadline. Waits by full jitter below a doubling bound, or
 * as long as the server asks; when that is longer than the time left, it stops at once and says so (R-034, B-47).
 */
export async function sendWithRetry(
  sender: Sender,
  sending: Sending,
  policy: RetryPolicy,
  options: Pick<CallOptions, 'signal' | 'wait' | 'persist'>,
): Promise<Settled> {
  const { clock } = sender;
  const { signal } = options;
  const startedAt = clock.now();
  // A clock that steps back must not lengthen the deadline.
  const left = () => policy.deadlineMs - Math.max(0, clock.now() - startedAt);
  const { baseDelayMs: initialDelay, maxDelayMs: maxDelay } = policy;
  let jitter = new ExponentialBackoff({ generator: fullJitterGenerator, initialDelay, maxDelay }).next();
  let before: { readonly settled: Settled; readonly waitMs: number } | undefined;

  const attempt = async (context: { readonly attempt: number }): Promise<Tried> => {
    if (before !== undefined && !(await slept(clock, before.waitMs, signal)))
      return { again: false, settled: stoppedWaiting(before.settled) };
    const timeoutMs = Math.max(1, Math.min(policy.requestTimeoutMs, left()));
    const received = await exchange(sender.fetch, clock, sending, timeoutMs, signal);
    const verdict = judge(received, sending, options);
    if (verdict.kind === 'settled') return { again: false, settled: verdict.response };
    const askedSeconds = retryAfterOf(received, clock);
    const waitMs = waitBefore(jitter.duration, askedSeconds);
    jitter = jitter.next(undefined);
    const tooLong = waitMs >= left();
    const settled = verdict.instead ?? {
      kind: 'UNAVAILABLE',
      reason:
        verdict.kind === 'again' && askedSeconds !== null && askedSeconds * 1000 >= left()
          ? 'RETRY_AFTER_TOO_LONG'
          : verdict.reason,
      code: verdict.code,
      executionId: verdict.executionId,
      sends: context.attempt + 1,
      retryAfterSeconds: askedSeconds,
      message: verdict.message,
    };
    before = { settled, waitMs };
    return { again: verdict.kind === 'again' && !tooLong, settled };
  };
  const bounds = { maxAttempts: policy.maxAttempts - 1, backoff: WITHOUT_TIMER };
  return (await retry(handleWhenResult(isUnsettled), bounds).execute(attempt)).settled;
}

const isUnsettled = (tried: unknown): boolean => (tried as Tried).again;

/** False when the caller stopped waiting. */
function slept(clock: ClientClock, milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  return clock.sleep(milliseconds, signal).then(
    () => true,
    () => false,
  );
}

function stoppedWaiting(settled: Settled): Settled {
  return settled.kind === 'UNAVAILABLE' ? { ...settled, reason: 'ABORTED' } : settled;
}

interface Unsettled {
  /** `again` when the same request may be sent once more. */
  readonly kind: 'again' | 'stop';
  readonly reason: Unavailable['reason'];
  readonly code: ProblemCode | null;
  readonly executionId: string | null;
  readonly message: string;
  /** What is answered when the time is used up, if that is more telling than "unavailable". */
  readonly instead: Response | null;
}

const UNTOLD = { code: null, executionId: null, instead: null } as const;

function judge(
  received: Received,
  { repeatable, isAnswer }: Sending,
  { wait = false, persist = false }: Pick<CallOptions, 'wait' | 'persist'>,
): { kind: 'settled'; response: Response } | Unsettled {
  if (received.kind === 'lost') {
    const passes = received.reason === 'CONNECTION_LOST' || received.reason === 'TIMED_OUT';
    const kind = repeatable && passes ? 'again' : 'stop';
    return { ...UNTOLD, kind, reason: received.reason, message: received.message };
  }
  // A replayed answer is the first run's own, whatever its status and body look like.
  const replayed = received.headers.get('idempotency-replayed') === 'true';
  const isSuccess = received.status >= 200 && received.status < 300;
  if (replayed || (isSuccess && isAnswer?.(received.text) !== false))
    return { kind: 'settled', response: received };
  // Status 0 is how a browser hides a redirect that it was told not to follow.
  if (!isSuccess && received.status < 400) {
    const message = `status ${received.status}: a redirect that is no stored answer is not followed`;
    return { ...UNTOLD, kind: 'stop', reason: 'REDIRECTED', message };
  }
  const problem = readProblem(received.headers, received.text);
  if (problem === null) {
    const kind = repeatable && (persist || GATEWAY.includes(received.status)) ? 'again' : 'stop';
    const message = `status ${received.status} from something that is not the ledger`;
    return { ...UNTOLD, kind, reason: 'NOT_THE_LEDGER', message };
  }
  const { code, detail: message, executionId = null } = problem;
  const kind = repeatable ? 'again' : 'stop';
  const passing = { kind, reason: 'ATTEMPTS_USED', code, executionId, message } as const;
  if (PASSING.includes(code) || (persist && code === 'INTERNAL_ERROR')) return { ...passing, instead: null };
  if (wait && WAITABLE.includes(code)) return { ...passing, instead: received };
  return { kind: 'settled', response: received };
}

function retryAfterOf(received: Received, clock: ClientClock): number | null {
  return received.kind === 'response'
    ? parseRetryAfter(received.headers.get('retry-after'), clock.now())
    : null;
}

/** Milliseconds. What the server asked for comes first; the jitter on top keeps callers from returning all at once. */
function waitBefore(jitterMs: number, askedSeconds: number | null): number {
  return Math.max(1, (askedSeconds ?? 0) * 1000 + jitterMs);
}
