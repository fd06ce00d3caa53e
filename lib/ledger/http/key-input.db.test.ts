import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest({ claimLimit: { perSecond: 10_000, burst: 100_000 } });
});
afterAll(() => api.close());

const claimText = (payload: string) => `{"operation":"refund.create","requestId":"r","payload":${payload}}`;

async function counts(): Promise<[number, number]> {
  const { rows } = await api.db
    .pool('owner')
    .query<{ executions: number; intakes: number }>(
      'select (select count(*)::int from ledger.executions) as executions, (select count(*)::int from ledger.intakes) as intakes',
    );
  return [rows[0]!.executions, rows[0]!.intakes];
}

describe('R-004 keys at the door', () => {
  it('R-004a R-004c BI-05 B-70 B-74 refuses what is no key, by one code, and leaves no record', async () => {
    const before = await counts();
    const bad = [
      '',
      '""',
      '" a "',
      '"a',
      'a b',
      'a'.repeat(256),
      'a'.repeat(10_000),
      'k\u00e9y',
      'K-1, K-1',
      '"\u00c7"',
      'kim@example.com',
    ];
    for (const key of bad) {
      const answer = await api.claim(key, {}, { headers: {} });
      expect(answer.body['code'], JSON.stringify(key)).toBe('IDEMPOTENCY_KEY_INVALID');
      expect(answer.status).toBe(400);
    }
    expect(await counts()).toEqual(before);
  });

  it('R-004a BI-05 takes every allowed length and does not conflate twins', async () => {
    const keys = [
      'a',
      'x'.repeat(255),
      'Abc',
      'abc',
      'ABC',
      '..',
      '%2e',
      "it's",
      'a"b',
      '\\',
      '<script>',
      'K-1005',
    ];
    for (const key of keys) expect((await api.claim(key)).status, key).toBe(201);
    const { rows } = await api.db
      .pool('owner')
      .query('select 1 from ledger.executions where idempotency_key = any ($1)', [keys]);
    expect(rows).toHaveLength(keys.length);
  });

  it('R-004b a quoted and a bare key are one key', async () => {
    expect((await api.claim('"K-quoted"')).status).toBe(201);
    expect((await api.claim('K-quoted')).body['code']).toBe('REQUEST_IN_PROGRESS');
  });

  it('B-71 R-004b the header twice is malformed, in two lines and in one', async () => {
    const before = await counts();
    const body = claimText('1');
    const request = (lines: string[]) =>
      [
        'POST /api/v1/executions HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${api.tokens.north}`,
        ...lines,
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n');
    for (const lines of [
      ['Idempotency-Key: K-1071', 'Idempotency-Key: K-1071'],
      ['Idempotency-Key: K-1071, K-1071'],
      ['Idempotency-Key: "K-1071"', 'Idempotency-Key: "K-1071"'],
      ['Idempotency-Key: K-1071,K-1071'],
    ]) {
      const answer = await api.raw(request(lines));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('IDEMPOTENCY_KEY_INVALID');
    }
    expect(await counts()).toEqual(before);
  });

  it('B-73 R-004b a key cannot carry a line into our answer', async () => {
    const before = await counts();
    const body = claimText('1');
    for (const key of ['K\rSet-Cookie: x=1', 'K\nSet-Cookie: x=1', 'K\0', 'K\u0085', '\xec\x97\xb4']) {
      const answer = await api.raw(
        `POST /api/v1/executions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.north}\r\nIdempotency-Key: ${key}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(answer, JSON.stringify(key)).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.toLowerCase()).not.toContain('set-cookie');
    }
    expect(await counts()).toEqual(before);
  });
});
