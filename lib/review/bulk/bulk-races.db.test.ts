import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { behindLock } from '@/lib/testing/behind-lock';
import {
  bulkJobFixture,
  FASTEST,
  jobIdOf,
  manyPayments,
  type BulkJobFixture,
} from '@/lib/testing/bulk-job-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import type { LookingContext } from '../desk-context';

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

const act = () => ({ act: 'assign', assigneeId: operator.actor.personId });
const lockOf = (jobId: string): readonly [string, unknown[]] => [
  'select from review.bulk_jobs where job_id = $1 for update',
  [jobId],
];
const step = (jobId: string) =>
  asActor(db.pool('worker'), { kind: 'system', id: 'system:worker' }, async (client) => {
    const { rows } = await client.query<{ step: { outcome: string } }>(
      'select review.step_bulk_job($1) as step',
      [jobId],
    );
    return rows[0]!.step.outcome;
  });
const assigned = async (exceptionIds: readonly string[]) => {
  const { rows } = await db.pool('owner').query<{
    count: number;
  }>(`select count(*)::integer as count from review.audit_events where event = 'exception.assigned' and exception_id = any($1::uuid[])`, [exceptionIds]);
  return rows[0]!.count;
};
const told = (answer: { outcome: string; code?: string }) => answer.code ?? answer.outcome;

it.each([1, 2, 3, 4])('R-053i %i: a pause or an end meets a row, and either comes first', async (round) => {
  const payments = await manyPayments(desk, 2);
  const jobId = await bulk.started(operator, act(), payments);
  await step(jobId);
  const way = round % 2 === 0 ? 'pause' : 'abort';
  const calls: (() => Promise<string>)[] = [
    () => step(jobId),
    async () => told(await bulk.steer(operator, jobId, way)),
  ];
  if (round > 2) calls.reverse();
  const answers = await behindLock(db, lockOf(jobId), calls);
  expect(answers).toContain('done');
  const sums = await bulk.sums(jobId);
  expect(await assigned(payments)).toBe(sums.done);
  expect(answers).toContain(sums.done === 2 ? 'row' : 'stopped');
  expect(await step(jobId)).toBe('stopped');
  expect(await bulk.sums(jobId)).toEqual(sums);
});

it('R-053i a pause meets the finish: the job is done, or paused with nothing left and done when it goes on', async () => {
  const payments = await manyPayments(desk, 1);
  const jobId = await bulk.started(operator, act(), payments);
  await step(jobId);
  const answers = await behindLock<string>(db, lockOf(jobId), [
    () => step(jobId),
    async () => told(await bulk.steer(operator, jobId, 'pause')),
  ]);
  const { state } = await bulk.job(jobId);
  expect(answers[1]).toBe(state === 'DONE' ? 'JOB_ENDED' : 'done');
  if (state === 'PAUSED') {
    jobIdOf(await bulk.steer(operator, jobId, 'resume'));
    await step(jobId);
  }
  expect(await bulk.job(jobId)).toMatchObject({ state: 'DONE', done: 1, pending: 0 });
});

it('R-053i of two that have it go on, one does and the other is told', async () => {
  const jobId = await bulk.started(operator, act(), await manyPayments(desk, 3));
  jobIdOf(await bulk.steer(operator, jobId, 'pause'));
  const answers = await behindLock(
    db,
    lockOf(jobId),
    [1, 2].map(() => async () => told(await bulk.steer(operator, jobId, 'resume'))),
  );
  expect(answers.sort()).toEqual(['JOB_NOT_PAUSED', 'done']);
});

it('R-053i workers that run one job at once do each row once', async () => {
  const payments = await manyPayments(desk, 60);
  const jobId = await bulk.started(operator, act(), payments);
  await Promise.all([bulk.run(jobId), bulk.run(jobId), bulk.run(jobId)]);
  expect(await bulk.sums(jobId)).toEqual({ pending: 0, done: 60, refused: 0, failed: 0 });
  expect(await assigned(payments)).toBe(60);
  expect(
    (await desk.audit({})).filter(({ event, body }) => event === 'bulk.finished' && body['jobId'] === jobId),
  ).toHaveLength(1);
});

it('R-053i an asker whose time is over keeps nothing, and neither does one of an ended job', async () => {
  const ask = async (jobId: string) =>
    asActor(db.pool('worker'), { kind: 'system', id: 'system:worker' }, async (client) => {
      const { rows } = await client.query<{ step: { outcome: string; rowNumber: number; lease: number } }>(
        'select review.step_bulk_job($1) as step',
        [jobId],
      );
      return rows[0]!.step;
    });
  const held = (jobId: string, row: number, lease: number) =>
    asActor(db.pool('worker'), { kind: 'system', id: 'system:worker' }, async (client) => {
      const { rows } = await client.query<{ held: boolean }>(
        'select review.hold_bulk_row($1, $2, $3) as held',
        [jobId, row, lease],
      );
      return rows[0]!.held;
    });
  const jobId = await bulk.started(operator, { act: 'look-up' }, await manyPayments(desk, 1));
  const first = await ask(jobId);
  expect(first).toMatchObject({ outcome: 'ask', rowNumber: 1 });
  expect((await ask(jobId)).outcome).toBe('taken');
  await db.advanceClock('46 seconds');
  const second = await ask(jobId);
  expect(second).toMatchObject({ outcome: 'ask', rowNumber: 1 });
  expect(await held(jobId, 1, first.lease)).toBe(false);
  expect(await held(jobId, 1, second.lease)).toBe(true);
  jobIdOf(await bulk.steer(operator, jobId, 'abort'));
  expect(await held(jobId, 1, second.lease)).toBe(false);
});

