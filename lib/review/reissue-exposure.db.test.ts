import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExposureFigures } from '@/lib/domain/reissue-exposure';
import { correctionFixture, type CorrectionFixture } from '@/lib/testing/correction-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { installPolicy, step } from '@/lib/testing/policy-forms';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { getRequest } from './get-request';
import { listRequests } from './list-requests';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
let other: LookingContext;
let corrections: CorrectionFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  other = await desk.desk({ roles: ['APPROVER'] });
  corrections = correctionFixture(desk, operator);
});
beforeEach(async () => {
  await installPolicy(db, {});
  await owner().query(
    `update ledger.operation_policies set value_field = '/amount', value_currency = 'KRW' where operation = 'create-payment' and retired_at is null`,
  );
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const owner = () => db.pool('owner');
const ORDER = { original: '188000', other: '218000' };
const BOTH = { value: '406000', currency: 'KRW' };

async function figuresOf(executionId: string, intakeId: string | null): Promise<ExposureFigures> {
  const { rows } = await owner().query<{ figures: ExposureFigures }>(
    'select review.reissue_exposure(e, $2::uuid) as figures from ledger.executions e where execution_id = $1',
    [executionId, intakeId],
  );
  return rows[0]!.figures;
}

async function stateOf(requestId: string): Promise<string> {
  const { rows } = await owner().query<{ state: string }>(
    'select state from review.approval_requests where request_id = $1',
    [requestId],
  );
  return rows[0]!.state;
}

describe('what a new key leaves standing', () => {
  it('R-081i of a correction the original, the new content and both together are told', async () => {
    const { id, intakeId } = await corrections.conflict(ORDER);
    expect(await figuresOf(id, intakeId)).toMatchObject({
      originalState: 'SUCCEEDED',
      originalEffect: 'EXISTS',
      originalEffects: 1,
      originalResultId: expect.stringMatching(/^PAY-/),
      originalAmount: '188000',
      originalCurrency: 'KRW',
      newAmount: '218000',
      newCurrency: 'KRW',
      bothAmount: '406000',
      bothCurrency: 'KRW',
      bothEffects: 2,
    });
  });

  it('R-081i work of its own with the same content makes it twice', async () => {
    const { id } = await corrections.conflict(ORDER);
    expect(await figuresOf(id, null)).toMatchObject({ newAmount: '188000', bothAmount: '376000' });
  });

  it('R-081i what is below zero is as much at stake, and fractions are kept', async () => {
    const { id, intakeId } = await corrections.conflict({ original: '-0.05', other: '12.10' });
    expect(await figuresOf(id, intakeId)).toMatchObject({ originalAmount: '0.05', bothAmount: '12.15' });
  });

  it.each([
    ['original', { other: '5' }, { originalAmount: null, originalCurrency: null, newAmount: '5' }],
    ['new content', { original: '5' }, { originalAmount: '5', newAmount: null, newCurrency: null }],
  ])(
    'R-081i without an amount of the %s there is no sum, and the count stays',
    async (_of, amounts, told) => {
      const { id, intakeId } = await corrections.conflict(amounts);
      expect(await figuresOf(id, intakeId)).toMatchObject({ ...told, bothAmount: null, bothEffects: 2 });
    },
  );

  it('R-081i two currencies are not added up', async () => {
    const operation = 'pay-abroad';
    await desk.ledger.policy(operation, { value_field: '/amount', value_currency: 'KRW' });
    const secondVersion = async () => {
      await owner().query(`update ledger.operation_policies set retired_at = now() where operation = $1`, [
        operation,
      ]);
      await owner().query(
        `insert into ledger.operation_policies (tenant_id, operation, version, created_by, value_field, value_currency)
         values ('tenant-north', $1, 2, 'system:test', '/amount', 'USD')`,
        [operation],
      );
      return { policyVersion: 2 };
    };
    const asked = { operation, policyVersion: 1 };
    const { id, intakeId } = await corrections.conflict(ORDER, asked, secondVersion);
    const unadded = { bothAmount: null, bothCurrency: null, bothEffects: 2 };
    expect(await figuresOf(id, intakeId)).toMatchObject({
      originalCurrency: 'KRW',
      newCurrency: 'USD',
      ...unadded,
    });
  });

  it('R-081i an original in doubt counts as often as its effect was begun', async () => {
    const { id } = await desk.unknownPayment({ displayFields: { '/amount': '100' } });
    const once = { originalEffect: 'MAY_EXIST', originalEffects: 1, bothAmount: '200', bothEffects: 2 };
    expect(await figuresOf(id, null)).toMatchObject(once);
    await owner().query(
      `insert into ledger.attempts select (jsonb_populate_record(a, '{"attempt": 2, "attempt_id": null}')).* from ledger.attempts a where execution_id = $1`,
      [id],
    );
    const twice = { originalEffects: 2, bothAmount: '300', bothEffects: 3 };
    expect(await figuresOf(id, null)).toMatchObject(twice);
  });

  it('R-081i of an original that nobody has begun no effect is known', async () => {
    const { execution } = await desk.ledger.register(randomUUID());
    const id = execution!.executionId;
    expect(await figuresOf(id, null)).toMatchObject({ originalEffect: 'NONE_KNOWN', originalEffects: 1 });
  });
});

describe('what counts for the thresholds', () => {
  const twoFrom = (fromAmount: string) =>
    installPolicy(db, { steps: [step(), step({ count: 2, fromAmount })] });

  it.each([
    ['406000', 'APPROVED after two'],
    ['406001', 'APPROVED after one'],
  ])('R-081j of a correction all that stands together: with two from %s it is %s', async (from, outcome) => {
    await twoFrom(from);
    const conflict = await corrections.conflict(ORDER);
    const { requestId, verdict } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    const two = outcome.endsWith('two');
    expect(await stateOf(requestId)).toBe(two ? 'PENDING' : 'APPROVED');
    if (!two) return;
    await decideRequest(other, verdict());
    expect(await stateOf(requestId)).toBe('APPROVED');
  });

  it('R-081j of work of its own too, also with the same content', async () => {
    await twoFrom('376000');
    const conflict = await corrections.conflict(ORDER);
    const { requestId, verdict } = await corrections.requested(conflict, 'NEW_WORK', null);
    await decideRequest(approver, verdict());
    expect(await stateOf(requestId)).toBe('PENDING');
  });

  it('R-081j a policy that came after the request judges the same sum', async () => {
    const conflict = await corrections.conflict(ORDER);
    const { requestId, verdict } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
    await twoFrom('406000');
    await decideRequest(approver, verdict());
    expect(await stateOf(requestId)).toBe('PENDING');
  });

  it('R-081j nor does a policy that was lowered since let it through with fewer', async () => {
    await twoFrom('406000');
    const conflict = await corrections.conflict(ORDER);
    const { requestId, verdict } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
    await installPolicy(db, {});
    await decideRequest(approver, verdict());
    expect(await stateOf(requestId)).toBe('PENDING');
  });

  it('R-081j a sum that nobody knows counts as above every threshold', async () => {
    await twoFrom('999999999');
    const conflict = await corrections.conflict({ original: '188000' });
    const { requestId, verdict } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
    await decideRequest(approver, verdict());
    expect(await stateOf(requestId)).toBe('PENDING');
  });

  it('R-081j the same work tried again is one effect too many, as before', async () => {
    await twoFrom('100.01');
    const { id } = await desk.unknownPayment({ displayFields: { '/amount': '100' } });
    const { rows } = await owner().query<{ steps: number }>(
      `select jsonb_array_length(review.approval_terms('REISSUE', e, null, 'RETRY_AS_NEW')->'steps') as steps
       from ledger.executions e where execution_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ steps: 1 }]);
  });
});

describe('where it is told', () => {
  it('R-080c the form tells each choice with what it leaves standing and how many have to agree', async () => {
    await installPolicy(db, { steps: [step(), step({ count: 2, fromAmount: '400000' })] });
    const { exceptionId, intakeId } = await corrections.conflict(ORDER);
    const { view } = await desk.seen(operator, exceptionId);
    const told = view.reissues.map(({ relation, intakeId: intake, exposure, approvals }) => [
      ...[relation, intake, exposure.both?.value, approvals],
    ]);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        ['RETRY_AS_NEW', null, '376000', 1],
        ['NEW_WORK', null, '376000', 1],
        ['CORRECTION', intakeId, '406000', 2],
        ['NEW_WORK', intakeId, '406000', 2],
      ]),
    );
  });

  it('R-080c the request tells it before and after the decision, and so do its list and the settled exception', async () => {
    const conflict = await corrections.conflict(ORDER);
    const { requestId, verdict } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
    const waiting = await getRequest(approver, requestId);
    expect(waiting).toMatchObject({ exposure: { effect: 'EXISTS', both: BOTH }, made: null });
    const listed = { filter: { states: [], kinds: [] }, cursor: null, size: 50 };
    const ctx = { actor: approver.actor, db: approver.pool };
    const list = await listRequests(ctx, listed);
    expect(list).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ requestId, amount: BOTH, together: true })]),
    });
    await decideRequest(approver, verdict());
    await executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
    const done = await getRequest(approver, requestId);
    expect(done).toMatchObject({
      state: 'EXECUTED',
      exposure: { both: BOTH },
      made: { state: 'RECEIVED', resultId: null },
    });
    const { view } = await desk.seen(operator, conflict.exceptionId);
    expect(view.exception.state).toBe('CLOSED');
    expect(view.requestedReissue).toMatchObject({ requestId, sameContent: false, exposure: { both: BOTH } });
    expect(view.reissues).toEqual([]);
  });
});
