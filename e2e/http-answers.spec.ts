import { demoEmail } from '@/lib/commands/demo-accounts';
import { builtInventory } from './build-inventory';
import { expect, test } from './desk';
import { exchangeBytes, splitRequests, upgradeToH2c } from './exchange-bytes';
import { fromOurPages, signInByHttp } from './http-person';
import { rawRequest, routerRequest, type RawAnswer } from './raw-request';

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
  // What browsers ask for beside whatever is no page; a page names its own.
  kind('icon', 200, { path: '/favicon.ico' });
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
  for (const [name, bytes] of Object.entries(splitRequests(host))) {
    const answers = await exchangeBytes(product.address, bytes);
    expect(answers.match(/^HTTP\/1\.1 \d+/gm) ?? [], `${name}:\n${answers}`).toEqual(['HTTP/1.1 400']);
    expect(answers, name).not.toContain('migrations');
  }
  expect(await exchangeBytes(product.address, upgradeToH2c(host))).not.toContain('101 Switching');
});
