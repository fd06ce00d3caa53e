import net from 'node:net';
import http from 'node:http';
import { builtInventory } from './build-inventory';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { expect, test } from './desk';
import { fromOurPages, signInByHttp } from './http-person';
import { rawRequest, routerRequest, type RawAnswer } from './raw-request';

const EVIL = 'evil.example';

/** Ways in which a header claims to be something other than a page's request. */
const DISGUISES: Record<string, string | string[]>[] = [
  {},
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-segment-prefetch': '/_tree' },
  { purpose: 'prefetch' },
  { 'x-middleware-subrequest': Array(5).fill('proxy').join(':') },
  { 'x-middleware-subrequest': ['middleware', 'src/middleware', 'proxy', 'src/proxy'] },
  { 'next-resume': '1' },
  { 'x-nextjs-data': '1' },
  { 'x-middleware-rewrite': '/queue', 'x-original-url': '/queue' },
];

/** Spellings of an address that one reader may take for it and another may not. */
const spellings = (address: string): string[] => {
  const encoded = address.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    ...[address, `${address}.rsc`, `${address}.segments/_tree.segment.rsc`, `${address}/`, `/${address}`],
    ...[encoded, address.toUpperCase(), `/login/..${address}`, `/login/%2e%2e${address}`, `${address}%00`],
    ...[
      `/_next/data/x${address}.json`,
      `${address}?nxtPid=x&nxtPnumber=1`,
      `${address}?_rsc=x`,
      `/docs;${address}`,
    ],
  ];
};

/** Every disguise of the address itself, and every spelling of it as a page and as the router's data. */
const attempts = (address: string) => [
  ...DISGUISES.map((headers) => ({ path: address, headers })),
  ...spellings(address).flatMap((path) => [
    { path, headers: {} },
    { path, headers: { rsc: '1' } },
  ]),
];

/** So many at the same time as the machine serves well. */
const AT_ONCE = 6;

