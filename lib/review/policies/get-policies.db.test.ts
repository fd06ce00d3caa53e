import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import { GUIDE, operationPolicyForm } from '@/lib/testing/operation-policy-forms';
import { REASON } from '@/lib/testing/people-forms';
import { waitingProposal } from '@/lib/testing/policy-forms';
import { decidePolicy } from './decide-policy';
import { getPolicies, getPolicyContent, listConnectorIds } from './get-policies';
import { listPolicies } from './list-policies';
import { proposeOperationPolicy } from './propose-operation-policy';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const reader = ({ actor, pool }: LookingContext) => ({ actor, db: pool });
const north = (operation: string) => ({ tenantId: 'tenant-north', operation });
async function decided(operation: string, change: object, verdict: 'CONFIRM' | 'REJECT'): Promise<string> {
  expect(await proposeOperationPolicy(admin, await operationPolicyForm(db, operation, change))).toMatchObject(
    { outcome: 'done' },
  );
  const proposalId = await waitingProposal(db, operation);
  const said = { proposalId, verdict, reason: REASON, operationId: randomUUID() };
  expect(await decidePolicy(second, said)).toMatchObject({ outcome: 'done' });
  return proposalId;
}

it('R-048h every version and every ended proposal stays readable, with who asked, who decided and why', async () => {
  const operation = 'send/letter?a=1&b=%2F..';
  await decided(operation, { slaSeconds: 60, guide: GUIDE }, 'CONFIRM');
  const rejected = await decided(operation, { slaSeconds: 70 }, 'REJECT');
  await decided(operation, { slaSeconds: 80 }, 'CONFIRM');
  await proposeOperationPolicy(admin, await operationPolicyForm(db, operation, { slaSeconds: 90 }));

  const found = await getPolicies(reader(second), north(operation));
  expect(found).toMatchObject({
    mayChange: true,
    operation: {
      version: 2,
      content: { slaSeconds: 80, guide: GUIDE },
      declaredProtection: 'NONE',
      proposal: { content: { slaSeconds: 90 }, confirmRefusal: null },
    },
    approval: { version: 0, proposal: null },
  });
  const names = { requestedBy: admin.actor.displayName, reason: REASON };
  expect(found!.operation.history).toMatchObject([
    { kind: 'proposal', state: 'PENDING', ...names, decidedBy: null },
    { kind: 'version', version: 2, retiredAt: null, ...names, decidedBy: second.actor.displayName },
    { kind: 'proposal', state: 'REJECTED', ref: rejected, ...names },
    { kind: 'version', version: 1, retiredAt: expect.any(String) as string },
  ]);
  const said = async (ref: string) =>
    (await getPolicyContent(reader(second), north(operation), ref))?.slaSeconds;
  expect([await said('v1'), await said('v2'), await said(rejected), await said('v0')]).toEqual([
    60, 80, 70, 14_400,
  ]);
  expect([await said('v9'), await said(randomUUID())]).toEqual([undefined, undefined]);
});

it('R-048h the history says of a proposal that nobody decided that it has expired', async () => {
  await proposeOperationPolicy(admin, await operationPolicyForm(db, 'waits-long', { slaSeconds: 60 }));
  await db.advanceClock('8 days');
  const found = await getPolicies(reader(admin), north('waits-long'));
  expect(found!.operation).toMatchObject({ proposal: null, history: [{ state: 'EXPIRED' }] });
});

it('R-048h R-098a another tenant’s policies are not there, and neither is what is no operation’s name', async () => {
  const stranger = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
  expect(await getPolicies(reader(stranger), north('create-payment'))).toBeNull();
  expect(await getPolicyContent(reader(stranger), north('create-payment'), 'v1')).toBeNull();
  await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
    client.query(
      `insert into review.connectors (connector_id, tenant_id, recipe) select 'of-the-south', 'tenant-south', recipe from review.connectors limit 1`,
    ),
  );
  const ids = (by: LookingContext, tenantId: string) => listConnectorIds(reader(by), tenantId);
  expect(await ids(stranger, 'tenant-south')).toContain('of-the-south');
  expect(await ids(admin, 'tenant-north')).toEqual(['stub-payments']);
  expect(await ids(admin, 'tenant-south')).toEqual(['stub-payments']);
  expect(await getPolicies(reader(admin), north('two words'))).toBeNull();
  expect(await getPolicies(reader(await desk.desk()), north('nobody-knows'))).toMatchObject({
    mayChange: false,
    operation: { version: 0, since: null, history: [] },
  });
});

it('R-048h the list tells of each operation what holds of its own policy and whether a change waits', async () => {
  await decided('listed', { effectClass: 'REVERSIBLE', guide: GUIDE, retentionSeconds: 3_600 }, 'CONFIRM');
  await proposeOperationPolicy(admin, await operationPolicyForm(db, 'listed', { slaSeconds: 90 }));
  const page = await listPolicies(reader(admin), { cursor: null, size: 50 });
  if (page.kind !== 'page') throw new Error(page.kind);
  expect(page.rows.find(({ operation }) => operation === 'listed')?.summary).toEqual({
    version: 1,
    effectClass: 'REVERSIBLE',
    declaredProtection: 'NONE',
    protectionClass: 'NONE',
    retentionSeconds: 3_600,
    hasGuide: true,
    waits: true,
  });
});
