import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest({ claimLimit: { perSecond: 10_000, burst: 100_000 } });
});
afterAll(() => api.close());

const claimText = (payload: string) => `{"operation":"refund.create","requestId":"r","payload":${payload}}`;

describe('R-006c fingerprints over the wire', () => {
  it('B-49 B-50 R-006c spelling does not matter', async () => {
    const texts = [
      '{"amount":100,"to":"A-7"}',
      '{ "to" : "A-7",\n "amount" : 1e2 }',
      '{"amount":100.0,"to":"\\u0041-7"}',
    ];
    const answers = [];
    for (const text of texts)
      answers.push(
        await api.send({ method: 'POST', path: '/executions', key: 'K-1049', body: claimText(text) }),
      );
    expect(answers.map((answer) => answer.body['code'] ?? answer.body['disposition'])).toEqual([
      'CLAIMED',
      'REQUEST_IN_PROGRESS',
      'REQUEST_IN_PROGRESS',
    ]);
  });

  it('B-64 R-006d text and number never share a fingerprint', async () => {
    const pairs = [
      ['"007"', '7'],
      ['["a,b"]', '["a","b"]'],
      ['"true"', 'true'],
      ['{}', '{"amount":5}'],
      ['[]', '[[]]'],
      ['null', '""'],
    ];
    for (const [index, [one, other]] of pairs.entries()) {
      for (const [key, first, second] of [
        [`K-64-${index}-a`, one, other],
        [`K-64-${index}-b`, other, one],
      ] as const) {
        expect(
          (await api.send({ method: 'POST', path: '/executions', key, body: claimText(first!) })).status,
        ).toBe(201);
        expect(
          (await api.send({ method: 'POST', path: '/executions', key, body: claimText(second!) })).body[
            'code'
          ],
        ).toBe('IDEMPOTENCY_KEY_REUSED');
      }
    }
  });

  it('R-006g what the policy in force refuses is answered where an older one took it, and nowhere else', async () => {
    const claim = (key: string, amount: unknown) =>
      api.claim(key, { operation: 'typed-later.op', payload: { amount } });
    await claim('k-typed', 1.5);
    await api.policy('typed-later.op', 1, { field_types: { amount: 'decimal' } });
    expect((await claim('k-typed', 1.5)).body['code']).toBe('REQUEST_IN_PROGRESS');
    expect((await claim('k-typed', 2.5)).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
    const fresh = await claim('k-typed-fresh', 1.5);
    expect(fresh).toMatchObject({ status: 400, body: { errors: [{ pointer: '/payload/amount' }] } });
    expect((await claim('k-typed-new', '1.5')).status).toBe(201);
    // A record under the policy that cannot read it was made of something else: the form comes before the conflict.
    expect((await claim('k-typed-new', 1.5)).status).toBe(400);
  });

  it('R-006g R-004d so is a key that looks personal', async () => {
    const claim = (key: string) => api.claim(key, { operation: 'personal.op', payload: {} });
    await api.policy('personal.op', 1, { allow_personal_keys: true });
    await claim('kim@example.com');
    await api.policy('personal.op', 2, {});
    expect((await claim('kim@example.com')).body['code']).toBe('REQUEST_IN_PROGRESS');
    expect((await claim('lee@example.com')).body['code']).toBe('IDEMPOTENCY_KEY_INVALID');
  });

  it('R-006f an old retransmission is compared under the policy of its record', async () => {
    const claim = (key: string, payload: unknown) => api.claim(key, { operation: 'policy.op', payload });
    await claim('k-before', { amount: 1, receivedAt: 'x' });
    await api.policy('policy.op', 1, { exclude_fields: ['receivedAt'], display_fields: ['amount'] });
    expect((await claim('k-before', { amount: 1, receivedAt: 'x' })).body['code']).toBe(
      'REQUEST_IN_PROGRESS',
    );
    expect((await claim('k-before', { amount: 1, receivedAt: 'y' })).body['code']).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    await claim('k-after', { amount: 1, receivedAt: 'x' });
    expect((await claim('k-after', { amount: 1, receivedAt: 'y' })).body['code']).toBe('REQUEST_IN_PROGRESS');
    await api.policy('policy.op', 2, {});
    expect((await claim('k-after', { amount: 1, receivedAt: 'z' })).body['code']).toBe('REQUEST_IN_PROGRESS');
    expect(await api.execution('k-after')).toMatchObject({
      policy_version: 1,
      fingerprint_algorithm: 'rfc8785-sha256.1',
      display_fields: { '/amount': 1 },
    });
  });

  it('R-006e B-59 a file counts by its digest, the link it came by does not', async () => {
    await api.policy('file.op', 1, { exclude_fields: ['link'] });
    const claim = (digest: string, signature: number) =>
      api.claim('k-file', {
        operation: 'file.op',
        payload: { file: `sha256:${digest}`, link: `https://files.example/3?signature=${signature}` },
      });
    expect((await claim('0a', 1)).status).toBe(201);
    expect((await claim('0a', 2)).body['code']).toBe('REQUEST_IN_PROGRESS');
    expect((await claim('0b', 1)).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('R-006e a typed field that does not read is refused by name', async () => {
    await api.policy('typed.op', 1, { field_types: { amount: 'decimal' } });
    const answer = await api.claim('k-typed', { operation: 'typed.op', payload: { amount: 1.5 } });
    expect([answer.status, answer.body['errors']]).toEqual([
      400,
      [{ pointer: '/payload/amount', detail: expect.stringContaining('decimal') as string }],
    ]);
  });

  it('PR-05 R-008b neither the payload nor its values are stored, logged or answered', async () => {
    await api.claim('k-secret', { payload: { card: 'CANARY-4111', amount: 77_123_456 } });
    await api.claim('k-secret', { payload: { card: 'CANARY-4222', amount: 77_123_456 } });
    const { rows } = await api.db
      .pool('owner')
      .query<{ all: string }>(
        `select (select json_agg(e) from ledger.executions e)::text || (select json_agg(i) from ledger.intakes i)::text as all`,
      );
    expect(rows[0]?.all).not.toMatch(/CANARY|77123456/);
    expect(JSON.stringify(api.logged)).not.toMatch(/CANARY|77123456|k-secret|oo_live_/);
  });

  it('R-006c a fingerprint made by the caller stands for the payload', async () => {
    const fingerprint = `sha256:${'0a'.repeat(32)}`;
    const given = (key: string, value: string) => api.claim(key, { payload: undefined, fingerprint: value });
    expect((await given('k-given', fingerprint)).status).toBe(201);
    expect((await given('k-given', fingerprint.replace('0a', '0A'))).body['code']).toBe(
      'REQUEST_IN_PROGRESS',
    );
    expect((await given('k-given', `sha256:${'0b'.repeat(32)}`)).body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      conflictingFields: ['payload'],
    });
  });
});
