// A database of its own for a test file: a copy of the migrated template, made in about 30 ms.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { roleUrl, type TestRole } from './urls';

export type DatabaseRole = 'superuser' | 'owner' | 'app' | 'worker' | 'signer';

const ROLE_OF: Record<DatabaseRole, TestRole> = {
  superuser: 'postgres',
  owner: 'onceover_owner',
  app: 'onceover_app',
  worker: 'onceover_worker',
  signer: 'onceover_signer',
};

export interface TestDatabase {
  name: string;
  superuserUrl: string;
  ownerUrl: string;
  appUrl: string;
  workerUrl: string;
  signerUrl: string;
  /** One pool per role, ended by `drop`. */
  pool: (role: DatabaseRole) => pg.Pool;
  /** Stops `ledger.clock()` at an instant (ISO 8601, to the microsecond); null lets it run with the real time again. */
  setClock: (instant: string | null) => Promise<void>;
  /** Moves the stopped or the running clock on by a PostgreSQL interval, such as `10 minutes`; negative moves back. */
  advanceClock: (interval: string) => Promise<void>;
  /** A new login role for a program that writes SQL, member of onceover_producer; no principal is mapped to it yet. */
  producer: () => Promise<{ role: string; url: string }>;
  drop: () => Promise<void>;
}

const CLOCK = `
  CREATE SCHEMA IF NOT EXISTS testing;
  CREATE TABLE IF NOT EXISTS testing.clock (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    stopped_at timestamptz,
    shift interval NOT NULL DEFAULT '0'
  );
  INSERT INTO testing.clock DEFAULT VALUES ON CONFLICT DO NOTHING;
  CREATE OR REPLACE FUNCTION ledger.clock() RETURNS timestamptz
  LANGUAGE sql VOLATILE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT coalesce(stopped_at, clock_timestamp() + shift) FROM testing.clock $$;
`;

let count = 0;

/** Makes the copy. Call it in `beforeAll` or at the top of a test, and `drop` afterwards. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = `test_${server.key}_${process.pid}_${++count}_${randomBytes(3).toString('hex')}`;
  const admin = new pg.Pool({ connectionString: server.adminUrl, max: 1 });
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${server.template} OWNER onceover_owner`);
  await admin.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await admin.query(
    `GRANT CONNECT ON DATABASE ${name} TO onceover_app, onceover_worker, onceover_signer, onceover_producer`,
  );

  const urlOf = (role: DatabaseRole) => roleUrl(server, ROLE_OF[role], name);
  const pools = new Map<DatabaseRole, pg.Pool>();
  const producers: string[] = [];
  let clockReplaced = false;

  const pool = (role: DatabaseRole): pg.Pool => {
    const present = pools.get(role);
    if (present) return present;
    const made = new pg.Pool({ connectionString: urlOf(role), max: 20 });
    made.on('error', () => undefined); // a test that stops the server breaks idle connections
    pools.set(role, made);
    return made;
  };

  const changeClock = async (sql: string, value: string | null): Promise<void> => {
    if (!clockReplaced) await pool('owner').query(CLOCK);
    clockReplaced = true;
    await pool('owner').query(sql, [value]);
  };

  return {
    name,
    superuserUrl: urlOf('superuser'),
    ownerUrl: urlOf('owner'),
    appUrl: urlOf('app'),
    workerUrl: urlOf('worker'),
    signerUrl: urlOf('signer'),
    pool,
    setClock: (instant) =>
      changeClock(`UPDATE testing.clock SET stopped_at = $1::text::timestamptz, shift = '0'`, instant),
    advanceClock: (interval) =>
      changeClock(
        `UPDATE testing.clock SET stopped_at = stopped_at + $1::interval, shift = shift + $1::interval`,
        interval,
      ),
    producer: async () => {
      const role = `producer_${server.key}_${randomBytes(5).toString('hex')}`;
      const password = randomBytes(16).toString('hex');
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}' IN ROLE onceover_producer`);
      producers.push(role);
      const url = new URL(urlOf('app'));
      url.username = role;
      url.password = password;
      return { role, url: url.href };
    },
    drop: async () => {
      await Promise.all([...pools.values()].map((each) => each.end()));
      await goodbyes(admin, name);
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      for (const role of producers) await admin.query(`DROP ROLE IF EXISTS ${role}`);
      await admin.end();
    },
  };
}

/** Milliseconds; sessions of killed programs do not end by themselves and are ended by the drop. */
const GOODBYE_MS = 2_000;

/**
 * Waits for the sessions that are just ending. A pool's `end` comes back before the server has let its connections go; one
 * that is killed in between reports it to nobody, and the whole run fails with an unhandled error.
 */
async function goodbyes(admin: pg.Pool, name: string): Promise<void> {
  for (const until = performance.now() + GOODBYE_MS; performance.now() < until; await sleep(10)) {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
    if (rowCount === 0) return;
  }
}
