import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseTexts, type ErasedSubject } from '@/lib/audit/erase-texts';
import { verifyChain } from '@/lib/audit/verify-chain';
import { bulkJobFixture, FASTEST, jobIdOf, type BulkJobFixture } from '@/lib/testing/bulk-job-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import { testContext } from '@/lib/testing/people';
import type { LookingContext } from '../desk-context';

const CANARY = 'Frau Kim from the corner shop';
let db: TestDatabase;
let desk: DeskFixture;
let bulk: BulkJobFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  bulk = bulkJobFixture(desk);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const deferral = () => ({
  ...{ act: 'defer', until: new Date(Date.now() + 3_600_000).toISOString() },
  ...{ place: `Call ${CANARY}`, reason: `${CANARY} is away.` },
});
const erase = (subject: ErasedSubject) => eraseTexts(db.pool('owner'), testContext, subject, 'DSR-18');
const jobsWith = async (words: string) => {
  const { rows } = await db
    .pool('superuser')
    .query<{ job_id: string }>('select job_id from review.bulk_jobs j where j::text like $1', [`%${words}%`]);
  return rows.map((row) => row.job_id).sort();
};
const settled = (exceptionId: string) =>
  db.pool('superuser').query(
    `begin; set local session_replication_role = replica;
     update review.exceptions set state = 'CLOSED', closed_at = now(), closed_by = 'system:executor', closing = 'EXECUTOR',
       closing_code = 'SETTLED' where exception_id = '${exceptionId}';
     update ledger.executions set state = 'SUCCEEDED' where execution_id = (select execution_id from review.exceptions
       where exception_id = '${exceptionId}'); commit`,
  );
const searched = async (by: LookingContext, key: string) =>
  jobIdOf(
    await bulk.prepare(
      by,
      { act: 'look-up', source: { of: 'filter', address: '?' } },
      { text: key, operations: ['create-payment'] },
    ),
  );

describe('erasing and bulk jobs that have not ended', () => {
  it('R-089l an exception’s erasure takes the words of jobs about it, and of no others', async () => {
    const { exceptionId: gone, key } = await desk.unknownPayment();
    const { exceptionId: stays } = await desk.unknownPayment();
    const preview = await bulk.prepared(operator, deferral(), [gone, stays]);
    const paused = await bulk.started(operator, deferral(), [stays, gone], 1);
    await bulk.run(paused);
    expect(await bulk.job(paused)).toMatchObject({ state: 'PAUSED', done: 1 });
    const search = await searched(operator, key);
    expect(await jobsWith(key)).toEqual([search]);
    const other = await bulk.prepared(operator, deferral(), [stays]);
    await settled(gone);
    expect(await erase({ exception: gone })).toMatchObject({ outcome: 'done' });
    expect(await jobsWith(CANARY)).toEqual([other]);
    expect(await jobsWith(key)).toEqual([]);
    expect(await bulk.job(preview)).toMatchObject({ state: 'ABORTED', pending: 2 });
    expect(await bulk.job(paused)).toMatchObject({ state: 'ABORTED', done: 1, pending: 1 });
    expect(await bulk.job(search)).toMatchObject({ state: 'PREVIEW', words: null });
    await expect(bulk.steer(operator, paused, 'resume').then(({ outcome }) => outcome)).resolves.toBe(
      'refused',
    );
    const { rows: aborted } = await db
      .pool('owner')
      .query<{ job: string }>(
        `select body::jsonb->>'jobId' as job from review.audit_events where event = 'bulk.aborted' order by 1`,
      );
    expect(aborted.map(({ job }) => job)).toEqual([preview, paused].sort());
    expect(await verifyChain(db.pool('signer'))).not.toMatchObject({ kind: 'broken' });
  });

  it('R-089l a person’s erasure takes the words of their own jobs, and words never become others', async () => {
    const kim = await desk.desk();
    const { exceptionId, key } = await desk.unknownPayment();
    const deferring = await bulk.prepared(kim, deferral(), [exceptionId]);
    const search = await searched(kim, key);
    const others = await searched(operator, key);
    expect(await erase({ person: kim.actor.personId })).toMatchObject({ outcome: 'done' });
    expect(await bulk.job(deferring)).toMatchObject({
      state: 'ABORTED',
      params: { until: expect.any(String) },
    });
    expect(await jobsWith(key)).toEqual([others]);
    jobIdOf(await bulk.steer(kim, search, 'start', { rate: FASTEST, canary: null }));
    await expect(
      asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
        client.query(`update review.bulk_jobs set words = 'others' where job_id = $1`, [others]),
      ),
    ).rejects.toMatchObject({ code: 'OA002' });
  });
});
