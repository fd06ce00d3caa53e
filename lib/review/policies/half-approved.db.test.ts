// FE-11: a request that has one of its two approvals, and administrators who change what it takes.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { executeReissue } from '@/lib/review/execute-reissue';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { REASON } from '@/lib/testing/people-forms';
import {
  installPolicy,
  policyContent,
  policyForm,
  policyVersion,
  step,
  waitingProposal,
} from '@/lib/testing/policy-forms';
import { decidePolicy } from './decide-policy';
import { proposePolicy } from './propose-policy';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let admin: LookingContext;
let second: LookingContext;
let approvers: LookingContext[];
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  doubts = doubtFixture(desk, await desk.desk());
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  approvers = [];
  for (let n = 0; n < 3; n += 1)
    approvers.push(await desk.desk({ roles: ['APPROVER'], authorities: ['money', 'rights'] }));
});
beforeEach(() => installPolicy(db, { steps: [step({ count: 2, authority: 'rights' })] }));
afterAll(async () => {
  await desk.close();
  await db.drop();
});

type Asked = Awaited<ReturnType<DoubtFixture['requested']>>;
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const stateOf = async ({ requestId }: Asked): Promise<Json> =>
  (
    await db
      .pool('owner')
      .query<Json>('select state, void_reason from review.approval_requests where request_id = $1', [
        requestId,
      ])
  ).rows[0]!;

async function halfApproved(): Promise<Asked> {
  const asked = await doubts.requested();
  expect(await decideRequest(approvers[0]!, asked.verdict())).toMatchObject({ outcome: 'done' });
  expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
  return asked;
}

/** Asked by one administrator, who cannot say the second word; while nobody else has, nothing has changed. */
async function changeByTwo(content: Json): Promise<void> {
  const version = await policyVersion(db);
  const form = await policyForm(db, { ...policyContent(content), ...content });
  expect(await proposePolicy(admin, form)).toMatchObject({ outcome: 'done' });
  const word = async () => ({
    proposalId: await waitingProposal(db),
    verdict: 'CONFIRM',
    reason: REASON,
    operationId: randomUUID(),
  });
  expect(await decidePolicy(admin, await word())).toMatchObject({ code: 'SELF_APPROVAL' });
  for (const person of approvers)
    expect(await decidePolicy(person, await word())).toMatchObject({ code: 'ROLE_MISSING' });
  expect(await policyVersion(db)).toBe(version);
  expect(await decidePolicy(second, await word())).toMatchObject({ outcome: 'done' });
  expect(await policyVersion(db)).not.toBe(version);
}

const approve = (by: number, asked: Asked) => decideRequest(approvers[by]!, asked.verdict());
const steps = (count: number, authority: string | null = 'rights') =>
  policyContent({ steps: [step({ count, authority })] }).steps;

describe('while one of two approvals is there', () => {
  it('FE-11 R-081e the threshold is raised: the second approval is not the last', async () => {
    const asked = await halfApproved();
    await changeByTwo({ steps: steps(3) });
    expect(await approve(1, asked)).toMatchObject({ outcome: 'done' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
    expect(await approve(2, asked)).toMatchObject({ outcome: 'done' });
    expect(await stateOf(asked)).toMatchObject({ state: 'APPROVED' });
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'EXECUTED' });
  });

  it('FE-11 R-081e it is lowered to what is there: that is not enough, the second approval is still asked for', async () => {
    const asked = await halfApproved();
    await changeByTwo({ steps: steps(1, null) });
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
    expect(await approve(1, asked)).toMatchObject({ outcome: 'done' });
    expect(await stateOf(asked)).toMatchObject({ state: 'APPROVED' });
  });

  it('FE-11 R-081f the policy is removed: nothing more is approved or carried out, and given back it goes on as before', async () => {
    const asked = await halfApproved();
    await changeByTwo({ removes: true, steps: [] });
    expect(await approve(1, asked)).toMatchObject({ code: 'NO_APPROVAL_POLICY' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
    await changeByTwo({ removes: false, steps: steps(2) });
    expect(await approve(1, asked)).toMatchObject({ outcome: 'done' });
    expect(await stateOf(asked)).toMatchObject({ state: 'APPROVED' });
  });

  it('FE-11 R-081f four eyes cannot be switched off: a policy without a step for a kind, or of nobody, is none', async () => {
    const asked = await halfApproved();
    for (const content of [
      { steps: [] },
      { steps: steps(2).filter(({ kinds }) => !kinds.includes('REISSUE')) },
      { steps: [step({ count: 0 }), ...steps(1).slice(1)] },
      { steps: [step({ count: 1, fromAmount: '1000' }), ...steps(1).slice(1)] },
    ]) {
      const form = await policyForm(db, content);
      expect(await proposePolicy(admin, form), JSON.stringify(content)).toMatchObject({
        outcome: 'refused',
        code: expect.stringMatching(/^(POLICY_INCOMPLETE|INVALID_INPUT)$/),
      });
    }
    for (const text of [
      `update review.approval_policies set steps = '[]'`,
      'delete from review.approval_policies',
    ]) {
      await expect(db.pool('app').query(text)).rejects.toMatchObject({ code: '42501' });
      await expect(db.pool('owner').query(text)).rejects.toMatchObject({ code: 'OA002' });
    }
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
  });

  it('FE-11 R-081f the group loses its people: the approval that is there counts no more, and nobody can give one', async () => {
    const asked = await halfApproved();
    for (const { actor } of approvers) await changePerson(db, actor.personId, `authorities = '{money}'`);
    for (const by of [1, 2]) expect(await approve(by, asked)).toMatchObject({ code: 'NOT_IN_GROUP' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
    // A policy that asks for them is refused, one that does not changes nothing for this request.
    const orphaned = { steps: [step({ count: 1, authority: 'deletion' }), ...steps(1).slice(1)] };
    expect(await proposePolicy(admin, await policyForm(db, orphaned))).toMatchObject({
      code: 'POLICY_UNSATISFIABLE',
    });
    await changeByTwo({ steps: steps(1, null) });
    for (const by of [1, 2]) expect(await approve(by, asked)).toMatchObject({ outcome: 'done' });
    expect(
      await stateOf(asked),
      'they approve for the step of now, and the one of then stays unpassed',
    ).toMatchObject({
      state: 'PENDING',
    });
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
    for (const { actor } of approvers)
      await changePerson(db, actor.personId, `authorities = '{money,rights}'`);
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
  });
});
