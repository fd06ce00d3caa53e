import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PoolClient } from 'pg';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePool, type Pool } from './pool';

/** Requests of one run; a printed seed makes them again. */
const REQUESTS = 500;

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const context = (tenant: string, n: number): TransactionContext => ({
  actor: { kind: 'system', id: `system:${tenant}` },
  requestId: `${tenant}-${n}`,
  sourceAddress: null,
});

const WHO = `select current_setting('onceover.actor_id', true) as id, current_setting('onceover.request_id', true) as request`;

/** What the session holds that a caller could have left behind. */
const LEFT = `select name, setting from pg_settings where source = 'session'
  union all select name, current_setting(name, true) from unnest(array['onceover.actor_id', 'onceover.actor_kind',
    'onceover.request_id', 'onceover.source_address', 'onceover.session_id']) name where coalesce(current_setting(name, true), '') <> ''`;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** One request, which ends well, by an error, by its time, or with its connection killed from outside. */
async function request(pool: Pool, tenant: string, n: number, chance: number): Promise<void> {
  const mine = { id: `system:${tenant}`, request: `${tenant}-${n}` };
  const ends = chance < 0.6 ? 'well' : chance < 0.8 ? 'error' : chance < 0.9 ? 'time' : 'kill';
  const work = transaction(
    pool,
    context(tenant, n),
    async (tx) => {
      const { rows } = await tx.query(WHO);
      expect(rows).toEqual([mine]);
      if (ends === 'error') await tx.query('select 1/0');
      if (ends === 'time') await tx.query('select pg_sleep(10)');
      if (ends === 'kill') await tx.query('select pg_terminate_backend(pg_backend_pid())');
      expect((await tx.query(WHO)).rows).toEqual([mine]);
    },
    { limitMs: ends === 'time' ? 20 : 8_000 },
  );
  if (ends === 'well') await work;
  else await expect(work).rejects.toThrow();
}

it.each([1, 2])(
  'AZ-18 two tenants on a pool of %i see only themselves, and leave nothing on any connection',
  async (max) => {
    const seed = Date.now() % 1_000_000;
    const pool = makePool({ connectionString: db.appUrl, name: 'shared', max });
    const random = seeded(seed);
    const queue = Array.from(
      { length: REQUESTS },
      (_, n) => [n % 2 === 0 ? 'north' : 'south', n, random()] as const,
    );
    const lane = async () => {
      for (let next = queue.shift(); next; next = queue.shift())
        await request(pool, next[0], next[1], next[2]).catch((error: unknown) => {
          throw new Error(`seed ${seed}, request ${next?.[1]}`, { cause: error });
        });
    };
    await Promise.all([lane(), lane()]);
    const clients: PoolClient[] = [];
    for (let n = 0; n < max; n += 1) clients.push(await pool.connect());
    for (const client of clients) {
      const { rows } = await client.query(LEFT);
      expect(rows).toEqual([]);
      client.release();
    }
    await pool.end();
  },
  120_000,
);
