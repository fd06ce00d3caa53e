import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ORIGIN } from '@/lib/testing/auth-browser';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startLyingProvider, type LyingProvider } from '@/lib/testing/lying-provider';
import { comeBackFrom } from '@/lib/testing/lying-way-back';
import { makePerson } from '@/lib/testing/people';
import { ProviderBrowser } from '@/lib/testing/provider-browser';
import { SESSION_COOKIE } from './session-cookie';

const EMAIL = 'hana@example.test';
const MEGABYTES = 1_048_576;
let db: TestDatabase;
let provider: LyingProvider;
beforeAll(async () => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  db = await testDatabase();
  await makePerson(db, { email: EMAIL, password: null });
});
beforeEach(async () => {
  await provider?.stop();
  provider = await startLyingProvider();
  provider.description = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  Object.assign(process.env, provider.environment);
});
afterAll(async () => {
  await provider.stop();
  await db.drop();
});

const open = () => new ProviderBrowser(db.pool('app'), { email: '', password: '' });
const comeBack = () => comeBackFrom(provider, { browser: open(), email: EMAIL });
const PATHS = ['/.well-known/openid-configuration', '/token', '/jwks', '/userinfo'];
const FAILED = [`${ORIGIN}/login?error=ProviderFailed`, `${ORIGIN}/login?error=ProviderUnreachable`];

/** Writes for as long as somebody reads; how many bytes it got rid of, and when the reader went. */
function endless() {
  const chunk = Buffer.alloc(65_536, ' ');
  let sent = 0;
  let gone: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (gone = resolve));
  const answer = (response: ServerResponse) => {
    response.once('close', gone);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      sent += chunk.length;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  return { answer, over, sent: () => sent };
}

/** A byte now and then, for ever. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 200);
  response.once('close', () => clearInterval(timer));
}

async function whereItEnds(path: string): Promise<string | null> {
  if (path.startsWith('/.well-known')) return open().leave();
  const { location, browser } = await comeBack();
  expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
  return location;
}

describe('a provider that is sick', () => {
  it('is not this one: the same way opens a session', async () => {
    provider.sick = {};
    provider.description = {};
    expect((await comeBack()).location).toBe(`${ORIGIN}/queue`);
    expect(provider.asked).toEqual([PATHS[0], '/token', '/jwks']);
  });

  it.each(PATHS)('AN-17 R-078w is read no further than a bound: an endless answer at %s', async (path) => {
    const { answer, over, sent } = endless();
    provider.sick = { [path]: answer };
    expect(FAILED).toContain(await whereItEnds(path));
    await over;
    expect(sent()).toBeLessThan(16 * MEGABYTES);
  });

  it.each([PATHS[0]!, '/userinfo'])(
    'AN-17 R-078x is waited for no longer than a bound: drops at %s',
    async (path) => {
      provider.sick = { [path]: drip };
      expect(FAILED).toContain(await whereItEnds(path));
    },
  );

  it('AN-17 R-078x is asked anew by the next press, which does not wait for the one before', async () => {
    provider.sick = { [PATHS[0]!]: endless().answer };
    expect(FAILED).toContain(await open().leave());
    provider.sick = {};
    expect(await open().leave()).toMatch(/\/authorize\?/);
  });
});
