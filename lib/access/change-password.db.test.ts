import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { actorOf, makePerson, PASSWORD, sessionOf, testContext } from '@/lib/testing/people';
import { changePassword } from './change-password';
import { waysIn } from './ways-in';
import { actorOfSecret } from './session';
import { signIn, type SignInOrigin } from './sign-in';

const origin: SignInOrigin = { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret: null };
const NEXT = '다음 열쇠는 길다';
let db: TestDatabase;
beforeEach(async () => {
  db = await testDatabase();
});
afterEach(() => db.drop());

const login = (password: string) => signIn(db.pool('app'), { email: 'hana@demo.local', password }, origin);
const secretOf = async () => {
  const answer = await login(PASSWORD);
  if (answer.kind !== 'signed-in') throw new Error('bug: no session');
  return answer.secret;
};
const change = async (secret: string, present: string, next: string) => {
  const actor = await actorOfSecret(db.pool('app'), secret);
  if (actor === null) throw new Error('bug: no actor');
  const context: TransactionContext = { ...testContext, actor: { kind: 'person', id: actor.personId } };
  return changePassword({ actor, context }, present, next, db.pool('app'));
};
const events = async () =>
  (
    await db
      .pool('app')
      .query(
        `select outcome, refusal_code as code, body from review.audit_events where event = 'people.password_changed' order by number`,
      )
  ).rows;

describe('choosing another password', () => {
  it('needs the present one, ends the other sessions, and leaves an event without either', async () => {
    await makePerson(db, { email: 'hana@demo.local' });
    const [mine, other] = [await secretOf(), await secretOf()];
    expect(await change(mine, PASSWORD, NEXT)).toEqual({ kind: 'changed' });
    expect(await actorOfSecret(db.pool('app'), mine)).not.toBeNull();
    expect(await actorOfSecret(db.pool('app'), other)).toBeNull();
    expect((await login(PASSWORD)).kind).toBe('refused');
    expect((await login(NEXT)).kind).toBe('signed-in');
    expect(await events()).toMatchObject([{ outcome: 'done' }]);
    expect(JSON.stringify(await events())).not.toContain(NEXT);
  });

  it.each([
    ['wrong', NEXT, 'WRONG_PASSWORD'],
    ['', NEXT, 'WRONG_PASSWORD'],
    [PASSWORD, 'short', 'TOO_SHORT'],
    [PASSWORD, 'x'.repeat(4_096), 'TOO_LONG'],
    [PASSWORD, 'iloveyou1', 'COMMON'],
    [PASSWORD, 'qwertyuiop', 'COMMON'],
    [PASSWORD, 'hana-knows-1', 'CONTAINS_ACCOUNT'],
  ])('AN-14 R-086d refuses and records %#', async (present, next, code) => {
    await makePerson(db, { email: 'hana@demo.local' });
    const [mine, other] = [await secretOf(), await secretOf()];
    expect(await change(mine, present, next)).toEqual({ kind: 'refused', code });
    expect(await actorOfSecret(db.pool('app'), other)).not.toBeNull();
    expect((await login(PASSWORD)).kind).toBe('signed-in');
    expect(await events()).toMatchObject([{ outcome: 'refused', code }]);
  });

  it('of two at once one holds, and the other is told', async () => {
    await makePerson(db, { email: 'hana@demo.local' });
    const mine = await secretOf();
    const answers = await Promise.all([change(mine, PASSWORD, NEXT), change(mine, PASSWORD, `${NEXT} 2`)]);
    expect(answers.map((answer) => answer.kind).sort()).toEqual(['changed', 'refused']);
  });

  it('asks nothing of a person who came by link and has none', async () => {
    const id = await makePerson(db, { email: 'first@demo.local', password: null });
    const actor = { ...(await actorOf(db, id)), sessionId: await sessionOf(db, id) };
    expect(await waysIn(actor, db.pool('app'))).toEqual({
      password: false,
      provider: null,
      byProvider: false,
    });
    const context: TransactionContext = { ...testContext, actor: { kind: 'person', id } };
    expect(await changePassword({ actor, context }, '', NEXT, db.pool('app'))).toEqual({ kind: 'changed' });
    expect(await waysIn(actor, db.pool('app'))).toMatchObject({ password: true });
  });
});
