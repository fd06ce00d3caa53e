import type { ProblemCode } from '@/lib/domain/problem-codes';
import { parseRetryAfter } from '@/lib/domain/retry-after';
import { exchange, type Received, type Sending } from './exchange';
import { readProblem } from './read-problem';
import type { CallOptions, ClientClock, RetryPolicy, Unavailable } from './types';

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  deadlineMs: 30_000,
  baseDelayMs: 200,
  maxDelayMs: 10_000,
  requestTimeoutMs: 10_000,
};

/** Nothing was done, and the same request may succeed soon. */
const PASSING: readonly ProblemCode[] = [
  'RATE_LIMITED',
  'DATABASE_UNAVAILABLE',
  'RETRY_DEADLINE_EXCEEDED',
  'RETRY_LIMIT_REACHED',
  'REQUEST_STATUS_UNCONFIRMED',
];
/** Passes by itself, but may take as long as somebody else's work. */
const WAITABLE: readonly ProblemCode[] = ['REQUEST_IN_PROGRESS', 'SINGLE_EXECUTOR_BUSY', 'OPERATION_PAUSED'];
/** Statuses of gateways that could not reach the ledger. */
const GATEWAY: readonly number[] = [502, 503, 504];

export interface Sender {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: ClientClock;
  /** In [0, 1). */
  readonly random: () => number;
}

type Response = Extract<Received, { kind: 'response' }>;

/** The answer that settles a call, or why there is none. */
export type Settled = Response | Omit<Unavailable, 'statusUrl'>;

/**
 * Sends until an answer settles the call, within attempts and deadline. Waits by full jitter below a doubling bound, or
 * as long as the server asks; when that is longer than the time left, it stops at once and says so (R-034, B-47).
 */
export async function sendWithRetry(
  sender: Sender,
  sending: Sending,
  policy: RetryPolicy,
  options: Pick<CallOptions, 'signal' | 'wait'>,
): Promise<Settled> {
  const { clock } = sender;
  const startedAt = clock.now();
  // A clock that steps back must not lengthen the deadline.
  const left = () => policy.deadlineMs - Math.max(0, clock.now() - startedAt);
  for (let sends = 1; ; sends += 1) {
    const timeoutMs = Math.max(1, Math.min(policy.requestTimeoutMs, left()));
    const received = await exchange(sender.fetch, clock, sending, timeoutMs, options.signal);
    const verdict = judge(received, sending.repeatable, options.wait === true);
    if (verdict.kind === 'settled') return verdict.response;

    const askedSeconds = retryAfterOf(received, clock);
    const waitMs = waitBefore(sends, askedSeconds, policy, sender.random);
    const tooLong = waitMs >= left();
    if (verdict.kind === 'again' && !tooLong && sends < policy.maxAttempts) {
      const slept = await clock.sleep(waitMs, options.signal).then(
        () => true,
        () => false,
      );
      if (slept) continue;
    }
    if (verdict.instead !== null) return verdict.instead;
    const cannotWait = verdict.kind === 'again' && tooLong && askedSeconds !== null;
    return {
      kind: 'UNAVAILABLE',
      reason:
        options.signal?.aborted === true ? 'ABORTED' : cannotWait ? 'RETRY_AFTER_TOO_LONG' : verdict.reason,
      code: verdict.code,
      sends,
      retryAfterSeconds: askedSeconds,
      message: verdict.message,
    };
  }
}

interface Unsettled {
  /** `again` when the same request may be sent once more. */
  readonly kind: 'again' | 'stop';
  readonly reason: Unavailable['reason'];
  readonly code: ProblemCode | null;
  readonly message: string;
  /** What is answered when the time is used up, if that is more telling than "unavailable". */
  readonly instead: Response | null;
}

function judge(
  received: Received,
  repeatable: boolean,
  wait: boolean,
): { kind: 'settled'; response: Response } | Unsettled {
  if (received.kind === 'lost') {
    const kind = repeatable && received.reason !== 'ABORTED' ? 'again' : 'stop';
    return { kind, reason: received.reason, code: null, message: received.message, instead: null };
  }
  // A replayed answer is the first run's own, whatever its status and body look like.
  const replayed = received.headers.get('idempotency-replayed') === 'true';
  if (replayed || received.status < 400) return { kind: 'settled', response: received };
  const problem = readProblem(received.headers, received.text);
  if (problem === null) {
    const kind = repeatable && GATEWAY.includes(received.status) ? 'again' : 'stop';
    const message = `status ${received.status} from something that is not the ledger`;
    return { kind, reason: 'NOT_THE_LEDGER', code: null, message, instead: null };
  }
  const { code, detail: message } = problem;
  // Refused before anything was stored, so even an unrepeatable call may be sent again.
  if (PASSING.includes(code)) return { kind: 'again', reason: 'ATTEMPTS_USED', code, message, instead: null };
  if (wait && WAITABLE.includes(code))
    return { kind: 'again', reason: 'ATTEMPTS_USED', code, message, instead: received };
  return { kind: 'settled', response: received };
}

function retryAfterOf(received: Received, clock: ClientClock): number | null {
  return received.kind === 'response'
    ? parseRetryAfter(received.headers.get('retry-after'), clock.now())
    : null;
}

/** Milliseconds. What the server asked for comes first; jitter on top keeps callers from returning all at once. */
function waitBefore(
  sends: number,
  askedSeconds: number | null,
  policy: RetryPolicy,
  random: () => number,
): number {
  const bound = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** Math.min(sends - 1, 30));
  if (askedSeconds === null || askedSeconds === 0) return Math.max(1, random() * bound);
  return askedSeconds * 1000 + random() * Math.min(bound, policy.baseDelayMs);
}
