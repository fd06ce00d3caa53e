import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { executeReissue } from '@/lib/review/execute-reissue';
import { requestReissue } from '@/lib/review/request-reissue';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { installPolicy, step } from '@/lib/testing/policy-forms';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
let approver: LookingContext;
let other: LookingContext;
let manager: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  other = await desk.desk({ roles: ['APPROVER'] });
  manager = await desk.desk({ roles: ['APPROVER', 'MANAGER'], authorities: ['money', 'rights'] });
  doubts = doubtFixture(desk, operator);
});
beforeEach(() => installPolicy(db, {}));
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const owner = () => db.pool('owner');
const stateOf = async (requestId: string): Promise<Json> =>
  (
    await owner().query<Json>(
      'select state, void_reason from review.approval_requests where request_id = $1',
      [requestId],
    )
  ).rows[0]!;
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const PENDING = { state: 'PENDING' };

describe('steps', () => {
  it('R-081b a step asks for its number of different people', async () => {
    await installPolicy(db, { steps: [step({ count: 2 })] });
    const { requestId, verdict } = await doubts.requested();
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    expect(await decideRequest(approver, verdict())).toMatchObject({ code: 'DECIDED_BY_YOU_ALREADY' });
    expect(await stateOf(requestId)).toMatchObject(PENDING);
    await decideRequest(other, verdict());
    expect(await stateOf(requestId)).toMatchObject({ state: 'APPROVED' });
    expect(await carryOut(requestId)).toMatchObject({ done: 'EXECUTED' });
  });

  it('R-081b all steps have to pass, each by people of its group', async () => {
    await installPolicy(db, { steps: [step(), step({ role: 'MANAGER' })] });
    const { requestId, verdict } = await doubts.requested();
    await decideRequest(approver, verdict());
    await decideRequest(other, verdict());
    expect(await stateOf(requestId)).toMatchObject(PENDING);
    await decideRequest(manager, verdict());
    expect(await stateOf(requestId)).toMatchObject({ state: 'APPROVED' });
  });

  it('R-081b an approval for no step is refused, a rejection is not', async () => {
    await installPolicy(db, { steps: [step({ authority: 'rights' })] });
    const { requestId, verdict } = await doubts.requested();
    expect(await decideRequest(approver, verdict())).toMatchObject({ code: 'NOT_IN_GROUP' });
    // A right to belong to the group that came after the request lets nobody in (AZ-15).
    await changePerson(db, other.actor.personId, `authorities = '{money,rights}'`);
    expect(await decideRequest(other, verdict())).toMatchObject({ code: 'RIGHT_TOO_NEW' });
    await changePerson(db, other.actor.personId, `authorities = '{money}'`);
    expect(await stateOf(requestId)).toMatchObject(PENDING);
    expect(await decideRequest(approver, verdict({ verdict: 'REJECT' }))).toMatchObject({ outcome: 'done' });
    expect(await stateOf(requestId)).toMatchObject({ state: 'REJECTED' });
  });

  it.each([
    ['120.50', '120.49', 2],
    ['120.50', '120.50', 2],
    ['120.50', '120.51', 1],
    ['-500.00', '400', 2],
    ['a lot', '999999', 2],
    [undefined, '999999', 2],
  ])('R-081b a value of %s at stake with a threshold of %s takes %i', async (amount, fromAmount, needed) => {
    await owner().query(
      `update ledger.operation_policies set value_field = '/amount' where operation = 'create-payment'`,
    );
    await installPolicy(db, { steps: [step(), step({ count: 2, fromAmount })] });
    const displayFields = amount === undefined ? undefined : { '/amount': amount };
    const { id } = await desk.ledger.started(undefined, { displayFields });
    const { rows } = await owner().query<{ needed: number }>(
      `select (select max((one.value->>'count')::int) from jsonb_array_elements(review.approval_terms('REISSUE', e, null)->'steps') one) as needed
       from ledger.executions e where execution_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ needed }]);
  });

  it.each([
    ['REVERSIBLE', 1],
    ['COMPENSABLE', 2],
    ['IRREVERSIBLE', 2],
  ])('R-081b an effect that is %s takes %i', async (effectClass, needed) => {
    await installPolicy(db, { steps: [step(), step({ count: 2, fromEffect: 'COMPENSABLE' })] });
    const setClass = (to: string) =>
      owner().query(
        `update ledger.operation_policies set effect_class = $1 where operation = 'create-payment'`,
        [to],
      );
    await setClass(effectClass);
    const { id } = await desk.ledger.started();
    const { rows } = await owner().query<{ steps: number }>(
      `select jsonb_array_length(review.approval_terms('REISSUE', e, null)->'steps') as steps from ledger.executions e where execution_id = $1`,
      [id],
    );
    await setClass('IRREVERSIBLE');
    expect(rows).toEqual([{ steps: needed }]);
  });
});

describe('the policy then and now', () => {
  it('R-081e FE-11 a threshold raised while a request waits counts for it', async () => {
    const { requestId, verdict } = await doubts.requested();
    await installPolicy(db, { steps: [step({ count: 2 })] });
    await decideRequest(approver, verdict());
    expect(await stateOf(requestId)).toMatchObject(PENDING);
    await decideRequest(other, verdict());
    expect(await stateOf(requestId)).toMatchObject({ state: 'APPROVED' });
  });

  it('R-081e FE-11 one lowered, or switched off, does not', async () => {
    await installPolicy(db, { steps: [step({ count: 2 })] });
    const { requestId, verdict } = await doubts.requested();
    await installPolicy(db, {});
    await decideRequest(approver, verdict());
    expect(await decideRequest(operator, verdict())).toMatchObject({ code: 'SELF_APPROVAL' });
    expect(await stateOf(requestId)).toMatchObject(PENDING);
    await decideRequest(other, verdict());
    expect(await stateOf(requestId)).toMatchObject({ state: 'APPROVED' });
  });

  it('R-081e FE-11 raised after the approval it voids what has not been carried out', async () => {
    const { requestId, verdict } = await doubts.requested();
    await decideRequest(approver, verdict());
    await installPolicy(db, { steps: [step({ count: 2 })] });
    expect(await carryOut(requestId)).toMatchObject({ done: 'ENDED' });
    expect(await stateOf(requestId)).toEqual({ state: 'VOID', void_reason: 'POLICY_STRICTER' });
  });

  it('R-081f FE-11 without a policy nothing is asked for, approved or carried out; it can be rejected', async () => {
    const [waiting, approved, unasked] = [
      await doubts.requested(),
      await doubts.requested(),
      await doubts.unpaid(),
    ];
    await decideRequest(approver, approved.verdict());
    await installPolicy(db, { removes: true });
    expect(await decideRequest(approver, waiting.verdict())).toMatchObject({ code: 'NO_APPROVAL_POLICY' });
    expect(await stateOf(waiting.requestId)).toMatchObject(PENDING);
    await carryOut(approved.requestId);
    expect(await stateOf(approved.requestId)).toEqual({ state: 'VOID', void_reason: 'NO_APPROVAL_POLICY' });
    const wish = { relation: 'RETRY_AS_NEW', originalFate: 'It never happened.', intakeId: null };
    expect(await requestReissue(operator, { ...unasked.form, ...wish })).toMatchObject({
      outcome: 'refused',
      code: 'NO_APPROVAL_POLICY',
    });
    expect(await decideRequest(approver, waiting.verdict({ verdict: 'REJECT' }))).toMatchObject({
      outcome: 'done',
    });
  });

  it('R-081f FE-11 a group that has lost its people approves nothing', async () => {
    await installPolicy(db, { steps: [step({ authority: 'rights' })] });
    const { requestId, verdict } = await doubts.requested();
    await changePerson(db, manager.actor.personId, `authorities = '{money}'`);
    for (const person of [approver, other, manager])
      expect(await decideRequest(person, verdict())).toMatchObject({ code: 'NOT_IN_GROUP' });
    await changePerson(db, manager.actor.personId, `authorities = '{money,rights}'`);
    expect(await stateOf(requestId)).toMatchObject(PENDING);
  });

  it('R-081e FE-17 no writer approves or carries out what lacks a step, by either policy', async () => {
    const { requestId, verdict } = await doubts.requested();
    await installPolicy(db, { steps: [step({ count: 2 })] });
    await decideRequest(approver, verdict());
    const force = (set: string) =>
      owner().query(`update review.approval_requests set ${set} where request_id = $1`, [requestId]);
    await expect(force(`state = 'APPROVED'`)).rejects.toMatchObject({ code: 'OO004' });
    await expect(force(`terms = null`)).rejects.toMatchObject({ code: 'OO004' });
    await installPolicy(db, { removes: true });
    await expect(force(`state = 'APPROVED'`)).rejects.toMatchObject({ code: 'OO004' });
  });
});

describe('reasons and expiries', () => {
  it('R-081g FE-13 a reason is as long as either policy asks for, invisible characters not counted', async () => {
    await installPolicy(db, { minRationale: 30 });
    const { form } = await doubts.unpaid();
    const wish = { relation: 'RETRY_AS_NEW', originalFate: 'It never happened.', intakeId: null };
    const padded = `Nothing arrived.${'\u200b'.repeat(40)}`;
    expect(await requestReissue(operator, { ...form, ...wish, rationale: padded })).toMatchObject({
      code: 'RATIONALE_SHORT',
    });
    const { requestId, verdict } = await doubts.requested();
    await installPolicy(db, { minRationale: 40 });
    const say = (rationale: string) => decideRequest(approver, verdict({ rationale }));
    expect(await say('x'.repeat(39))).toMatchObject({ code: 'RATIONALE_SHORT' });
    expect(await say(`${'x'.repeat(39)}\u202e\u2066`)).toMatchObject({ code: 'RATIONALE_SHORT' });
    await installPolicy(db, {});
    expect(await say('x'.repeat(29))).toMatchObject({ code: 'RATIONALE_SHORT' });
    expect(await say('x'.repeat(30))).toMatchObject({ outcome: 'done' });
    expect(await stateOf(requestId)).toMatchObject({ state: 'APPROVED' });
  });

  it.each([
    [599, 'APPROVED'],
    [601, 'EXPIRED'],
  ])('R-081g FE-09 the approvals’ own limit of 600 s, decided after %i s: %s', async (seconds, state) => {
    await installPolicy(db, { approvalTtlSeconds: 600, executionTtlSeconds: 60 });
    const { requestId, verdict } = await doubts.requested();
    await db.advanceClock(`${seconds} seconds`);
    await decideRequest(approver, verdict());
    expect(await stateOf(requestId)).toMatchObject({ state });
  });

  it.each([
    [120, 120, 119, 'EXECUTED'],
    [120, 120, 121, 'EXPIRED'],
    [120, 60, 61, 'EXPIRED'],
    [120, 600, 121, 'EXPIRED'],
    [600, 600, 121, 'EXPIRED'],
  ])(
    'R-081g FE-09 the execution’s limit of 120 s, %i s at the approval, %i s by now, after %i s: %s',
    async (atApproval, byNow, seconds, state) => {
      await installPolicy(db, { executionTtlSeconds: 120 });
      const { requestId, verdict } = await doubts.requested();
      await installPolicy(db, { executionTtlSeconds: atApproval });
      await db.advanceClock('10 hours');
      await decideRequest(approver, verdict());
      await installPolicy(db, { executionTtlSeconds: byNow });
      await db.advanceClock(`${seconds} seconds`);
      await carryOut(requestId);
      expect(await stateOf(requestId)).toMatchObject({ state });
    },
  );

  it('R-081g FE-09 an approval’s limit that was shortened meanwhile counts', async () => {
    const { requestId, verdict } = await doubts.requested();
    await installPolicy(db, { approvalTtlSeconds: 60 });
    await db.advanceClock('61 seconds');
    expect(await decideRequest(approver, verdict())).toMatchObject({ code: 'REQUEST_EXPIRED' });
    expect(await stateOf(requestId)).toMatchObject({ state: 'EXPIRED' });
  });
});
