import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import {
  agreeing,
  ENOUGH,
  incidentFixture,
  reportOf,
  type IncidentFixture,
  type Outage,
} from '@/lib/testing/incident-fixture';
import type { LookingContext } from '../desk-context';
import { getReport } from './get-report';

let db: TestDatabase;
let desk: DeskFixture;
let incidents: IncidentFixture;
let first: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  incidents = incidentFixture(desk);
  first = await desk.desk();
  second = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const confirmed = async () => {
  const outage = await incidents.outage();
  const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage)));
  await incidents.confirm(second, reportId);
  return { outage, reportId };
};

const heldUp = async (reportId: string) =>
  (await getReport({ db: db.pool('app'), actor: first.actor }, reportId, 0))?.heldUp;

const job = async (reportId: string) => {
  const { rows } = await db.pool('superuser').query<{ attempts: number; planned: boolean }>(
    `select j.attempts, j.run_at = r.next_try_at as planned
       from graphile_worker._private_jobs j join review.provider_reports r on r.report_id = $1
      where j.key = 'apply-report:' || $1::text`,
    [reportId],
  );
  return rows[0];
};

const changeJob = (change: string, reportId: string) =>
  db
    .pool('superuser')
    .query(
      change.replace('JOBS', 'graphile_worker._private_jobs') + ` where key = 'apply-report:' || $1::text`,
      [reportId],
    );

/** Until it is taken away, the database fails at these executions with something that is not the row's own. */
async function fault(...members: Outage['members'][number][]): Promise<() => Promise<unknown>> {
  const superuser = db.pool('superuser');
  const ids = members.map(({ id }) => `'${id}'`).join();
  await superuser.query(`create function public.break_down() returns trigger language plpgsql as
      $$ begin raise exception 'a value that nobody may read' using errcode = 'XX000'; end $$;
    create trigger break_down before update on ledger.executions for each row when (old.execution_id in (${ids}))
      execute function public.break_down()`);
  return () =>
    superuser.query('drop trigger break_down on ledger.executions; drop function public.break_down()');
}

const waiting = async (reportId: string) =>
  (await incidents.rows(reportId)).filter((row) => Number(row['failures']) > 0);

/** What was set aside is due now. */
const due = (reportId: string) =>
  db
    .pool('superuser')
    .query(
      `update review.report_rows set next_try_at = ledger.clock() where report_id = $1 and next_try_at is not null`,
      [reportId],
    );

const decisionsOf = async (reportId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ decisions: number }>(
      `select count(*)::integer as decisions from review.decisions where params->>'reportId' = $1`,
      [reportId],
    );
  return rows[0]?.decisions;
};

describe('a row that cannot be carried out', () => {
  it('R-056p is set aside with its error, the rows behind it go on, and it is tried again more and more slowly', async () => {
    const { outage, reportId } = await confirmed();
    const mend = await fault(outage.members[0]!, outage.members[3]!);
    const held = await incidents.apply(reportId);
    expect(held).toMatchObject({ done: 'HELD_UP', rows: ENOUGH - 2, aside: 2, error: null });
    expect(await waiting(reportId)).toMatchObject([
      { failures: 1, last_error: 'XX000', outcome: null },
      { failures: 1, last_error: 'XX000', outcome: null },
    ]);
    const told = await getReport({ db: db.pool('app'), actor: first.actor }, reportId, 0);
    expect(told).toMatchObject({ setAside: 2, outcomes: { LINKED: ENOUGH - 2 }, heldUp: { error: 'XX000' } });
    expect(told!.heldUp!.nextTryAt).toBe(told!.page[0]!.setAside?.nextTryAt);
    // Nothing is due yet.
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'HELD_UP', rows: 0, aside: 0 });
    await due(reportId);
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'HELD_UP', rows: 0, aside: 2 });
    const [row] = await waiting(reportId);
    expect(row).toMatchObject({ failures: 2 });
    const { rows: waits } = await db
      .pool('owner')
      .query<{ long: boolean }>(
        `select min(next_try_at) > ledger.clock() + interval '11 seconds' as long from review.report_rows where report_id = $1`,
        [reportId],
      );
    expect(waits).toEqual([{ long: true }]);
    await mend();
    await due(reportId);
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'ENDED', rows: 2 });
    expect(await waiting(reportId)).toEqual([]);
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: ENOUGH });
    expect(await decisionsOf(reportId)).toBe(ENOUGH);
  });

  it('R-056p a lock that is not given back sets its row aside alone', async () => {
    const { outage, reportId } = await confirmed();
    const holder = await db.pool('owner').connect();
    await holder.query('begin');
    await holder.query('select from ledger.executions where execution_id = $1 for update', [
      outage.members[0]!.id,
    ]);
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'HELD_UP', rows: ENOUGH - 1, aside: 1 });
    await holder.query('rollback');
    holder.release();
    expect(await waiting(reportId)).toMatchObject([{ last_error: '55P03' }]);
    await due(reportId);
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'ENDED', rows: 1 });
  });

  it('R-056p those never tried come first, and nobody sets aside what is not confirmed or has its outcome', async () => {
    const { outage, reportId } = await confirmed();
    const mend = await fault(outage.members[0]!);
    await incidents.apply(reportId, 1);
    await mend();
    await due(reportId);
    expect(await incidents.apply(reportId, 1)).toMatchObject({ done: 'GOES_ON', rows: 1 });
    expect(await waiting(reportId)).toHaveLength(1);
    const [, done] = await incidents.rows(reportId);
    const setAside = (role: 'worker' | 'app', row: unknown) =>
      db.pool(role).query(`select review.set_report_row_aside($1, $2, 'XX000')`, [reportId, row]);
    await expect(setAside('app', done!['row_number'])).rejects.toMatchObject({ code: '42501' });
    await setAside('worker', done!['row_number']);
    expect(await waiting(reportId)).toHaveLength(1);
    await expect(
      db
        .pool('superuser')
        .query(`update review.report_rows set outcome = 'REFUSED' where report_id = $1 and failures = 0`, [
          reportId,
        ]),
    ).rejects.toMatchObject({ code: 'OA002' });
  });
});

