import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { ORIGIN } from '@/lib/testing/auth-browser';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startLyingProvider, type LyingProvider } from '@/lib/testing/lying-provider';
import { comeBackFrom } from '@/lib/testing/lying-way-back';
import { makePerson, testContext } from '@/lib/testing/people';
import { ProviderBrowser } from '@/lib/testing/provider-browser';
import { SESSION_COOKIE } from './session-cookie';

type Claims = Record<string, unknown>;
const EMAIL = 'hana@example.test';
const NOW = Math.floor(Date.now() / 1000);
let db: TestDatabase;
let provider: LyingProvider;
beforeAll(async () => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  db = await testDatabase();
  await makePerson(db, { email: EMAIL, password: null });
  provider = await startLyingProvider();
  Object.assign(process.env, provider.environment);
});
afterAll(async () => {
  await provider.stop();
  await db.drop();
});

const open = () => new ProviderBrowser(db.pool('app'), { email: '', password: '' });
const change = (sql: string) => transaction(db.pool('owner'), testContext, (tx) => tx.query(sql));
const refusals = async () =>
  (
    await db
      .pool('owner')
      .query<{ code: string }>(
        `select refusal_code as code from review.audit_events where event = 'session.sign_in_failed' order by number`,
      )
  ).rows.map(({ code }) => code);
const at = (problem: string) => `${ORIGIN}/login?error=${problem}`;
const QUEUE = `${ORIGIN}/queue`;
const told =
  (part: Claims, browser = open(), again = false) =>
  () =>
    comeBackFrom(provider, {
      browser,
      email: EMAIL,
      again,
      lie: (claims) => ({ claims: { ...claims, ...part } }),
    });

/** Opens nothing and leaves this refusal. */
async function refused(journey: () => ReturnType<typeof comeBackFrom>, code: string, problem: string) {
  const before = await refusals();
  const { location, browser } = await journey();
  expect(location).toBe(at(problem));
  expect(browser.jar.has(SESSION_COOKIE)).toBe(false);
  expect(await refusals()).toEqual([...before, code]);
}

describe('a token that is signed well and cannot be true', () => {
  it('is the exception: the right one opens a session', async () => {
    expect((await told({})()).location).toBe(QUEUE);
  });

  it.each<[string, Claims]>([
    ['a list as subject', { sub: ['hana'] }],
    ['an object as subject', { sub: { a: 1 } }],
    ['a number as subject', { sub: 42 }],
    ['NUL in the subject', { sub: 'ha\0na' }],
    ['300 characters as subject', { sub: 'x'.repeat(300) }],
  ])('AN-19 R-078p is refused on record: %s', async (_, part) => {
    await refused(told(part), 'PROVIDER_REFUSED', 'ProviderFailed');
  });

  it.each<[string, Claims]>([
    ['shown in an hour', { auth_time: NOW + 3_600 }],
    ['shown at a time in milliseconds', { auth_time: NOW * 1_000 }],
    ['shown at a time in words', { auth_time: String(NOW) }],
    ['shown beyond all time', { auth_time: -1e308 }],
    ['made in an hour', { iat: NOW + 3_600, exp: NOW + 7_200 }],
    ['made a year ago', { iat: NOW - 31_536_000 }],
  ])('AN-17 R-078q is refused on record: one that was %s', async (_, part) => {
    await refused(told(part), 'PROVIDER_REFUSED', 'ProviderFailed');
  });

  it('R-078r is refused on record where it is older than was asked for', async () => {
    await refused(told({ auth_time: NOW - 43_300 }), 'SHOW_AGAIN', 'ShowAgain');
    await refused(told({ auth_time: NOW - 120 }, open(), true), 'SHOW_AGAIN', 'ShowAgain');
  });

  it('R-078d R-078r says in the window why it does not count as shown again, and leaves the session', async () => {
    const browser = open();
    await told({}, browser)();
    for (const time of [NOW - 120, undefined]) {
      const { location } = await told({ auth_time: time }, browser, true)();
      expect(location).toBe(`${ORIGIN}/login/again?problem=ShowAgain`);
    }
    expect((await told({}, browser, true)()).location).toBe(QUEUE);
  });
});

describe('a session that was ended', () => {
  it('AN-06 R-078s by somebody is not opened anew by what was shown before, in any browser', async () => {
    const browser = open();
    await told({ auth_time: NOW - 60 }, browser)();
    await change(`select review.end_sessions_of(person_id, null, null) from review.people`);
    const elsewhere = () => told({ auth_time: NOW - 60 }, open());
    await refused(elsewhere(), 'SHOW_AGAIN', 'ShowAgain');
    await refused(told({ auth_time: undefined }), 'SHOW_AGAIN', 'ShowAgain');
    // The browser that had it is sent there to show it.
    expect(new URL(await browser.leave()).searchParams.get('prompt')).toBe('login');
    const now = Math.floor(Date.now() / 1000) + 20;
    expect((await told({ auth_time: now }, browser)()).location).toBe(QUEUE);
    const ended = await change('select from review.sessions where revoked_at is null');
    expect(ended.rowCount).toBe(1);
  });

  it('AN-18 R-078s by time is not opened anew by what was shown before, in any browser', async () => {
    const now = Math.floor(Date.now() / 1000) + 20;
    await told({ auth_time: now })();
    await change(`update review.sessions set cut_off = false`);
    await change(
      `update review.sessions set last_seen_at = ledger.clock() - interval '31 minutes' where revoked_at is null`,
    );
    await refused(told({ auth_time: now - 3_600 }), 'SHOW_AGAIN', 'ShowAgain');
    expect((await told({ auth_time: undefined })()).location).toBe(QUEUE);
    expect((await told({ auth_time: now })()).location).toBe(QUEUE);
  });

  it('AN-06 by its own sign-out is: nobody shows more than the provider asks for', async () => {
    await change(`update review.sessions set revoked_at = ledger.clock(), cut_off = false`);
    expect((await told({ auth_time: NOW - 3_600 })()).location).toBe(QUEUE);
  });
});

