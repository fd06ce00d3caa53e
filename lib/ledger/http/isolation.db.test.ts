import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOfToken } from '@/lib/ledger/producer-token';
import { expectProblem } from '@/lib/testing/expect-problem';
import { producerApiUnderTest, type ApiAnswer, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

const REPORTS: [string, Record<string, unknown>][] = [
  ['effect-started', { fencingToken: '1' }],
  ['heartbeat', { fencingToken: '1' }],
  ['complete', { fencingToken: '1', resultId: 'stolen' }],
  ['fail', { fencingToken: '1', retryable: false, code: 'X', message: '' }],
  ['unknown', { fencingToken: '1', code: 'X', message: '' }],
  ['cancel', { reason: 'r' }],
];

/** All that a caller can see of an answer, without the time of day. */
function visible(answer: ApiAnswer): unknown {
  const { date: _date, ...headers } = answer.headers;
  return [answer.status, headers, answer.text];
}

describe('R-002 scope and isolation', () => {
  it('AZ-05 AZ-13 R-002c another principal, in this or another tenant, gets the answer to a random id', async () => {
    const { body } = await api.claim('K-canary-A');
    const id = String(body['executionId']);
    for (const as of ['northTwo', 'south'] as const) {
      const unknown = await api.send({ path: `/executions/${randomUUID()}`, as });
      expectProblem(unknown, 404, 'NOT_FOUND');
      expect(visible(await api.send({ path: `/executions/${id}`, as }))).toEqual(visible(unknown));
      for (const [verb, report] of REPORTS) {
        const foreign = await api.report(id, verb, report, { as });
        expect(visible(foreign), verb).toEqual(visible(await api.report(randomUUID(), verb, report, { as })));
        expectProblem(foreign, 404, 'NOT_FOUND');
      }
      const list = await api.send({ path: '/executions?operation=refund.create&key=K-canary-A', as });
      expect(list.body).toEqual({ items: [], nextCursor: null });
    }
    expect(await api.execution('K-canary-A')).toMatchObject({
      state: 'PROCESSING',
      version: '1',
      effect_started_at: null,
    });
  });

  it('AZ-11 R-002a one key at the same moment in three scopes is three executions', async () => {
    const answers = await Promise.all(
      (['north', 'northTwo', 'south'] as const).map((as) => api.claim('K-same', {}, { as })),
    );
    expect(answers.map((answer) => answer.body['disposition'])).toEqual(['CLAIMED', 'CLAIMED', 'CLAIMED']);
    const other = await api.claim('K-same', { operation: 'label.print' });
    expect(other.body['disposition']).toBe('CLAIMED');
    expect(new Set([...answers, other].map((answer) => answer.body['executionId'])).size).toBe(4);
  });

  it('AZ-05 a cursor of another principal or another list does not open', async () => {
    for (const key of ['w-1', 'w-2', 'w-3']) await api.claim(key, {}, { path: '/executions/register' });
    const page = await api.send({ path: '/executions?state=RECEIVED&limit=2' });
    const cursor = encodeURIComponent(String(page.body['nextCursor']));
    expect((await api.send({ path: `/executions?state=RECEIVED&limit=2&cursor=${cursor}` })).status).toBe(
      200,
    );
    for (const [path, as] of [
      [`/executions?state=RECEIVED&cursor=${cursor}`, 'northTwo'],
      [`/executions?state=FAILED_RETRYABLE&cursor=${cursor}`, 'north'],
      [`/workflows/w?cursor=${cursor}`, 'north'],
      [`/executions?state=RECEIVED&cursor=${cursor.slice(0, -2)}xx`, 'north'],
    ] as const) {
      expectProblem(await api.send({ path, as }), 400, 'INVALID_REQUEST');
    }
  });

  it('R-013a a replay needs the permission of now', async () => {
    await api.succeeded('k-permission');
    expect((await api.claim('k-permission')).status).toBe(200);
    const limited = await api.makeToken('north', { operations: ['other.op'] });
    expectProblem(await api.claim('k-permission', {}, { token: limited }), 403, 'FORBIDDEN');
  });
});

describe('R-018 authentication and permission come first', () => {
  it.each([null, '', 'x', 'oo_live_', `oo_live_${'a'.repeat(43)}`, 'a'.repeat(5000), 'Bearer', '\u00e9'])(
    'R-018 B-67 401 for the token %j',
    async (token) => {
      const answer = await api.send({
        method: 'POST',
        path: '/executions',
        key: 'k',
        token,
        body: 'not even JSON',
      });
      expectProblem(answer, 401, 'UNAUTHENTICATED');
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    },
  );

  it.each(['Basic abc', 'Bearer', 'Bearer  ', 'Bearer a b', 'bearer,x', 'Token x'])(
    'R-018 401 for the header "%s", never 500',
    async (Authorization) => {
      const answer = await api.send({
        path: '/executions?operation=o&key=k',
        token: null,
        headers: { Authorization },
      });
      expectProblem(answer, 401, 'UNAUTHENTICATED');
    },
  );

  it('AZ-13 R-018 a cookie is no token', async () => {
    const answer = await api.send({
      path: `/executions/${randomUUID()}`,
      token: null,
      headers: { Cookie: '__Host-onceover-session=abc; next-auth.session-token=abc' },
    });
    expectProblem(answer, 401, 'UNAUTHENTICATED');
  });

  it('AZ-14 a revoked or expired token works nowhere, and only its digest and prefix are stored', async () => {
    const token = await api.makeToken('north');
    expect((await api.claim('k-revoked', {}, { token })).status).toBe(201);
    const owner = api.db.pool('owner');
    const { rows } = await owner.query<{ row: string; prefix: string }>(
      'select t::text as row, prefix from ledger.producer_tokens t where digest = $1',
      [digestOfToken(token)],
    );
    expect(rows[0]?.row).not.toContain(token.slice(16));
    expect(token.startsWith(rows[0]?.prefix ?? '?')).toBe(true);
    await owner.query('update ledger.producer_tokens set revoked_at = ledger.clock() where digest = $1', [
      digestOfToken(token),
    ]);
    expectProblem(await api.claim('k-revoked', {}, { token }), 401, 'UNAUTHENTICATED');
    const old = await api.makeToken('north', { expiresAt: '2020-01-01T00:00:00Z' });
    expectProblem(await api.claim('k-revoked', {}, { token: old }), 401, 'UNAUTHENTICATED');
  });

  it('R-018 a token limited to operations works for those alone, before the form is looked at', async () => {
    const token = await api.makeToken('north', { operations: ['refund.create'] });
    const mine = await api.claim('k-limited', {}, { token });
    expect(mine.status).toBe(201);
    const other = await api.claim('k-limited', { operation: 'label.print' });
    expectProblem(await api.claim('k-limited', { operation: 'label.print' }, { token }), 403, 'FORBIDDEN');
    expectProblem(
      await api.send({ method: 'POST', path: '/executions', token, body: { operation: 'label.print' } }),
      403,
      'FORBIDDEN',
    );
    expectProblem(
      await api.report(other.body['executionId'], 'cancel', { reason: 'r' }, { token }),
      403,
      'FORBIDDEN',
    );
    expectProblem(
      await api.send({ path: `/executions/${String(other.body['executionId'])}`, token }),
      404,
      'NOT_FOUND',
    );
    expectProblem(
      await api.send({ path: '/executions?operation=label.print&key=k-limited', token }),
      403,
      'FORBIDDEN',
    );
    expect((await api.send({ path: `/executions/${String(mine.body['executionId'])}`, token })).status).toBe(
      200,
    );
  });

  it('404 for addresses that are none and 405 for methods that are none, both as problems', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/executions/',
      '/executions/a/b/c',
      '/intakes',
      '/executions/not-a-uuid',
      '/executions/%2e%2e',
    ]) {
      expectProblem(await api.send({ path }), 404, 'NOT_FOUND');
    }
    for (const [method, path, allow] of [
      ['DELETE', '/executions', 'POST, GET'],
      ['PUT', `/executions/${randomUUID()}`, 'GET'],
      ['GET', '/executions/register', 'POST'],
      ['PATCH', `/executions/${randomUUID()}/complete`, 'POST'],
    ] as const) {
      const answer = await api.send({ method, path });
      expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toBe(allow);
    }
  });
});
