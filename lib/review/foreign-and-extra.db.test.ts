import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { DESK_COMMAND_NAMES, deskCommands, type DeskCommand } from '@/lib/testing/desk-commands';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { makeTenants } from '@/lib/testing/people';
import { rightsForm } from '@/lib/testing/people-forms';
import { assignException } from './assign-exception';
import { linkResult } from './link-result';
import { changeRights } from './people/change-rights';
import { endSessions } from './people/end-sessions';
import { createToken } from './tokens/create-token';
import { revokeToken } from './tokens/revoke-token';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let southern: LookingContext;
let commands: Record<string, DeskCommand>;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await makeTenants(db, 'tenant-north', 'tenant-south');
  operator = await desk.desk();
  commands = await deskCommands(desk, operator, await desk.desk({ roles: ['APPROVER'] }));
  const everyRole = ['OPERATOR', 'APPROVER', 'MANAGER', 'ADMIN'];
  southern = await desk.desk({ roles: everyRole, tenants: ['tenant-south'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** Everything but the audit, which a refusal is to change. */
async function facts() {
  return { ...(await desk.everything()), 'review.audit_events': null };
}

/** Members that some row behind a form has, and no form. */
const EXTRAS = {
  ...{
    tenantId: 'tenant-south',
    tenant_id: 'tenant-south',
    orgId: 'tenant-south',
    role: 'ADMIN',
    status: 'SUCCEEDED',
  },
  ...{
    state: 'CLOSED',
    version: '1',
    approvedBy: randomUUID(),
    createdAt: '2020-01-01T00:00:00Z',
    epoch: 99,
  },
};

it('covers every command of the desk', () => {
  expect(Object.keys(commands)).toEqual(DESK_COMMAND_NAMES);
});

describe.each(DESK_COMMAND_NAMES)('%s', (name) => {
  it('AZ-06 AZ-05 with another tenant’s ids is "not found", changes nothing, and leaves one denial', async () => {
    const { command, input } = await commands[name]!.prepare();
    const before = await facts();
    expect(await command(southern, input)).toEqual(
      expect.objectContaining({ outcome: 'refused', code: 'NOT_FOUND' }),
    );
    expect(await facts()).toEqual(before);
    const denials = await desk.audit({ operationId: input.operationId });
    expect(denials).toMatchObject([{ outcome: 'refused', actor_id: southern.actor.personId }]);
    // The north's page of the audit must not tell who tried what in the south, nor the other way round.
    const { rows } = await db
      .pool('owner')
      .query('select tenant_id from review.audit_events where operation_id = $1', [input.operationId]);
    expect(rows).toEqual([{ tenant_id: null }]);
  });

  it('AZ-07 AZ-09 refuses each member that its form does not have', async () => {
    const { command, input, by } = await commands[name]!.prepare();
    const before = await facts();
    for (const [extra, value] of Object.entries(EXTRAS))
      expect(await command(by, { ...input, [extra]: value }), extra).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await facts()).toEqual(before);
    expect((await command(by, input)).outcome).toMatch(/^(done|requested)$/);
  });
});

describe('own and foreign ids in one form', () => {
  it('AZ-06 evidence of another tenant carries no decision of one’s own', async () => {
    const own = await doubtFixture(desk, operator).paid();
    const foreign = await doubtFixture(desk, operator).paid();
    const form = { ...own.form, evidenceId: foreign.form.evidenceId };
    const before = await facts();
    expect(await linkResult(operator, form)).toMatchObject({ code: 'EVIDENCE_WRONG_SUBJECT' });
    expect(await facts()).toEqual(before);
  });

  it('AZ-06 nobody of another tenant is given one’s own exception', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const { form } = await desk.seen(operator, exceptionId);
    const { exceptionVersion, operationId } = form;
    const ask = { exceptionId, exceptionVersion, operationId, assigneeId: southern.actor.personId };
    const before = await facts();
    expect(await assignException(operator, ask)).toMatchObject({ code: 'ASSIGNEE_NOT_SUITABLE' });
    expect(await facts()).toEqual(before);
    expect(await desk.audit({ operationId })).toMatchObject([{ outcome: 'refused' }]);
  });
});

describe('people and tokens', () => {
  it('AZ-07 AZ-09 take no members beside the form’s', async () => {
    const admin = await desk.desk({ roles: ['ADMIN'] });
    const { personId } = operator.actor;
    const operationId = randomUUID();
    const token = {
      tenantId: 'tenant-north',
      principalId: 'p',
      operations: null,
      expiresInDays: 1,
      operationId,
    };
    const forms = [
      [changeRights, await rightsForm(db, personId, { roles: ['MANAGER'] })],
      [endSessions, { personId, sessionId: null, operationId }],
      [createToken, token],
      [revokeToken, { tokenId: randomUUID(), operationId }],
    ] as const;
    for (const [command, form] of forms)
      for (const [extra, value] of Object.entries(EXTRAS).filter(([each]) => !(each in form)))
        expect(await command(admin, { ...form, [extra]: value }), extra).toMatchObject({
          code: 'INVALID_INPUT',
        });
    const { rows } = await db
      .pool('owner')
      .query('select roles from review.people where person_id = $1', [personId]);
    expect(rows).toEqual([{ roles: ['OPERATOR'] }]);
  });

  it('AZ-06 another tenant’s person and token are not there', async () => {
    const { personId } = operator.actor;
    const before = await rightsForm(db, personId, {});
    const change = { ...before, roles: ['MANAGER'] };
    expect(await changeRights(southern, change)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await desk.audit({ operationId: change.operationId })).toMatchObject([{ outcome: 'refused' }]);
    const after = await rightsForm(db, personId, {});
    expect({ ...after, operationId: '' }).toEqual({ ...before, operationId: '' });
  });
});
