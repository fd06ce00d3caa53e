import { setTimeout as moment } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  bulkJobFixture,
  FASTEST,
  jobIdOf,
  manyPayments,
  type BulkJobFixture,
} from '@/lib/testing/bulk-job-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { SECRET } from '@/lib/testing/lookup-fixture';
import { startProgram } from '@/lib/testing/program';
import type { LookingContext } from '../desk-context';

/** The acceptance's 5,000 take minutes at a connector's fastest rate: `verify:full` has them, each change a part. */
const ROWS = process.env['TEST_POSTGRES'] === undefined ? 150 : 5_000;
const WAITS = { timeout: 240_000, interval: 50 };

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

const worker = (jobId: string) => startProgram('run-bulk-job', { url: db.workerUrl, jobId, secret: SECRET });
const count = async (sql: string, values: unknown[]) =>
  Number((await db.pool('superuser').query<{ count: string }>(sql, values)).rows[0]!.count);

it('R-053h a bulk look-up survives the kill of a worker, pauses and goes on; its sums agree at every moment, each row is done once', async () => {
  const payments = await manyPayments(desk, ROWS);
  desk.answer((request, response) => {
    const reference = new URL(request.url ?? '', 'http://stub').searchParams.get('reference') ?? '';
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items: [desk.payment(reference)] }));
  });
  const jobId = await bulk.started(operator, { act: 'look-up' }, payments, 5);
  const watching = { on: true, seen: 0 };
  const watch = (async () => {
    while (watching.on) {
      await bulk.sums(jobId);
      watching.seen += 1;
      await moment(20);
    }
  })();

  const [first, second] = [worker(jobId), worker(jobId)];
  await vi.waitFor(async () => expect((await bulk.job(jobId))['paused_because']).toBe('CANARY'), WAITS);
  expect(await bulk.sums(jobId)).toMatchObject({ done: 5, pending: ROWS - 5 });
  await Promise.all([first.reaches('begun'), second.reaches('begun')]);
  await Promise.all([first.reaches('stopped'), second.reaches('stopped')]);

  jobIdOf(await bulk.steer(operator, jobId, 'resume'));
  const [third, fourth] = [worker(jobId), worker(jobId)];
  await vi.waitFor(async () => expect((await bulk.sums(jobId)).done).toBeGreaterThan(ROWS / 5), WAITS);
  // Inside a row: it has asked, or is about to keep what it heard.
  await vi.waitFor(
    async () =>
      expect(
        await count(`select count(*) from review.bulk_job_rows where job_id = $1 and taken_at is not null`, [
          jobId,
        ]),
      ).toBeGreaterThan(0),
    { ...WAITS, interval: 1 },
  );
  await third.kill();
  jobIdOf(await bulk.steer(operator, jobId, 'pause'));
  await fourth.reaches('begun');
  await fourth.reaches('stopped');
  const paused = await bulk.sums(jobId);
  expect(paused.pending).toBeGreaterThan(0);

  jobIdOf(await bulk.steer(operator, jobId, 'resume'));
  const fifth = worker(jobId);
  await vi.waitFor(async () => expect((await bulk.sums(jobId)).done).toBeGreaterThan(paused.done), WAITS);
  // What the killed one had taken is free again after a while.
  await db.advanceClock('1 minute');
  await vi.waitFor(async () => expect((await bulk.job(jobId))['state']).toBe('DONE'), WAITS);
  await fifth.reaches('begun');
  watching.on = false;
  await watch;

  expect(await bulk.sums(jobId)).toEqual({ pending: 0, done: ROWS, refused: 0, failed: 0 });
  expect(watching.seen).toBeGreaterThan(10);
  const looks = `from review.lookups where checked_by = $1`;
  expect(await count(`select count(*) ${looks}`, [operator.actor.personId])).toBe(ROWS);
  expect(await count(`select count(distinct exception_id) ${looks}`, [operator.actor.personId])).toBe(ROWS);
  const { rows } = await db.pool('owner').query<{
    event: string;
  }>(`select event from review.audit_events where event like 'bulk.%' order by number`);
  expect(rows.map(({ event }) => event.slice(5))).toEqual([
    ...['prepared', 'started', 'paused', 'resumed', 'paused', 'resumed', 'finished'],
  ]);
}, 300_000);

it('R-053h a worker killed inside a row’s act leaves that row undone, and the next one does it once', async () => {
  const payments = await manyPayments(desk, 12);
  const jobId = await bulk.prepared(
    operator,
    { act: 'assign', assigneeId: operator.actor.personId },
    payments,
  );
  const eighth = (await bulk.rows(jobId))[7]!.exception_id;
  const holder = await db.pool('owner').connect();
  await holder.query('begin');
  await holder.query('select from review.exceptions where exception_id = $1 for update', [eighth]);
  jobIdOf(await bulk.steer(operator, jobId, 'start', { rate: FASTEST, canary: null }));
  const killed = worker(jobId);
  await vi.waitFor(async () => expect((await bulk.sums(jobId)).done).toBe(7), WAITS);
  await vi.waitFor(
    async () =>
      expect(
        await count(
          `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%step_bulk_job%'
             and datname = current_database()`,
          [],
        ),
      ).toBeGreaterThan(0),
    WAITS,
  );
  await killed.kill();
  await holder.query('rollback');
  holder.release();
  expect(await bulk.sums(jobId)).toMatchObject({ done: 7, pending: 5 });
  await vi.waitFor(async () => expect((await bulk.run(jobId)).done).toBe('STOPPED'), WAITS);
  expect(await bulk.sums(jobId)).toEqual({ pending: 0, done: 12, refused: 0, failed: 0 });
  expect(
    await count(
      `select count(*) from review.audit_events where event = 'exception.assigned' and exception_id = any($1::uuid[])`,
      [payments],
    ),
  ).toBe(12);
}, 60_000);

it('R-053h a running job that no worker has touched for half a minute gets one again', async () => {
  const jobId = await bulk.started(operator, { act: 'look-up' }, await manyPayments(desk, 2));
  const planned = () =>
    count(`select count(*) from graphile_worker.jobs where task_identifier = 'bulk-job' and key = $1`, [
      `bulk-job:${jobId}`,
    ]);
  await db.pool('superuser').query(`delete from graphile_worker._private_jobs`);
  expect(await planned()).toBe(0);
  const wake = () => db.pool('worker').query<{ woken: number }>('select review.wake_bulk_jobs() as woken');
  await wake();
  expect(await planned()).toBe(0);
  await db.advanceClock('31 seconds');
  expect((await wake()).rows[0]!.woken).toBeGreaterThan(0);
  expect(await planned()).toBe(1);
});
