import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/domain/actor';
import { transaction } from '@/lib/db/transaction';
import { behindLock } from '@/lib/testing/behind-lock';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePerson, makeTenants, PASSWORD, testContext } from '@/lib/testing/people';
import { changePassword } from './change-password';
import { actorOfSecret } from './session';
import { signIn, type SignInOrigin } from './sign-in';
import { signInByProvider } from './sign-in-by-provider';
import { createSignInLink, signInByLink } from './sign-in-link';

const ISSUER = 'https://login.example.test';
const EMAIL = 'hana@example.test';
const NEXT = '다음 열쇠는 길다';
const origin: SignInOrigin = { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret: null };
let db: TestDatabase;
let personId: string;
beforeEach(async () => {
  db = await testDatabase();
  await makeTenants(db, 'tenant-north');
});
afterEach(() => db.drop());

const invited = async (password: string | null) => {
  personId = await makePerson(db, { email: EMAIL, password, tenantIds: ['tenant-north'] });
};
const change = (sql: string) => transaction(db.pool('owner'), testContext, (tx) => tx.query(sql, [personId]));
const byPassword = (password = PASSWORD) => signIn(db.pool('app'), { email: EMAIL, password }, origin);
const byProvider = () =>
  signInByProvider(
    db.pool('app'),
    ISSUER,
    { subject: 'hana', email: EMAIL, roles: [], authTime: null, visit: { begunAt: 0, again: false } },
    origin,
  );
const linkToken = () =>
  transaction(db.pool('owner'), testContext, (tx) => createSignInLink(tx, personId, 'system:test'));
const openSessions = async () =>
  (await db.pool('owner').query('select from review.sessions where revoked_at is null')).rowCount;

/** What takes access away, under the lock for which the end of the sign-in waits: all before it has been checked. */
const RESET = `with ended as (update review.sign_in_links set used_at = now() where person_id = $1),
  gone as (update review.identities set ended_at = now() where person_id = $1)
  update review.people set password_hash = null where person_id = $1`;
const DISABLE = 'update review.people set disabled_at = ledger.clock() where person_id = $1';
const OTHER_PASSWORD = `update review.people set password_hash = '$argon2id$v=19$m=19456,t=2,p=1$another' where person_id = $1`;

/** The call has been checked and waits for the person's row; then `meanwhile` commits. */
async function overtaken<T>(meanwhile: string, call: () => Promise<T>): Promise<T> {
  const context = `select set_config('onceover.actor_kind', 'system', true), set_config('onceover.actor_id', 'system:test', true),
    set_config('onceover.request_id', 'test', true)`;
  const gate = await db.pool('owner').connect();
  try {
    await gate.query('begin');
    await gate.query(context);
    await gate.query('select from review.people where person_id = $1 for no key update', [personId]);
    const answer = call();
    answer.catch(() => undefined);
    const waiting = async () =>
      (
        await db
          .pool('superuser')
          .query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
      ).rowCount;
    await expect.poll(waiting, { interval: 10, timeout: 10_000 }).toBe(1);
    await gate.query(meanwhile, [personId]);
    await gate.query('commit');
    return await answer;
  } finally {
    gate.release();
  }
}

