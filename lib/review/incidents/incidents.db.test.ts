import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import { ENOUGH, incidentFixture, type IncidentFixture } from '@/lib/testing/incident-fixture';
import type { LookingContext } from '../desk-context';
import { lookUpIncident } from './look-up-incident';

let db: TestDatabase;
let desk: DeskFixture;
let incidents: IncidentFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  incidents = incidentFixture(desk);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const incidentsOf = async (system: string) =>
  (
    await db.pool('owner').query<{ incident_id: string; state: string; members: number; open: number }>(
      `select i.incident_id, i.state, count(m.exception_id)::integer as members,
              count(m.exception_id) filter (where x.state = 'OPEN')::integer as open
         from review.incidents i left join review.incident_members m on m.incident_id = i.incident_id
         left join review.exceptions x on x.exception_id = m.exception_id
        where i.system = $1 group by i.incident_id order by i.opened_at`,
      [system],
    )
  ).rows;

const events = async (incidentId: string) =>
  (
    await db
      .pool('owner')
      .query<{ event: string; outcome: string; body: Record<string, unknown> }>(
        `select event, outcome, body::jsonb as body from review.audit_events where body::jsonb->>'incidentId' = $1 order by number`,
        [incidentId],
      )
  ).rows;

/** A finished exception, by another way than the incident. */
async function settle(exceptionId: string): Promise<void> {
  await db
    .pool('owner')
    .query(
      `update review.exceptions set state = 'CLOSED', closed_at = now(), closed_by = 'test', closing = 'EXECUTOR' where exception_id = $1`,
      [exceptionId],
    );
}

describe('an outage', () => {
  it('R-056a makes one incident of enough unknown results of one system, and none of fewer', async () => {
    const few = await incidents.outage(ENOUGH - 1);
    expect(await incidentsOf(few.system)).toEqual([]);
    await desk.unknownPayment({ target: { system: few.system, account: 'main' } });
    await incidents.sweep();
    const [incident, ...others] = await incidentsOf(few.system);
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ state: 'OPEN', members: ENOUGH });
    expect(await events(incident!.incident_id)).toMatchObject([
      { event: 'incident.opened', outcome: 'done', body: { system: few.system, members: ENOUGH } },
    ]);
  });

  it('R-056a counts within the time alone, and each tenant and system for itself', async () => {
    const few = await incidents.outage(ENOUGH - 1);
    await db
      .pool('owner')
      .query(
        `update review.exceptions set opened_at = opened_at - interval '11 minutes' where exception_id = any($1::uuid[])`,
        [few.members.slice(0, 2).map(({ exceptionId }) => exceptionId)],
      );
    await desk.unknownPayment({ target: { system: few.system, account: 'main' } });
    await desk.unknownPayment({ target: { system: `${few.system}-other`, account: 'main' } });
    await incidents.sweep();
    expect(await incidentsOf(few.system)).toEqual([]);
  });

  it('R-056a takes in what becomes unknown while it is open, and two sweeps at once make one', async () => {
    const few = await incidents.outage(ENOUGH - 1);
    await desk.unknownPayment({ target: { system: few.system, account: 'main' } });
    await Promise.all([incidents.sweep(), incidents.sweep()]);
    await desk.unknownPayment({ target: { system: few.system, account: 'main' } });
    await incidents.sweep();
    expect(await incidentsOf(few.system)).toMatchObject([{ members: ENOUGH + 1, open: ENOUGH + 1 }]);
  });

  it('R-056b ends when nothing of it is open any more, never before, and keeps its members', async () => {
    const outage = await incidents.outage();
    const [last, ...rest] = outage.members;
    for (const { exceptionId } of rest) await settle(exceptionId);
    await incidents.sweep();
    expect(await incidentsOf(outage.system)).toMatchObject([{ state: 'OPEN', members: ENOUGH, open: 1 }]);
    await expect(
      asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
        client.query(
          `update review.incidents set state = 'CLOSED', closed_at = now() where incident_id = $1`,
          [outage.incidentId],
        ),
      ),
    ).rejects.toMatchObject({ code: 'OA002' });
    await settle(last!.exceptionId);
    await incidents.sweep();
    expect(await incidentsOf(outage.system)).toMatchObject([{ state: 'CLOSED', members: ENOUGH, open: 0 }]);
    expect((await events(outage.incidentId)).map(({ event }) => event)).toEqual([
      'incident.opened',
      'incident.closed',
    ]);
  });
});

describe('looking up together', () => {
  const jobs = async (exceptionIds: readonly string[]) =>
    (
      await db
        .pool('superuser')
        .query<{ key: string; payload: { reason: string } }>(
          `select key, payload from graphile_worker._private_jobs where key = any($1)`,
          [exceptionIds.map((id) => `lookup:${id}`)],
        )
    ).rows;

  it('R-056c plans a lookup of each open member with an answer for each, once', async () => {
    const outage = await incidents.outage();
    const input = { incidentId: outage.incidentId, operationId: randomUUID() };
    const answer = await lookUpIncident(operator, input);
    expect(answer).toMatchObject({ outcome: 'done' });
    expect(answer.outcome === 'done' && answer.planned).toHaveLength(ENOUGH);
    const planned = await jobs(outage.members.map(({ exceptionId }) => exceptionId));
    expect(planned.filter(({ payload }) => payload.reason === 'incident')).toHaveLength(ENOUGH);
    expect(await lookUpIncident(operator, input)).toMatchObject({ outcome: 'done', repeated: true });
    expect((await events(outage.incidentId)).map(({ event }) => event)).toEqual([
      'incident.opened',
      'incident.lookups_queued',
    ]);
  });

  it('R-056c R-098 tells who may not, and nothing of another tenant', async () => {
    const outage = await incidents.outage();
    const ask = async (by: LookingContext) =>
      lookUpIncident(by, { incidentId: outage.incidentId, operationId: randomUUID() });
    expect(await ask(await desk.desk({ authorities: [] }))).toMatchObject({ code: 'AUTHORITY_MISSING' });
    expect(await ask(await desk.desk({ roles: ['MANAGER'] }))).toMatchObject({ code: 'ROLE_MISSING' });
    expect(await ask(await desk.desk({ tenants: ['tenant-south'] }))).toMatchObject({ code: 'NOT_FOUND' });
    // What is told of the incident is told to those who may see it: two refusals after its opening.
    expect((await events(outage.incidentId)).map(({ outcome }) => outcome)).toEqual([
      'done',
      'refused',
      'refused',
    ]);
  });
});
