import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOfSecret } from '@/lib/access/session';
import { signIn } from '@/lib/access/sign-in';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { getRequest } from '@/lib/review/get-request';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { actorOf, makePerson, PASSWORD, sessionOf } from '@/lib/testing/people';
import { changeRights } from './change-rights';
import { decideGrant } from './decide-grant';
import { endSessions } from './end-sessions';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const approver = () => desk.desk({ roles: ['APPROVER'] });

/** A verdict's form on a request for new work that waits. */
const verdictForm = async () => (await doubtFixture(desk, operator).requested()).verdict();

/** The same person in a session whose password was shown so long ago. */
async function inSession(person: LookingContext, ago: string): Promise<LookingContext> {
  const { rows } = await db
    .pool('owner')
    .query<{ at: string }>(`select (ledger.clock() - $1::text::interval)::text as at`, [ago]);
  const sessionId = await sessionOf(db, person.actor.personId, rows[0]!.at);
  return { ...person, context: { ...person.context, sessionId } };
}

describe('the second word', () => {
  it('AN-05 R-078d asks for the password again after 15 minutes, in this very session', async () => {
    const person = await approver();
    const form = await verdictForm();
    const { sessionId: _none, ...without } = person.context;
    const others = await inSession(await approver(), '1 minute');
    for (const ctx of [
      await inSession(person, '15 minutes 1 second'),
      { ...person, context: without },
      { ...person, context: { ...person.context, sessionId: others.context.sessionId! } },
    ])
      expect(await decideRequest(ctx, form)).toEqual({ outcome: 'refused', code: 'STEP_UP_NEEDED' });
    expect(await desk.audit({ operationId: form.operationId })).toMatchObject(
      Array.from({ length: 3 }, () => ({ outcome: 'refused', refusal_code: 'STEP_UP_NEEDED' })),
    );
    const fresh = await inSession(person, '14 minutes 50 seconds');
    expect(await decideRequest(fresh, form)).toMatchObject({ outcome: 'done', repeated: false });
  });

  it('AN-05 R-078d showing it again gives a new session, ends the old one, and lets the same form through', async () => {
    const email = `again-${randomUUID()}@demo.local`;
    const rights = { roles: ['APPROVER' as const], authorities: ['money'], tenantIds: ['tenant-north'] };
    const personId = await makePerson(db, { email, ...rights });
    const form = await verdictForm();
    const enter = async (previousSecret: string | null) => {
      const origin = { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret };
      const answer = await signIn(db.pool('app'), { email, password: PASSWORD }, origin);
      if (answer.kind !== 'signed-in') throw new Error(answer.kind);
      return answer.secret;
    };
    const decideWith = async (secret: string) => {
      const actor = await actorOfSecret(db.pool('app'), secret);
      if (actor === null) return null;
      const context = {
        ...operator.context,
        actor: { kind: 'person' as const, id: personId },
        sessionId: actor.sessionId,
      };
      return decideRequest({ ...operator, actor, context }, form);
    };
    const before = await enter(null);
    await db
      .pool('owner')
      .query(
        `update review.sessions set authenticated_at = ledger.clock() - interval '16 minutes' where person_id = $1`,
        [personId],
      );
    expect(await decideWith(before)).toMatchObject({ code: 'STEP_UP_NEEDED' });
    const after = await enter(before);
    expect(await decideWith(before)).toBeNull();
    expect(await decideWith(after)).toMatchObject({ outcome: 'done', repeated: false });
  });

  it('AN-06 AN-07 is refused from a session that was ended a moment ago', async () => {
    const person = await inSession(await approver(), '1 minute');
    const admin = await desk.desk({ roles: ['ADMIN'] });
    const form = await verdictForm();
    const all = { personId: person.actor.personId, sessionId: null, operationId: randomUUID() };
    expect(await endSessions(admin, all)).toMatchObject({ outcome: 'done' });
    expect(await decideRequest(person, form)).toMatchObject({ code: 'STEP_UP_NEEDED' });
  });

  it('R-078d a rejection asks for no password', async () => {
    const person = await inSession(await approver(), '2 hours');
    const form = { ...(await verdictForm()), verdict: 'REJECT' };
    expect(await decideRequest(person, form)).toMatchObject({ outcome: 'done' });
  });

  it('AN-05 R-078d AZ-15 the same holds for a second administrator’s word', async () => {
    const admin = await desk.desk({ roles: ['ADMIN'] });
    const second = await desk.desk({ roles: ['ADMIN'] });
    const { personId } = (await desk.desk({ authorities: [] })).actor;
    const form = { personId, version: '1', reason: RATIONALE };
    const rights = { roles: ['OPERATOR', 'APPROVER'], authorities: [], tenantIds: ['tenant-north'] };
    await changeRights(admin, { ...form, ...rights, operationId: randomUUID() });
    const { rows } = await db
      .pool('owner')
      .query<{ grant_id: string }>('select grant_id from review.right_grants where person_id = $1', [
        personId,
      ]);
    const verdict = {
      ...form,
      version: '2',
      grantId: rows[0]!.grant_id,
      verdict: 'CONFIRM',
      operationId: randomUUID(),
    };
    expect(await decideGrant(await inSession(second, '16 minutes'), verdict)).toMatchObject({
      code: 'STEP_UP_NEEDED',
    });
    expect(await decideGrant(await inSession(second, '1 minute'), verdict)).toMatchObject({
      outcome: 'done',
    });
  });
});

describe('a right that came after the request', () => {
  it.each([
    [`roles = '{MANAGER}'`, `roles = '{APPROVER}'`],
    [`authorities = '{}'`, `authorities = '{money}'`],
    [`tenant_ids = '{}'`, `tenant_ids = '{tenant-north}'`],
  ])('AZ-15 R-078e decides nothing of it, whoever gave it: %s, then %s', async (before, after) => {
    const late = await approver();
    await changePerson(db, late.actor.personId, before);
    const form = await verdictForm();
    await changePerson(db, late.actor.personId, after);
    const now = { ...late, actor: await actorOf(db, late.actor.personId) };
    expect(await getRequest(now, String(form['requestId']))).toMatchObject({
      decideRefusal: 'RIGHT_TOO_NEW',
    });
    for (const verdict of ['APPROVE', 'REJECT'])
      expect(await decideRequest(late, { ...form, verdict })).toEqual({
        outcome: 'refused',
        code: 'RIGHT_TOO_NEW',
      });
    expect(await decideRequest(late, await verdictForm())).toMatchObject({ outcome: 'done' });
  });
});
