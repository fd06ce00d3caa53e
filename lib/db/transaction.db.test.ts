import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePool, type Pool } from './pool';
import {
  OutcomeUnknownError,
  transaction,
  TransactionTimeoutError,
  type TransactionContext,
} from './transaction';

let db: TestDatabase;
let pool: Pool;
const context: TransactionContext = {
  actor: { kind: 'system', id: 'system:test' },
  requestId: 'r-1',
  sourceAddress: '203.0.113.1',
};

beforeAll(async () => {
  db = await testDatabase();
  await db.pool('owner')
    .query(`create table public.notes (id int primary key, text text); insert into public.notes values (1, 'a'), (2, 'a');
    grant select, insert, update, delete on public.notes to onceover_app`);
  pool = makePool({ connectionString: db.appUrl, name: 'test', max: 4 });
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const settings = `select current_setting('onceover.actor_kind', true) as kind, current_setting('onceover.actor_id', true) as id,
  current_setting('onceover.request_id', true) as request, current_setting('onceover.source_address', true) as source,
  current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement, current_setting('transaction_isolation') as isolation`;

/** A door before the database that passes everything until `cutAt` shows up in what a client sends. */
async function faultyDoor(cutAt: string): Promise<{ url: string; close: () => void }> {
  const target = new URL(db.appUrl);
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    let armed = false;
    upstream.on('data', (bytes) => (armed ? client.destroy() : client.write(bytes)));
    client.on('data', (bytes) => {
      // The order passes, its answer does not.
      armed ||= bytes.includes(cutAt);
      upstream.write(bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(db.appUrl);
  url.port = String((server.address() as net.AddressInfo).port);
  return { url: url.href, close: () => server.close() };
}

describe('a transaction', () => {
  it('carries actor, request and source, and leaves nothing of it on the connection', async () => {
    const one = makePool({ connectionString: db.appUrl, name: 'one', max: 1 });
    const inside = await transaction(one, context, (tx) => tx.query(settings));
    expect(inside.rows[0]).toEqual({
      kind: 'system',
      id: 'system:test',
      request: 'r-1',
      source: '203.0.113.1',
      lock: '2s',
      statement: '5s',
      isolation: 'read committed',
    });
    const after = await one.query(settings);
    expect(after.rows[0]).toMatchObject({ kind: '', id: '', request: '', source: '' });
    await one.end();
  });

  it('AZ-18 overwrites a context that somebody left on the session', async () => {
    const one = makePool({ connectionString: db.appUrl, name: 'one', max: 1 });
    await one.query(`set onceover.actor_kind = 'person'; set onceover.actor_id = 'intruder'`);
    expect((await transaction(one, null, (tx) => tx.query(settings))).rows[0]).toMatchObject({
      kind: '',
      id: '',
    });
    await one.end();
  });

  it('rolls back on a throw and gives a clean connection back', async () => {
    await expect(
      transaction(pool, context, async (tx) => {
        await tx.query(`insert into public.notes values (9, 'x')`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await pool.query('select from public.notes where id = 9')).rowCount).toBe(0);
    const { rows } = await db
      .pool('superuser')
      .query(
        `select count(*)::int as open from pg_stat_activity where datname = $1 and state like 'idle in transaction%'`,
        [db.name],
      );
    expect(rows[0]).toEqual({ open: 0 });
  });

  it('says so when a failed statement was swallowed instead of committing nothing in silence', async () => {
    await expect(
      transaction(pool, context, async (tx) => {
        await tx.query('select 1/0').catch(() => undefined);
      }),
    ).rejects.toThrow('bug: a failed statement was swallowed');
  });

  it('AU-07 repeats on a deadlock until both are through', async () => {
    let met = 0;
    const both = new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (met >= 2) {
          clearInterval(timer);
          resolve();
        }
      }, 5);
    });
    const crossing = (first: number, second: number) =>
      transaction(pool, context, async (tx) => {
        await tx.query(`update public.notes set text = text || 'x' where id = $1`, [first]);
        met += 1;
        await both;
        await tx.query(`update public.notes set text = text || 'x' where id = $1`, [second]);
      });
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    expect((await pool.query('select text from public.notes where id in (1, 2)')).rows).toEqual([
      { text: 'axx' },
      { text: 'axx' },
    ]);
  });

  it('does not repeat what cannot succeed', async () => {
    let runs = 0;
    const twice = transaction(pool, context, async (tx) => {
      runs += 1;
      await tx.query(`insert into public.notes values (1, 'again')`);
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
  });

  it('B-14 ends at its limit with nothing kept, a statement in flight included', async () => {
    const late = transaction(
      pool,
      context,
      async (tx) => {
        await tx.query(`insert into public.notes values (10, 'late')`);
        await tx.query('select pg_sleep(3)');
      },
      { limitMs: 200 },
    );
    await expect(late).rejects.toBeInstanceOf(TransactionTimeoutError);
    expect((await pool.query('select from public.notes where id = 10')).rowCount).toBe(0);
  });

  it('B-14 takes no statement after its end', async () => {
    let escaped: { query: (text: string) => Promise<unknown> } | undefined;
    await transaction(pool, context, async (tx) => {
      escaped = tx;
      await tx.query('select 1');
    });
    await expect(escaped?.query(`insert into public.notes values (11, 'escaped')`)).rejects.toThrow(
      'after the end',
    );
  });

  it('R-085a a lost answer to COMMIT is "outcome unknown", and the row may well be there', async () => {
    const door = await faultyDoor('commit');
    const through = makePool({ connectionString: door.url, name: 'faulty', max: 1 });
    const lost = transaction(through, context, (tx) =>
      tx.query(`insert into public.notes values (12, 'kept')`),
    );
    await expect(lost).rejects.toBeInstanceOf(OutcomeUnknownError);
    await expect
      .poll(async () => (await pool.query('select from public.notes where id = 12')).rowCount)
      .toBe(1);
    await through.end();
    door.close();
  });

  it('R-085a a connection lost before COMMIT is no such thing: nothing was kept', async () => {
    const door = await faultyDoor('(13,');
    const through = makePool({ connectionString: door.url, name: 'faulty', max: 1 });
    const lost = transaction(through, context, (tx) =>
      tx.query(`insert into public.notes values (13, 'gone')`),
    );
    await expect(lost).rejects.not.toBeInstanceOf(OutcomeUnknownError);
    expect((await pool.query('select from public.notes where id = 13')).rowCount).toBe(0);
    await through.end();
    door.close();
  });

  it('fails at once when the pool stays full', async () => {
    const one = makePool({ connectionString: db.appUrl, name: 'one', max: 1 });
    const holder = await one.connect();
    await expect(transaction(one, context, (tx) => tx.query('select 1'))).rejects.toThrow('timeout exceeded');
    holder.release();
    await one.end();
  });
});
