import { demoEmail } from '@/lib/commands/demo-accounts';
import { builtInventory } from './build-inventory';
import { expect } from './desk';
import { exchangeBytes, splitRequests, upgradeToH2c } from './exchange-bytes';
import { callAction, fromOurPages, signInByHttp } from './http-person';
import { inLanes } from './in-lanes';
import type { LedgerTruth } from './ledger-truth';
import { test } from './proxied-product';
import { rawRequest } from './raw-request';

const EVIL = 'evil.example';
const FORWARDED = {
  'x-forwarded-host': EVIL,
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '443',
  forwarded: `host=${EVIL};proto=https`,
};
/** Ways of claiming that the foreign origin is ours; the last one reaches the product directly alone. */
const CLAIMS: Record<string, string>[] = [
  { origin: `https://${EVIL}`, ...FORWARDED },
  { origin: `https://${EVIL}`, 'sec-fetch-site': 'same-origin', ...FORWARDED },
  { origin: `https://${EVIL}`, forwarded: `host=${EVIL};proto=https` },
  { origin: `https://${EVIL}`, 'x-forwarded-host': EVIL, 'x-original-url': '/', 'x-forwarded-prefix': '/x' },
  { origin: `https://${EVIL}`, ...FORWARDED, host: EVIL },
];