describe('a sign-in that was checked before access was taken away', () => {
  it.each([
    ['AN-06 R-078j by password, then reset', RESET],
    ['AN-07 R-078j by password, then disabled', DISABLE],
    ['AN-06 R-078j by password, then another password', OTHER_PASSWORD],
  ])('%s', async (_, meanwhile) => {
    await invited(PASSWORD);
    expect(await overtaken(meanwhile, () => byPassword())).toEqual({ kind: 'refused' });
    await change('update review.people set disabled_at = null where person_id = $1');
    expect(await openSessions()).toBe(0);
    const { rows } = await db
      .pool('signer')
      .query(
        `select event, refusal_code from review.audit_events where event like 'session.%' order by number`,
      );
    expect(rows).toEqual([{ event: 'session.sign_in_failed', refusal_code: 'BAD_CREDENTIALS' }]);
  });

  it.each([
    ['AN-06 R-078j by link, then reset', RESET],
    ['AN-07 R-078j by link, then disabled', DISABLE],
  ])('%s', async (_, meanwhile) => {
    await invited(null);
    const token = await linkToken();
    expect(await overtaken(meanwhile, () => signInByLink(db.pool('app'), token, origin))).toEqual({
      kind: 'refused',
    });
    await change('update review.people set disabled_at = null where person_id = $1');
    expect(await openSessions()).toBe(0);
  });

  it.each([
    ['AN-06 R-078j by the provider, then reset', RESET],
    ['AN-07 R-078j by the provider, then disabled', DISABLE],
  ])('%s', async (_, meanwhile) => {
    await invited(null);
    expect(await byProvider()).toMatchObject({ kind: 'signed-in' });
    await change('update review.sessions set revoked_at = ledger.clock() where person_id = $1');
    const { rows } = await db
      .pool('owner')
      .query<{ id: string }>('select identity_id as id from review.identities');
    // The provider's word is taken in the transaction before: only the opening of the session is left.
    await change(meanwhile);
    const opened = await transaction(
      db.pool('app'),
      { ...testContext, actor: { kind: 'person', id: personId } },
      (tx) =>
        tx.query('select review.open_session($1::jsonb) as opened', [
          JSON.stringify({
            method: 'provider',
            identityId: rows[0]!.id,
            secretDigest: '00'.repeat(32),
            seconds: 60,
          }),
        ]),
    );
    expect(opened.rows).toEqual([{ opened: false }]);
    expect(await openSessions()).toBe(0);
  });

  it('AN-06 R-078j a password that was checked before it was changed opens nothing, whoever waits first', async () => {
    await invited(PASSWORD);
    const first = await byPassword();
    if (first.kind !== 'signed-in') throw new Error('bug: no session');
    const actor = (await actorOfSecret(db.pool('app'), first.secret))!;
    const answers = await behindLock<{ kind: string }>(
      db,
      ['select from review.people where person_id = $1 for update', [personId]],
      [() => changed(actor, PASSWORD), () => byPassword()],
    );
    expect(answers[0]).toEqual({ kind: 'changed' });
    // Before the change it ended with the others, after it was refused: open is only the session of the change.
    expect(await openSessions()).toBe(1);
    expect((await byPassword()).kind).toBe('refused');
  });
});

const changed = (actor: Actor, present: string) =>
  changePassword(
    { actor, context: { ...testContext, actor: { kind: 'person', id: personId } } },
    present,
    NEXT,
    db.pool('app'),
  );

describe('a new password that was typed before access was taken away', () => {
  it.each([
    [
      'AN-06 R-078j is not kept after the session has ended',
      'update review.sessions set revoked_at = now() where person_id = $1',
    ],
    ['AN-07 R-078j is not kept for who is disabled', DISABLE],
  ])('%s', async (_, meanwhile) => {
    await invited(null);
    const came = await signInByLink(db.pool('app'), await linkToken(), origin);
    if (came.kind !== 'signed-in') throw new Error('bug: no session');
    const actor = (await actorOfSecret(db.pool('app'), came.secret))!;
    expect(await overtaken(meanwhile, () => changed(actor, ''))).toEqual({
      kind: 'refused',
      code: 'WRONG_PASSWORD',
    });
    const { rows } = await db.pool('owner').query('select password_hash from review.people');
    expect(rows).toEqual([{ password_hash: null }]);
  });
});

describe('a session', () => {
  it('AN-18 never lives longer than a working day, nor counts as shown in the future', async () => {
    await invited(null);
    await byProvider();
    const { rows: identity } = await db
      .pool('owner')
      .query<{ id: string }>('select identity_id as id from review.identities');
    await transaction(db.pool('app'), { ...testContext, actor: { kind: 'person', id: personId } }, (tx) =>
      tx.query('select review.open_session($1::jsonb)', [
        JSON.stringify({
          method: 'provider',
          identityId: identity[0]!.id,
          secretDigest: '11'.repeat(32),
          seconds: 315_360_000,
          authTime: 4e9,
        }),
      ]),
    );
    const { rows } = await db.pool('owner').query(
      `select expires_at <= ledger.clock() + interval '12 hours' as short, authenticated_at <= ledger.clock() as shown
         from review.sessions where secret_digest = decode(repeat('11', 32), 'hex')`,
    );
    expect(rows).toEqual([{ short: true, shown: true }]);
  });
});
