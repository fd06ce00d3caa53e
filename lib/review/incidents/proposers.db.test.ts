import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { behindLock } from '@/lib/testing/behind-lock';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import {
  agreeing,
  checkOf,
  incidentFixture,
  reportOf,
  type IncidentFixture,
} from '@/lib/testing/incident-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import type { LookingContext } from '../desk-context';
import { checkSampleRow } from './check-sample-row';
import { getReport } from './get-report';

let db: TestDatabase;
let desk: DeskFixture;
let incidents: IncidentFixture;
let uploader: LookingContext;
let proposer: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  incidents = incidentFixture(desk);
  uploader = await desk.desk();
  proposer = await desk.desk();
  second = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const judged = async () => {
  const outage = await incidents.outage();
  return incidents.judged(uploader, outage, reportOf(...agreeing(outage)));
};
const drawn = async (reportId: string) =>
  (await incidents.rows(reportId)).filter((row) => row['sampled']).map((row) => Number(row['row_number']));
const freshSessions = (change: string) =>
  db
    .pool('superuser')
    .query(`alter table review.provider_reports ${change} provider_reports_need_fresh_session`);
const waiting = (count: number) =>
  expect
    .poll(
      async () =>
        (
          await db
            .pool('superuser')
            .query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
        ).rowCount,
      { interval: 10, timeout: 15_000 },
    )
    .toBe(count);
const viewOf = ({ actor }: LookingContext, reportId: string) =>
  getReport({ db: db.pool('app'), actor }, reportId, 0);

describe('a report that another person than the uploader sends on', () => {
  it('R-056m is proposed by anybody with the authority, and told with both names', async () => {
    const reportId = await judged();
    const weak = await desk.desk({ authorities: [] });
    expect(await incidents.propose(weak, reportId)).toMatchObject({ code: 'AUTHORITY_MISSING' });
    expect(await viewOf(proposer, reportId)).toMatchObject({ proposedBy: null, proposeRefusal: null });
    expect(await incidents.propose(proposer, reportId)).toMatchObject({ outcome: 'done' });
    expect(await incidents.report(reportId)).toMatchObject({
      judged_by: uploader.actor.personId,
      proposed_by: proposer.actor.personId,
    });
    const [event] = (
      await db.pool('owner').query<{ body: object }>(
        `select body::jsonb as body from review.audit_events where event = 'incident.report_proposed' and outcome = 'done'
              and body::jsonb->>'reportId' = $1`,
        [reportId],
      )
    ).rows;
    expect(event?.body).toMatchObject({
      judgedBy: uploader.actor.personId,
      proposedBy: proposer.actor.personId,
    });
  });

  it('R-056m has a second person who is neither, for checks and for the confirmation', async () => {
    const reportId = await judged();
    await incidents.propose(proposer, reportId);
    const rows = await drawn(reportId);
    for (const by of [uploader, proposer])
      expect(await checkSampleRow(by, checkOf(reportId, rows[0]!))).toMatchObject({ code: 'SELF_APPROVAL' });
    for (const row of rows)
      expect(await checkSampleRow(second, checkOf(reportId, row))).toMatchObject({ outcome: 'done' });
    for (const by of [uploader, proposer]) {
      expect(await incidents.confirm(by, reportId)).toMatchObject({ code: 'SELF_APPROVAL' });
      expect(await viewOf(by, reportId)).toMatchObject({
        checkRefusal: 'SELF_APPROVAL',
        confirmRefusal: 'SELF_APPROVAL',
        endRefusal: null,
      });
    }
    expect(await incidents.confirm(second, reportId)).toMatchObject({ outcome: 'done' });
  });

  it('R-056m the table itself refuses either of them as the second person', async () => {
    const reportId = await judged();
    await incidents.propose(proposer, reportId);
    const [row] = await drawn(reportId);
    for (const by of [uploader, proposer]) {
      const check = db.pool('owner').query(
        `insert into review.report_checks (report_id, row_number, judged_by, proposed_by, checked_by, checked_at, agrees, place)
           values ($1, $2, $3, $4, $5, now(), true, 'somewhere')`,
        [reportId, row, uploader.actor.personId, proposer.actor.personId, by.actor.personId],
      );
      await expect(check).rejects.toMatchObject({ constraint: 'report_checks_by_another' });
    }
    for (const other of await drawn(reportId)) await checkSampleRow(second, checkOf(reportId, other));
    await freshSessions('disable trigger');
    for (const by of [uploader, proposer]) {
      const confirmation = asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
        client.query(
          `update review.provider_reports set state = 'CONFIRMED', decided_by = $2, decided_at = now() where report_id = $1`,
          [reportId, by.actor.personId],
        ),
      );
      await expect(confirmation).rejects.toMatchObject({ constraint: 'provider_reports_two_people' });
    }
    await freshSessions('enable always trigger');
    const renamed = asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
      client.query(
        `update review.provider_reports set proposed_by = $2, state = 'WITHDRAWN' where report_id = $1`,
        [reportId, second.actor.personId],
      ),
    );
    await expect(renamed).rejects.toMatchObject({ code: 'OA002' });
  });

  it('R-056m of two who propose at once one does, and the other may be the second person', async () => {
    const reportId = await judged();
    const both = [proposer, second];
    const answers = await behindLock(
      db,
      ['select from review.provider_reports where report_id = $1 for update', [reportId]],
      both.map((by) => () => incidents.propose(by, reportId)),
    );
    const [winner, loser] = answers[0]?.outcome === 'done' ? both : both.toReversed();
    expect(answers).toContainEqual(expect.objectContaining({ code: 'REQUEST_ENDED' }));
    expect((await incidents.report(reportId))['proposed_by']).toBe(winner!.actor.personId);
    for (const row of await drawn(reportId)) await checkSampleRow(loser!, checkOf(reportId, row));
    expect(await incidents.confirm(winner!, reportId)).toMatchObject({ code: 'SELF_APPROVAL' });
    expect(await incidents.confirm(loser!, reportId)).toMatchObject({ outcome: 'done' });
  });

  it('R-056m whoever decides knows all who are named: nobody proposes between their look and their word', async () => {
    const reportId = await judged();
    const gate = await db.pool('owner').connect();
    await gate.query('begin');
    await gate.query('select from review.people where person_id = $1 for update', [second.actor.personId]);
    const deciding = incidents.confirm(second, reportId);
    await waiting(1);
    const proposing = incidents.propose(proposer, reportId);
    await waiting(2);
    await gate.query('commit');
    gate.release();
    const [decided, proposed] = await Promise.all([deciding, proposing]);
    expect(proposed).toMatchObject({ outcome: 'done' });
    expect(decided).toMatchObject({ code: 'REQUEST_ENDED' });
  });
});
