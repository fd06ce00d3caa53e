import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import {
  agreeing,
  ENOUGH,
  incidentFixture,
  reportOf,
  type IncidentFixture,
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

/** Until it is taken away, the database fails at the execution with something that is not the row's own. */
async function fault(executionId: string): Promise<() => Promise<unknown>> {
  const superuser = db.pool('superuser');
  await superuser.query(`create function public.break_down() returns trigger language plpgsql as
      $$ begin raise exception 'a value that nobody may read' using errcode = 'XX000'; end $$;
    create trigger break_down before update on ledger.executions for each row when (old.execution_id = '${executionId}')
      execute function public.break_down()`);
  return () =>
    superuser.query('drop trigger break_down on ledger.executions; drop function public.break_down()');
}

describe('a confirmed report that cannot be carried out', () => {
  it('R-056l keeps what stopped it, says so, and goes on where it stopped, each row once', async () => {
    const { outage, reportId } = await confirmed();
    expect(await heldUp(reportId)).toBeNull();
    const mend = await fault(outage.members[3]!.id);
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'HELD_UP', rows: 3, error: 'XX000' });
    const told = await heldUp(reportId);
    expect(told).toMatchObject({ failures: 1, error: 'XX000' });
    expect(Date.parse(told!.nextTryAt) - Date.parse(told!.since)).toBe(10_000);
    expect(await job(reportId)).toEqual({ attempts: 0, planned: true });
    // Again and again without a step: since when stays, and it waits the longer.
    await incidents.apply(reportId);
    const later = await heldUp(reportId);
    expect(later).toMatchObject({ failures: 2, since: told!.since });
    expect(Date.parse(later!.nextTryAt) - Date.parse(later!.since)).toBeGreaterThanOrEqual(20_000);
    await mend();
    // Steps were made before the next fault: it counts anew.
    const mendAgain = await fault(outage.members[5]!.id);
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'HELD_UP', rows: 2 });
    const anew = await heldUp(reportId);
    expect(anew).toMatchObject({ failures: 1 });
    expect(Date.parse(anew!.since)).toBeGreaterThan(Date.parse(told!.since));
    await mendAgain();
    expect(await incidents.apply(reportId, 2)).toEqual({ done: 'GOES_ON', rows: 2 });
    expect(await heldUp(reportId)).toBeNull();
    expect(await incidents.apply(reportId)).toMatchObject({ done: 'ENDED' });
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: ENOUGH });
    expect(await incidents.report(reportId)).toMatchObject({ state: 'APPLIED' });
    const { rows } = await db
      .pool('owner')
      .query(`select count(*)::integer as decisions from review.decisions where params->>'reportId' = $1`, [
        reportId,
      ]);
    expect(rows).toEqual([{ decisions: ENOUGH }]);
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