describe('a confirmed report that cannot be carried out', () => {
  it('R-056l keeps what stopped it, says so, and goes on where it stopped, each row once', async () => {
    const { outage, reportId } = await confirmed();
    expect(await heldUp(reportId)).toBeNull();
    const mend = await fault(...outage.members.slice(3));
    expect(await incidents.apply(reportId)).toMatchObject({
      ...{ done: 'HELD_UP', rows: 3, aside: 10, error: 'XX000' },
    });
    const told = await heldUp(reportId);
    expect(told).toMatchObject({ failures: 1, error: 'XX000' });
    expect(Date.parse(told!.nextTryAt) - Date.parse(told!.since)).toBe(10_000);
    expect(await job(reportId)).toEqual({ attempts: 0, planned: true });
    // Again and again without a step: since when stays, and it waits the longer.
    await due(reportId);
    await incidents.apply(reportId);
    const later = await heldUp(reportId);
    expect(later).toMatchObject({ failures: 2, since: told!.since });
    expect(Date.parse(later!.nextTryAt) - Date.parse(later!.since)).toBeGreaterThanOrEqual(20_000);
    await mend();
    await due(reportId);
    // Steps were made before the next fault: it counts anew.
    const mendAgain = await fault(...outage.members.filter((_, n) => n !== 6 && n !== 7));
    const run = await incidents.apply(reportId);
    expect(run).toMatchObject({ done: 'HELD_UP', rows: 2 });
    const anew = await heldUp(reportId);
    expect(anew).toMatchObject({ failures: 1 });
    expect(Date.parse(anew!.since)).toBeGreaterThan(Date.parse(told!.since));
    await mendAgain();
    await due(reportId);
    expect(await incidents.apply(reportId, 2)).toEqual({ done: 'GOES_ON', rows: 2 });
    expect(await heldUp(reportId)).toBeNull();
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'ENDED' });
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: ENOUGH });
    expect(await incidents.report(reportId)).toMatchObject({ state: 'APPLIED' });
    expect(await decisionsOf(reportId)).toBe(ENOUGH);
  });

  it('R-056l waits for longer each time, and never for more than an hour', async () => {
    const { rows } = await db
      .pool('owner')
      .query<{ seconds: number }>(
        `select extract(epoch from review.report_wait(n))::integer as seconds from unnest(array[1, 2, 3, 9, 10, 2000]) n`,
      );
    expect(rows.map(({ seconds }) => seconds)).toEqual([10, 20, 40, 2560, 3600, 3600]);
  });

  it('R-056l is taken up by the sweep when its job has used up its tries or is gone, and left alone else', async () => {
    const { reportId } = await confirmed();
    const sweep = async () => (await incidents.sweep())['reportsTakenUp'];
    expect(await sweep()).toBe(0);
    await changeJob(
      `update JOBS set attempts = max_attempts, locked_at = now(), locked_by = 'killed'`,
      reportId,
    );
    expect(await sweep()).toBe(0);
    await changeJob('update JOBS set locked_at = null, locked_by = null', reportId);
    expect(await sweep()).toBe(1);
    expect(await heldUp(reportId)).toMatchObject({ failures: 1, error: 'NOT_RECORDED' });
    expect(await job(reportId)).toEqual({ attempts: 0, planned: true });
    expect(await sweep()).toBe(0);
    await changeJob('delete from JOBS', reportId);
    expect(await sweep()).toBe(1);
    expect(await heldUp(reportId)).toMatchObject({ failures: 2 });
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'ENDED' });
    await changeJob('delete from JOBS', reportId);
    expect(await sweep()).toBe(0);
  });

  it('R-056l is held up by nothing that a person says, and only while it is confirmed', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.judged(first, outage, reportOf(...agreeing(outage)));
    const hold = (role: 'worker' | 'app') =>
      db.pool(role).query(`select review.hold_report_up($1, 'XX000', false) as at`, [reportId]);
    await expect(hold('app')).rejects.toMatchObject({ code: '42501' });
    expect((await hold('worker')).rows).toEqual([{ at: null }]);
    expect(await incidents.report(reportId)).toMatchObject({ failures: 0 });
  });
});
