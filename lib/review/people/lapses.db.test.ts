import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LookingContext } from '@/lib/review/desk-context';
import { proposeConnector } from '@/lib/review/connectors/propose-connector';
import { proposePolicy } from '@/lib/review/policies/propose-policy';
import { connectorForm, waitingConnector } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { makePerson } from '@/lib/testing/people';
import { invitationForm, pendingGrant, personForm, rightsForm } from '@/lib/testing/people-forms';
import { policyForm, waitingProposal } from '@/lib/testing/policy-forms';
import { sweepDesk } from '@/lib/testing/sweep-desk';
import { changeRights } from './change-rights';
import { invitePerson } from './invite-person';
import { resetPerson } from './reset-person';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = await desk.desk({ roles: ['ADMIN'] });
  // A policy is proposed only where somebody could approve by it.
  for (const role of ['OPERATOR', 'OPERATOR', 'APPROVER', 'APPROVER']) await desk.desk({ roles: [role] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** What the chain tells of one grant or proposal, oldest first. */
async function toldOf(id: string): Promise<[event: string, actor: string, repeats: boolean][]> {
  const { rows } = await db.pool('owner').query<Json>(
    `select event, actor_id, operation_id is not null as repeats from review.audit_events
      where $1 in (body::json->>'grantId', body::json->>'proposalId') order by number`,
    [id],
  );
  return rows.map(({ event, actor_id, repeats }) => [String(event), String(actor_id), repeats === true]);
}

async function asked() {
  const personId = await makePerson(db, {
    email: `c-${randomUUID()}@demo.local`,
    tenantIds: ['tenant-north'],
  });
  const ask = async () => {
    const form = await rightsForm(db, personId, { roles: ['OPERATOR', 'APPROVER'] });
    expect(await changeRights(admin, form)).toMatchObject({ outcome: 'done' });
    return pendingGrant(db, personId);
  };
  return { personId, grantId: await ask(), ask };
}
async function proposed() {
  const operation = `op-${randomUUID()}`;
  const propose = async () => proposePolicy(admin, await policyForm(db, { minRationale: 20 }, operation));
  expect(await propose()).toMatchObject({ outcome: 'done' });
  return { proposalId: await waitingProposal(db, operation), propose };
}
async function proposedConnector() {
  const connectorId = `crm-${randomUUID()}`;
  const propose = async (by = admin, change: Json = {}) =>
    proposeConnector(by, await connectorForm(db, connectorId, change));
  expect(await propose()).toMatchObject({ outcome: 'done' });
  return { proposalId: await waitingConnector(db, connectorId), propose };
}

describe('what waits for a second administrator', () => {
  it('R-078m lapses on record after a week, by the sweep, once', async () => {
    const [{ grantId }, { proposalId }] = [await asked(), await proposed()];
    const connector = await proposedConnector();
    await sweepDesk(db);
    expect(await toldOf(grantId)).toHaveLength(1);
    await db.advanceClock('8 days');
    await sweepDesk(db);
    await sweepDesk(db);
    const me = admin.actor.personId;
    expect(await toldOf(grantId)).toEqual([
      ['people.grant_requested', me, true],
      ['people.grant_expired', 'system:sweep', false],
    ]);
    expect(await toldOf(proposalId)).toEqual([
      ['policy.change_requested', me, true],
      ['policy.change_expired', 'system:sweep', false],
    ]);
    expect(await toldOf(connector.proposalId)).toEqual([
      ['connector.change_requested', me, true],
      ['connector.change_expired', 'system:sweep', false],
    ]);
  });

  it('R-078m lapses on record where something new is asked for before the sweep came', async () => {
    const [{ grantId, ask }, { proposalId, propose }] = [await asked(), await proposed()];
    const connector = await proposedConnector();
    await db.advanceClock('8 days');
    await ask();
    expect(await propose()).toMatchObject({ outcome: 'done' });
    expect(await connector.propose()).toMatchObject({ outcome: 'done' });
    const me = admin.actor.personId;
    expect((await toldOf(grantId)).at(-1)).toEqual(['people.grant_expired', me, false]);
    expect((await toldOf(proposalId)).at(-1)).toEqual(['policy.change_expired', me, false]);
    expect((await toldOf(connector.proposalId)).at(-1)).toEqual(['connector.change_expired', me, false]);
  });

  it('R-078m lapses by the sweep alone where somebody of another tenant comes upon it', async () => {
    const { proposalId, propose } = await proposedConnector();
    const south = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
    const ask = () => propose(south, { tenantId: 'tenant-south' });
    await db.advanceClock('8 days');
    expect(await ask()).toMatchObject({ outcome: 'refused', code: 'CONNECTOR_ID_TAKEN' });
    expect(await toldOf(proposalId)).toHaveLength(1);
    await sweepDesk(db);
    expect((await toldOf(proposalId)).at(-1)).toEqual(['connector.change_expired', 'system:sweep', false]);
    expect(await ask()).toMatchObject({ outcome: 'done' });
  });

  it('R-087aa the link of an invitation and of a reset tells in advance until when it lets somebody in', async () => {
    const { personId } = await asked();
    const reset = await personForm(db, personId);
    expect(await resetPerson(admin, reset)).toMatchObject({ outcome: 'done' });
    const invited = invitationForm();
    expect(await invitePerson(admin, invited)).toMatchObject({ outcome: 'done' });
    const { rows } = await db.pool('owner').query(
      `select e.event, e.body::json->>'linkEndsAt' = ledger.instant(l.expires_at) as told
         from review.audit_events e join review.sign_in_links l
           on l.person_id = (e.body::json->>'personId')::uuid and l.used_at is null
        where e.operation_id = any($1) and e.event in ('people.created', 'people.reset') order by e.number`,
      [[reset.operationId, invited.operationId]],
    );
    expect(rows).toEqual([
      { event: 'people.reset', told: true },
      { event: 'people.created', told: true },
    ]);
  });

  it('R-078m is withdrawn on record by a reset', async () => {
    const { personId, grantId } = await asked();
    expect(await resetPerson(admin, await personForm(db, personId))).toMatchObject({ outcome: 'done' });
    expect((await toldOf(grantId)).at(-1)).toEqual(['people.grant_ended', admin.actor.personId, true]);
  });
});
