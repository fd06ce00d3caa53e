import { decode, encode } from 'next-auth/jwt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { AuthBrowser, ORIGIN } from '@/lib/testing/auth-browser';
import { makePerson, testContext } from '@/lib/testing/people';
import { ABSOLUTE_SECONDS, actorOfSecret } from './session';
import { CALLBACK_COOKIE, CSRF_COOKIE, secretOfCookie, SESSION_COOKIE } from './session-cookie';

const PASSWORD = 'Kq7-lock-and-key';
let db: TestDatabase;

beforeAll(async () => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  db = await testDatabase();
  await makePerson(db, { email: 'hana@demo.local', displayName: 'Hana', password: PASSWORD });
});
afterAll(() => db.drop());

let browser: AuthBrowser;
const open = () => new AuthBrowser(db.pool('app'), { email: 'hana@demo.local', password: PASSWORD });
beforeEach(() => {
  browser = open();
});

const session = async (of: AuthBrowser) =>
  (await (await of.send('/api/auth/session')).json()) as Record<string, unknown>;

describe('the login at /api/auth', () => {
  it('AN-11 sets __Host- cookies: secure, http only, lax, whole host, no domain, small', async () => {
    expect((await browser.login()).status).toBe(200);
    await session(browser);
    const csrfToken = await browser.csrf();
    await browser.send('/api/auth/signout', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken }).toString(),
    });
    const names = new Set(browser.setCookies.map((line) => line.split('=')[0]));
    expect(names).toEqual(new Set([SESSION_COOKIE, CSRF_COOKIE, CALLBACK_COOKIE]));
    const policy = Date.now() + ABSOLUTE_SECONDS * 1_000;
    for (const line of browser.setCookies) {
      const expires = /Expires=([^;]+)/.exec(line)?.[1];
      if (expires !== undefined) expect(Date.parse(expires)).toBeLessThanOrEqual(policy + 60_000);
      expect(line).toMatch(/^__Host-/);
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; Secure/);
      expect(line).toMatch(/; SameSite=Lax/);
      expect(line).not.toMatch(/Domain=/i);
      expect(line.length).toBeLessThan(4_096);
    }
  });

  it('carries a random session secret in its token and nothing else', async () => {
    await browser.login();
    const token = await decode({
      token: browser.jar.get(SESSION_COOKIE) ?? '',
      secret: process.env['NEXTAUTH_SECRET'] ?? '',
    });
    expect(Object.keys(token ?? {}).sort()).toEqual(['exp', 'iat', 'jti', 'sid']);
    expect(await actorOfSecret(db.pool('app'), token?.['sid'])).toMatchObject({ displayName: 'Hana' });
    expect(await session(browser)).toEqual({ user: { name: 'Hana' }, expires: expect.any(String) });
  });

  it('AN-09 ignores what a client sends to write into its session, and keeps that it tried', async () => {
    await browser.login();
    const before = await session(browser);
    const csrfToken = await browser.csrf();
    const data = {
      role: 'ADMIN',
      roles: ['ADMIN'],
      tenantId: 'tenant-south',
      sub: 'other',
      sid: 'A'.repeat(43),
      user: { name: 'Mallory' },
    };
    const answer = await browser.send('/api/auth/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ csrfToken, data }),
    });
    expect(await answer.json()).toMatchObject({ user: { name: 'Hana' } });
    expect(await session(browser)).toMatchObject({ user: before['user'] });
    const token = await decode({
      token: browser.jar.get(SESSION_COOKIE) ?? '',
      secret: process.env['NEXTAUTH_SECRET'] ?? '',
    });
    expect(Object.keys(token ?? {}).sort()).toEqual(['exp', 'iat', 'jti', 'sid']);
    expect((await actorOfSecret(db.pool('app'), token?.['sid']))?.roles).toEqual(['OPERATOR']);
    const { rows } = await db
      .pool('app')
      .query(`select event, body::json->>'act' as act from review.audit_events order by number desc limit 1`);
    expect(rows).toEqual([{ event: 'access.denied', act: 'session.update' }]);
  });

  it('AN-06 the copied cookie is worth nothing after signing out', async () => {
    await browser.login();
    const thief = open();
    for (const [name, value] of browser.jar) thief.jar.set(name, value);
    const csrfToken = await browser.csrf();
    await browser.send('/api/auth/signout', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, json: 'true' }).toString(),
    });
    const secret = await secretOfCookie(thief.jar.get(SESSION_COOKIE));
    expect(secret).not.toBeNull();
    expect(await actorOfSecret(db.pool('app'), secret)).toBeNull();
    expect(await session(thief)).toEqual({});
    expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
  });

  it('AN-05 a planted cookie is not taken over by signing in, and dies with it', async () => {
    const attacker = open();
    await attacker.login();
    const planted = attacker.jar.get(SESSION_COOKIE) ?? '';
    browser.jar.set(SESSION_COOKIE, planted);
    await browser.login();
    const [before, after] = [
      await secretOfCookie(planted),
      await secretOfCookie(browser.jar.get(SESSION_COOKIE)),
    ];
    expect(after).not.toBe(before);
    expect(await session(attacker)).toEqual({});
    const again = browser.jar.get(SESSION_COOKIE) ?? '';
    await browser.login();
    expect(browser.jar.get(SESSION_COOKIE)).not.toBe(again);
    attacker.jar.set(SESSION_COOKIE, again);
    expect(await session(attacker)).toEqual({});
    expect(await session(browser)).toMatchObject({ user: { name: 'Hana' } });
  });

  it('AN-17 treats every malformed carrier as nobody, without an error', async () => {
    await browser.login();
    const good = browser.jar.get(SESSION_COOKIE) ?? '';
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sid":"x"}').toString('base64url')}.`;
    const sid = await secretOfCookie(good);
    const wrongKey = await encode({ token: { sid }, secret: 'another secret of the same kind, and as long' });
    for (const bad of [
      wrongKey,
      good.slice(0, -5),
      good.slice(5),
      none,
      'x',
      '..',
      '%E0%A4%A',
      'A'.repeat(100_000),
      '{}',
      good.replaceAll('.', ''),
    ]) {
      const other = open();
      other.jar.set(SESSION_COOKIE, bad);
      expect(await secretOfCookie(bad)).toBeNull();
      const answer = await other.send('/api/auth/session', { headers: { authorization: 'Bearer %E0%A4%A' } });
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
    }
    const chunk = open();
    chunk.jar.set(`${SESSION_COOKIE}.0`, good);
    expect(await session(chunk)).toEqual({});
  });

  it.each<[string, string, string]>([
    [
      'a repeated password',
      'application/x-www-form-urlencoded',
      'email=hana@demo.local&password=Kq7-lock-and-key&password=Kq7-lock-and-key',
    ],
    ['an object', 'application/json', '{"email":"hana@demo.local","password":{"not":""}}'],
    ['an array', 'application/json', '{"email":["hana@demo.local"],"password":["x"]}'],
    ['null', 'application/json', '{"email":null,"password":null}'],
    ['a number', 'application/json', '{"email":"hana@demo.local","password":1}'],
    ['a boolean', 'application/json', '{"email":"hana@demo.local","password":true}'],
    [
      'an operator for the e-mail',
      'application/json',
      '{"email":{"contains":"@"},"password":"Kq7-lock-and-key"}',
    ],
    ['an array for all', 'application/json', '[]'],
    ['a wrong password', 'application/json', '{"email":"hana@demo.local","password":"wrong"}'],
    ['an unknown account', 'application/json', '{"email":"nobody@demo.local","password":"wrong"}'],
  ])('AN-01 AN-03 answers %s the same', async (_, type, body) => {
    const csrfToken = await browser.csrf();
    const full = type.endsWith('json')
      ? JSON.stringify({ ...(JSON.parse(body) as object), csrfToken, json: 'true' })
      : `${body}&csrfToken=${csrfToken}&json=true`;
    const answer = await browser.send('/api/auth/callback/credentials', {
      method: 'POST',
      headers: { 'content-type': type },
      body: full,
    });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe(
      `{"url":"${ORIGIN}/api/auth/error?error=CredentialsSignin&provider=credentials"}`,
    );
    expect([...answer.headers.keys()].sort()).toEqual(['cache-control', 'content-type']);
    expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
  });

  it('AN-02 says in how many seconds to try again', async () => {
    for (let n = 0; n < 5; n += 1) await browser.login({ password: 'wrong' });
    const answer = (await (await browser.login()).json()) as { url: string };
    expect(answer.url).toMatch(/error\?error=Throttled_[12]$/);
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `${ORIGIN}0` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])('HD-01 refuses a sign-in and a sign-out with %j', async (headers) => {
    await browser.login();
    const csrfToken = await browser.csrf();
    const body = new URLSearchParams({ csrfToken }).toString();
    for (const path of ['/api/auth/signout', '/api/auth/callback/credentials', '/api/auth/session']) {
      expect((await browser.send(path, { method: 'POST', body, headers })).status).toBe(403);
    }
    expect(await session(browser)).toMatchObject({ user: { name: 'Hana' } });
  });

  it('opens no address that the login does not need, and no big or foreign body', async () => {
    for (const path of [
      '/api/auth/_log',
      '/api/auth/callback/github',
      '/api/auth/signin/credentials',
      '/api/auth/verify-request',
      '/api/auth/constructor',
    ]) {
      expect((await browser.send(path, { method: 'POST', body: 'x=1' })).status).toBe(404);
    }
    expect((await browser.send('/api/auth/callback/credentials')).status).toBe(404);
    expect(
      (await browser.send('/api/auth/callback/credentials', { method: 'POST', body: 'x'.repeat(20_000) }))
        .status,
    ).toBe(413);
    expect(
      (
        await browser.send('/api/auth/callback/credentials', {
          method: 'POST',
          body: '<x/>',
          headers: { 'content-type': 'text/xml' },
        })
      ).status,
    ).toBe(415);
  });

  it('shows no error text of a client on the way to the login page', async () => {
    const answer = await browser.send(
      `/api/auth/error?error=${encodeURIComponent('<script>alert(1)</script>')}`,
    );
    expect(answer.headers.get('location')).toBe('/login?error=Default');
  });

  it('HD-03 answers of the login are never stored', async () => {
    for (const path of ['/api/auth/csrf', '/api/auth/session', '/api/auth/signin', '/api/auth/nothing']) {
      expect((await browser.send(path)).headers.get('cache-control')).toBe('private, no-store');
    }
  });

  it('the next request after a demotion sees it through the session endpoint too', async () => {
    await browser.login();
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query(`update review.people set disabled_at = ledger.clock()`),
    );
    expect(await session(browser)).toEqual({});
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query(`update review.people set disabled_at = null`),
    );
  });
});
