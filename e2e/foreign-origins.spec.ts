import http from 'node:http';
import { type AddressInfo } from 'node:net';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { builtInventory } from './build-inventory';
import { expect, test } from './desk';
import { fromOurPages, signInByHttp } from './http-person';
import { inLanes } from './in-lanes';
import { northernException } from './northern-exception';
import { rawRequest } from './raw-request';

const EVIL = 'evil.example';
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', undefined];

interface Claim {
  origin: string | undefined;
  site: string | undefined;
}

/** Everything that a request can say of where it comes from, and that is not one of our own pages. */
function foreignClaims(address: string): Claim[] {
  const { port, protocol } = new URL(address);
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
  return [
    ...origins.flatMap((origin) => SITES.map((site) => ({ origin, site }))),
    ...['same-site', 'cross-site', 'none'].map((site) => ({ origin: address, site })),
  ];
}

/** With the strange origin come headers by which a proxy in front would make it ours. */
function headersOf({ origin, site }: Claim): Record<string, string> {
  const forged = {
    ...{ 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https', host: EVIL },
    forwarded: `host=${EVIL};proto=https`,
  };
  return {
    ...(origin === `https://${EVIL}` ? forged : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(site === undefined ? {} : { 'sec-fetch-site': site }),
  };
}

/** Every action of the build, and every handler that a cookie lets change something. */
function targets(): { path: string; headers: Record<string, string> }[] {
  const handlers = [
    '/audit/export?format=csv',
    '/api/auth/session',
    '/api/auth/signout',
    '/api/auth/callback/credentials',
  ];
  return [
    ...builtInventory().actions.map(({ id }) => ({
      path: '/queue',
      headers: { 'next-action': id, 'content-type': 'text/plain' },
    })),
    ...handlers.map((path) => ({ path, headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
  ];
}

test('HD-01 HD-02 no action and no handler runs for another origin, whatever the headers claim', async ({
  product,
}) => {
  test.setTimeout(300_000);
  const { address } = product;
  const { headers: signedIn } = await signInByHttp(address, demoEmail('admin'));
  await inLanes(targets(), async ({ path, headers }) => {
    for (const claim of foreignClaims(address)) {
      const given = { ...signedIn, ...headers, ...headersOf(claim) };
      const { status, body } = await rawRequest(address, {
        method: 'POST',
        path,
        headers: given,
        body: '[]',
      });
      const where = `${path} with ${JSON.stringify(claim)}`;
      expect([401, 403], `${where}: ${status}`).toContain(status);
      expect(body, where).not.toContain('outcome');
    }
  });
  // The sign-outs among them ended nothing, and the same requests from our own pages arrive.
  const ours = { ...signedIn, ...fromOurPages(address) };
  expect((await rawRequest(address, { path: '/account/sessions', headers: signedIn })).status).toBe(200);
  const session = await rawRequest(address, {
    ...{ method: 'POST', path: '/api/auth/session', body: 'x=1' },
    headers: { ...ours, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(session.status).not.toBe(403);
});

test('HD-07 no page is shown inside another origin’s', async ({ people, product, truth }) => {
  const { id } = await northernException(truth);
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
  await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
  expect((await refused).text()).toMatch(/X-Frame-Options|frame-ancestors/);
  await expect(page.frameLocator('iframe').getByRole('main')).toHaveCount(0);
  await new Promise((resolve) => foreign.close(resolve));
});
