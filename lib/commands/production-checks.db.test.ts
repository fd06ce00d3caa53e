import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { appendEvents, signerFixture } from '@/lib/testing/signer-fixture';
import { inspectRole, noticeOfSigner } from './production-checks.mjs';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

describe('the database role of a production start', () => {
  it('may be the app’s or the worker’s; only the worker’s runs jobs', async () => {
    expect(await inspectRole('DATABASE_URL', db.appUrl)).toEqual({ complaints: [], runsJobs: false });
    expect(await inspectRole('DATABASE_WORKER_URL', db.workerUrl)).toEqual({
      complaints: [],
      runsJobs: true,
    });
  });

  it('SC-06 may not be the owner, a superuser, or a member of the owner', async () => {
    for (const url of [db.ownerUrl, db.superuserUrl]) {
      expect((await inspectRole('DATABASE_URL', url)).complaints).toEqual([
        expect.stringContaining('owns the schemas'),
      ]);
    }
    const { role, url } = await db.producer();
    await db.pool('superuser').query(`GRANT onceover_owner TO ${role}`);
    expect((await inspectRole('DATABASE_URL', url)).complaints).toEqual([
      expect.stringContaining('owns the schemas'),
    ]);
  });

  it('SC-06 needs a migrated database that answers', async () => {
    const empty = new URL(db.superuserUrl);
    empty.pathname = '/postgres';
    expect((await inspectRole('DATABASE_URL', empty.href)).complaints.join(' ')).toContain(
      'the database is empty',
    );
    const { complaints } = await inspectRole('DATABASE_URL', 'postgresql://nobody:x@127.0.0.1:1/none');
    expect(complaints).toEqual([expect.stringContaining('cannot be reached')]);
  });
});

describe('the signer of a production start', () => {
  it('SC-06 is missed out loud, until one signs and again when it has gone', async () => {
    expect(await noticeOfSigner(db.appUrl)).toContain('Nobody signs the audit');
    const fixture = signerFixture(db);
    await appendEvents(db, 1);
    await fixture.sign();
    expect(await noticeOfSigner(db.appUrl)).toBeNull();
    await db.advanceClock('121 seconds');
    expect(await noticeOfSigner(db.appUrl)).toContain('npm run audit:signer');
    fixture.remove();
  });
});
