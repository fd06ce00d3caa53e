import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { ORIGIN } from '@/lib/testing/auth-browser';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startIdentityProvider, type RunningProvider } from '@/lib/testing/identity-provider';
import { makePerson, makeTenants, PASSWORD, testContext } from '@/lib/testing/people';
import { ProviderBrowser } from '@/lib/testing/provider-browser';
import { changePassword } from './change-password';
import { actorOfSecret } from './session';
import { secretOfCookie, SESSION_COOKIE } from './session-cookie';
import { signIn } from './sign-in';

let db: TestDatabase;
let provider: RunningProvider;
beforeAll(async () => {
  provider = await startIdentityProvider({ product: ORIGIN });
  Object.assign(process.env, provider.environment, {
    NEXTAUTH_URL: ORIGIN,
    NEXTAUTH_SECRET: 'a secret of the test that is long enough for it',
  });
  db = await testDatabase();
  await makeTenants(db, 'tenant-north');
});
afterEach(() => {
  provider.pretend.loggedInAt = null;
});
afterAll(async () => {
  await provider.stop();
  await db.drop();
});

const change = (sql: string, values: unknown[] = []) =>
  transaction(db.pool('owner'), testContext, (tx) => tx.query(sql, values));
const actorIn = async (browser: ProviderBrowser) =>
  actorOfSecret(db.pool('app'), await secretOfCookie(browser.jar.get(SESSION_COOKIE)));
const open = (email = '') => new ProviderBrowser(db.pool('app'), { email, password: PASSWORD });

/** Somebody invited here, with an account at the provider under a subject of their own. */
async function somebody(more: { password?: string; claims?: Record<string, unknown> } = {}) {
  const subject = `s-${randomUUID()}`;
  const email = `p-${randomUUID()}@example.test`;
  const personId = await makePerson(db, {
    email,
    password: more.password ?? null,
    tenantIds: ['tenant-north'],
  });
  provider.accounts.set(subject, { email, email_verified: true, ...more.claims });
  return { subject, email, personId };
}

const identitiesOf = async (personId: string) =>
  (
    await db
      .pool('app')
      .query(
        'select subject, ended_at as ended from review.identities where person_id = $1 order by linked_at',
        [personId],
      )
  ).rows;
const lastFailure = async () =>
  (
    await db.pool('owner').query(
      `select refusal_code as code, actor_id as actor, body::json->>'method' as method
         from review.audit_events where event = 'session.sign_in_failed' order by number desc limit 1`,
    )
  ).rows[0];