async function ask<T>(questions: T[], one: (question: T) => Promise<void>): Promise<void> {
  const queue = [...questions];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

test('AZ-03 no header and no spelling gets a byte of a page without a session', async ({
  product,
  truth,
}) => {
  const one = await truth.one<{ execution: string; exception: string; key: string }>(
    `SELECT e.execution_id::text AS execution, x.exception_id::text AS exception, e.idempotency_key AS key
       FROM review.exceptions x JOIN ledger.executions e USING (execution_id) WHERE x.tenant_id = 'tenant-north' LIMIT 1`,
  );
  const canaries = [one.key, 'North (demo)', 'Olivia Operator', demoEmail('admin2')];
  const closed = [`/exceptions/${one.exception}`, `/executions/${one.execution}`, '/queue', '/executions'];
  const addresses = [...closed, '/approvals', '/audit', '/audit/1', '/admin/people', '/account/sessions'];
  await ask(addresses.flatMap(attempts), async ({ path, headers }) => {
    for (const cookie of [{}, { cookie: '__Host-onceover-session=x' }]) {
      const answer = await routerRequest(product.address, { path, headers: { ...headers, ...cookie } });
      const leaked = canaries.filter((canary) => answer.body.includes(canary));
      expect(leaked, `${path} with ${JSON.stringify(headers)}: ${answer.status}`).toEqual([]);
    }
  });
});

test('AZ-03 nor a byte of an administrator’s page to an operator', async ({ product }) => {
  const { headers: signedIn } = await signInByHttp(product.address, demoEmail('operator'));
  const admin = await signInByHttp(product.address, demoEmail('admin'));
  const canary = demoEmail('approver2');
  const shown = await rawRequest(product.address, { path: '/admin/people', headers: admin.headers });
  expect(shown.body).toContain(canary);
  await ask(['/admin/people', '/admin/tokens'].flatMap(attempts), async ({ path, headers }) => {
    const answer = await routerRequest(product.address, { path, headers: { ...headers, ...signedIn } });
    expect(answer.body, `${path} with ${JSON.stringify(headers)}`).not.toContain(canary);
  });
});

test('HD-01 HD-02 no action and no handler runs for another origin, whatever the headers claim', async ({
  product,
  truth,
}) => {
  test.setTimeout(300_000);
  const { headers: signedIn } = await signInByHttp(product.address, demoEmail('admin'));
  const { address } = product;
  const { port, protocol } = new URL(address);
  const ours = fromOurPages(address);
  const origins = [
    ...[
      `https://${EVIL}`,
      `${protocol}//sub.127.0.0.1:${port}`,
      address.replace(port, '1'),
      'null',
      undefined,
    ],
    ...[address.replace('http:', 'https:'), `${address}.${EVIL}`, 'not an origin'],
  ];
  const foreign = [
    ...origins.flatMap((origin) =>
      ['same-origin', 'same-site', 'cross-site', 'none', undefined].map((site) => ({ origin, site })),
    ),
    ...['same-site', 'cross-site', 'none'].map((site) => ({ origin: ours.origin, site })),
  ];
  const forged = {
    'x-forwarded-host': EVIL,
    'x-forwarded-proto': 'https',
    forwarded: `host=${EVIL};proto=https`,
  };
  const { actions } = builtInventory();
  const handlers = [
    '/audit/export?format=csv',
    '/api/auth/session',
    '/api/auth/signout',
    '/api/auth/callback/credentials',
  ];
  const targets = [
    ...actions.map(({ id }) => ({
      path: '/queue',
      headers: { 'next-action': id, 'content-type': 'text/plain' },
    })),
    ...handlers.map((path) => ({ path, headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
  ];
  const events = () =>
    truth.one<{ n: string }>(
      'SELECT max(number)::text AS n FROM review.audit_events WHERE actor_id IN (SELECT person_id::text FROM review.people WHERE email_canonical = $1)',
      [demoEmail('admin')],
    );
  const before = await events();
  for (const { path, headers } of targets) {
    for (const { origin, site } of foreign) {
      const claimed = origin === `https://${EVIL}` ? { ...forged, host: EVIL } : {};
      const answer = await rawRequest(address, {
        method: 'POST',
        path,
        headers: {
          ...{ ...signedIn, ...headers, ...claimed },
          ...(origin === undefined ? {} : { origin }),
          ...(site === undefined ? {} : { 'sec-fetch-site': site }),
        },
        body: '[]',
      });
      const refused = path.startsWith('/audit/') ? [401, 403] : [403];
      expect(refused, `${path} from ${origin} (${site}): ${answer.status}`).toContain(answer.status);
    }
  }
  expect(await events()).toEqual(before);
});

const EVERYWHERE: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'strict-transport-security': /max-age=\d{7}/,
};

test('HD-03 every kind of answer carries the protecting headers', async ({ product }) => {
  const { headers } = await signInByHttp(product.address, demoEmail('manager'));
  const ours = fromOurPages(product.address);
  const page = (await rawRequest(product.address, { path: '/queue', headers })).body;
  const script = /\/_next\/static\/[^"\\]+\.js/.exec(page)?.[0] ?? '';
  const [action] = builtInventory().actions.filter(({ name }) => name === 'settleOwnAction');
  const called = { ...headers, ...ours, 'next-action': action?.id, 'content-type': 'text/plain' };
  const kinds: Record<string, [number, () => Promise<RawAnswer>]> = {};
  const kind = (name: string, status: number, request: Parameters<typeof rawRequest>[1]) => {
    const send = name === 'redirect' ? rawRequest : routerRequest;
    kinds[name] = [status, () => send(product.address, request)];
  };
  kind('page', 200, { path: '/queue', headers });
  kind('router data', 200, { path: '/queue', headers: { ...headers, rsc: '1' } });
  kind('prefetch', 200, { path: '/queue', headers: { ...headers, rsc: '1', 'next-router-prefetch': '1' } });
  kind('action', 200, { method: 'POST', path: '/account/sessions', headers: called, body: '["x"]' });
  kind('broken action', 500, { method: 'POST', path: '/account/sessions', headers: called, body: '[' });
  kind('foreign action', 403, {
    method: 'POST',
    path: '/account/sessions',
    headers: { ...called, origin: 'null' },
  });
  kind('API', 401, { path: '/api/v1/executions?state=RECEIVED' });
  kind('API document', 200, { path: '/api/v1/openapi.json' });
  kind('no such page', 404, { path: '/nothing', headers });
  kind('no such API', 404, { path: '/api/nothing' });
  kind('login', 200, { path: '/login' });
  kind('health', 200, { path: '/api/health' });
  kind('redirect', 307, { path: '/queue' });
  kind('script', 200, { path: script });
  kind('no such script', 404, { path: '/_next/static/none.js' });
  kind('export', 200, { method: 'POST', path: '/audit/export?format=csv', headers: { ...headers, ...ours } });
  for (const [name, [status, ask]] of Object.entries(kinds)) {
    const answer = await ask();
    expect.soft(answer.status, name).toBe(status);
    for (const [header, value] of Object.entries(EVERYWHERE))
      expect.soft(String(answer.headers[header]), `${header} of ${name}`).toMatch(value);
    expect.soft(answer.headers['x-powered-by'], `x-powered-by of ${name}`).toBeUndefined();
  }
});

test('HD-06 requests that two readers would split differently are read once or not at all', async ({
  product,
}) => {
  const { host } = new URL(product.address);
  const head = (...lines: string[]) =>
    [`POST /api/health HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
  const smuggled = `GET /api/ready HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const chunk = `0\r\n\r\n${smuggled}`;
  const splits: Record<string, string> = {
    'CL.TE': head(`Content-Length: ${chunk.length}`, 'Transfer-Encoding: chunked') + chunk,
    'TE.CL':
      head('Transfer-Encoding: chunked', 'Content-Length: 4') +
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    'TE.TE': head('Transfer-Encoding: chunked', 'Transfer-Encoding: x') + chunk,
    'TE with a blank': head('Transfer-Encoding : chunked', `Content-Length: ${chunk.length}`) + chunk,
    'two lengths': head('Content-Length: 0', `Content-Length: ${smuggled.length}`) + smuggled,
    'a length with a sign': head(`Content-Length: +${smuggled.length}`) + smuggled,
    'a folded header': head('X: a', ` Content-Length: ${smuggled.length}`, 'Content-Length: 0') + smuggled,
    'a bare line feed': head('Content-Length: 0').replaceAll('\r\n', '\n') + smuggled,
  };
  for (const [name, bytes] of Object.entries(splits)) {
    const answers = await exchange(product.address, bytes);
    expect(answers.match(/^HTTP\/1\.1 \d+/gm) ?? [], `${name}:\n${answers}`).toEqual(['HTTP/1.1 400']);
    expect(answers, name).not.toContain('migrations');
  }
  const upgrade = [
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  ];
  const plain = await exchange(product.address, head(...upgrade, 'Content-Length: 0').replace('POST', 'GET'));
  expect(plain).not.toContain('101 Switching');
});

/** All that comes back for some bytes until the connection ends, or nothing more comes. */
function exchange(address: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(1_500, () => socket.destroy());
    socket.on('data', (data) => (received += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

test('HD-07 no page is shown inside another origin’s', async ({ people, product, truth }) => {
  const { id } = await truth.one<{ id: string }>(
    `SELECT exception_id::text AS id FROM review.exceptions WHERE tenant_id = 'tenant-north' LIMIT 1`,
  );
  const framed = `${product.address}/exceptions/${id}`;
  const foreign = http.createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(`<p>win a prize</p><iframe src="${framed}" width="900" height="900"></iframe>`);
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const page = await (await people.window('operator')).newPage();
  await page.goto(framed);
  await expect(page.getByRole('main')).toBeVisible();
  const refused = page.waitForEvent('console', (message) => /frame/i.test(message.text()));
  await page.goto(`http://127.0.0.1:${(foreign.address() as net.AddressInfo).port}/`);
  expect((await refused).text()).toMatch(/X-Frame-Options|frame-ancestors/);
  await expect(page.frameLocator('iframe').getByRole('main')).toHaveCount(0);
  await new Promise((resolve) => foreign.close(resolve));
});
