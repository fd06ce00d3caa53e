// The shop's tables beside the ledger, its login, and what each of them holds afterwards.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { RunOnceRequest } from '@/lib/ledger/run-once';
import { testDatabase, type TestDatabase } from './database';
import { faultProxy, throughProxy, type FaultProxy } from './fault-proxy';
import { ledgerFixture, NORTH, type LedgerFixture } from './ledger-fixture';

/**
 * Orders have no unique key on purpose: an order taken twice must be seen. A row of `faults` raises its SQLSTATE the
 * first `times` times that an order with its key comes, at the statement or at COMMIT; the count survives rollbacks.
 */
const TABLES = `
  create schema shop;
  create table shop.orders (order_id uuid primary key default gen_random_uuid(), key text not null, amount integer not null);
  create table shop.faults (key text, at text, sqlstate text, times integer, pause_seconds integer not null default 0);
  create sequence shop.strikes;
  create function shop.strike() returns trigger language plpgsql as $$
  declare fault shop.faults;
  begin
    for fault in select * from shop.faults f where f.key = new.key and f.at = tg_argv[0] loop
      perform pg_sleep(fault.pause_seconds);
      if fault.sqlstate is not null and nextval('shop.strikes') <= fault.times then
        raise exception 'struck' using errcode = fault.sqlstate;
      end if;
    end loop;
    return null;
  end $$;
  create trigger at_statement after insert on shop.orders for each row execute function shop.strike('statement');
  create constraint trigger at_commit after insert on shop.orders deferrable initially deferred
    for each row execute function shop.strike('commit');
  grant usage on schema shop to onceover_producer;
  grant select, insert, update, delete on all tables in schema shop to onceover_producer;
  grant usage on sequence shop.strikes to onceover_producer;`;

export interface Fault {
  at: 'statement' | 'commit';
  sqlstate?: string;
  /** Default 1. */
  times?: number;
  pauseSeconds?: number;
}

export interface ShopFixture {
  readonly db: TestDatabase;
  readonly ledger: LedgerFixture;
  /** The shop's login, straight and through the proxy. */
  readonly url: string;
  readonly proxyUrl: string;
  readonly proxy: FaultProxy;
  fault(key: string, fault: Fault): Promise<void>;
  /** What is committed about a key: orders, states, attempts and dispositions, in their order. */
  committed(key: string): Promise<Committed>;
  /** The whole row of a key, so that "nothing changed" means every column. */
  row(key: string): Promise<Record<string, unknown> | undefined>;
  /** Kind and state of each exception of a key. */
  exceptions(key: string): Promise<string[]>;
  /** The time of the record is over, by the database's clock. */
  expire(key: string): Promise<void>;
  /** Gives the record a state that no version of ours knows. */
  makeUnreadable(key: string): Promise<void>;
  /** Until as many sessions of the shop wait for a lock. */
  untilBlocked(sessions: number): Promise<void>;
  /** Until a session of the shop runs a statement that begins so. */
  untilActive(statement: string): Promise<void>;
  /** Until no session of the shop is in a transaction; then no advisory lock may be left either. */
  expectNothingLeft(): Promise<void>;
  close(): Promise<void>;
}

export interface Committed {
  orders: number[];
  states: string[];
  attempts: string[];
  intakes: string[];
}

export const OPERATION = 'take-order';

export const order = (key: string, amount = 100, more: Partial<RunOnceRequest> = {}): RunOnceRequest =>
  ({
    key,
    operation: OPERATION,
    requestId: `request of ${key}`,
    payload: { amount },
    ...more,
  }) as RunOnceRequest;

export async function shopFixture(): Promise<ShopFixture> {
  const db = await testDatabase();
  const ledger = await ledgerFixture(db);
  const { role, url } = await db.producer();
  const owner = db.pool('owner');
  const superuser = db.pool('superuser');
  await superuser.query(TABLES);
  await owner.query('update ledger.principals set login_role = $1 where principal_id = $2', [role, NORTH]);
  const proxy = await faultProxy({ host: '127.0.0.1', port: Number(new URL(url).port) });

  const column = async (text: string, values: unknown[]): Promise<string[]> => {
    const { rows } = await superuser.query<{ value: string }>(text, values);
    return rows.map((row) => row.value);
  };
  const sessions = (condition: string) =>
    column(`select pid::text as value from pg_stat_activity where usename = $1 and ${condition}`, [role]);

  const row: ShopFixture['row'] = async (key) => {
    const text = 'select * from ledger.executions where idempotency_key = $1';
    return (await owner.query<Record<string, unknown>>(text, [key])).rows[0];
  };
  return {
    db,
    ledger,
    row,
    exceptions: async (key) => {
      const id = String((await row(key))?.['execution_id']);
      return (await ledger.exceptions(id)).map(({ kind, state }) => `${kind} ${state}`);
    },
    expire: async (key) => {
      const text = 'update ledger.executions set expires_at = ledger.clock() where idempotency_key = $1';
      await owner.query(text, [key]);
    },
    makeUnreadable: async (key) => {
      await owner.query(`alter table ledger.executions drop constraint if exists executions_state_check;
        alter table ledger.executions disable trigger user;
        update ledger.executions set state = 'ARCHIVED', attempts_spent = 0 where idempotency_key = '${key}';
        alter table ledger.executions enable trigger user`);
    },
    url,
    proxy,
    proxyUrl: throughProxy(url, proxy),
    fault: async (key, { at, sqlstate = null, times = 1, pauseSeconds = 0 }) => {
      await superuser.query(`select setval('shop.strikes', 1, false)`);
      await superuser.query('insert into shop.faults values ($1, $2, $3, $4, $5)', [
        key,
        at,
        sqlstate,
        times,
        pauseSeconds,
      ]);
    },
    committed: async (key) => ({
      orders: (
        await column('select amount::text as value from shop.orders where key = $1 order by amount', [key])
      ).map(Number),
      states: await column('select state as value from ledger.executions where idempotency_key = $1', [key]),
      attempts: await column(
        `select coalesce(a.outcome, 'running') as value from ledger.attempts a join ledger.executions e using (execution_id)
         where e.idempotency_key = $1 order by a.attempt`,
        [key],
      ),
      intakes: await ledger.dispositions(key),
    }),
    untilBlocked: (count) =>
      expect.poll(() => sessions(`wait_event_type = 'Lock'`), { timeout: 10_000 }).toHaveLength(count),
    untilActive: (statement) =>
      expect
        .poll(() => sessions(`state = 'active' and query ilike '${statement}%'`), { timeout: 10_000 })
        .toHaveLength(1),
    expectNothingLeft: async () => {
      await expect.poll(() => sessions(`state <> 'idle'`), { timeout: 15_000 }).toEqual([]);
      const locks = await column(
        `select objid::text as value from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = $1 and locktype = 'advisory'`,
        [db.name],
      );
      expect(locks).toEqual([]);
    },
    close: async () => {
      await proxy.close();
      await db.drop();
    },
  };
}

/** What is committed about a key before its first request, and after it. */
export const NOTHING: Committed = { orders: [], states: [], attempts: [], intakes: [] };
export const ONCE: Committed = {
  orders: [100],
  states: ['SUCCEEDED'],
  attempts: ['SUCCEEDED'],
  intakes: ['CLAIMED'],
};

export const newKey = (): string => `order-${randomUUID()}`;
