// FE-07: who may is asked at the decision and once more when it is carried out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { requestReissue } from './request-reissue';

let db: TestDatabase;
let desk: DeskFixture;
let requester: LookingContext;
let approver: LookingContext;
let other: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  requester = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  other = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, requester);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

type Asked = Awaited<ReturnType<DoubtFixture['requested']>>;
const owner = () => db.pool('owner');
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const stateOf = async ({ requestId }: { requestId: string }): Promise<Json> =>
  (
    await owner().query<Json>(
      'select state, void_reason from review.approval_requests where request_id = $1',
      [requestId],
    )
  ).rows[0]!;
const keysOf = async ({ id }: Asked): Promise<number> =>
  (await owner().query('select from ledger.executions where reissue_of = $1', [id])).rowCount!;

/** The approver loses what deciding takes; `back` gives it again, which is a new right. */
const LOSSES: readonly (readonly [what: string, lose: string, back: string, atDecision: string])[] = [
  ['role', `roles = '{MANAGER}'`, `roles = '{APPROVER}'`, 'ROLE_MISSING'],
  ['authority', `authorities = '{}'`, `authorities = '{money}'`, 'AUTHORITY_MISSING'],
  ['tenant', `tenant_ids = '{tenant-south}'`, `tenant_ids = '{tenant-north}'`, 'NOT_FOUND'],
  ['account', 'disabled_at = ledger.clock()', 'disabled_at = null', 'ACCOUNT_DISABLED'],
];

/** The same wish once more, with the evidence of the first one. */
async function askAgain(
  by: LookingContext,
  { exceptionId, form }: Asked,
): Promise<{ requestId: string; digest: string }> {
  const seen = await desk.seen(by, exceptionId);
  const wish = { relation: 'RETRY_AS_NEW', originalFate: 'It never happened.', intakeId: null };
  const answer = await requestReissue(by, {
    ...seen.form,
    ...wish,
    evidenceId: form.evidenceId,
    lookAgain: false,
  });
  if (answer.outcome !== 'requested') throw new Error(JSON.stringify(answer));
  const { rows } = await owner().query<{ digest: string }>(
    'select digest from review.approval_requests where request_id = $1',
    [answer.requestId],
  );
  return { requestId: answer.requestId, digest: rows[0]!.digest };
}

