import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { ENOUGH, incidentFixture, reportOf } from '@/lib/testing/incident-fixture';
import { startProgram } from '@/lib/testing/program';
import { applyReport } from './apply-report';

let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

it('R-056k a worker killed in the middle of a row leaves the rows before it done, and that row to the next one', async () => {
  const incidents = incidentFixture(desk);
  const [first, second] = [await desk.desk(), await desk.desk()];
  const outage = await incidents.outage();
  const file = reportOf(...outage.members.map(({ key }) => ({ reference: key })), { reference: 'of-nobody' });
  const reportId = await incidents.checked(first, second, outage, file);
  expect(await incidents.confirm(second, reportId)).toMatchObject({ outcome: 'done' });
  const sums = async () => {
    const outcomes = (await incidents.rows(reportId)).map((row) => row['outcome'] ?? 'WAITS');
    return Object.fromEntries(
      [...new Set(outcomes)].map((each) => [each, outcomes.filter((o) => o === each).length]),
    );
  };

  // Whoever holds the eighth execution holds the worker up inside that row's transaction.
  const holder = await db.pool('owner').connect();
  await holder.query('begin');
  await holder.query('select from ledger.executions where execution_id = $1 for update', [
    outage.members[7]!.id,
  ]);
  const worker = startProgram('apply-report', { url: db.workerUrl, reportId });
  await vi.waitFor(
    async () => {
      const { rows } = await db
        .pool('superuser')
        .query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%apply_report_row%' and datname = current_database()`,
        );
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000, interval: 50 },
  );
  await worker.kill();
  await holder.query('rollback');
  holder.release();

  expect(await sums()).toEqual({ LINKED: 7, WAITS: ENOUGH - 6 });
  const run = () => applyReport(db.pool('worker'), { reportId }, 'next');
  // The killed one's connection may hold its row until the server notices.
  await vi.waitFor(async () => expect(await run()).toMatchObject({ done: 'ENDED' }), {
    timeout: 20_000,
    interval: 100,
  });
  expect(await sums()).toEqual({ LINKED: ENOUGH, ORPHAN_OPENED: 1 });
  const { rows } = await db.pool('owner').query(
    `select count(*)::integer as decisions, count(distinct execution_id)::integer as executions,
            (select count(*)::integer from review.lookups l where l.place like 'payments.csv%') as evidence
       from review.decisions where params->>'reportId' = $1`,
    [reportId],
  );
  expect(rows).toEqual([{ decisions: ENOUGH, executions: ENOUGH, evidence: ENOUGH }]);
});
