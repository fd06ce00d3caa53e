import type pg from 'pg';
import type { Pool } from './pool';
import { isUnreachable, SQLSTATE, sqlstateOf } from './sqlstate';

// The ladder of lib/db/transaction.ts: lock 2 s < statement 5 s; the wait for a connection comes on top, below 10 s.
const LIMITS = `set lock_timeout = '2000ms'; set statement_timeout = '5000ms'`;
const BACKOFF_BASE_MS = 20;
const BACKOFF_CAP_MS = 250;
/** Runs at most, by what went wrong. Two waits for a connection stay below 5 s, the bound of an answer. */
const RUNS = { conflict: 4, busy: 2, lost: 2 } as const;

export interface StatementOptions {
  /** Whether running it twice is the same as once; only then is it repeated when the answer was lost. */
  readonly repeatable: boolean;
}

/**
 * One statement in autocommit: one round trip. Repeated within bounds when it left nothing behind (serialization
 * failure, deadlock, no free connection), and on a lost connection when it is repeatable.
 */
export async function statement<Row extends pg.QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
  options: StatementOptions,
): Promise<pg.QueryResult<Row>> {
  for (let run = 1; ; run += 1) {
    try {
      return await runOnce<Row>(pool, text, values);
    } catch (error) {
      const trouble = troubleOf(error, options.repeatable);
      if (trouble === null || run >= RUNS[trouble]) throw error;
      await pause(Math.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** run));
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function troubleOf(error: unknown, repeatable: boolean): keyof typeof RUNS | null {
  const state = sqlstateOf(error);
  if (state === SQLSTATE.serializationFailure || state === SQLSTATE.deadlockDetected) return 'conflict';
  // A lock timeout is not waited for again: a statement that waits keeps a connection from everybody else.
  if (isPoolTimeout(error)) return 'busy';
  return repeatable && wasSent(error) && isUnreachable(error) ? 'lost' : null;
}

/** No connection came free, or a new one was not ready in time. Neither has a code. */
function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && POOL_TIMEOUTS.includes(error.message);
}

const POOL_TIMEOUTS = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
];

// Connections whose session has the limits. A pool's own settings cannot carry them: poolers refuse them at connect.
const limited = new WeakSet<pg.PoolClient>();
const sent = new WeakSet<object>();

const wasSent = (error: unknown) => typeof error === 'object' && error !== null && sent.has(error);

async function runOnce<Row extends pg.QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // An error without a listener, while the answer is awaited, would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    if (!limited.has(client)) {
      await client.query(LIMITS);
      limited.add(client);
    }
    return await client.query<Row>(text, [...values]);
  } catch (error) {
    if (typeof error === 'object' && error !== null) sent.add(error);
    if (isUnreachable(error))
      broken ??= error instanceof Error ? error : new Error('connection lost', { cause: error });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
