import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePool } from './pool';
import { readiness } from './readiness';

let db: TestDatabase;
const latest = readdirSync('prisma/migrations')
  .filter((name) => /^\d/.test(name))
  .sort()
  .at(-1);
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

describe('whether traffic may come', () => {
  it('is not yet while no worker has shown itself, and names what is missing', async () => {
    expect(await readiness(db.pool('app'), latest)).toEqual({
      status: 'not-ready',
      database: true,
      migrations: true,
      worker: false,
    });
  });

  it('is so with a fresh heartbeat, until that is 30 s old', async () => {
    await db.setClock('2026-11-29T10:00:00Z');
    await db.pool('worker').query(`insert into review.worker_heartbeats (worker_id) values ('w-1')`);
    expect((await readiness(db.pool('app'), latest)).status).toBe('ready');
    await db.setClock('2026-11-29T10:00:30Z');
    expect(await readiness(db.pool('app'), latest)).toMatchObject({ status: 'not-ready', worker: false });
    await db.setClock('2026-11-29T10:00:29Z');
  });

  it('is not while a migration of this build is missing, or one has failed', async () => {
    expect(await readiness(db.pool('app'), '29991231000000_not_yet')).toMatchObject({
      status: 'not-ready',
      migrations: false,
    });
    expect(await readiness(db.pool('app'), undefined)).toMatchObject({ status: 'ready', migrations: true });
    await db
      .pool('owner')
      .query(`update public._prisma_migrations set finished_at = null where migration_name = $1`, [latest]);
    expect(await readiness(db.pool('app'), undefined)).toMatchObject({
      status: 'not-ready',
      migrations: false,
    });
  });

  it('is not while the database does not answer, and that is an answer', async () => {
    const nowhere = makePool({
      connectionString: 'postgresql://nobody:x@127.0.0.1:1/none',
      name: 'test',
      max: 1,
    });
    expect(await readiness(nowhere, latest)).toEqual({
      status: 'not-ready',
      database: false,
      migrations: false,
      worker: false,
    });
    await nowhere.end();
  });
});
