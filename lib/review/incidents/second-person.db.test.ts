import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import {
  agreeing,
  checkOf,
  ENOUGH,
  incidentFixture,
  reportOf,
  type IncidentFixture,
} from '@/lib/testing/incident-fixture';
import { sessionOf } from '@/lib/testing/people';
import type { LookingContext } from '../desk-context';
import { checkSampleRow } from './check-sample-row';
import { decideReport } from './decide-report';

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

describe('the sample and the second person', () => {
  it('R-056g draws five rows or one in twenty, at most twenty, and all when there are fewer', async () => {
    const outage = await incidents.outage();
    for (const [rows, drawn] of [
      [3, 3],
      [20, 5],
      [120, 6],
      [500, 20],
    ] as const) {
      const orphans = Array.from({ length: rows }, (_, n) => ({ reference: `${randomUUID()}-${n}` }));
      const reportId = await incidents.judged(first, outage, reportOf(...orphans));
      expect(await incidents.propose(first, reportId)).toMatchObject({ outcome: 'done' });
      expect((await incidents.rows(reportId)).filter((row) => row['sampled'])).toHaveLength(drawn);
    }
  });

  it('R-056h takes the word of another person, once every sampled row was checked by one who did not propose', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.judged(first, outage, reportOf(...agreeing(outage)));
    expect(await incidents.confirm(second, reportId)).toMatchObject({ code: 'REQUEST_ENDED' });
    await incidents.propose(first, reportId);
    expect(await incidents.confirm(first, reportId)).toMatchObject({ code: 'SELF_APPROVAL' });
    const sample = (await incidents.rows(reportId)).filter((row) => row['sampled']);
    const numbers = sample.map((row) => Number(row['row_number']));
    expect(await checkSampleRow(first, checkOf(reportId, numbers[0]!))).toMatchObject({
      code: 'SELF_APPROVAL',
    });
    for (const number of numbers.slice(1))
      expect(await checkSampleRow(second, checkOf(reportId, number))).toMatchObject({ outcome: 'done' });
    expect(await checkSampleRow(second, checkOf(reportId, numbers[1]!))).toMatchObject({
      code: 'CHECKED_ALREADY',
    });
    expect(await incidents.confirm(second, reportId)).toMatchObject({ code: 'SAMPLE_INCOMPLETE' });
    await expect(
      asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
        client.query(
          `update review.provider_reports set state = 'CONFIRMED', decided_by = $2, decided_at = now() where report_id = $1`,
          [reportId, second.actor.personId],
        ),
      ),
    ).rejects.toMatchObject({ code: 'OA002' });
    await checkSampleRow(await desk.desk(), checkOf(reportId, numbers[0]!));
    const weak = await desk.desk({ authorities: [] });
    expect(await incidents.confirm(weak, reportId)).toMatchObject({ code: 'AUTHORITY_MISSING' });
    expect(await incidents.confirm(second, reportId)).toMatchObject({ outcome: 'done' });
    expect(await incidents.report(reportId)).toMatchObject({
      state: 'CONFIRMED',
      decided_by: second.actor.personId,
    });
  });

  it('R-056h ends with one row that does not agree', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.judged(first, outage, reportOf(...agreeing(outage)));
    await incidents.propose(first, reportId);
    const drawn = (await incidents.rows(reportId)).find((row) => row['sampled'])!;
    await checkSampleRow(
      second,
      checkOf(reportId, Number(drawn['row_number']), { agrees: false, text: 'Not there' }),
    );
    expect(await incidents.report(reportId)).toMatchObject({
      state: 'REFUSED',
      decided_by: second.actor.personId,
    });
    expect(await incidents.confirm(second, reportId)).toMatchObject({ code: 'REQUEST_ENDED' });
    expect(await incidents.apply(reportId)).toEqual({ done: 'ENDED', rows: 0 });
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ null: ENOUGH });
    // What came to nothing may be tried again.
    expect(await incidents.judge(first, outage, reportOf(...agreeing(outage)))).toMatchObject({
      outcome: 'done',
    });
  });

  it('R-056h asks for a fresh session, and for the right of whoever proposed', async () => {
    const outage = await incidents.outage();
    const proposer = await desk.desk();
    const reportId = await incidents.checked(proposer, second, outage, reportOf(...agreeing(outage)));
    const stale = await sessionOf(db, second.actor.personId, '2020-01-01T00:00:00Z');
    const tired = { ...second, context: { ...second.context, sessionId: stale } };
    expect(await incidents.confirm(tired, reportId)).toMatchObject({ code: 'STEP_UP_NEEDED' });
    await changePerson(db, proposer.actor.personId, `authorities = '{}'`);
    expect(await incidents.confirm(second, reportId)).toMatchObject({ code: 'REQUESTER_NOT_ENTITLED' });
  });

  it('R-056h of two who decide at once one does', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage)));
    const third = await desk.desk();
    const answers = await Promise.all([
      incidents.confirm(second, reportId),
      incidents.confirm(third, reportId),
      incidents.confirm(third, reportId, 'REJECT'),
    ]);
    expect(answers.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(['CONFIRMED', 'REFUSED']).toContain((await incidents.report(reportId))['state']);
  });

  it('R-056h lapses, and nothing comes of it then', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage)));
    await db
      .pool('superuser')
      .query('alter table review.provider_reports disable trigger provider_reports_keep');
    await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
      client.query(
        `update review.provider_reports set expires_at = now() - interval '1 second' where report_id = $1`,
        [reportId],
      ),
    );
    await db
      .pool('superuser')
      .query('alter table review.provider_reports enable always trigger provider_reports_keep');
    expect(await incidents.confirm(second, reportId)).toMatchObject({ code: 'REQUEST_EXPIRED' });
    await incidents.sweep();
    expect(await incidents.report(reportId)).toMatchObject({ state: 'EXPIRED', decided_by: null });
  });

  it('R-056h answers the same click once more with the first answer', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage)));
    const input = { reportId, verdict: 'CONFIRM', reason: RATIONALE, operationId: randomUUID() };
    expect(await decideReport(second, input)).toMatchObject({ outcome: 'done', repeated: false });
    expect(await decideReport(second, input)).toMatchObject({ outcome: 'done', repeated: true });
    expect(await decideReport(second, { ...input, reportId: randomUUID() })).toMatchObject({
      outcome: 'refused',
    });
  });
});
