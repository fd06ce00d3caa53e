import { afterEach, beforeEach, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { ENOUGH, incidentFixture, type IncidentFixture, type Outage } from '@/lib/testing/incident-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let desk: DeskFixture;
let incidents: IncidentFixture;
beforeEach(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  incidents = incidentFixture(desk);
});
afterEach(async () => {
  await desk.close();
  await db.drop();
});

const limit = (tenantId: string, unknownResults: number, withinSeconds: number) =>
  asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
    client.query('insert into review.outage_limits values ($1, $2, $3)', [
      tenantId,
      unknownResults,
      withinSeconds,
    ]),
  );

const longAgo = ({ members }: Outage, seconds: number) =>
  db
    .pool('owner')
    .query(
      `update review.exceptions set opened_at = opened_at - make_interval(secs => $2) where exception_id = $1`,
      [members[0]!.exceptionId, seconds],
    );

const opened = async ({ system }: Outage) =>
  (await db.pool('owner').query('select from review.incidents where system = $1', [system])).rowCount;

it('R-056n goes by the tenant’s own number and time', async () => {
  await limit('tenant-north', 5, 1200);
  expect((await incidents.outage(4)).incidentId).toBe('');
  const five = await incidents.outage(4);
  await longAgo(five, 1100);
  await desk.unknownPayment({ target: { system: five.system, account: 'main' } });
  await incidents.sweep();
  expect(await opened(five)).toBe(1);
  const stretched = await incidents.outage(4);
  await longAgo(stretched, 1300);
  await desk.unknownPayment({ target: { system: stretched.system, account: 'main' } });
  await incidents.sweep();
  expect(await opened(stretched)).toBe(0);
});

it('R-056n another tenant’s limit changes nothing, and the built-in one holds for whoever has none', async () => {
  await limit('tenant-south', 2, 86_400);
  const few = await incidents.outage(ENOUGH - 1);
  expect(few.incidentId).toBe('');
  await desk.unknownPayment({ target: { system: few.system, account: 'main' } });
  await incidents.sweep();
  expect(await opened(few)).toBe(1);
});

it('R-056n nobody of the desk sets a limit', async () => {
  await expect(
    asActor(db.pool('app'), { kind: 'system', id: 'system:test' }, (client) =>
      client.query(`insert into review.outage_limits values ('tenant-north', 5, 600)`),
    ),
  ).rejects.toMatchObject({ code: '42501' });
});
