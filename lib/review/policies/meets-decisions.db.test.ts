// A policy that becomes stricter while somebody decides or carries out: it comes before the act or after it, never between.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { breakGlass } from '@/lib/review/break-glass/break-glass';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { executeReissue } from '@/lib/review/execute-reissue';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { asActor, OPERATION, type Json } from '@/lib/testing/ledger-fixture';
import { calling, overtaken, untilWaiting } from '@/lib/testing/overtaking';
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
let operator: LookingContext;
let approver: LookingContext;
let admin: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk({ authorities: ['money', 'break-glass'] });
  approver = await desk.desk({ roles: ['APPROVER'] });
  await desk.desk({ roles: ['APPROVER'] });
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  doubts = doubtFixture(desk, operator);
});
beforeEach(() => installPolicy(db, {}));
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** The second word on a proposal that waits. */
async function proposed(change: Json): Promise<Json> {
  expect(await proposePolicy(admin, await policyForm(db, change))).toMatchObject({ outcome: 'done' });
  const proposalId = await waitingProposal(db);
  return { proposalId, verdict: 'CONFIRM', reason: REASON, operationId: randomUUID() };
}
const two = () => proposed(policyContent({ steps: [step({ count: 2 })] }) as unknown as Json);
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const requestOf = async (requestId: string) =>
  (
    await db
      .pool('owner')
      .query<Json>('select state, void_reason from review.approval_requests where request_id = $1', [
        requestId,
      ])
  ).rows[0];

describe('an approval policy becomes stricter', () => {
  it('R-081n first: an approval that waited for it is not enough', async () => {
    const { requestId, verdict } = await doubts.requested();
    const change = calling('decide_policy', await two());
    const late = await overtaken(db, second, change, () => decideRequest(approver, verdict()));
    expect(late).toMatchObject({ outcome: 'done' });
    expect(await requestOf(requestId)).toMatchObject({ state: 'PENDING' });
  });

  it('R-081n first: a key that waited for it is not made', async () => {
    const { requestId, verdict } = await doubts.requested();
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    const change = calling('decide_policy', await two());
    const late = await overtaken(db, second, change, () => carryOut(requestId));
    expect(late).toMatchObject({ done: 'ENDED', state: 'VOID' });
    expect(await requestOf(requestId)).toEqual({ state: 'VOID', void_reason: 'POLICY_STRICTER' });
  });

  it('R-081n first, to none at all: an emergency that waited for it has nothing to go by', async () => {
    const { requestId, digest } = await doubts.requested();
    const reason = 'The customer stands at the counter and no approver answers.';
    const act = { requestId, digest, reason, operationId: randomUUID() };
    const change = calling('decide_policy', await proposed({ removes: true }));
    const late = await overtaken(db, second, change, () => breakGlass(operator, act));
    expect(late).toMatchObject({ outcome: 'refused', code: 'NO_APPROVAL_POLICY' });
  });

  it.each([
    [
      'an administrator',
      async () =>
        (
          (form) => () =>
            decidePolicy(second, form)
        )(await two()),
    ],
    ['an installation', async () => () => installPolicy(db, { steps: [step({ count: 2 })] })],
  ])('R-081n later, by %s: it waits for the verdict that is being given', async (_, making) => {
    const { requestId, verdict } = await doubts.requested();
    const change = await making();
    const before = await policyVersion(db);
    const { changing, meanwhile } = await transaction(approver.pool, approver.context, async (tx) => {
      await calling('decide_request', verdict())(tx);
      const begun = change();
      await untilWaiting(db, 1, begun);
      return { changing: begun, meanwhile: await policyVersion(db) };
    });
    await changing;
    expect([meanwhile, await policyVersion(db)]).toEqual([before, before + 1]);
    expect(await requestOf(requestId)).toMatchObject({ state: 'APPROVED' });
  });
});

it('R-081n R-070a an operation that comes to need another authority first is decided by nobody without it', async () => {
  const { form } = await doubts.unpaid();
  const { late } = await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, async (client) => {
    await client.query(
      'update ledger.operation_policies set retired_at = ledger.clock() where operation = $1',
      [OPERATION],
    );
    await client.query(
      `insert into ledger.operation_policies select p.* from ledger.operation_policies o, jsonb_populate_record(o,
         jsonb_build_object('version', o.version + 1, 'authority', 'rights', 'retired_at', null)) p where o.operation = $1`,
      [OPERATION],
    );
    const deciding = confirmNotApplied(operator, form);
    await untilWaiting(db, 1, deciding);
    return { late: deciding };
  });
  expect(await late).toMatchObject({ outcome: 'refused', code: 'AUTHORITY_MISSING' });
});
