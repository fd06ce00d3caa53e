// FE-10, FE-15: what is over stays over, and a decision that has been used is used up.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { faultProxy, type FaultProxy } from '@/lib/testing/fault-proxy';
import type { Json } from '@/lib/testing/ledger-fixture';
import { breakGlass } from './break-glass/break-glass';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { extend } from './extend';
import { requestReissue } from './request-reissue';
import { withdrawRequest } from './withdraw-request';

let db: TestDatabase;
let desk: DeskFixture;
let requester: LookingContext;
let approver: LookingContext;
let doubts: DoubtFixture;
let proxy: FaultProxy;
let lossy: Pool;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  // Whoever asks could do all of it for others: it is the asking that stands in the way.
  const rights = { roles: ['OPERATOR', 'APPROVER'], authorities: ['money', 'break-glass'] };
  requester = await desk.desk(rights);
  approver = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, requester);
  const url = new URL(db.appUrl);
  proxy = await faultProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  lossy = makePool({ connectionString: url.href, name: 'lossy', max: 2 });
});
afterAll(async () => {
  await lossy.end();
  await proxy.close();
  await desk.close();
  await db.drop();
});

type Asked = Awaited<ReturnType<DoubtFixture['requested']>>;
const owner = () => db.pool('owner');
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const row = async (requestId: string): Promise<Json> =>
  (await owner().query<Json>('select * from review.approval_requests where request_id = $1', [requestId]))
    .rows[0]!;
const keysOf = async ({ id }: Asked): Promise<number> =>
  (await owner().query('select from ledger.executions where reissue_of = $1', [id])).rowCount!;

const WISH = { relation: 'RETRY_AS_NEW', originalFate: 'It never happened.', intakeId: null };
async function wishOf({ exceptionId }: Asked, more: Json = {}) {
  const evidenceId = await doubts.look(exceptionId);
  const { form } = await desk.seen(requester, exceptionId);
  return { ...form, ...WISH, evidenceId, lookAgain: false, ...more };
}

const ENDINGS: Record<string, () => Promise<Asked>> = {
  REJECTED: async () => {
    const asked = await doubts.requested();
    await decideRequest(approver, asked.verdict({ verdict: 'REJECT' }));
    return asked;
  },
  WITHDRAWN: async () => {
    const asked = await doubts.requested();
    await withdrawRequest(requester, { requestId: asked.requestId, operationId: randomUUID() });
    return asked;
  },
  EXPIRED: async () => {
    const asked = await doubts.requested();
    await decideRequest(approver, asked.verdict());
    await db.advanceClock('3601 seconds');
    await carryOut(asked.requestId);
    return asked;
  },
  VOID: async () => {
    const asked = await doubts.requested();
    await decideRequest(approver, asked.verdict());
    await changePerson(db, approver.actor.personId, `roles = '{MANAGER}'`);
    await carryOut(asked.requestId);
    await changePerson(db, approver.actor.personId, `roles = '{APPROVER}'`);
    return asked;
  },
};

const refused = (answer: CommandAnswer) => (answer.outcome === 'refused' ? answer.code : answer.outcome);

