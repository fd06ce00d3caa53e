import type pg from 'pg';
import type { Pool } from './pool';
import { isUnreachable, SQLSTATE, sqlstateOf } from './sqlstate';

// The ladder of lib/db/transaction.ts: lock 2 s < statement 5 s; the wait for a connection comes on top, below 10 s.
const LIMITS = `set lock_timeout = '2000ms'; set statement_timeout = '5000ms'`;
const ATTEMPTS = 4;
const BACKOFF_BASE_MS = 20;
const BACKOFF_CAP_MS = 250;

export interface StatementOptions {
  /** Whether running it twice is the same as once; only then is it repeated when the answer was lost. */
  readonly repeatable: boolean;
}

/**
 * One statement in autocommit: one round trip. Repeats it on serialization failures and deadlocks, which leave nothing
 * behind, and once on a lost connection when the statement is repeatable; waits for locks only as long as the ladder says.
 */
export async function statement<Row extends pg.QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
  options: StatementOptions,
): Promise<pg.QueryResult<Row>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run<Row>(pool, text, values);
    } catch (error) {
      const lost = attempt === 1 && options.repeatable && wasSent(error) && isUnreachable(error);
      if (attempt >= ATTEMPTS || !(lost || leftNothing(error))) throw error;
      await pause(Math.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt));
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

// Connections whose session has the limits. A pool's own settings cannot carry them: poolers refuse them at connect.
const limited = new WeakSet<pg.PoolClient>();
const sent = new WeakSet<object>();

const wasSent = (error: unknown) => typeof error === 'object' && error !== null && sent.has(error);

function leftNothing(error: unknown): boolean {
  const state = sqlstateOf(error);
  return state === SQLSTATE.serializationFailure || state === SQLSTATE.deadlockDetected;
}

async function run<Row extends pg.QueryResultRow>(
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