describe('the way back', () => {
  it('AN-05 R-078t is used once, whatever the provider answers to its code', async () => {
    const browser = open();
    let back: { address: string; jar: Map<string, string> } | undefined;
    await comeBackFrom(provider, {
      browser,
      email: EMAIL,
      onTheWay: (url, { jar }) => (back = { address: url.pathname + url.search, jar: new Map(jar) }),
    });
    const thief = open();
    for (const [name, value] of back?.jar ?? []) thief.jar.set(name, value);
    const asked = provider.asked.length;
    const answer = await thief.send(back?.address ?? '');
    expect(answer.headers.get('location')).toBe(at('ProviderFailed'));
    expect(thief.jar.has(SESSION_COOKIE)).toBe(false);
    expect(provider.asked.length).toBe(asked);
  });

  it.each<[string, (back: URL) => void]>([
    ['twice', (back) => ['iss', 'iss'].forEach((name) => back.searchParams.append(name, provider.issuer))],
    ['too long', (back) => back.searchParams.set('iss', `${provider.issuer}/${'x'.repeat(5_000)}`)],
    ['of another', (back) => back.searchParams.set('iss', 'https://evil.example')],
  ])('AN-17 R-078u opens nothing and asks nothing with an issuer %s', async (_, onTheWay) => {
    const asked = provider.asked.length;
    await refused(
      () => comeBackFrom(provider, { browser: open(), email: EMAIL, onTheWay }),
      'PROVIDER_REFUSED',
      'ProviderFailed',
    );
    expect(provider.asked.slice(asked)).not.toContain('/token');
  });

  it('AN-17 R-078u opens nothing without the issuer that the provider promises', async () => {
    const promising = await startLyingProvider();
    promising.description = { authorization_response_iss_parameter_supported: true };
    Object.assign(process.env, promising.environment);
    const { location } = await comeBackFrom(promising, { browser: open(), email: EMAIL });
    expect(location).toBe(at('ProviderFailed'));
    Object.assign(process.env, provider.environment);
    await promising.stop();
  });

  it('AN-02 R-078v is slowed by address when it fails: then nothing is asked, and nothing more is kept', async () => {
    const browser = open();
    const before = (await refusals()).length;
    const fail = async () => {
      await browser.leave();
      return (await browser.send('/api/auth/callback/oidc?error=x')).headers.get('location');
    };
    const ends: (string | null)[] = [];
    for (let tries = 0; tries < 45; tries += 1) ends.push(await fail());
    expect(ends[0]).toBe(at('ProviderDenied'));
    expect(ends.at(-1)).toMatch(/error=Throttled_\d+$/);
    expect((await refusals()).length - before).toBeLessThan(45);
    const asked = provider.asked.length;
    await comeBackFrom(provider, { browser, email: EMAIL });
    expect(provider.asked.slice(asked)).not.toContain('/token');
    expect((await told({})()).location).toBe(QUEUE);
  });

  it('AN-02 R-078v is none for a state that this server never gave', async () => {
    const browser = open();
    const before = await refusals();
    browser.jar.set('__Host-onceover-state', 'x');
    await browser.send('/api/auth/callback/oidc?error=x');
    await browser.send('/api/auth/callback/oidc?code=x&state=x');
    expect(await refusals()).toEqual(before);
  });
});

describe('a session that does not open', () => {
  it('AN-19 R-078y leaves no link, and is on record', async () => {
    const email = 'ivy@example.test';
    const personId = await makePerson(db, { email, password: null });
    const linked = async () =>
      (await db.pool('owner').query('select from review.identities where person_id = $1', [personId]))
        .rowCount;
    const journey = () =>
      comeBackFrom(provider, {
        browser: open(),
        email,
        lie: (claims) => ({ claims: { ...claims, sub: 'ivy' } }),
      });
    await change(`create function review.shut() returns trigger language plpgsql as
      $$ begin raise exception 'no sessions today'; end $$`);
    await change(`create trigger shut before insert on review.sessions execute function review.shut()`);
    await refused(journey, 'PROVIDER_REFUSED', 'Unreachable');
    expect(await linked()).toBe(0);
    await change('drop trigger shut on review.sessions');
    expect((await journey()).location).toBe(QUEUE);
    expect(await linked()).toBe(1);
  });
});
