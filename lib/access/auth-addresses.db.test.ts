import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuthBrowser, ORIGIN } from '@/lib/testing/auth-browser';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePerson, PASSWORD } from '@/lib/testing/people';
import { CALLBACK_COOKIE } from './session-cookie';

let db: TestDatabase;

beforeAll(async () => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  db = await testDatabase();
  await makePerson(db, { email: 'hana@demo.local' });
});
afterAll(() => db.drop());

let browser: AuthBrowser;
const open = () => new AuthBrowser(db.pool('app'), { email: 'hana@demo.local', password: PASSWORD });
beforeEach(() => {
  browser = open();
});

describe('where the login leads', () => {
  it.each([
    '//evil.example',
    '///evil.example',
    'https://evil.example/x',
    'https:evil.example',
    'https:/evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/.//evil.example',
    '/queue/..//evil.example',
    '\thttps://evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'http://127.0.0.1:3999@evil.example',
    'http://user@127.0.0.1:3999/queue',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1:39990/queue',
    'http://127.0.0.1:3999.evil.example/',
    'http://x127.0.0.1:3999/',
    '/api/auth/signout',
    `/${'a'.repeat(8_192)}`,
  ])('AN-10 goes to the default page for callbackUrl %j in form, query and cookie', async (callbackUrl) => {
    expect(await (await browser.login({ callbackUrl })).json()).toEqual({ url: `${ORIGIN}/queue` });
    const other = open();
    other.jar.set(CALLBACK_COOKIE, encodeURIComponent(callbackUrl));
    expect(await (await other.login()).json()).toEqual({ url: `${ORIGIN}/queue` });
    const third = open();
    const answer = await third.send(`/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`);
    expect(new URL(answer.headers.get('location') ?? '', ORIGIN).href).toBe(
      `${ORIGIN}/login?callbackUrl=${encodeURIComponent(`${ORIGIN}/queue`)}`,
    );
  });

  it('AN-10 goes back to the page that was asked for', async () => {
    expect(await (await browser.login({ callbackUrl: '/queue?kind=EXPIRED_KEY' })).json()).toEqual({
      url: `${ORIGIN}/queue?kind=EXPIRED_KEY`,
    });
  });

  it('AN-13 no host or forwarded header reaches an address or a cookie', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/evil',
      forwarded: 'host=evil.example',
    };
    for (const path of [
      '/api/auth/signin',
      '/api/auth/signout',
      '/api/auth/error?error=x',
      '/api/auth/providers',
      '/api/auth/csrf',
    ]) {
      const answer = await browser.send(path, { headers });
      const seen = `${answer.headers.get('location')} ${answer.headers.getSetCookie().join(' ')} ${await answer.text()}`;
      expect(seen).not.toContain('evil');
    }
    const csrfToken = await browser.csrf();
    const form = { csrfToken, email: 'hana@demo.local', password: PASSWORD, callbackUrl: '//evil.example' };
    for (const path of ['/api/auth/callback/credentials', '/api/auth/callback/link', '/api/auth/signout']) {
      const answer = await browser.send(path, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form).toString(),
      });
      const seen = `${answer.headers.get('location')} ${answer.headers.getSetCookie().join(' ')} ${await answer.text()}`;
      expect(answer.headers.get('location')).toMatch(new RegExp(`^(${ORIGIN})?/`));
      expect(seen).not.toContain('evil');
    }
  });
});