/** Nothing is carried out until somebody who may decides again, on a request that began without approvals. */
async function expectFreshDecision(by: LookingContext, first: Asked): Promise<void> {
  const { requestId, digest } = await askAgain(by, first);
  expect(await carryOut(requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
  expect(await stateOf({ requestId })).toMatchObject({ state: 'PENDING' });
  expect(await keysOf(first)).toBe(0);
  expect(await decideRequest(other, first.verdict({ requestId, digest }))).toMatchObject({ outcome: 'done' });
  expect(await carryOut(requestId)).toMatchObject({ done: 'EXECUTED' });
  expect(await keysOf(first)).toBe(1);
}

describe('the approver loses the right', () => {
  it.each(LOSSES)(
    'FE-07 R-078a (a) %s, between request and decision: refused on record',
    async (_, lose, back, code) => {
      const asked = await doubts.requested();
      await changePerson(db, approver.actor.personId, lose);
      const attempt = asked.verdict();
      expect(await decideRequest(approver, attempt)).toMatchObject({ outcome: 'refused', code });
      expect(await desk.audit({ operationId: attempt.operationId })).toMatchObject([
        { outcome: 'refused', refusal_code: code, actor_id: approver.actor.personId },
      ]);
      expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
      await changePerson(db, approver.actor.personId, back);
      if (code !== 'ACCOUNT_DISABLED')
        expect(await decideRequest(approver, asked.verdict())).toMatchObject({ code: 'RIGHT_TOO_NEW' });
      expect(await decideRequest(other, asked.verdict())).toMatchObject({ outcome: 'done' });
      expect(await carryOut(asked.requestId)).toMatchObject({ done: 'EXECUTED' });
    },
  );

  it.each(LOSSES)(
    'FE-07 R-083 (b) %s, between decision and execution: not carried out until another decides',
    async (_, lose, back) => {
      const asked = await doubts.requested();
      expect(await decideRequest(approver, asked.verdict())).toMatchObject({ outcome: 'done' });
      await changePerson(db, approver.actor.personId, lose);
      expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED', state: 'VOID' });
      expect(await stateOf(asked)).toEqual({ state: 'VOID', void_reason: 'APPROVERS_NOT_ENTITLED' });
      expect(await keysOf(asked)).toBe(0);
      // Nor does the verdict come back to life with the right.
      await changePerson(db, approver.actor.personId, back);
      expect(await carryOut(asked.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
      expect(await keysOf(asked)).toBe(0);
      await expectFreshDecision(requester, asked);
    },
  );

  it('FE-07 R-083 (b) given back before it was carried out, the right is a new one and the old verdict counts no more', async () => {
    const asked = await doubts.requested();
    expect(await decideRequest(approver, asked.verdict())).toMatchObject({ outcome: 'done' });
    await changePerson(db, approver.actor.personId, `roles = '{MANAGER}'`);
    await changePerson(db, approver.actor.personId, `roles = '{APPROVER}'`);
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED', state: 'VOID' });
    await expectFreshDecision(requester, asked);
  });
});

describe('the requester can ask no more', () => {
  it.each(LOSSES.slice(0, 3))(
    'FE-07 R-070b void when the %s is gone at the verdict, and at the making of the key',
    async (_, lose) => {
      const told = { outcome: 'refused', code: 'REQUEST_VOID', voidReason: 'REQUESTER_NOT_ENTITLED' };
      const leaving = await desk.desk();
      const asked = await doubts.requested(leaving);
      await changePerson(db, leaving.actor.personId, lose);
      expect(await decideRequest(approver, asked.verdict())).toEqual(told);
      expect(await keysOf(asked)).toBe(0);
      const passing = await desk.desk();
      const approved = await doubts.requested(passing);
      expect(await decideRequest(approver, approved.verdict())).toMatchObject({ outcome: 'done' });
      await changePerson(db, passing.actor.personId, lose);
      expect(await carryOut(approved.requestId)).toMatchObject({ done: 'ENDED', state: 'VOID' });
      expect(await stateOf(approved)).toEqual({ state: 'VOID', void_reason: 'REQUESTER_NOT_ENTITLED' });
    },
  );
});

describe('the requester is disabled', () => {
  it('FE-07 R-070b (a) between request and decision: void, nothing decided, on record', async () => {
    const leaving = await desk.desk();
    const asked = await doubts.requested(leaving);
    await changePerson(db, leaving.actor.personId, 'disabled_at = ledger.clock()');
    const attempt = asked.verdict();
    const told = { outcome: 'refused', code: 'REQUEST_VOID', voidReason: 'REQUESTER_DISABLED' };
    expect(await decideRequest(approver, attempt)).toEqual(told);
    expect(await desk.audit({ operationId: attempt.operationId })).toMatchObject([
      { event: 'reissue.voided', body: { reason: 'REQUESTER_DISABLED' } },
      { event: 'reissue.approved', outcome: 'refused', refusal_code: 'REQUEST_VOID' },
    ]);
    const { rows } = await owner().query('select from review.approval_decisions where request_id = $1', [
      asked.requestId,
    ]);
    expect(rows).toEqual([]);
    expect(await keysOf(asked)).toBe(0);
    await expectFreshDecision(requester, asked);
  });

  it('FE-07 R-070b (b) between decision and execution: void, no key, until somebody else asks and it is decided', async () => {
    const leaving = await desk.desk();
    const asked = await doubts.requested(leaving);
    expect(await decideRequest(approver, asked.verdict())).toMatchObject({ outcome: 'done' });
    await changePerson(db, leaving.actor.personId, 'disabled_at = ledger.clock()');
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED', state: 'VOID' });
    expect(await stateOf(asked)).toEqual({ state: 'VOID', void_reason: 'REQUESTER_DISABLED' });
    expect(await keysOf(asked)).toBe(0);
    await changePerson(db, leaving.actor.personId, 'disabled_at = null');
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
    await expectFreshDecision(requester, asked);
  });
});
