// What signing in costs and answers, for an account that is there and one that is not. The hashes are real, and counted.
import type * as Argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AuthBrowser, ORIGIN } from '@/lib/testing/auth-browser';
import { median } from '@/lib/testing/bench/at-once';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePerson, PASSWORD } from '@/lib/testing/people';
import { tapStatements, type SentStatement } from '@/lib/testing/statement-tap';

/** The cost that each verification was told by its hash: `$argon2id$v=19$m=…`, without salt and digest. */
const hashed = vi.hoisted((): string[] => []);
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof Argon2>();
  return {
    ...real,
    verify: (stored: string, password: string) => {
      hashed.push(stored.split('$').slice(0, 4).join('$'));
      return real.verify(stored, password);
    },
  };
});

const TIMES = 200;
/** Each request has an id of its own. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let db: TestDatabase;
let sent: SentStatement[];
let browser: AuthBrowser;
beforeAll(async () => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  db = await testDatabase();
  await makePerson(db, { email: 'hana@demo.local', displayName: 'Hana', password: PASSWORD });
  sent = tapStatements(db.pool('app'));
});
beforeEach(() => {
  browser = new AuthBrowser(db.pool('app'), { email: 'hana@demo.local', password: PASSWORD });
});
afterAll(() => db.drop());

/** Everything that can be seen or measured of one try from outside, and what it took inside. */
async function attempt(email: string) {
  const cookiesBefore = browser.setCookies.length;
  sent.length = 0;
  hashed.length = 0;
  const startedAt = performance.now();
  const answer = await browser.login({ email, password: 'wrong password' });
  const body = await answer.text();
  return {
    took: performance.now() - startedAt,
    seen: JSON.stringify({
      ...{ status: answer.status, body, headers: [...answer.headers] },
      cookies: browser.setCookies.slice(cookiesBefore),
    }),
    work: JSON.stringify({ hashed, statements: sent.map(({ text }) => text.replaceAll(UUID, '…')) }),
  };
}

it('AN-01 an unknown address and a wrong password cost the same work and get the same answer', async () => {
  await attempt('warm@demo.local');
  const [unknown, known]: [number[], number[]] = [[], []];
  const seen = new Set<string>();
  const work = new Set<string>();
  for (let n = 0; n < TIMES; n += 1) {
    for (const [email, times] of [
      ['nobody@demo.local', unknown],
      ['hana@demo.local', known],
    ] as const) {
      const one = await attempt(email);
      seen.add(one.seen);
      work.add(one.work);
      times.push(one.took);
    }
    // Past the window that counts failures: how tries are slowed is another check.
    await db.advanceClock('16 minutes');
  }
  expect([...seen]).toHaveLength(1);
  expect([...seen][0]).toContain('"status":401');
  expect([...work]).toHaveLength(1);
  expect([...work][0]).toContain('"hashed":["$argon2id$v=19$m=19456,t=2,p=1"]');
  // Printed, and judged by nobody: the work above is what makes them alike.
  process.stdout.write(
    `AN-01 medians: unknown address ${median(unknown).toFixed(2)} ms, wrong password ${median(known).toFixed(2)} ms\n`,
  );
}, 120_000);

it('AN-01 two that are slowed down look the same as well', async () => {
  const slowed = async (email: string) => {
    for (let n = 0; n < 5; n += 1) await attempt(email);
    return attempt(email);
  };
  const [unknown, known] = [await slowed('nobody@demo.local'), await slowed('hana@demo.local')];
  expect(known.seen).toBe(unknown.seen);
  expect(known.seen).toContain('Throttled_');
  expect([known.work, unknown.work].every((work) => work.includes('"hashed":[]'))).toBe(true);
  expect(known.work).toBe(unknown.work);
});
