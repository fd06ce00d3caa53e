import { NextRequest } from 'next/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { SESSION_COOKIE } from '@/lib/access/session-cookie';
import { config, proxy } from './proxy';

const ORIGIN = 'https://desk.example';
beforeAll(() => {
  process.env['NEXTAUTH_URL'] = ORIGIN;
});

const ask = (
  path: string,
  { method = 'GET', signedIn = true, headers = {} as Record<string, string> } = {},
) =>
  proxy(
    new NextRequest(new URL(path, 'http://10.0.0.5:3000'), {
      method,
      headers: { ...(signedIn ? { cookie: `${SESSION_COOKIE}=x` } : {}), ...headers },
    }),
  );
/** What the page behind the proxy receives under this name; null when the header is removed. */
const received = (response: Response, name: string) => response.headers.get(`x-middleware-request-${name}`);
const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1];

describe('the proxy', () => {
  it.each([
    '/queue',
    '/audit/7',
    '/',
    '/queue.rsc',
    '/QUEUE',
    '//queue',
    '/%71ueue',
    '/_next/data/x/queue.json',
    '/queue/',
    '/anything',
  ])('AZ-03 leads %s to the login when nobody is signed in, prefetches and RSC too', (path) => {
    for (const headers of [
      {},
      { rsc: '1' },
      { 'next-router-prefetch': '1' },
      { 'next-router-segment-prefetch': '/_tree' },
      { purpose: 'prefetch' },
      { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
      { 'next-resume': '1' },
      { 'x-nextjs-data': '1' },
    ] as Record<string, string>[]) {
      const response = ask(path.startsWith('//') ? `http://10.0.0.5:3000${path}` : path, {
        signedIn: false,
        headers,
      });
      expect(response.status).toBe(307);
      expect(new URL(response.headers.get('location') ?? '').origin + '/login').toBe(`${ORIGIN}/login`);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
    }
  });

  it('AZ-03 has no matcher that a request header can get around', () => {
    expect(config).toEqual({ matcher: [expect.any(String)] });
    const covered = new RegExp(`^${config.matcher[0]}$`);
    for (const path of ['/queue', '/audit/7', '/login', '/api/auth/csrf', '/_next/data/x/queue.json'])
      expect(path).toMatch(covered);
    for (const path of ['/api/v1/executions', '/_next/static/chunks/a.js']) expect(path).not.toMatch(covered);
  });

  it('lets the way in, health and icons through', () => {
    for (const path of [
      '/login',
      '/login/link',
      '/api/health',
      '/api/auth/csrf',
      '/favicon.ico',
      '/icon.svg',
    ]) {
      expect(ask(path, { signedIn: false }).headers.get('location')).toBeNull();
    }
  });

  it('AN-13 takes the way back from the address and the origin from the configuration', () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': '/evil',
    };
    const location = ask('/queue?kind=EXPIRED_KEY', { signedIn: false, headers }).headers.get('location');
    expect(location).toBe(`${ORIGIN}/login?callbackUrl=${encodeURIComponent('/queue?kind=EXPIRED_KEY')}`);
  });

  const origins = [
    ORIGIN,
    'https://evil.example',
    'https://a.desk.example',
    'https://desk.example:8443',
    'http://desk.example',
    'null',
    null,
  ];
  const sites = ['same-origin', 'same-site', 'cross-site', 'none', null];
  it.each(origins.flatMap((origin) => sites.map((site) => ({ origin, site }))))(
    'HD-01 HD-02 answers an action with Origin $origin and Sec-Fetch-Site $site',
    ({ origin, site }) => {
      const ours = origin === ORIGIN && (site === 'same-origin' || site === null);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const headers = {
          'next-action': 'abc',
          'x-forwarded-host': 'evil.example',
          host: 'evil.example',
          ...(origin === null ? {} : { origin }),
          ...(site === null ? {} : { 'sec-fetch-site': site }),
        };
        expect(ask('/queue', { method, headers }).status).toBe(ours ? 200 : 403);
      }
    },
  );

  it('HD-03 gives each answer a policy with a nonce of its own, and the page the same', () => {
    const [one, other] = [ask('/queue'), ask('/queue')];
    for (const response of [
      one,
      other,
      ask('/queue', { signedIn: false }),
      ask('/queue', { method: 'POST' }),
    ]) {
      const policy = response.headers.get('content-security-policy');
      expect(policy).toMatch(/script-src 'nonce-[A-Za-z0-9+/=]{20,}' 'strict-dynamic'/);
      for (const part of [
        "default-src 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ])
        expect(policy).toContain(part);
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    }
    expect(nonceOf(one.headers.get('content-security-policy'))).not.toBe(
      nonceOf(other.headers.get('content-security-policy')),
    );
    expect(received(one, 'x-nonce')).toBe(nonceOf(one.headers.get('content-security-policy')));
    expect(received(one, 'content-security-policy')).toBe(one.headers.get('content-security-policy'));
  });

  it('overwrites or removes what only we may say', () => {
    const headers = {
      'content-security-policy': "script-src 'nonce-evil'",
      'content-security-policy-report-only': "script-src 'nonce-evil'",
      'x-nonce': 'evil',
      'x-onceover-request': 'evil',
      'x-onceover-path': 'evil',
    };
    const response = ask('/audit?q=a', { headers });
    for (const [name, value] of response.headers)
      if (name.startsWith('x-middleware-request-')) expect(value).not.toContain('evil');
    expect(received(response, 'content-security-policy-report-only')).toBeNull();
    expect(received(response, 'x-onceover-request')).toMatch(/^[0-9a-f-]{36}$/);
    expect(received(response, 'x-onceover-path')).toBe('/audit?q=a');
  });
});
