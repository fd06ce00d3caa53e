import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { getExecution } from './get-execution';
import { openInput } from './open-input';

const REFERENCE = 's3://inputs/2026/11/29/4711.json';
let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await desk.ledger.policy('move-money', { authority: 'money' });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function kept(more: Record<string, unknown> = { inputRef: REFERENCE }) {
  const { exceptionId, id } = await desk.unknownPayment({ operation: 'move-money', ...more });
  const ask = { executionId: id, operationId: randomUUID(), rationale: RATIONALE };
  return { exceptionId, id, ask };
}

describe('R-008c the original input opens only with a right, a reason and an audit event', () => {
  it('AZ-10 R-008c tells the reference to a person who may and says why, and keeps that it did', async () => {
    const { ask, id } = await kept();
    const operator = await desk.desk();
    expect(await openInput(operator, ask)).toEqual({ outcome: 'done', repeated: false, inputRef: REFERENCE });
    const events = await desk.audit({ operationId: ask.operationId });
    expect(events).toMatchObject([
      {
        event: 'input.opened',
        outcome: 'done',
        actor_id: operator.actor.personId,
        body: { rationale: RATIONALE },
      },
    ]);
    const { rows } = await db
      .pool('owner')
      .query('SELECT execution_id, tenant_id FROM review.audit_events WHERE operation_id = $1', [
        ask.operationId,
      ]);
    expect(rows).toEqual([{ execution_id: id, tenant_id: 'tenant-north' }]);
  });

  it.each([
    ['without the role', { roles: ['MANAGER'], authorities: ['money'] }, {}, 'ROLE_MISSING'],
    ['without the operation’s authority', { authorities: [] }, {}, 'AUTHORITY_MISSING'],
    ['without a reason', {}, { rationale: 'because' }, 'RATIONALE_LENGTH'],
    ['of another tenant', { tenants: ['tenant-south'] }, {}, 'NOT_FOUND'],
    ['with a password as the reason', {}, { rationale: 'password: hunter2hunter2' }, 'SECRET_IN_TEXT'],
  ])(
    'AZ-10 R-008c tells nothing to somebody %s, and keeps that they asked',
    async (_name, rights, change, code) => {
      const { ask } = await kept();
      const answer = await openInput(await desk.desk(rights), { ...ask, ...change });
      expect(answer).toMatchObject({ outcome: 'refused', code });
      expect(JSON.stringify(answer)).not.toContain(REFERENCE);
      const events = await desk.audit({ operationId: ask.operationId });
      expect(events).toMatchObject([{ event: 'input.opened', outcome: 'refused', refusal_code: code }]);
    },
  );

  it('R-008c a repeated submit tells nothing again: the right may have gone since', async () => {
    const { ask } = await kept();
    const operator = await desk.desk();
    await openInput(operator, ask);
    expect(await openInput(operator, ask)).toEqual({ outcome: 'done', repeated: true });
  });

  it('AZ-10 PR-05 R-008c no page and no audit event shows the reference before or after', async () => {
    const { exceptionId, id, ask } = await kept();
    const operator = await desk.desk();
    await openInput(operator, ask);
    const { view } = await desk.seen(operator, exceptionId);
    const record = await getExecution({ actor: operator.actor, db: db.pool('app') }, id);
    expect(JSON.stringify([view, record, await desk.audit({ operationId: ask.operationId })])).not.toContain(
      REFERENCE,
    );
    expect([view.execution?.hasInput, view.inputRefusal]).toEqual([true, null]);
    expect([record?.record.hasInput, record?.inputRefusal]).toEqual([true, null]);
    const other = await desk.desk({ authorities: [] });
    expect((await getExecution({ actor: other.actor, db: db.pool('app') }, id))?.inputRefusal).toBe(
      'AUTHORITY_MISSING',
    );
  });

  it('R-008c where none is kept there is nothing to open', async () => {
    const { exceptionId, ask } = await kept({});
    const operator = await desk.desk();
    expect(await openInput(operator, ask)).toMatchObject({ outcome: 'refused', code: 'INPUT_NOT_KEPT' });
    expect((await desk.seen(operator, exceptionId)).view.execution?.hasInput).toBe(false);
  });
});
