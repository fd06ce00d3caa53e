import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkJobFixture, FASTEST, jobIdOf, type BulkJobFixture } from '@/lib/testing/bulk-job-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor, SOUTH } from '@/lib/testing/ledger-fixture';
import { assignException } from '../assign-exception';
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

const payments = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await desk.unknownPayment()).exceptionId);
  return ids;
};
const assignee = () => ({ act: 'assign', assigneeId: operator.actor.personId });
const states = async (jobId: string) =>
  (await bulk.rows(jobId)).map((row) => (row.code === null ? row.state : `${row.state} ${row.code}`));

describe('R-053f a bulk act is a stored job over a frozen list', () => {
  it('R-053f all that a filter finds is frozen with the versions seen, and nothing happens before the start', async () => {
    const operation = `frozen-${randomUUID()}`;
    await desk.ledger.policy(operation, {});
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await desk.unknownPayment({ operation })).exceptionId);
    const before = await desk.everything();
    const answer = await bulk.prepare(
      operator,
      { ...assignee(), source: { of: 'filter', address: '?operation=frozen' } },
      { operations: [operation] },
    );
    const jobId = jobIdOf(answer);
    const after = await desk.everything();
    expect({ ...after, 'review.audit_events': null }).toEqual({ ...before, 'review.audit_events': null });
    expect((await bulk.rows(jobId)).map((row) => row.exception_id).sort()).toEqual(ids.sort());
    expect(await bulk.job(jobId)).toMatchObject({
      state: 'PREVIEW',
      matched: 3,
      row_count: 3,
      pending: 3,
      filter: '?operation=frozen',
      tenant_id: 'tenant-north',
    });
    // Who comes later is not of it.
    const late = (await desk.unknownPayment({ operation })).exceptionId;
    jobIdOf(await bulk.steer(operator, jobId, 'start', { rate: FASTEST, canary: null }));
    expect(await bulk.run(jobId)).toMatchObject({ done: 'STOPPED', rows: 3 });
    expect(await states(jobId)).toEqual(['DONE', 'DONE', 'DONE']);
    expect((await desk.audit({ exceptionId: late })).map(({ event }) => event)).not.toContain(
      'exception.assigned',
    );
    expect(await bulk.job(jobId)).toMatchObject({ state: 'DONE', done: 3, pending: 0 });
  });

  it('R-053f R-049e the preview tells what would be refused and why, each row is judged anew, and the starter hears of the end', async () => {
    const [fine, gone, moved] = await payments(3);
    const stale = { exceptionId: moved!, exceptionVersion: '999' };
    await db.pool('superuser').query(
      `begin; set local session_replication_role = replica;
       update review.exceptions set state = 'CLOSED', closed_at = now(), closed_by = 'system:executor', closing = 'EXECUTOR',
         closing_code = 'SETTLED' where exception_id = '${gone!}'; commit`,
    );
    const rows = [
      { exceptionId: fine!, exceptionVersion: await bulk.versionOf(fine!) },
      { exceptionId: gone!, exceptionVersion: await bulk.versionOf(gone!) },
      stale,
    ];
    const jobId = jobIdOf(await bulk.prepare(operator, { ...assignee(), source: { of: 'rows', rows } }));
    expect((await bulk.rows(jobId)).map((row) => row.foreseen)).toEqual([
      null,
      'EXCEPTION_CLOSED',
      'CHANGED_SINCE_SEEN',
    ]);
    jobIdOf(await bulk.steer(operator, jobId, 'start', { rate: FASTEST, canary: null }));
    await bulk.run(jobId);
    expect(await states(jobId)).toEqual(['DONE', 'REFUSED EXCEPTION_CLOSED', 'REFUSED CHANGED_SINCE_SEEN']);
    expect(await bulk.sums(jobId)).toEqual({ pending: 0, done: 1, refused: 2, failed: 0 });
    const { rows: told } = await db
      .pool('owner')
      .query(`SELECT person_id, reason FROM review.notifications WHERE job_id = $1`, [jobId]);
    expect(told).toEqual([{ person_id: operator.actor.personId, reason: 'JOB_FINISHED' }]);
  });

  it('R-053f the same form sent twice at once is one job', async () => {
    const rows = await Promise.all(
      (await payments(2)).map(async (exceptionId) => ({
        exceptionId,
        exceptionVersion: await bulk.versionOf(exceptionId),
      })),
    );
    const form = { ...assignee(), operationId: randomUUID(), source: { of: 'rows', rows } };
    const [a, b] = await Promise.all([bulk.prepare(operator, form), bulk.prepare(operator, form)]);
    expect(jobIdOf(a)).toBe(jobIdOf(b));
    const start = { rate: FASTEST, canary: null, operationId: randomUUID() };
    const starts = await Promise.all([
      bulk.steer(operator, jobIdOf(a), 'start', start),
      bulk.steer(operator, jobIdOf(a), 'start', start),
    ]);
    expect(starts.map((each) => each.outcome)).toEqual(['done', 'done']);
    await bulk.run(jobIdOf(a));
    for (const { exceptionId } of rows)
      expect(
        (await desk.audit({ exceptionId })).filter(({ event }) => event === 'exception.assigned'),
      ).toHaveLength(1);
  });

  it('R-053f whom it concerns: no other operator sees or steers it, a manager of the tenant stops it', async () => {
    const jobId = await bulk.started(operator, assignee(), await payments(1));
    const other = await desk.desk();
    const abroad = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    for (const by of [other, abroad])
      expect(await bulk.steer(by, jobId, 'pause')).toMatchObject({ outcome: 'refused', code: 'NOT_FOUND' });
    const manager = await desk.desk({ roles: ['MANAGER'] });
    expect(await bulk.steer(manager, jobId, 'pause')).toMatchObject({ outcome: 'done' });
    expect(await bulk.steer(manager, jobId, 'resume')).toMatchObject({ code: 'NOT_YOUR_REQUEST' });
    expect(await bulk.steer(manager, jobId, 'abort')).toMatchObject({ outcome: 'done' });
    expect(await bulk.steer(operator, jobId, 'resume')).toMatchObject({ code: 'JOB_ENDED' });
    await bulk.run(jobId);
    expect(await bulk.sums(jobId)).toEqual({ pending: 1, done: 0, refused: 0, failed: 0 });
  });

  it('R-053b R-053f one id of another tenant refuses the job, and several tenants are several jobs', async () => {
    const claimed = await desk.ledger.claim(randomUUID(), {}, SOUTH);
    const { executionId } = claimed.execution!;
    await desk.ledger.report('effect_started', executionId, { fencingToken: '1' }, SOUTH);
    await desk.ledger.report('report_unknown', executionId, { fencingToken: '1', code: 'TIMEOUT' }, SOUTH);
    const ids = [...(await payments(1)), await desk.exceptionOf(executionId)];
    const rows = await Promise.all(
      ids.map(async (exceptionId) => ({ exceptionId, exceptionVersion: await bulk.versionOf(exceptionId) })),
    );
    const form = { act: 'look-up', source: { of: 'rows', rows } };
    expect(await bulk.prepare(operator, form)).toMatchObject({ outcome: 'refused', code: 'NOT_FOUND' });
    const both = await desk.desk({ tenants: ['tenant-north', 'tenant-south'] });
    expect(await bulk.prepare(both, form)).toMatchObject({ outcome: 'refused', code: 'SEVERAL_TENANTS' });
    const twice = { of: 'rows', rows: [rows[0], rows[0]] };
    expect(await bulk.prepare(operator, { ...form, source: twice })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('R-053f nothing to do, an address that cannot be read, and deferrals without a place are refused', async () => {
    expect(
      await bulk.prepare(
        operator,
        { ...assignee(), source: { of: 'filter', address: '?' } },
        { operations: ['nobody'] },
      ),
    ).toMatchObject({ code: 'NOTHING_MATCHES' });
    expect(
      await bulk.prepare(operator, { ...assignee(), source: { of: 'filter', address: 'misread' } }),
    ).toMatchObject({ code: 'INVALID_INPUT' });
    const rows = [{ exceptionId: (await payments(1))[0]!, exceptionVersion: '1' }];
    const deferral = { act: 'defer', until: '2100-01-01T00:00:00Z', place: 'Report', reason: '' };
    expect(await bulk.prepare(operator, { ...deferral, source: { of: 'rows', rows } })).toMatchObject({
      code: 'DEFER_TIME',
    });
    expect(await bulk.prepare(operator, { act: 'reissue', source: { of: 'rows', rows } })).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('R-053g each row comes about as its starter’s own act', () => {
  it('R-053g R-086b under the starter’s name and a number of its own, and names its job', async () => {
    const ids = await payments(2);
    const jobId = await bulk.started(operator, assignee(), ids);
    await bulk.run(jobId);
    for (const row of await bulk.rows(jobId)) {
      const [event] = await desk.audit({ operationId: row.operation_id });
      expect(event).toMatchObject({
        event: 'exception.assigned',
        outcome: 'done',
        actor_id: operator.actor.personId,
      });
    }
    const { rows } = await db
      .pool('owner')
      .query(
        `select http_request_id from review.audit_events where http_request_id like 'bulk-job:' || $1 || ':%' order by 1`,
        [jobId],
      );
    expect(rows).toEqual([
      { http_request_id: `bulk-job:${jobId}:1` },
      { http_request_id: `bulk-job:${jobId}:2` },
    ]);
  });

  it('R-053g R-078a a starter who is demoted or disabled in between: the rows that remain are refused, by name', async () => {
    const starter = await desk.desk();
    const jobId = await bulk.started(starter, assignee(), await payments(6), 2);
    await bulk.run(jobId);
    expect(await bulk.job(jobId)).toMatchObject({ state: 'PAUSED', paused_because: 'CANARY', done: 2 });
    jobIdOf(await bulk.steer(starter, jobId, 'resume'));
    await changePerson(db, starter.actor.personId, `authorities = '{}'`);
    const step = () =>
      asActor(db.pool('worker'), { kind: 'system', id: 'system:worker' }, (client) =>
        client.query('select review.step_bulk_job($1)', [jobId]),
      );
    await step();
    await changePerson(db, starter.actor.personId, `roles = '{MANAGER}'`);
    await step();
    await changePerson(db, starter.actor.personId, `disabled_at = ledger.clock()`);
    await bulk.run(jobId);
    const rest = (await states(jobId)).slice(2);
    expect(rest).toEqual([
      'REFUSED AUTHORITY_MISSING',
      'REFUSED ROLE_MISSING',
      'REFUSED ACCOUNT_DISABLED',
      'REFUSED ACCOUNT_DISABLED',
    ]);
    expect(await bulk.job(jobId)).toMatchObject({ state: 'DONE' });
  });

  it('R-053g what moved since the freeze is refused, for a look-up as well', async () => {
    const [moved, still] = await payments(2);
    for (const act of [assignee(), { act: 'look-up' }]) {
      const jobId = await bulk.prepared(operator, act, [moved!, still!]);
      const move = {
        exceptionId: moved,
        exceptionVersion: await bulk.versionOf(moved!),
        operationId: randomUUID(),
      };
      const colleague = await desk.desk();
      expect(
        await assignException(colleague, { ...move, assigneeId: colleague.actor.personId }),
      ).toMatchObject({ outcome: 'done' });
      jobIdOf(await bulk.steer(operator, jobId, 'start', { rate: FASTEST, canary: null }));
      await bulk.run(jobId);
      expect(await states(jobId)).toEqual(['REFUSED CHANGED_SINCE_SEEN', 'DONE']);
    }
  });

  it('R-053g a look-up is kept as the starter’s look, with the row', async () => {
    const [id] = await payments(1);
    const jobId = await bulk.started(operator, { act: 'look-up' }, [id!]);
    await bulk.run(jobId);
    const { rows } = await db
      .pool('owner')
      .query(
        `select l.checked_by, l.exception_id, l.automatic from review.bulk_job_rows w join review.lookups l using (lookup_id) where w.job_id = $1`,
        [jobId],
      );
    expect(rows).toEqual([{ checked_by: operator.actor.personId, exception_id: id, automatic: false }]);
  });
});
