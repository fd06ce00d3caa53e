import fs from 'node:fs';
import { resolve } from 'node:path';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { expect, test } from './desk';
import { fromOurPages, signInByHttp, type HttpCaller } from './http-person';
import { northernException } from './northern-exception';
import { demoTokens } from './producer';
import { rawRequest } from './raw-request';
import { TestCache } from './test-cache';

const EVIL = 'evil.example';

test('AZ-19 a shared cache keeps nothing that one person was shown for the next', async ({
  product,
  truth,
}) => {
  const { id, executionId: execution } = await northernException(truth);
  const pages = [
    '/queue',
    `/exceptions/${id}`,
    `/executions/${execution}`,
    '/audit',
    '/approvals',
    '/nothing',
    '/admin/people',
  ];
  const people = [
    await signInByHttp(product.address, demoEmail('operator')),
    await signInByHttp(product.address, demoEmail('admin')),
  ];
  const tokens = demoTokens(product);
  const producers: HttpCaller[] = (['north-automation', 'south-automation'] as const).map((name) => ({
    name,
    headers: { authorization: `Bearer ${tokens[name]}` },
  }));
  const asked = [
    ...pages.flatMap((path) => [
      { path, headers: {}, users: people },
      { path: `${path}?_rsc=x`, headers: { rsc: '1' }, users: people },
    ]),
    { path: `/api/v1/executions/${execution}`, headers: {}, users: producers },
    { path: '/api/v1/executions?state=RECEIVED', headers: {}, users: producers },
    { path: '/api/auth/session', headers: {}, users: people },
  ];
  const cache = new TestCache(product.address);
  for (const { path, headers, users } of asked) {
    for (const user of users) {
      const answer = await cache.get({ path, headers: { ...headers, ...user.headers } });
      expect(answer.fromCache, `${path} as ${user.name}`).toBe(false);
      expect(String(answer.headers['cache-control']), `${path} as ${user.name}`).toMatch(/no-store/);
      expect(String(answer.headers['cache-control']), `${path} as ${user.name}`).not.toMatch(
        /public|s-maxage/,
      );
    }
    expect((await cache.get({ path, headers })).fromCache, `${path} as nobody`).toBe(false);
  }
  const manager = await signInByHttp(product.address, demoEmail('manager'));
  const file = await rawRequest(product.address, {
    method: 'POST',
    path: '/audit/export?format=csv',
    headers: { ...manager.headers, ...fromOurPages(product.address) },
  });
  expect([file.status, file.headers['cache-control']]).toEqual([200, 'private, no-store']);
});

test('AZ-19 the build keeps no page of its own for later', () => {
  const read = (name: string) =>
    JSON.parse(
      fs.readFileSync(resolve(import.meta.dirname, '../.next/standalone/.next', name), 'utf8'),
    ) as Record<string, object>;
  const { routes = {}, dynamicRoutes = {} } = read('prerender-manifest.json');
  expect(Object.keys(routes)).toEqual(['/_global-error']);
  expect(dynamicRoutes).toEqual({});
});

/** Headers that no cache keys on, and that some reader behind it may believe. */
const UNKEYED: Record<string, string>[] = [
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'gopher', 'x-forwarded-port': '1' },
  { 'x-forwarded-prefix': `/${EVIL}`, 'x-forwarded-server': EVIL },
  { forwarded: `host=${EVIL};proto=http` },
  { 'x-original-url': `/${EVIL}`, 'x-rewrite-url': `/${EVIL}` },
  { 'x-http-method-override': 'DELETE' },
  { rsc: '1', 'next-router-prefetch': '1', 'next-url': `/${EVIL}` },
  { 'next-router-state-tree': `%5B%22${EVIL}%22%5D`, rsc: '1' },
  { 'x-nextjs-data': '1', 'x-invoke-path': `/${EVIL}`, 'x-middleware-rewrite': `https://${EVIL}/` },
  { 'next-resume': '1', 'next-action': 'x' },
  { 'accept-language': EVIL, origin: `https://${EVIL}` },
  { 'content-security-policy': EVIL, 'x-nonce': EVIL },
];

/** Of the answer what a later reader would see, without what is fresh in each. */
const seen = ({ status, headers, body }: { status: number; headers: object; body: string }) => ({
  status,
  type: (headers as Record<string, string>)['content-type'],
  length: body.replaceAll(/nonce="?[^"&\\]*/g, '').length,
});

test('HD-05 headers that a cache does not key on change nothing that it could keep', async ({ product }) => {
  const front = (await rawRequest(product.address, { path: '/login' })).body;
  const script = /\/_next\/static\/[^"\\]+\.js/.exec(front)?.[0] ?? '';
  const open = [
    '/login',
    '/docs',
    '/api/v1/openapi.json',
    '/api/health',
    '/nothing',
    '/queue',
    script,
    '/icon.svg',
  ];
  for (const path of open) {
    const clean = seen(await rawRequest(product.address, { path }));
    for (const headers of UNKEYED) {
      for (const variant of [path, `${path}?_rsc=${EVIL}`]) {
        const cache = new TestCache(product.address);
        const poisoned = await cache.get({ path: variant, headers });
        const where = `${variant} with ${JSON.stringify(headers)}`;
        expect(String(poisoned.headers.location ?? ''), where).not.toMatch(new RegExp(`//[^/]*${EVIL}`));
        if (variant !== path) continue;
        expect(poisoned.body, where).not.toContain(EVIL);
        const after = await cache.get({ path });
        expect(seen(after), `${path} after ${JSON.stringify(headers)}`).toEqual(clean);
      }
    }
  }
});
