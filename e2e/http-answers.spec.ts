import net from 'node:net';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { builtInventory } from './build-inventory';
import { expect, test } from './desk';
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
