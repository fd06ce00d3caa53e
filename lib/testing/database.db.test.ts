import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from './database';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const clock = async (): Promise<string> => {
  const sql = `SELECT to_char(ledger.clock() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;
  const { rows } = await db.pool('app').query<{ at: string }>(sql);
  return rows[0]?.at ?? '';
};

describe('a test database', () => {
  it('is reached by each role under its own name', async () => {
    for (const role of ['owner', 'app', 'worker', 'signer'] as const) {
      const { rows } = await db.pool(role).query('SELECT current_user AS who, current_database() AS db');
      expect(rows).toEqual([{ who: `onceover_${role}`, db: db.name }]);
    }
  });

  it('lets nobody but the superuser be one, or pass row level security', async () => {
    const sql = `SELECT rolname FROM pg_roles WHERE rolname LIKE 'onceover\\_%' AND (rolsuper OR rolbypassrls OR rolcreatedb)`;
    expect((await db.pool('superuser').query(sql)).rows).toEqual([]);
  });

  it('is a copy of its own', async () => {
    const other = await testDatabase();
    await other.pool('owner').query('CREATE TABLE public.only_here ()');
    await expect(db.pool('owner').query('SELECT FROM public.only_here')).rejects.toMatchObject({
      code: '42P01',
    });
    await other.drop();
  });

  it('stops, moves and releases the ledger clock to the microsecond', async () => {
    await db.setClock('2030-01-02T03:04:05.678901Z');
    expect(await clock()).toBe('2030-01-02T03:04:05.678901Z');
    await db.advanceClock('-1 microsecond');
    expect(await clock()).toBe('2030-01-02T03:04:05.678900Z');
    await db.advanceClock('10 minutes');
    expect(await clock()).toBe('2030-01-02T03:14:05.678900Z');
    await db.setClock(null);
    expect(Math.abs(Date.parse(await clock()) - Date.now())).toBeLessThan(60_000);
    await db.advanceClock('1 day');
    expect(Math.abs(Date.parse(await clock()) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  it('gives programs that write SQL a login role', async () => {
    const { role, url } = await db.producer();
    const client = new (await import('pg')).default.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT session_user AS who, pg_has_role('onceover_producer', 'member') AS member`,
    );
    expect(rows).toEqual([{ who: role, member: true }]);
    await client.end();
  });

  it('lets the worker see the jobs of the library', async () => {
    await db.pool('owner').query(`SELECT graphile_worker.add_job('probe')`);
    const { rows } = await db.pool('worker').query('SELECT task_identifier FROM graphile_worker.jobs');
    expect(rows).toEqual([{ task_identifier: 'probe' }]);
    await expect(db.pool('app').query('SELECT FROM graphile_worker.jobs')).rejects.toMatchObject({
      code: '42501',
    });
  });
});