describe('a requester’s second thoughts', () => {
  it.each([
    ['prolongs the decision', `decide_by = decide_by + interval '1 day'`],
    ['prolongs the execution', `execute_by = ledger.clock() + interval '1 day'`],
    ['makes it younger', `requested_at = ledger.clock()`],
  ])('FE-10 R-070c %s: by no member of an act, and by no SQL', async (_, set) => {
    const { requestId, exceptionId } = await doubts.requested();
    const before = await row(requestId);
    const longer = {
      decideBy: '2099-01-01T00:00:00Z',
      approvalTtlSeconds: 999_999,
      executeBy: '2099-01-01T00:00:00Z',
    };
    const { form } = await desk.seen(requester, exceptionId);
    for (const [member, value] of Object.entries(longer)) {
      const more = { [member]: value };
      const act = { requestId, operationId: randomUUID(), ...more };
      expect(refused(await withdrawRequest(requester, act))).toBe('INVALID_INPUT');
      expect(
        refused(
          await requestReissue(requester, { ...form, ...WISH, evidenceId: null, lookAgain: false, ...more }),
        ),
      ).toBe('INVALID_INPUT');
    }
    expect(refused(await extend(requester, { ...form, requestId, seconds: 600 }))).toBe('INVALID_INPUT');
    // "Extend" is about executions: for a request that waits there is nothing of the kind.
    expect(refused(await extend(requester, { ...form, seconds: 600 }))).toBe('DECISION_NOT_FOR_KIND');
    const text = `update review.approval_requests set ${set} where request_id = $1`;
    for (const role of ['app', 'worker'] as const)
      await expect(db.pool(role).query(text, [requestId])).rejects.toMatchObject({ code: '42501' });
    await expect(owner().query(text, [requestId])).rejects.toMatchObject({ code: 'OO004' });
    // A second wish beside it would be a longer one.
    expect(refused(await requestReissue(requester, await wishOf({ exceptionId } as Asked)))).toBe(
      'REQUEST_IN_FLIGHT',
    );
    expect(await row(requestId)).toEqual(before);
  });

  it.each(Object.keys(ENDINGS))(
    'FE-10 R-084 %s: opened again by nobody, by no act and no SQL',
    async (state) => {
      const asked = await ENDINGS[state]!();
      const before = await row(asked.requestId);
      expect(before).toMatchObject({ state });
      const { requestId, digest } = asked;
      const again = { requestId, operationId: randomUUID() };
      const reason = 'The customer waits and nobody answers.';
      expect(refused(await withdrawRequest(requester, again))).toBe('REQUEST_ENDED');
      expect(refused(await breakGlass(requester, { ...again, digest, reason }))).toBe('REQUEST_ENDED');
      for (const verdict of ['APPROVE', 'REJECT'])
        expect(refused(await decideRequest(approver, asked.verdict({ verdict })))).toBe('REQUEST_ENDED');
      expect(await carryOut(requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
      for (const to of ['PENDING', 'APPROVED', 'EXECUTED']) {
        const text = `update review.approval_requests set state = '${to}', void_reason = null where request_id = $1`;
        await expect(db.pool('app').query(text, [requestId])).rejects.toMatchObject({ code: '42501' });
        await expect(owner().query(text, [requestId])).rejects.toMatchObject({ code: 'OO004' });
      }
      expect(await row(requestId)).toEqual(before);
      expect(await keysOf(asked)).toBe(0);
    },
  );

  it.each(['EXPIRED', 'VOID'])(
    'FE-10 R-084 %s, asked again with the same evidence: no approval comes along',
    async (state) => {
      const asked = await ENDINGS[state]!();
      for (const more of [
        { approvedBy: approver.actor.personId },
        { approvals: [] },
        { previousRequestId: asked.requestId },
      ])
        expect(refused(await requestReissue(requester, await wishOf(asked, more)))).toBe('INVALID_INPUT');
      const answer = await requestReissue(requester, await wishOf(asked));
      if (answer.outcome !== 'requested') throw new Error(JSON.stringify(answer));
      expect(await row(answer.requestId)).toMatchObject({ state: 'PENDING', new_execution_id: null });
      expect(await carryOut(answer.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
      const copy = (operation: string, decidedAt: string) =>
        `insert into review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, roles, decided_at)
       select r.request_id, d.approver_id, r.requested_by, ${operation}, d.verdict, d.rationale, r.digest, d.roles, ${decidedAt}
       from review.approval_decisions d, review.approval_requests r where d.request_id = '${asked.requestId}' and r.request_id = '${answer.requestId}'`;
      await expect(db.pool('app').query(copy('d.operation_id', 'd.decided_at'))).rejects.toMatchObject({
        code: '42501',
      });
      // The owner of the tables is refused as well: the verdict is one, and older than this request, or not in a session of its giver.
      const asApprover = (text: string) =>
        transaction(db.pool('owner'), { ...approver.context, sessionId: approver.context.sessionId! }, (tx) =>
          tx.query(text),
        );
      await expect(asApprover(copy('d.operation_id', 'd.decided_at'))).rejects.toMatchObject({
        code: '23505',
      });
      await expect(asApprover(copy('ledger.new_id()', 'd.decided_at'))).rejects.toMatchObject({
        code: 'OA013',
      });
      await expect(owner().query(copy('ledger.new_id()', 'ledger.clock()'))).rejects.toMatchObject({
        code: expect.stringMatching(/^OA01[35]$/),
      });
      const { rows } = await owner().query('select from review.approval_decisions where request_id = $1', [
        answer.requestId,
      ]);
      expect(rows).toEqual([]);
      expect(await row(answer.requestId)).toMatchObject({ state: 'PENDING' });
    },
  );
});

describe('the same decision once more', () => {
  /** Sends the verdict again under its id and under a new one, and carries it out again. */
  async function replay(
    asked: Asked,
    verdict: Json & { operationId: string },
    first: CommandAnswer,
    keys: number,
  ) {
    const before = await row(asked.requestId);
    for (let n = 0; n < 2; n += 1) expect(await decideRequest(approver, verdict)).toEqual(first);
    const anew = { ...verdict, operationId: randomUUID() };
    expect(refused(await decideRequest(approver, anew))).toBe('REQUEST_ENDED');
    expect(await desk.audit({ operationId: anew.operationId })).toMatchObject([
      { outcome: 'refused', refusal_code: 'REQUEST_ENDED' },
    ]);
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'NOTHING_TO_DO' });
    expect(await row(asked.requestId)).toEqual(before);
    expect(await keysOf(asked)).toBe(keys);
    const events = await desk.audit({ operationId: verdict.operationId });
    expect(events.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
  }
  const done: CommandAnswer = { outcome: 'done', repeated: true };

  it('FE-15 R-077b after success: the same id gets the first answer, a new one finds it used up, one key', async () => {
    const asked = await doubts.requested();
    const verdict = asked.verdict();
    expect(await decideRequest(approver, verdict)).toEqual({ outcome: 'done', repeated: false });
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'EXECUTED' });
    await replay(asked, verdict, done, 1);
    const { rows } = await db
      .pool('worker')
      .query<{ answer: Json }>('select review.execute_reissue($1, null) as answer', [asked.requestId]);
    expect(rows[0]!.answer).toMatchObject({ outcome: 'ended', state: 'EXECUTED' });
    expect(await keysOf(asked)).toBe(1);
  });

  it('FE-15 R-077b after the execution failed: no second try on the old verdict', async () => {
    const asked = await doubts.requested();
    const verdict = asked.verdict();
    await decideRequest(approver, verdict);
    desk.answerItems(desk.payment(asked.key));
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED', state: 'VOID' });
    desk.answerItems();
    await replay(asked, verdict, done, 0);
  });

  it.each([
    ['void', 'REQUEST_VOID', 'REQUESTER_DISABLED'],
    ['expired', 'REQUEST_EXPIRED', undefined],
  ])(
    'FE-15 R-077b a verdict that found its request %s gets that answer again',
    async (how, code, voidReason) => {
      const leaving = await desk.desk();
      const asked = await doubts.requested(leaving);
      const verdict = asked.verdict();
      if (how === 'void') await changePerson(db, leaving.actor.personId, 'disabled_at = ledger.clock()');
      else await db.advanceClock('86401 seconds');
      const first: CommandAnswer = await decideRequest(approver, verdict);
      expect(first).toEqual({
        outcome: 'refused',
        code,
        ...(voidReason === undefined ? {} : { voidReason }),
      });
      await replay(asked, verdict, first, 0);
    },
  );

  it('FE-15 R-085b after a lost answer: the same id tells that it is done, a new one finds it decided', async () => {
    const asked = await doubts.requested();
    const verdict = asked.verdict();
    proxy.dropAnswerTo('commit');
    expect(await decideRequest({ ...approver, pool: lossy }, verdict)).toEqual(done);
    expect(refused(await decideRequest(approver, { ...verdict, operationId: randomUUID() }))).toBe(
      'REQUEST_ENDED',
    );
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'EXECUTED' });
    await replay(asked, verdict, done, 1);
  });

  it('FE-15 R-085c after a COMMIT that never arrived: the same id decides, once', async () => {
    const asked = await doubts.requested();
    const verdict = asked.verdict();
    proxy.dropStatement('commit');
    expect(await decideRequest({ ...approver, pool: lossy }, verdict)).toEqual({ outcome: 'unknown' });
    expect(await row(asked.requestId)).toMatchObject({ state: 'PENDING' });
    expect(await decideRequest(approver, verdict)).toEqual({ outcome: 'done', repeated: false });
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'EXECUTED' });
    await replay(asked, verdict, done, 1);
  });
});