it('R-053i an answer that comes after the job was ended is not kept', async () => {
  const payments = await manyPayments(desk, 1);
  const heard = new Promise<() => void>((resolve) =>
    desk.answer((_request, response) =>
      resolve(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": []}')),
    ),
  );
  const jobId = await bulk.started(operator, { act: 'look-up' }, payments);
  const run = bulk.run(jobId);
  const answer = await heard;
  jobIdOf(await bulk.steer(operator, jobId, 'abort'));
  answer();
  expect(await run).toMatchObject({ done: 'STOPPED' });
  const { rows } = await db
    .pool('owner')
    .query('select from review.lookups where exception_id = any($1::uuid[])', [payments]);
  expect(rows).toHaveLength(0);
  expect(await bulk.sums(jobId)).toMatchObject({ pending: 1, done: 0 });
});

it('R-053i rows go out at the job’s rate, whichever worker takes them', async () => {
  const jobId = await bulk.prepared(operator, act(), await manyPayments(desk, 4));
  jobIdOf(await bulk.steer(operator, jobId, 'start', { rate: 1, canary: null }));
  expect(await step(jobId)).toBe('row');
  expect(await step(jobId)).toBe('wait');
  await db.advanceClock('1 second');
  expect(await step(jobId)).toBe('row');
  jobIdOf(await bulk.steer(operator, jobId, 'change-rate', { rate: 200 }));
  await db.advanceClock('10 milliseconds');
  expect(await step(jobId)).toBe('row');
});

it('R-053j no writer changes what a job is about, its sums, or a row that has its outcome', async () => {
  const jobId = await bulk.started(operator, act(), await manyPayments(desk, 2));
  await step(jobId);
  const asOwner = (sql: string) =>
    asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) => client.query(sql));
  const job = `where job_id = '${jobId}'`;
  const other = (await manyPayments(desk, 1))[0]!;
  for (const sql of [
    `update review.bulk_jobs set act = 'look-up' ${job}`,
    `update review.bulk_jobs set done = 2, pending = 0 ${job}`,
    `update review.bulk_jobs set state = 'DONE', ended_at = now() ${job}`,
    `update review.bulk_jobs set state = 'PREVIEW' ${job}`,
    `update review.bulk_job_rows set exception_version = 7 ${job}`,
    `update review.bulk_job_rows set state = 'PENDING', ended_at = null ${job} and state = 'DONE'`,
    `update review.bulk_job_rows set state = 'FAILED', code = 'x' ${job} and state = 'DONE'`,
    `delete from review.bulk_job_rows ${job}`,
    `delete from review.bulk_jobs ${job}`,
    `insert into review.bulk_job_rows (job_id, row_number, exception_id, exception_version) values ('${jobId}', 3, '${other}', 1)`,
    `insert into review.bulk_jobs (tenant_id, act, params, matched, row_count, pending, started_by, operation_id, prepared_at)
       values ('tenant-north', 'assign', '{}', 1, 1, 1, '${operator.actor.personId}', '${randomUUID()}', now())`,
  ])
    await expect(asOwner(sql), sql).rejects.toThrow();
  expect(await bulk.sums(jobId)).toEqual({ pending: 1, done: 1, refused: 0, failed: 0 });
});

it('R-053j what people wrote goes from a job when it ends', async () => {
  const { rows } = await db
    .pool('owner')
    .query<{ at: string }>(`select ledger.instant(ledger.clock() + interval '1 hour') as at`);
  const deferral = { act: 'defer', until: rows[0]!.at, place: 'Frau Kim’s console', reason: 'She asked.' };
  for (const end of ['run', 'abort'] as const) {
    const jobId = await bulk.started(operator, deferral, await manyPayments(desk, 1));
    expect((await bulk.job(jobId))['params']).toMatchObject({ place: 'Frau Kim’s console' });
    if (end === 'run') await bulk.run(jobId);
    else await bulk.steer(operator, jobId, 'abort');
    expect(JSON.stringify(await bulk.job(jobId))).not.toMatch(/Kim|asked/);
  }
});

it('R-053i what has ended goes on by no step, and every step says so', async () => {
  const jobId = await bulk.started(operator, act(), await manyPayments(desk, 1));
  jobIdOf(await bulk.steer(operator, jobId, 'abort'));
  const steps = [
    await bulk.steer(operator, jobId, 'start', { rate: FASTEST, canary: null }),
    await bulk.steer(operator, jobId, 'pause'),
    await bulk.steer(operator, jobId, 'resume'),
    await bulk.steer(operator, jobId, 'abort'),
    await bulk.steer(operator, jobId, 'change-rate', { rate: FASTEST }),
  ];
  expect(steps.map(told)).toEqual(steps.map(() => 'JOB_ENDED'));
  expect(await bulk.job(jobId)).toMatchObject({ state: 'ABORTED', pending: 1 });
});
