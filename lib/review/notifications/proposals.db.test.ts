import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOf } from '@/lib/domain/notifications';
import { connectorForm } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { rightsForm } from '@/lib/testing/people-forms';
import { policyForm } from '@/lib/testing/policy-forms';
import { proposeConnector } from '../connectors/propose-connector';
import type { LookingContext } from '../desk-context';
import { changeRights } from '../people/change-rights';
import { proposePolicy } from '../policies/propose-policy';
import { listNotifications } from './list-notifications';

let db: TestDatabase;
let desk: DeskFixture;
let proposer: LookingContext;
let second: LookingContext;
let operator: LookingContext;
let south: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  proposer = await desk.desk({ roles: ['ADMIN'] });
  second = await desk.desk({ roles: ['ADMIN'] });
  operator = await desk.desk();
  // As many as a policy needs before it can be asked for.
  for (let n = 0; n < 3; n += 1) await desk.desk({ roles: ['APPROVER'] });
  south = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const inbox = async (ctx: LookingContext) => {
  const reader = { actor: ctx.actor, db: db.pool('app') };
  const answer = await listNotifications(reader, { unreadOnly: false, cursor: null, size: 200 });
  if (answer.kind !== 'page') throw new Error(answer.kind);
  return answer.rows;
};
const asked = async (ctx: LookingContext, of: string) =>
  (await inbox(ctx)).filter((row) => row.proposal?.of === of);

async function toldToTheSecondAlone(of: string, place: string): Promise<void> {
  const told = await asked(second, of);
  expect(told).toMatchObject([
    { reason: 'DECISION_ASKED', actor: { personId: proposer.actor.personId }, requestId: null },
  ]);
  expect(placeOf(told[0]!)).toBe(place);
  for (const other of [proposer, operator, south]) expect(await asked(other, of)).toEqual([]);
}

describe('a change that waits for a second administrator', () => {
  it('R-049p of a policy is told to those who may confirm it, once, and not to whoever filed it', async () => {
    const form = await policyForm(db, { minRationale: 20 }, 'op-told');
    expect(await proposePolicy(proposer, form)).toMatchObject({ outcome: 'done' });
    expect(await proposePolicy(proposer, form)).toMatchObject({ outcome: 'done', repeated: true });
    await toldToTheSecondAlone('POLICY', '/admin/policies/operation?tenant=tenant-north&operation=op-told');
  });

  it('R-049p of a connector is told alike', async () => {
    expect(await proposeConnector(proposer, await connectorForm(db, 'crm-told'))).toMatchObject({
      outcome: 'done',
    });
    await toldToTheSecondAlone('CONNECTOR', '/admin/connectors/crm-told');
  });

  it('R-049p of somebody’s rights is told alike, and never to the person', async () => {
    const person = await desk.desk({ roles: ['ADMIN'] });
    const { personId } = person.actor;
    const form = await rightsForm(db, personId, { roles: ['ADMIN', 'APPROVER'] });
    expect(await changeRights(proposer, form)).toMatchObject({ outcome: 'done' });
    await toldToTheSecondAlone('RIGHTS', `/admin/people/${personId}`);
    expect(await asked(person, 'RIGHTS')).toEqual([]);
  });
});
