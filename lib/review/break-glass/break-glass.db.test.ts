import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { executeReissue } from '@/lib/review/execute-reissue';
import { getRequest } from '@/lib/review/get-request';
import { requestReissue } from '@/lib/review/request-reissue';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { sessionOf } from '@/lib/testing/people';
import { installPolicy } from '@/lib/testing/policy-forms';
import { breakGlass } from './break-glass';
import { listOpenReviews } from './read-uses';
import { reviewBreakGlass } from './review-break-glass';

let db: TestDatabase;
let desk: DeskFixture;
let approver: LookingContext;
/** Holds the authority for emergencies; asks and breaks the glass alone. */
let alone: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  approver = await desk.desk({ roles: ['APPROVER'] });
});
beforeEach(async () => {
  alone = await desk.desk({ authorities: ['money', 'break-glass'] });
  doubts = doubtFixture(desk, alone);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const owner = () => db.pool('owner');
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
const REASON = 'The customer stands at the counter and no approver answers.';
type Asked = Awaited<ReturnType<DoubtFixture['requested']>>;
const glass = ({ requestId, digest }: Asked, change: Json = {}) => ({
  requestId,
  digest,
  reason: REASON,
  operationId: randomUUID(),
  ...change,
});
const finding = ({ requestId }: Asked, change: Json = {}) => ({
  requestId,
  finding: 'JUSTIFIED',
  rationale: 'Nobody could be reached, and it was looked up.',
  operationId: randomUUID(),
  ...change,
});
const stateOf = async ({ requestId }: Asked) => {
  const { rows } = await owner().query<Json>(
    'select state, void_reason from review.approval_requests where request_id = $1',
    [requestId],
  );
  return rows[0];
};

describe('breaking the glass', () => {
  it('R-082a FE-14 one person alone has the key made: an act and a reason of its own, answered for by name', async () => {
    const asked = await doubts.requested();
    const act = glass(asked);
    expect(await breakGlass(alone, act)).toEqual({ outcome: 'done', repeated: false });
    expect(await breakGlass(alone, act)).toEqual({ outcome: 'done', repeated: true });
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'EXECUTED' });
    const { rows } = await owner().query(
      'select decision, actor_id, rationale from review.decisions where approval_request_id = $1',
      [asked.requestId],
    );
    expect(rows).toEqual([{ decision: 'REISSUE', actor_id: alone.actor.personId, rationale: REASON }]);
    expect(await desk.audit({ operationId: act.operationId })).toMatchObject([
      {
        event: 'break_glass.used',
        outcome: 'done',
        actor_id: alone.actor.personId,
        body: { reason: REASON },
      },
    ]);
  });

  it('R-082b FE-14 managers are told in the same transaction', async () => {
    const asked = await doubts.requested();
    await breakGlass(alone, glass(asked));
    const { rows } = await db
      .pool('superuser')
      .query(`select 1 from graphile_worker.jobs where key = 'tell-managers:' || $1`, [asked.requestId]);
    expect(rows).toHaveLength(1);
  });

  it('R-082c FE-14 used twice: not before the first use has been reviewed', async () => {
    const [first, second] = [await doubts.requested(), await doubts.requested()];
    await breakGlass(alone, glass(first));
    expect(await breakGlass(alone, glass(first))).toMatchObject({ code: 'REQUEST_ENDED' });
    expect(await breakGlass(alone, glass(second))).toMatchObject({ code: 'BREAK_GLASS_UNREVIEWED' });
    expect(await reviewBreakGlass(approver, finding(first))).toMatchObject({ outcome: 'done' });
    expect(await breakGlass(alone, glass(second))).toMatchObject({ outcome: 'done' });
  });

  it('R-082c FE-14 a normal case is none: what ranks lower waits for its approver', async () => {
    const asked = await doubts.requested();
    const rank = (severity: number) =>
      owner().query('update review.exceptions set severity = $2 where exception_id = $1', [
        asked.exceptionId,
        severity,
      ]);
    await rank(3);
    expect(await breakGlass(alone, glass(asked))).toMatchObject({ code: 'NOT_AN_EMERGENCY' });
    await rank(2);
    expect(await breakGlass(alone, glass(asked))).toMatchObject({ outcome: 'done' });
  });

  it('R-082d FE-14 after a quarter of an hour it is over, and the review stays open', async () => {
    const asked = await doubts.requested();
    await breakGlass(alone, glass(asked));
    await db.advanceClock('15 minutes');
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED' });
    expect(await stateOf(asked)).toMatchObject({ state: 'EXPIRED' });
    expect(await breakGlass(alone, glass(await doubts.requested()))).toMatchObject({
      code: 'BREAK_GLASS_UNREVIEWED',
    });
  });

  it('R-082d FE-14 who lost the authority meanwhile answers for nothing any more', async () => {
    const asked = await doubts.requested();
    await breakGlass(alone, glass(asked));
    await changePerson(db, alone.actor.personId, `authorities = '{money}'`);
    await carryOut(asked.requestId);
    expect(await stateOf(asked)).toEqual({ state: 'VOID', void_reason: 'BREAK_GLASS_OVER' });
  });

  it('R-082a FE-14 it is for new keys alone, while they wait, and not where no policy would approve them', async () => {
    const { form, id } = await doubts.unpaid();
    expect(await confirmNotApplied(alone, form)).toMatchObject({ outcome: 'requested' });
    const { rows } = await owner().query<{ request_id: string; digest: string }>(
      'select request_id, digest from review.approval_requests where execution_id = $1',
      [id],
    );
    const confirmation = { requestId: rows[0]!.request_id, digest: rows[0]!.digest } as Asked;
    expect(await breakGlass(alone, glass(confirmation))).toMatchObject({ code: 'DECISION_NOT_FOR_KIND' });

    const asked = await doubts.requested();
    await installPolicy(db, { removes: true });
    expect(await breakGlass(alone, glass(asked))).toMatchObject({ code: 'NO_APPROVAL_POLICY' });
    await installPolicy(db, { approvalTtlSeconds: 60 });
    await db.advanceClock('61 seconds');
    expect(await breakGlass(alone, glass(asked))).toMatchObject({ code: 'REQUEST_EXPIRED' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
    await installPolicy(db, {});
    const used = glass(asked);
    expect(await breakGlass(alone, used)).toMatchObject({ outcome: 'done' });
    await db.advanceClock('15 minutes');
    expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED' });
    // It is used up: the same act once more prolongs nothing, and a new one finds the request over.
    expect(await breakGlass(alone, used)).toEqual({ outcome: 'done', repeated: true });
    expect(await breakGlass(alone, glass(asked))).toMatchObject({ code: 'REQUEST_ENDED' });
    expect(await stateOf(asked)).toMatchObject({ state: 'EXPIRED' });
  });

  it('R-082a FE-14 no parameter of another act reaches it', async () => {
    const asked = await doubts.requested();
    for (const more of [{ breakGlass: true }, { emergency: true }, { verdict: 'BREAK_GLASS' }])
      expect(await decideRequest(approver, asked.verdict(more))).toMatchObject({ code: 'INVALID_INPUT' });
    const { form } = await doubts.unpaid();
    const wish = { relation: 'RETRY_AS_NEW', originalFate: 'never', intakeId: null, breakGlass: true };
    expect(await requestReissue(alone, { ...form, ...wish })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
  });

  it('R-082a FE-14 it still needs rights, the digest and a reason', async () => {
    const asked = await doubts.requested();
    const without = await desk.desk();
    expect(await breakGlass(without, glass(asked))).toMatchObject({ code: 'BREAK_GLASS_AUTHORITY_MISSING' });
    expect(await breakGlass(await desk.desk({ roles: ['MANAGER'] }), glass(asked))).toMatchObject({
      code: 'ROLE_MISSING',
    });
    const late = await desk.desk({ authorities: ['money', 'break-glass'] });
    expect(await breakGlass(late, glass(asked))).toMatchObject({ code: 'RIGHT_TOO_NEW' });
    expect(await breakGlass(alone, glass(asked, { digest: '0'.repeat(64) }))).toMatchObject({
      code: 'DIGEST_MISMATCH',
    });
    expect(await breakGlass(alone, glass(asked, { reason: `Urgent${'\u200b'.repeat(30)}` }))).toMatchObject({
      code: 'RATIONALE_SHORT',
    });
    const sessionId = await sessionOf(db, alone.actor.personId, '2020-01-01T00:00:00Z');
    const stale = { ...alone, context: { ...alone.context, sessionId } };
    expect(await breakGlass(stale, glass(asked))).toMatchObject({ code: 'STEP_UP_NEEDED' });
    expect(await stateOf(asked)).toMatchObject({ state: 'PENDING' });
  });
});

describe('the review afterwards', () => {
  it('R-082e FE-14 an approver who took no part says once what it was; nobody else, and not the user', async () => {
    const user = await desk.desk({ roles: ['OPERATOR', 'APPROVER'], authorities: ['money', 'break-glass'] });
    const asked = await doubts.requested(alone);
    const voter = await desk.desk({ roles: ['APPROVER'] });
    await owner().query(`update review.exceptions set assignee_id = $2 where exception_id = $1`, [
      asked.exceptionId,
      voter.actor.personId,
    ]);
    expect(await breakGlass(alone, glass(asked))).toMatchObject({ outcome: 'done' });
    expect(await reviewBreakGlass(alone, finding(asked))).toMatchObject({ code: 'SELF_APPROVAL' });
    expect(await reviewBreakGlass(await desk.desk(), finding(asked))).toMatchObject({ code: 'ROLE_MISSING' });
    expect(await reviewBreakGlass(voter, finding(asked))).toMatchObject({ code: 'TOOK_PART' });
    expect(await reviewBreakGlass(approver, finding(asked, { rationale: 'ok' }))).toMatchObject({
      code: 'RATIONALE_LENGTH',
    });
    const said = finding(asked, { finding: 'NOT_JUSTIFIED' });
    expect(await reviewBreakGlass(approver, said)).toMatchObject({ outcome: 'done' });
    expect(await reviewBreakGlass(approver, said)).toEqual({ outcome: 'done', repeated: true });
    expect(await reviewBreakGlass(user, finding(asked))).toMatchObject({ code: 'REQUEST_ENDED' });
    expect(await desk.audit({ operationId: said.operationId })).toMatchObject([
      { event: 'break_glass.reviewed', outcome: 'done', body: { usedBy: alone.actor.personId } },
    ]);
  });

  it('R-082e FE-14 the database refuses a user without the right, a reviewer who took part, and a change', async () => {
    const asked = await doubts.requested();
    const plain = await desk.desk();
    const insert = (userId: string) =>
      owner().query(
        `insert into review.break_glass_uses (request_id, operation_id, tenant_id, used_by, roles, reason, used_at, expires_at)
         values ($1, ledger.new_id(), 'tenant-north', $2, '{}', $3, now(), now() + interval '1 minute')`,
        [asked.requestId, userId, REASON],
      );
    await expect(insert(plain.actor.personId)).rejects.toMatchObject({ code: 'OA001' });
    await breakGlass(alone, glass(asked));
    const write = async (set: string) => {
      const client = await owner().connect();
      try {
        await client.query('begin');
        await client.query(
          `select set_config('onceover.actor_kind', 'system', true), set_config('onceover.actor_id', 'system:test', true), set_config('onceover.request_id', 'test', true)`,
        );
        await client.query(`update review.break_glass_uses set ${set} where request_id = $1`, [
          asked.requestId,
        ]);
      } finally {
        await client.query('rollback');
        client.release();
      }
    };
    const review = (by: string) =>
      `reviewed_by = '${by}', reviewed_at = now(), finding = 'JUSTIFIED', review_rationale = 'It was needed.'`;
    await expect(write(review(alone.actor.personId))).rejects.toMatchObject({ code: 'OA017' });
    await expect(write(review(plain.actor.personId))).rejects.toMatchObject({ code: 'OA017' });
    await expect(write(`reason = 'something else entirely'`)).rejects.toMatchObject({ code: 'OA002' });
    await expect(write(`expires_at = expires_at + interval '1 hour'`)).rejects.toMatchObject({
      code: 'OA002',
    });
    await expect(owner().query('delete from review.break_glass_uses')).rejects.toMatchObject({
      code: 'OA002',
    });
  });

  it('R-082f what waits for a review is listed in its tenants alone, and the request says who may do what', async () => {
    const asked = await doubts.requested();
    const standing = async (ctx: LookingContext) => (await getRequest(ctx, asked.requestId))!.breakGlass;
    expect(await standing(alone)).toMatchObject({ use: null, useRefusal: null });
    expect(await standing(approver)).toMatchObject({ useRefusal: 'BREAK_GLASS_AUTHORITY_MISSING' });
    await breakGlass(alone, glass(asked));
    const listed = async ({ actor, pool }: LookingContext) =>
      (await listOpenReviews({ actor, db: pool })).map((use) => use.requestId);
    expect(await listed(await desk.desk({ roles: ['MANAGER'] }))).toContain(asked.requestId);
    expect(await listed(await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] }))).toEqual([]);
    expect(await standing(approver)).toMatchObject({
      use: { reason: REASON, review: null },
      reviewRefusal: null,
    });
    await reviewBreakGlass(approver, finding(asked));
    expect(await listed(approver)).not.toContain(asked.requestId);
    expect(await standing(approver)).toMatchObject({
      use: { review: { finding: 'JUSTIFIED' } },
      reviewRefusal: 'REQUEST_ENDED',
    });
  });
});
