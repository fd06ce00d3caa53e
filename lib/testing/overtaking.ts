// Two acts that meet: one has done everything but commit while another one begins.
import { expect } from 'vitest';
import { transaction, type Transaction } from '@/lib/db/transaction';
import type { DeskContext } from '@/lib/review/desk-context';
import type { TestDatabase } from './database';

/** Statements in this database that wait for a lock. */
export async function waitingForLocks(db: TestDatabase): Promise<number> {
  const { rowCount } = await db
    .pool('superuser')
    .query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query not like 'select from pg_stat%'`,
    );
  return rowCount ?? 0;
}

/** Until as many statements wait, or until what was begun has ended without waiting. */
export async function untilWaiting(db: TestDatabase, count: number, begun: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = () => (ended = true);
  begun.then(end, end);
  await expect
    .poll(async () => ended || (await waitingForLocks(db)) >= count, { interval: 10, timeout: 10_000 })
    .toBe(true);
}

/** Runs `first` in an open transaction, begins `then` and commits the first one once the second waits or has ended. */
export async function overtaken<T>(
  db: TestDatabase,
  by: Pick<DeskContext, 'context' | 'pool'>,
  first: (tx: Transaction) => Promise<unknown>,
  then: () => Promise<T>,
): Promise<T> {
  const { begun } = await transaction(by.pool, by.context, async (tx) => {
    await first(tx);
    const second = then();
    await untilWaiting(db, 1, second);
    return { begun: second };
  });
  return begun;
}

/** One SQL function of the desk with its input, as the commands call it. */
export const calling = (name: string, input: object) => (tx: Transaction) =>
  tx.query(`select review.${name}($1::jsonb)`, [JSON.stringify(input)]);
