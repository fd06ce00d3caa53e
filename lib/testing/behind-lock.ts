import { expect } from 'vitest';
import type { TestDatabase } from './database';

/**
 * Lets calls meet for certain: they start while a lock is held that each of them needs, and go on together once all wait
 * for it. `lock` is a SELECT … FOR UPDATE with its values.
 */
export async function behindLock<T>(
  db: TestDatabase,
  lock: readonly [text: string, values: unknown[]],
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const gate = await db.pool('owner').connect();
  try {
    await gate.query('BEGIN');
    await gate.query(...lock);
    const all = Promise.all(calls.map((call) => call()));
    const waiting = async () => {
      const { rowCount } = await db
        .pool('superuser')
        .query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
      return rowCount;
    };
    await expect.poll(waiting, { interval: 10 }).toBe(calls.length);
    await gate.query('COMMIT');
    return await all;
  } finally {
    gate.release();
  }
}
