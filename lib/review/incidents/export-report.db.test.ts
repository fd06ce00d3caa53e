import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { agreeing, ENOUGH, incidentFixture, reportOf } from '@/lib/testing/incident-fixture';
import type { LookingContext } from '../desk-context';
import { exportReport } from './export-report';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let reportId: string;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  const incidents = incidentFixture(desk);
  const outage = await incidents.outage();
  reportId = await incidents.judged(operator, outage, reportOf(...agreeing(outage)));
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const events = async (by: LookingContext) =>
  (
    await db
      .pool('owner')
      .query<{ outcome: string; refusal_code: string | null; tenant_id: string | null; body: object }>(
        `select outcome, refusal_code, tenant_id, body::jsonb as body from review.audit_events
          where event = 'incident.report_exported' and actor_id = $1 order by number`,
        [by.actor.personId],
      )
  ).rows;

it('R-056o R-086b tells who took out which rows, with the file', async () => {
  const csv = await exportReport(operator, reportId);
  expect(csv?.trimEnd().split('\r\n')).toHaveLength(ENOUGH + 1);
  expect(await events(operator)).toMatchObject([
    { outcome: 'done', tenant_id: 'tenant-north', body: { reportId, format: 'csv', reportRows: ENOUGH } },
  ]);
});

it('R-056o refuses on record what is not this person’s to see, and says nothing of it', async () => {
  const south = await desk.desk({ tenants: ['tenant-south'] });
  for (const id of [reportId, randomUUID(), 'no id']) expect(await exportReport(south, id)).toBeNull();
  const refused = await events(south);
  expect(
    refused.map(({ outcome, refusal_code: code, tenant_id: tenant }) => [outcome, code, tenant]),
  ).toEqual(Array(3).fill(['refused', 'NOT_FOUND', null]));
  expect(JSON.stringify(refused)).not.toContain(reportId);
});

it('R-056o goes by the rights of the moment', async () => {
  const leaving = await desk.desk();
  await changePerson(db, leaving.actor.personId, `tenant_ids = '{tenant-south}'`);
  expect(await exportReport(leaving, reportId)).toBeNull();
});
