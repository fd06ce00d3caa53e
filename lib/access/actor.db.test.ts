import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPools } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePerson, PASSWORD, testContext } from '@/lib/testing/people';
import { currentActor, requireActionActor, requireActor, routeActor } from './actor';
import { SESSION_COOKIE } from './session-cookie';
import { signIn } from './sign-in';

const ORIGIN = 'http://127.0.0.1:3999';
// The framework's request, as a page or an action finds it.
const request = vi.hoisted(() => ({ headers: new Headers(), cookies: new Map<string, string>() }));
vi.mock('next/headers', () => ({
  headers: () => Promise.resolve(request.headers),
  cookies: () =>
    Promise.resolve({
      get: (name: string) =>
        request.cookies.has(name) ? { name, value: request.cookies.get(name) } : undefined,
      has: (name: string) => request.cookies.has(name),
    }),
}));
vi.mock('next/navigation', () => ({
  redirect: (to: string) => {
    throw new Error(`redirect ${to}`);
  },
}));

let db: TestDatabase;
let personId: string;
beforeAll(async () => {
  db = await testDatabase();
  process.env['NEXTAUTH_URL'] = ORIGIN;
  process.env['NEXTAUTH_SECRET'] = 'a secret of the test that is long enough for it';
  process.env['DATABASE_URL'] = db.appUrl;
  personId = await makePerson(db, { email: 'hana@demo.local' });
});
afterAll(async () => {
  await endPools();
  await db.drop();
});

beforeEach(async () => {
  const answer = await signIn(
    db.pool('app'),
    { email: 'hana@demo.local', password: PASSWORD },
    { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret: null },
  );
  if (answer.kind !== 'signed-in') throw new Error(`bug: ${answer.kind}`);
  const secret = process.env['NEXTAUTH_SECRET'] ?? '';
  request.cookies.clear();
  request.cookies.set(SESSION_COOKIE, await encode({ token: { sid: answer.secret }, secret }));
  request.headers = new Headers({ 'x-onceover-path': '/queue?kind=EXPIRED_KEY' });
});

describe('the actor of a request', () => {
  it('is the person of the cookie, as the database has them now', async () => {
    expect(await currentActor()).toMatchObject({ personId, roles: ['OPERATOR'] });
  });

  it('R-078a AN-07 loses a right between two requests of one session', async () => {
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query(`update review.people set roles = '{MANAGER}'`),
    );
    expect((await requireActor()).roles).toEqual(['MANAGER']);
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query(`update review.people set roles = '{OPERATOR}'`),
    );
    expect((await requireActor()).roles).toEqual(['OPERATOR']);
  });

  it('is nobody without a cookie, and a page leads to the login and back', async () => {
    request.cookies.clear();
    expect(await currentActor()).toBeNull();
    await expect(requireActor()).rejects.toThrow('redirect /login?callbackUrl=%2Fqueue%3Fkind%3DEXPIRED_KEY');
  });

  it('AN-06 is nobody once the session is over, and the login page says why', async () => {
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query('update review.sessions set revoked_at = ledger.clock()'),
    );
    await expect(requireActor()).rejects.toThrow(/redirect \/login\?callbackUrl=.*&reason=SessionExpired/);
    // Actions and routes as well as pages and their data.
    request.headers = new Headers({ origin: ORIGIN, 'x-onceover-path': '/queue' });
    await expect(requireActionActor()).rejects.toThrow(/redirect \/login/);
    expect(await routeActor()).toBeNull();
  });

  it.each(['x', '..', '%E0%A4%A', '{}', 'A'.repeat(100_000)])(
    'AN-17 is nobody behind the cookie %#',
    async (bad) => {
      request.cookies.set(SESSION_COOKIE, bad);
      expect(await currentActor()).toBeNull();
      request.headers = new Headers({ origin: ORIGIN });
      expect(await routeActor()).toBeNull();
    },
  );
});

describe('the actor of a change', () => {
  const from = (headers: Record<string, string>) => {
    request.headers = new Headers(headers);
  };

  it('HD-01 brings the context of its transaction along', async () => {
    from({
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
      'x-onceover-peer': '203.0.113.5',
      'x-onceover-request': '0199aaaa-0000-7000-8000-000000000001',
    });
    expect(await requireActionActor()).toEqual({
      actor: expect.objectContaining({ personId }),
      context: {
        actor: { kind: 'person', id: personId },
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        requestId: '0199aaaa-0000-7000-8000-000000000001',
        sourceAddress: '203.0.113.5',
      },
    });
  });

  it.each<Record<string, string>>([
    {},
    { origin: 'null' },
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    { origin: `${ORIGIN}0` },
    { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
    { origin: ORIGIN, 'sec-fetch-site': 'same-site' },
  ])('HD-01 HD-02 is refused with %j, though the cookie is good', async (headers) => {
    from(headers);
    await expect(requireActionActor()).rejects.toMatchObject({ name: 'ForeignOriginError' });
  });

  it('AU-15 makes a request id of its own rather than take a forged one', async () => {
    from({ origin: ORIGIN, 'x-onceover-request': "x' or true --", 'x-forwarded-for': '6.6.6.6' });
    const { context } = await requireActionActor();
    expect(context.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(context.sourceAddress).toBeNull();
  });
});