describe('signing in through a provider', () => {
  it('AN-05 AN-11 R-078i R-086d opens a session of its own for an invited person, by a code with PKCE, state and nonce', async () => {
    const { subject, personId } = await somebody();
    const browser = open();
    const address = new URL(await browser.leave({ returnTo: '/queue?kind=EXPIRED_KEY' }));
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/.{20}/) as string,
      nonce: expect.stringMatching(/.{20}/) as string,
      redirect_uri: `${ORIGIN}/api/auth/callback/oidc`,
    });
    const answer = await browser.send(await browser.walk(address.href, subject));
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/queue?kind=EXPIRED_KEY`);
    expect(await actorIn(browser)).toMatchObject({ personId, roles: ['OPERATOR'] });
    for (const line of browser.setCookies) {
      expect(line).toMatch(/^__Host-onceover-\w+=/);
      expect(line).toMatch(/; Path=\/; (?:Expires=[^;]+; )?HttpOnly; Secure; SameSite=Lax$/);
      expect(line).not.toMatch(/Domain=/i);
      expect(line.length).toBeLessThan(4_096);
    }
    // What had to come back is used up.
    expect([...browser.jar.keys()].filter((name) => /pkce|state|nonce/.test(name))).toEqual([]);
    const { rows } = await db.pool('owner').query(
      `select event, actor_id as actor, body::json->>'method' as method from review.audit_events
        where body::json->>'personId' = $1 or actor_id = $1 order by number`,
      [personId],
    );
    expect(rows.slice(1)).toEqual([
      { event: 'people.identity_linked', actor: 'system:login', method: null },
      { event: 'session.signed_in', actor: personId, method: 'provider' },
    ]);
  });

  it('AN-19 R-078i knows somebody by issuer and subject: an address that passed on opens nobody else’s account', async () => {
    const hana = await somebody();
    const other = await somebody();
    await open().signInAt(hana.subject);
    // The provider gives Hana's address to a newcomer, and to Hana the address of another person here.
    provider.accounts.set('newcomer', { email: hana.email, email_verified: true });
    provider.accounts.set(hana.subject, { email: other.email, email_verified: true });
    expect(await open().signInAt('newcomer')).toBe(`${ORIGIN}/login?error=IdentityTaken`);
    const browser = open();
    await browser.signInAt(hana.subject);
    expect(await actorIn(browser)).toMatchObject({ personId: hana.personId });
    expect(await identitiesOf(other.personId)).toEqual([]);
  });

  it.each([
    ['full width', 'ｐ', true, 'EmailUnverified'],
    ['a Kelvin sign for a k', '\u212a', true, 'EmailUnverified'],
    ['a Cyrillic letter', 'р', true, 'EmailUnverified'],
    ['a zero-width space', 'p\u200b', true, 'EmailUnverified'],
    ['a full-width @', '＠', true, 'EmailUnverified'],
    ['a dot at the end', '.', true, 'EmailUnverified'],
    ['another letter', 'x', true, 'NotInvited'],
    ['an address that nobody checked', '', false, 'EmailUnverified'],
    ['a check in words', '', 'true', 'EmailUnverified'],
    ['no word about a check', '', undefined, 'EmailUnverified'],
  ])('AN-19 R-078i links nobody by a look-alike: %s', async (_, sign, verified, problem) => {
    const { personId, email, subject } = await somebody();
    const [name = '', host = ''] = email.split('@');
    const alike =
      sign === '＠'
        ? `${name}＠${host}`
        : sign === '.'
          ? `${email}.`
          : sign === ''
            ? email
            : `${sign}${email.slice(1)}`;
    provider.accounts.set(subject, {
      email: alike,
      ...(verified === undefined ? {} : { email_verified: verified }),
    });
    expect(await open().signInAt(subject)).toBe(`${ORIGIN}/login?error=${problem}`);
    expect(await identitiesOf(personId)).toEqual([]);
    expect(await lastFailure()).toMatchObject({ actor: 'system:login', method: 'provider' });
  });

  it('AN-19 the case of a plain address is no difference', async () => {
    const { email, subject, personId } = await somebody();
    provider.accounts.set(subject, { email: email.toUpperCase(), email_verified: true });
    const browser = open();
    await browser.signInAt(subject);
    expect(await actorIn(browser)).toMatchObject({ personId });
  });

  it('AN-19 R-078i whoever has a password shows it first, in this browser and lately; then it is gone', async () => {
    const { email, subject, personId } = await somebody({ password: PASSWORD });
    expect(await open().signInAt(subject)).toBe(`${ORIGIN}/login?error=LinkFirst`);
    const elsewhere = open(email);
    await elsewhere.login();
    const browser = open(email);
    await browser.login();
    await change(
      `update review.sessions set authenticated_at = ledger.clock() - interval '16 minutes' where person_id = $1`,
      [personId],
    );
    expect(await browser.signInAt(subject, { again: true, returnTo: '/account/sessions' })).toBe(
      `${ORIGIN}/login/again?problem=LinkFirst`,
    );
    await browser.login();
    expect(await browser.signInAt(subject, { again: true, returnTo: '/account/sessions' })).toBe(
      `${ORIGIN}/account/sessions`,
    );
    expect(await actorIn(browser)).toMatchObject({ personId });
    expect(await actorIn(elsewhere)).toBeNull();
    const typed = { email, password: PASSWORD };
    const origin = { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret: null };
    expect((await signIn(db.pool('app'), typed, origin)).kind).toBe('refused');
  });

  it('R-078i a person of the provider gets no password beside it, whoever writes', async () => {
    const { subject, personId } = await somebody();
    const browser = open();
    await browser.signInAt(subject);
    const actor = await actorIn(browser);
    if (actor === null) throw new Error('expected a session');
    const acting = { actor, context: { ...testContext, actor: { kind: 'person' as const, id: personId } } };
    expect(await changePassword(acting, '', 'a new sentence of mine', db.pool('app'))).toEqual({
      kind: 'refused',
      code: 'PROVIDER_SIGNS_IN',
    });
    await expect(
      change(`update review.people set password_hash = '$argon2id$x' where person_id = $1`, [personId]),
    ).rejects.toMatchObject({ code: 'OA016' });
  });

  it('R-078i refuses to change the signed-in person over, and leaves them signed in', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const browser = open();
    await browser.signInAt(one.subject);
    expect(await browser.signInAt(other.subject, { again: true, returnTo: '/login/again?done=x' })).toBe(
      `${ORIGIN}/login/again?problem=OtherPerson`,
    );
    expect(await actorIn(browser)).toMatchObject({ personId: one.personId });
    expect(await identitiesOf(other.personId)).toEqual([]);
  });

  it('AN-07 a disabled person stays out, whatever the provider says', async () => {
    const { subject, personId } = await somebody();
    await open().signInAt(subject);
    await change('update review.people set disabled_at = ledger.clock() where person_id = $1', [personId]);
    const browser = open();
    expect(await browser.signInAt(subject)).toBe(`${ORIGIN}/login?error=PersonDisabled`);
    expect(await actorIn(browser)).toBeNull();
  });

  it('says so when somebody turns back at the provider', async () => {
    const browser = open();
    expect(await browser.signInAt('')).toBe(`${ORIGIN}/login?error=ProviderDenied`);
    expect(await lastFailure()).toMatchObject({ code: 'PROVIDER_REFUSED' });
  });
});

describe('signing out of the provider', () => {
  it('AN-06 ends our session first, then the provider’s', async () => {
    const { subject } = await somebody();
    const browser = open();
    await browser.signInAt(subject);
    expect(browser.asked).toBe(1);
    await browser.signInAt(subject);
    expect(browser.asked).toBe(1);
    const before = await secretOfCookie(browser.jar.get(SESSION_COOKIE));
    const csrfToken = await browser.csrf();
    const body = new URLSearchParams({ csrfToken, json: 'true', callbackUrl: '/login' }).toString();
    const answer = await browser.send('/api/auth/signout', { method: 'POST', body });
    expect(await actorOfSecret(db.pool('app'), before)).toBeNull();
    expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
    const { url } = (await answer.json()) as { url: string };
    expect(url).toMatch(new RegExp(`^${provider.issuer}/session/end\\?`));
    expect(await browser.walk(url, subject)).toBe('/login');
    await browser.signInAt(subject);
    expect(browser.asked).toBe(2);
  });
});

describe('showing it again at the provider', () => {
  const shownAgo = async (browser: ProviderBrowser) => {
    const actor = await actorIn(browser);
    const { rows } = await db.pool('owner').query<{ seconds: number | null }>(
      `select case when isfinite(authenticated_at) then extract(epoch from ledger.clock() - authenticated_at)::int end as seconds
         from review.sessions where session_id = $1`,
      [actor?.sessionId],
    );
    return rows[0]?.seconds;
  };

  it('AN-05 R-078d counts from when the person showed it there, and asking again makes the provider ask', async () => {
    const { subject } = await somebody();
    const browser = open();
    provider.pretend.loggedInAt = Math.floor(Date.now() / 1000) - 3_600;
    await browser.signInAt(subject);
    expect(await shownAgo(browser)).toBeGreaterThan(3_500);
    // The provider still knows them: coming back without a question shows nothing new.
    await browser.signInAt(subject);
    expect(browser.asked).toBe(1);
    expect(await shownAgo(browser)).toBeGreaterThan(3_500);
    provider.pretend.loggedInAt = null;
    const before = await secretOfCookie(browser.jar.get(SESSION_COOKIE));
    await browser.signInAt(subject, { again: true });
    expect(browser.asked).toBe(2);
    expect(await shownAgo(browser)).toBeLessThan(600);
    expect(await actorOfSecret(db.pool('app'), before)).toBeNull();
  });
});
