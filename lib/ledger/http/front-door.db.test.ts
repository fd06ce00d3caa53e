import { afterAll, beforeAll, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

const BODY = '{"operation":"refund.create","requestId":"r","payload":{}}';

/** A claim as bytes, with one line of headers to play with. */
const claimWith = (line: string) =>
  `POST /api/v1/executions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${api.tokens.north}\r\n` +
  `${line}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

const line = (text: string) => `${text} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

it.each([
  ['BI-05 an address that is no UTF-8', () => line('GET /api/v1/workflows/%ff'), 400, 'INVALID_REQUEST'],
  ['BI-05 half a percent code', () => line('GET /api/v1/executions?key=%4'), 400, 'INVALID_REQUEST'],
  ['a doubled slash', () => line('GET /api/v1//executions'), 404, 'NOT_FOUND'],
  ['a slash at the end', () => line('GET /api/v1/executions/'), 404, 'NOT_FOUND'],
  ['an address of two dots', () => line('GET /api/v1/workflows/%2e%2e'), 404, 'NOT_FOUND'],
  ['TRACE', () => line('TRACE /api/v1/executions'), 405, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS', () => line('OPTIONS /api/v1/executions'), 405, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS of everything', () => line('OPTIONS *'), 400, 'INVALID_REQUEST'],
  ['a method that is none', () => line('CLAIM /api/v1/executions'), 400, 'INVALID_REQUEST'],
  ['no host', () => 'GET /api/v1/executions HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['headers of 20 KiB', () => claimWith(`X-Long: ${'x'.repeat(20_000)}`), 431, 'HEADERS_TOO_LARGE'],
  ['an expectation', () => claimWith('Expect: wonders'), 400, 'INVALID_REQUEST'],
  ['two lengths', () => claimWith('Content-Length: 3'), 400, 'INVALID_REQUEST'],
  ['B-73 a carriage return in the key', () => claimWith('Idempotency-Key: a\rb'), 400, 'INVALID_REQUEST'],
  [
    'B-73 a line feed in the key',
    () => claimWith('Idempotency-Key: a\nSet-Cookie: x=1'),
    400,
    'INVALID_REQUEST',
  ],
  ['B-73 a NUL in the key', () => claimWith('Idempotency-Key: a\0b'), 400, 'INVALID_REQUEST'],
  [
    'B-71 the key twice',
    () => claimWith('Idempotency-Key: a\r\nIdempotency-Key: a'),
    400,
    'IDEMPOTENCY_KEY_INVALID',
  ],
  [
    'B-71 two keys',
    () => claimWith('Idempotency-Key: a\r\nIdempotency-Key: b'),
    400,
    'IDEMPOTENCY_KEY_INVALID',
  ],
])('R-018e %s is answered as a problem, never barely', async (_, bytes, status, code) => {
  const text = await api.raw(bytes());
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(head.toLowerCase()).toContain('cache-control: no-store');
  expect(head).not.toMatch(/^set-cookie/im);
  expect(body).toContain(`"code":"${code}"`);
  expect(await api.intakes('a')).toEqual([]);
});

it('R-018e an address in its absolute form is the same address', async () => {
  const text = await api.raw(
    `GET http://x/api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nRSC: 1\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});

it('R-018e a health check in HTTP/1.0 without a host is answered', async () => {
  expect(await api.raw('GET /api/v1/openapi.json HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

it('R-018e HEAD answers as GET does, without a body', async () => {
  const get = await api.send({ path: '/executions?operation=o&key=k' });
  const head = await api.send({ method: 'HEAD', path: '/executions?operation=o&key=k' });
  expect([head.status, head.headers['content-type'], head.text]).toEqual([
    200,
    get.headers['content-type'],
    '',
  ]);
  expect((await api.send({ method: 'HEAD', path: '/executions/register' })).status).toBe(405);
});

it.each(['..', '.', 'a/b', 'wf %ff', '메일/1', 'a+b&c=d'])(
  'R-035 the steps of workflow %j can be read, whatever its id holds',
  async (workflowId) => {
    const key = `wf-${encodeURIComponent(workflowId)}`;
    expect((await api.claim(key, { workflowId, step: 'mail' })).status).toBe(201);
    const query = new URLSearchParams({ workflowId, limit: '10' });
    const found = await api.send({ path: `/executions?${query}` });
    expect(found.body, found.text).toMatchObject({ items: [{ key, workflowId }], nextCursor: null });
    if (/^\.+$/.test(workflowId)) return;
    expect((await api.send({ path: `/workflows/${encodeURIComponent(workflowId)}` })).body).toEqual(
      found.body,
    );
  },
);
