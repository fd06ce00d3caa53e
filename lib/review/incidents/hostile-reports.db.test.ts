import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORT_ROWS } from '@/lib/domain/report-limits';
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
import { SOUTH } from '@/lib/testing/ledger-fixture';
import type { LookingContext } from '../desk-context';
import { carryOut } from '../run-command';
import { lookUpIncident } from './look-up-incident';

/** More than one lookup job after the other would take for a person who waits. */
const MANY = 120;

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

/** What a caller of the function says of a row, whatever a judge would have said. */
const keep = (outage: Outage, row: object) =>
  carryOut(
    first,
    { event: 'incident.report_judged', statement: 'select review.keep_judged_report($1::jsonb) as answer' },
    {
      ...{ incidentId: outage.incidentId, operation: 'create-payment', fileName: 'x.csv', rowCount: 1 },
      ...{ sha256: randomUUID().replaceAll('-', '').repeat(2), asOf: '2026-01-01T00:00:00Z', reading: {} },
      ...{ operationId: randomUUID(), rows: [{ rowNumber: 2, resultId: 'r', matchValue: 'k', ...row }] },
    },
  );
const LINKED = {
  ...{ verdict: 'LINK', executionVersion: 1, accountMatch: true, contentMatch: true },
  comparison: [{ field: 'a', expected: '1', found: '1', agrees: true }],
};

describe('a hostile report', () => {
  it('R-056d names no execution and no exception of another tenant, whatever it claims of them', async () => {
    const [outage, other] = [await incidents.outage(), await incidents.outage()];
    const [member] = outage.members;
    const stolen = other.members[0]!;
    const refused = (row: object) => expect(keep(outage, row)).rejects.toMatchObject({ code: 'OA002' });
    // Of another outage, of two things at once, and of another tenant.
    await refused({ ...LINKED, executionId: stolen.id, exceptionId: stolen.exceptionId });
    await refused({ ...LINKED, executionId: member!.id, exceptionId: stolen.exceptionId });
    await refused({ verdict: 'MISMATCH', executionId: stolen.id, exceptionId: member!.exceptionId });
    const claimed = await desk.ledger.claim(`foreign-${randomUUID()}`, {}, SOUTH);
    const foreign = (claimed as { execution?: { executionId?: string } }).execution?.executionId;
    expect(foreign).toBeTypeOf('string');
    await refused({ verdict: 'MISMATCH', executionId: foreign });
  });

  it('R-056d a result that is some execution’s already is claimed twice, before anybody confirms', async () => {
    const outage = await incidents.outage();
    const [a, b] = outage.members;
    const reportId = await incidents.checked(
      first,
      second,
      outage,
      reportOf({ reference: a!.key, id: 'taken' }),
    );
    await incidents.confirm(second, reportId);
    await incidents.apply(reportId);
    const next = await incidents.judged(first, outage, reportOf({ reference: b!.key, id: 'taken' }));
    expect(await incidents.sums(next, 'verdict')).toEqual({ MULTIPLE: 1 });
  });

  it('R-059j links nothing by a report that was made before the work began', async () => {
    const outage = await incidents.outage();
    const answer = await incidents.judge(first, outage, reportOf(...agreeing(outage)), {
      asOf: '2025-12-30T23:59:00Z',
    });
    if (answer.outcome !== 'done') throw new Error(JSON.stringify(answer));
    expect(await incidents.sums(answer.reportId!, 'verdict')).toEqual({ UNREADABLE: ENOUGH });
    // Nor when the judge was passed by.
    const [member] = outage.members;
    const kept = await keep(outage, {
      ...{ ...LINKED, executionId: member!.id, exceptionId: member!.exceptionId, account: 'main' },
      executionVersion: await incidents.versionOf(member!.id),
    });
    if (kept.outcome !== 'done') throw new Error(JSON.stringify(kept));
    await incidents.madeEarlier(kept.reportId!, '2025-12-30T23:59:00Z');
    await incidents.propose(first, kept.reportId!);
    await incidents.checkSample(second, kept.reportId!);
    await incidents.confirm(second, kept.reportId!);
    await incidents.apply(kept.reportId!);
    expect(await incidents.rows(kept.reportId!)).toMatchObject([
      { outcome: 'REFUSED', outcome_code: 'CHECKED_BEFORE_THE_EXECUTION' },
    ]);
  });

  it('R-056i a report that is confirmed when its outage is over changes nothing that is settled', async () => {
    const outage = await incidents.outage();
    const orphan = { reference: `nobody-${randomUUID()}`, id: `orphan-${randomUUID()}` };
    const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage), orphan));
    await db
      .pool('owner')
      .query(
        `update review.exceptions set state = 'CLOSED', closed_at = now(), closed_by = 'x', closing = 'EXECUTOR' where exception_id = any($1::uuid[])`,
        [outage.members.map(({ exceptionId }) => exceptionId)],
      );
    await Promise.all([incidents.sweep(), incidents.confirm(second, reportId)]);
    await incidents.apply(reportId);
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ REFUSED: ENOUGH, ORPHAN_OPENED: 1 });
    expect(await incidents.executionOf(outage.members[0]!.id)).toEqual({ state: 'UNKNOWN', result_id: null });
    expect(await incidents.report(reportId)).toMatchObject({ state: 'APPLIED' });
  });

  it('R-056d judges the longest file within the time of one request', async () => {
    const outage = await incidents.outage();
    const others = Array.from({ length: REPORT_ROWS - ENOUGH }, (_, n) => ({ reference: `nobody-${n}` }));
    const reportId = await incidents.judged(first, outage, reportOf(...agreeing(outage), ...others));
    expect(await incidents.sums(reportId, 'verdict')).toEqual({ LINK: ENOUGH, ORPHAN: REPORT_ROWS - ENOUGH });
    expect(await incidents.propose(first, reportId)).toMatchObject({ outcome: 'done' });
  }, 60_000);

  it('R-056c has many members looked up by one press, each once, and a second press adds none', async () => {
    const outage = await incidents.outage(MANY);
    const press = () => lookUpIncident(first, { incidentId: outage.incidentId, operationId: randomUUID() });
    // The connector asks another system, but the jobs are planned as they come.
    const jobs = async () =>
      (
        await db
          .pool('superuser')
          .query<{ jobs: number; keys: number }>(
            `select count(*)::integer as jobs, count(distinct key)::integer as keys from graphile_worker._private_jobs where key = any($1)`,
            [outage.members.map(({ exceptionId }) => `lookup:${exceptionId}`)],
          )
      ).rows[0];
    for (let times = 0; times < 2; times += 1) {
      expect(await press()).toMatchObject({ outcome: 'done' });
      expect(await jobs()).toEqual({ jobs: MANY, keys: MANY });
    }
  }, 60_000);
});