/** Every action of the build, and every handler that a cookie lets change something. */
const targets = () => [
  ...builtInventory().actions.map(({ id }) => ({
    path: '/queue',
    headers: { 'next-action': id, 'content-type': 'text/plain' },
  })),
  ...[
    '/audit/export?format=csv',
    '/api/auth/session',
    '/api/auth/signout',
    '/api/auth/callback/credentials',
  ].map((path) => ({ path, headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
];

/** What people have done, and which of their sessions are open. */
const effects = (truth: LedgerTruth) =>
  truth.one(
    `SELECT (SELECT count(*) FROM review.audit_events WHERE outcome = 'done' AND actor_kind = 'person') AS done,
            (SELECT count(*) FROM review.sessions WHERE revoked_at IS NULL) AS open`,
  );

test('HD-02 a foreign origin with headers that fit it is refused without effect, directly and through the proxy', async ({
  product,
  doors,
  truth,
}) => {
  expect(product.address).toBe(doors.proxied);
  const { headers: signedIn } = await signInByHttp(doors.proxied, demoEmail('admin'));
  const before = await effects(truth);
  const asked = [doors.direct, doors.proxied].flatMap((door) =>
    targets().map((target) => ({ door, ...target })),
  );
  await inLanes(asked, async ({ door, path, headers }) => {
    for (const claim of door === doors.direct ? CLAIMS : CLAIMS.slice(0, -1)) {
      const given = { ...signedIn, ...headers, ...claim };
      const answer = await rawRequest(door, { method: 'POST', path, headers: given, body: '[]' });
      expect(answer.status, `${door}${path} with ${JSON.stringify(claim)}`).toBe(403);
    }
  });
  expect(await effects(truth)).toEqual(before);

  // From our own pages, through the proxy, an action has its effect: it ends the sessions of who calls it.
  await signInByHttp(doors.proxied, demoEmail('manager'));
  const caller = await signInByHttp(doors.proxied, demoEmail('manager'));
  const { id: personId } = await truth.one<{ id: string }>(
    'SELECT person_id AS id FROM review.people WHERE email = $1',
    [demoEmail('manager')],
  );
  const [action] = builtInventory().actions.filter(({ name }) => name === 'endOwnSessionsAction');
  const input = { personId, sessionId: null, operationId: crypto.randomUUID() };
  const form = { args: [input] };
  const ended = await callAction(doors.proxied, caller, {
    ...{ id: action?.id ?? '', path: '/account/sessions', form },
  });
  expect(ended).toMatchObject({ status: 200, value: { outcome: 'done' } });
});

test('HD-02 names that are not the desk’s are nobody’s at the proxy', async ({ doors, product }) => {
  expect(product.address).toBe(doors.proxied);
  for (const host of [EVIL, `${EVIL}:443`, 'localhost'])
    for (const path of ['/login', '/queue', '/api/health']) {
      const answer = await rawRequest(doors.proxied, { path, headers: { host } });
      expect([400, 421], `${path} of "${host}"`).toContain(answer.status);
    }
});

test('AN-13 HD-02 through the proxy no forwarded header comes back in an address, a link or a cookie', async ({
  doors,
  product,
}) => {
  expect(product.address).toBe(doors.proxied);
  const hostile = {
    ...{ ...FORWARDED, 'x-forwarded-proto': 'gopher', forwarded: `host=${EVIL};proto=gopher` },
    ...{ 'x-forwarded-prefix': '/evil', 'x-forwarded-server': EVIL, 'x-original-url': '/evil' },
    ...{ 'x-rewrite-url': '/evil', 'x-real-ip': '6.6.6.6' },
  };
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/queue?kind=UNKNOWN_RESULT'],
    ['GET', '/login'],
    ['GET', '/login/link'],
    ['GET', '/api/auth/signin'],
    ['GET', '/api/auth/error?error=Callback'],
    ['GET', '/api/auth/providers'],
    ['POST', '/api/auth/signout'],
    ['POST', '/api/auth/callback/credentials'],
  ] as const) {
    const form = { origin: doors.proxied, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await rawRequest(doors.proxied, {
      ...{ path, method, headers: { ...hostile, ...(method === 'POST' ? form : {}) } },
      ...(method === 'POST' ? { body: 'csrfToken=x&email=x&password=x' } : {}),
    });
    expect(answer.status, path).toBeLessThan(500);
    expect(`${JSON.stringify(answer.headers)} ${answer.body}`, path).not.toMatch(/evil|gopher/);
    const { location } = answer.headers;
    if (location !== undefined && !location.startsWith('/'))
      expect(new URL(location).origin, path).toBe(doors.proxied);
  }
});

test('AU-15 the source in the audit is what the trusted hop saw, and never what a client claims', async ({
  doors,
  product,
  truth,
}) => {
  expect(product.address).toBe(doors.proxied);
  const forged = {
    'x-forwarded-for': '6.6.6.6, 7.7.7.7',
    forwarded: 'for=6.6.6.6',
    'x-real-ip': '6.6.6.6',
    'x-onceover-peer': '6.6.6.6',
  };
  const sourceOf = async (door: string, from: string) => {
    const csrf = await rawRequest(door, { path: '/api/auth/csrf', from });
    const { csrfToken } = JSON.parse(csrf.body) as { csrfToken: string };
    const cookie = (csrf.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
    await rawRequest(door, {
      ...{ method: 'POST', path: '/api/auth/callback/credentials', from },
      headers: {
        ...{ ...forged, ...fromOurPages(doors.proxied), cookie },
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        csrfToken,
        email: 'x@example.test',
        password: 'x',
        json: 'true',
      }).toString(),
    });
    return truth.one(
      `SELECT event, source_address FROM review.audit_events WHERE event LIKE 'session.%' ORDER BY number DESC LIMIT 1`,
    );
  };
  const event = 'session.sign_in_failed';
  expect(await sourceOf(doors.proxied, '127.0.0.5')).toEqual({ event, source_address: '127.0.0.5' });
  // Past the proxy nobody is trusted: the chain of a stranger is not walked.
  expect(await sourceOf(doors.direct, '127.0.0.6')).toEqual({ event, source_address: '127.0.0.6' });
});

test('HD-06 through the proxy requests that two readers would split differently are read once or not at all', async ({
  doors,
  product,
}) => {
  expect(product.address).toBe(doors.proxied);
  const { host } = new URL(doors.proxied);
  // nginx ends a line at a bare line feed: what follows is a second request of the client's own, for both readers.
  const { 'a bare line feed': _, ...ambiguous } = splitRequests(host);
  for (const [name, bytes] of Object.entries(ambiguous)) {
    const answers = await exchangeBytes(doors.proxied, bytes);
    expect((answers.match(/^HTTP\/1\.1 \d+/gm) ?? []).length, `${name}:\n${answers}`).toBeLessThan(2);
    expect(answers, name).not.toContain('migrations');
    // Nothing is left over that the next one would be answered with.
    const next = await rawRequest(doors.proxied, { path: '/api/health' });
    expect([next.status, next.body.includes('migrations')], `after ${name}`).toEqual([200, false]);
  }
  expect(await exchangeBytes(doors.proxied, upgradeToH2c(host))).not.toContain('101 Switching');
});
