import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ORIGIN } from '@/lib/testing/auth-browser';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startLyingProvider, type Lie, type LyingProvider } from '@/lib/testing/lying-provider';
import { comeBackFrom } from '@/lib/testing/lying-way-back';
import { makePerson } from '@/lib/testing/people';
import { ProviderBrowser } from '@/lib/testing/provider-browser';
import { PROVIDER_COOKIES, SESSION_COOKIE } from './session-cookie';

const EMAIL = 'hana@example.test';
let db: TestDatabase;
let provider: LyingProvider;
beforeAll(async () => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  db = await testDatabase();
  await makePerson(db, { email: EMAIL, password: null });
});
beforeEach(async () => {
  // Each its own, so that no description is remembered from the one before.
  await provider?.stop();
  provider = await startLyingProvider();
  Object.assign(process.env, provider.environment);
});
afterAll(async () => {
  await provider.stop();
  await db.drop();
});

const open = () => new ProviderBrowser(db.pool('app'), { email: '', password: '' });
const audited = async () =>
  (
    await db
      .pool('owner')
      .query<{ n: number }>(
        `select count(*)::int as n from review.audit_events where refusal_code = 'PROVIDER_REFUSED'`,
      )
  ).rows[0]!.n;
const FAILED = `${ORIGIN}/login?error=ProviderFailed`;

function comeBack(
  lie: (claims: Record<string, unknown>) => Lie,
  onTheWay: (back: URL, browser: ProviderBrowser) => void = () => undefined,
) {
  return comeBackFrom(provider, { browser: open(), email: EMAIL, lie, onTheWay });
}

describe('an answer of the provider that does not hold', () => {
  it('is the exception: the right one opens a session', async () => {
    const { location, browser } = await comeBack((claims) => ({ claims }));
    expect(location).toBe(`${ORIGIN}/queue`);
    expect(browser.jar.has(SESSION_COOKIE)).toBe(true);
  });

  it.each<[string, (claims: Record<string, unknown>) => Lie]>([
    ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'x'.repeat(43) } })],
    ['no nonce', ({ nonce: _, ...claims }) => ({ claims })],
    ['another audience', (claims) => ({ claims: { ...claims, aud: 'another-client' } })],
    ['another issuer', (claims) => ({ claims: { ...claims, iss: 'https://evil.example' } })],
    ['an end an hour ago', (claims) => ({ claims: { ...claims, exp: Number(claims['iat']) - 3_600 } })],
    ['no subject', ({ sub: _, ...claims }) => ({ claims })],
    ['no signature', (claims) => ({ claims, alg: 'none' })],
    ['a signature under the client’s secret', (claims) => ({ claims, alg: 'HS256' })],
    ['a signature of another key', (claims) => ({ claims, foreignKey: true })],
  ])('AN-17 opens nothing and is kept: a token with %s', async (_, lie) => {
    const before = await audited();
    const { location, status, browser } = await comeBack(lie);
    expect([status, location]).toEqual([302, FAILED]);
    expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
    expect(await audited()).toBe(before + 1);
  });

  it.each<[string, (back: URL, browser: ProviderBrowser) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'y'.repeat(43))],
    ['no state', (back) => back.searchParams.delete('state')],
    ['the state twice', (back) => back.searchParams.append('state', 'z')],
    ['the word of another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['no code', (back) => back.searchParams.delete('code')],
    ['no nonce kept', (_, browser) => browser.jar.delete(PROVIDER_COOKIES.nonce)],
    ['no PKCE verifier kept', (_, browser) => browser.jar.delete(PROVIDER_COOKIES.pkceCodeVerifier)],
    ['a state of our own making', (_, browser) => browser.jar.set(PROVIDER_COOKIES.state, 'x.y.z')],
  ])('AN-05 AN-17 opens nothing: coming back with %s', async (_, onTheWay) => {
    const { location, browser } = await comeBack((claims) => ({ claims }), onTheWay);
    expect(location).toBe(FAILED);
    expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
  });

  it('AN-05 asks nothing and keeps nothing for who was never sent there', async () => {
    const before = await audited();
    const { location } = await comeBack(
      (claims) => ({ claims }),
      (_, browser) => browser.jar.delete(PROVIDER_COOKIES.state),
    );
    expect(location).toBe(FAILED);
    expect(await audited()).toBe(before);
  });

  it('AN-05 one way back opens one session: the same answer again opens nothing', async () => {
    const { browser } = await comeBack((claims) => ({ claims }));
    const again = await browser.send('/api/auth/callback/oidc?code=a-code&state=x');
    expect(again.headers.get('location')).toBe(`${ORIGIN}/login/again?problem=ProviderFailed`);
  });
});

describe('what stands behind the user-info address', () => {
  const withUserinfo = () => {
    provider.description = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  };
  it('R-078d counts for the same subject only, and never tells when somebody signed in', async () => {
    withUserinfo();
    const bare = ({ email: _e, email_verified: _v, auth_time: _t, ...claims }: Record<string, unknown>) =>
      claims;
    const said = {
      sub: 'hana',
      email: EMAIL,
      email_verified: true,
      auth_time: Math.floor(Date.now() / 1000),
    };
    const good = await comeBack((claims) => ({ claims: bare(claims), userinfo: said }));
    expect(good.location).toBe(`${ORIGIN}/queue`);
    const { rows } = await db
      .pool('owner')
      .query(`select authenticated_at::text as at from review.sessions order by created_at desc limit 1`);
    expect(rows).toEqual([{ at: '-infinity' }]);
    const foreign = await comeBack((claims) => ({
      claims: bare(claims),
      userinfo: { ...said, sub: 'other' },
    }));
    expect(foreign.location).toBe(FAILED);
  });
});

describe('a description that cannot be used', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['with an open token address', { token_endpoint: 'http://evil.example/token' }],
    ['with an open address for people', { authorization_endpoint: 'http://evil.example/authorize' }],
    ['without keys', { jwks_uri: undefined }],
  ])('AN-13 sends nobody there, and says so: one %s', async (_, description) => {
    provider.description = description;
    expect(await open().leave()).toBe(`${ORIGIN}/login?error=ProviderUnreachable`);
  });

  it('is asked for anew, and a good one is not asked for at each press', async () => {
    provider.description = { issuer: 'https://evil.example' };
    await open().leave();
    provider.description = {};
    for (let n = 0; n < 3; n += 1) expect(await open().leave()).toMatch(/^http.*\/authorize\?/);
    expect(provider.described).toBe(2);
  });

  it('AN-13 lets nobody outside choose what is asked of the provider', async () => {
    const browser = open();
    const csrfToken = await browser.csrf();
    const answer = await browser.send(
      '/api/auth/signin/oidc?scope=offline_access&redirect_uri=https://evil.example&client_id=x&prompt=none',
      {
        method: 'POST',
        body: new URLSearchParams({
          csrfToken,
          json: 'true',
          callbackUrl: 'https://evil.example/',
        }).toString(),
        headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      },
    );
    const { url } = (await answer.json()) as { url: string };
    expect(url).not.toMatch(/evil|offline|prompt/);
    expect(browser.setCookies.join()).not.toMatch(/evil/);
  });

  it('opens no address of a provider where none is configured', async () => {
    for (const name of Object.keys(provider.environment)) delete process.env[name];
    const browser = open();
    expect((await browser.send('/api/auth/callback/oidc?code=x&state=y')).status).toBe(404);
    expect((await browser.send('/api/auth/signin/oidc', { method: 'POST', body: 'x=1' })).status).toBe(404);
    expect(await (await browser.send('/api/auth/providers')).text()).not.toContain('oidc');
  });
});
