import { type Browser, type Page, type Request } from '@playwright/test';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { expect, test } from './desk';
import { DEMO_PASSWORD, type Place } from './product';
import { rawRequest } from './raw-request';

const SESSION = '__Host-onceover-session';
const HOSTILE = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-prefix': '/evil',
  forwarded: 'host=evil.example;proto=gopher',
};

test('AN-05 AN-06 AN-11 a copied cookie is worth nothing after signing out: page, its data, action, route, session', async ({
  browser,
  product,
  truth,
}) => {
  const page = await windowOf(browser, product);
  const set: string[] = [];
  page.on('response', (response) => void response.headersArray().then((all) => set.push(...setCookies(all))));
  await signIn(page, 'admin2');
  const email = 'never-invited@example.test';
  const held = await holdInvitation(page, email);
  const cookie = await cookiesOf(page);
  const probe = probes(product, cookie, held);
  expect((await probe.page()).body, 'the copy opens the page before').toContain('Adam Admin');

  await page.goto('/queue');
  await page
    .getByRole('button', { name: /^Account|Second administrator/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);

  for (const ask of [probe.page, probe.data, probe.route, probe.action]) {
    const { status, body } = await ask();
    expect(status).toBeLessThan(500);
    expect(body).not.toContain('Adam Admin');
  }
  expect((await probe.action()).body).toContain('SIGNED_OUT');
  expect((await probe.route()).status).toBe(401);
  expect((await probe.session()).body).toBe('{}');
  expect(await truth.rows('SELECT FROM review.people WHERE email = $1', [email])).toEqual([]);

  expect(set.length).toBeGreaterThan(3);
  for (const line of set) {
    expect(line).toMatch(/^__Host-/);
    expect(line).toMatch(/; Path=\/(;|$)/);
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; Secure/);
    expect(line).toMatch(/; SameSite=(Lax|Strict)/i);
    expect(line).not.toMatch(/Domain=/i);
    expect(line.length).toBeLessThan(4_096);
  }
});

test('AN-17 broken carriers are nobody’s, everywhere, and never a fault', async ({ product }) => {
  const carriers = [
    'x',
    '..',
    '%E0%A4%A',
    '{}',
    'eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4In0.',
    'A'.repeat(10_000),
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAA.BBBB.CCCC',
  ];
  for (const bad of carriers) {
    for (const [path, more] of [
      ['/queue', {}],
      ['/queue', { rsc: '1' }],
      ['/api/auth/session', {}],
    ] as const) {
      const headers = { ...more, cookie: `${SESSION}=${bad}`, authorization: 'Bearer %E0%A4%A' };
      const { status, body } = await rawRequest(product.address, { path, headers });
      expect(status, `${path} with ${bad.slice(0, 20)}`).toBeLessThan(500);
      expect(body).not.toMatch(/ at [\w.]+ \(|node_modules/);
      expect(body).not.toContain('aria-label="Account');
    }
  }
  const api = await rawRequest(product.address, {
    path: '/api/v1/executions/x',
    headers: { authorization: 'Bearer %E0%A4%A' },
  });
  expect(api.status).toBe(401);
  const huge = await rawRequest(product.address, {
    path: '/queue',
    headers: { cookie: `${SESSION}=${'A'.repeat(100_000)}` },
  }).catch((error: unknown) => error as Error);
  if (!(huge instanceof Error)) expect(huge.status).toBeLessThan(500);
  expect((await rawRequest(product.address, { path: '/api/health' })).status).toBe(200);
});

test('AN-13 no hostile host or forwarded header comes back in an address, a link or a cookie', async ({
  product,
}) => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/queue?kind=UNKNOWN_RESULT'],
    ['GET', '/login'],
    ['GET', '/login/link'],
    ['GET', '/api/auth/signin'],
    ['GET', '/api/auth/error?error=Callback'],
    ['GET', '/api/auth/signout'],
    ['GET', '/api/auth/providers'],
    ['POST', '/api/auth/signout'],
    ['POST', '/api/auth/callback/credentials'],
  ] as const) {
    const headers = {
      ...HOSTILE,
      ...(method === 'POST'
        ? { origin: product.address, 'content-type': 'application/x-www-form-urlencoded' }
        : {}),
    };
    const answer = await rawRequest(product.address, {
      path,
      method,
      headers,
      ...(method === 'POST' ? { body: 'csrfToken=x&email=x&password=x' } : {}),
    });
    expect(answer.status, path).toBeLessThan(500);
    expect(`${JSON.stringify(answer.headers)} ${answer.body}`, path).not.toMatch(/evil|gopher/);
  }
});

function probes({ address }: Place, cookie: string, held: Request) {
  const get = (path: string, headers: Record<string, string> = {}) =>
    rawRequest(address, { path, headers: { cookie, ...headers } });
  return {
    page: () => get('/account/sessions'),
    data: () => get('/account/sessions', { rsc: '1' }),
    route: () =>
      rawRequest(address, {
        path: '/audit/export',
        method: 'POST',
        headers: { cookie, origin: address, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'format=csv',
      }),
    session: () => get('/api/auth/session'),
    action: () =>
      rawRequest(address, {
        path: new URL(held.url()).pathname,
        method: 'POST',
        headers: { ...withoutLength(held.headers()), cookie, origin: address },
        body: held.postData() ?? '',
      }),
  };
}

const withoutLength = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(:|content-length|cookie)/.test(name)));

const setCookies = (headers: { name: string; value: string }[]) =>
  headers.filter(({ name }) => name.toLowerCase() === 'set-cookie').flatMap(({ value }) => value.split('\n'));

/** Fills in an invitation and keeps the browser's request from the server. */
async function holdInvitation(page: Page, email: string): Promise<Request> {
  await page.goto('/admin/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Name', { exact: true }).fill('Nobody');
  await dialog.getByRole('checkbox', { name: /North/ }).check();
  await dialog.getByLabel('Reason').fill('It must never come about.');
  await page.route('**/admin/people**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'POST' && 'next-action' in each.headers()),
    dialog.getByRole('button', { name: 'Invite' }).click(),
  ]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return request;
}

async function windowOf(browser: Browser, { address }: Place): Promise<Page> {
  return (await browser.newContext({ baseURL: address, locale: 'en-US' })).newPage();
}

async function cookiesOf(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function signIn(page: Page, account: 'admin2'): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(demoEmail(account));
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/queue/);
}
