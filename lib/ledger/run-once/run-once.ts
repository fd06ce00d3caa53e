import { DelegateBackoff, fullJitterGenerator, handleType, retry } from 'cockatiel';
import { OutcomeUnknownError, TransactionTimeoutError } from '@/lib/db/transaction';
import type { EffectResult } from '../client/types';
import { arrivalOf } from './arrival';
import type { Bounds, RunOnceDatabase } from './database';
import { answerToFailure, isPassing, NoRunsLeft, Passing } from './failures';
import { oneRun } from './one-run';
import type { RunOnceOptions, RunOnceOutcome, RunOnceRequest, RunOnceWork } from './types';

const DEFAULTS = {
  maxAttempts: 3,
  deadlineMs: 30_000,
  baseDelayMs: 50,
  maxDelayMs: 1_000,
  isolation: 'READ COMMITTED',
} as const satisfies Required<RunOnceOptions>;

/** Transactions beyond the allowed runs that only read what became of an unanswered COMMIT. */
const READINGS = 3;

/**
 * Claims the key, makes the business change and records its result in one transaction of the program's own database
 * . An expected "no" is a returned value. What the work throws, other than `FinalRefusal`, rolls everything back
 * and is thrown on; transient errors of the database repeat the whole within bounds.
 */
export async function runOnce<Tx, Result extends EffectResult>(
  database: RunOnceDatabase<Tx>,
  request: RunOnceRequest,
  work: RunOnceWork<Tx, Result>,
  options: RunOnceOptions = {},
): Promise<RunOnceOutcome<Result>> {
  const { maxAttempts, deadlineMs, baseDelayMs, maxDelayMs, isolation } = { ...DEFAULTS, ...options };
  const arrival = arrivalOf(request);
  const startedAt = performance.now();
  const msLeft = () => deadlineMs - (performance.now() - startedAt);
  const bounds: Bounds = { msLeft, commitMs: () => Math.max(1, msLeft() / 2), isolation };
  const timeOver = new AbortController();
  const timer = setTimeout(() => timeOver.abort(new TransactionTimeoutError('the time is over')), deadlineMs);

  let tries = 0;
  let runs = 0;
  let unanswered: RunOnceOutcome<Result> | null = null;
  const once = async (): Promise<RunOnceOutcome<Result>> => {
    if (msLeft() <= 0) throw new TransactionTimeoutError('the time is over');
    tries += 1;
    let reached: RunOnceOutcome<Result> | null = null;
    const beforeWork = () => {
      // The claim is ours, so no earlier COMMIT of ours has arrived.
      unanswered = null;
      if (runs >= maxAttempts) throw new NoRunsLeft(`the work was run ${runs} times`);
      runs += 1;
    };
    const run = { arrival, work, signal: timeOver.signal, unanswered, beforeWork };
    try {
      return await database.transaction(bounds, async (open) => (reached = await oneRun(open, bounds, run)));
    } catch (error) {
      if (error instanceof OutcomeUnknownError) unanswered = reached;
      else if (!isPassing(error)) throw error;
      throw new Passing('the transaction did not get through', { cause: error });
    }
  };

  const repeated = retry(
    // Whether time is left is asked by the next try itself.
    handleType(Passing, () => unanswered !== null || tries < maxAttempts),
    {
      maxAttempts: maxAttempts - 1 + READINGS,
      backoff: new DelegateBackoff((_, state: number | undefined) => {
        const bound = {
          initialDelay: baseDelayMs,
          maxDelay: maxDelayMs,
          exponent: 2,
          generator: fullJitterGenerator,
        };
        const [delay, next] = fullJitterGenerator(state, bound);
        return { delay: Math.max(0, Math.min(delay, msLeft())), state: next };
      }),
    },
  );
  try {
    return await repeated.execute(once);
  } catch (error) {
    return answerToFailure(error, { tries, isOver: msLeft() <= 0, isUnanswered: unanswered !== null });
  } finally {
    clearTimeout(timer);
  }
}
