import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest({ claimLimit: { perSecond: 10_000, burst: 100_000 } });
});
afterAll(() => api.close());

const claimText = (payload: string) => `{"operation":"refund.create","requestId":"r","payload":${payload}}`;

describe('R-006a bodies at the door', () => {
  it.each([
    ['', 'NOT JSON'],
    ['[]', 'object'],
    ['"text"', 'object'],
    ['null', 'object'],
    ['{"operation":"o"', 'not JSON'],
    [claimText('{"a":1,"a":2}'), 'twice'],
    [claimText('"\\ud800"'), 'surrogate'],
    [claimText('"\\u0000"'), 'U+0000'],
    [claimText('9007199254740993'), 'exactly'],
    [claimText('1e400'), 'exactly'],
    [claimText('NaN'), 'not JSON'],
    [claimText(`${'['.repeat(64)}${']'.repeat(64)}`), 'levels'],
    [claimText('['.repeat(10_000)), 'levels'],
    [`\ufeff${claimText('1')}`, 'byte order mark'],
    ['{"operation":"refund.create","requestId":"r"}', 'exactly one'],
    [claimText('1,"fingerprint":"sha256:x"'), 'fingerprint'],
    [claimText(`1,"fingerprint":"sha256:${'a'.repeat(64)}"`), 'exactly one'],
    ['{"requestId":"r","payload":1}', 'operation'],
    ['{"operation":"refund.create","payload":1}', 'requestId'],
    ['{"operation":"","requestId":"r","payload":1}', 'operation'],
    ['{"operation":"두 낱말","requestId":"r","payload":1}', 'operation'],
    ['{"operation":["refund.create"],"requestId":"r","payload":1}', 'operation'],
  ])('R-006a BI-02 BI-03 refuses %s naming the fault', async (body, word) => {
    const answer = await api.send({ method: 'POST', path: '/executions', key: 'k-form', body });
    expect(answer.status).toBe(400);
    expect(answer.body['code']).toBe('INVALID_REQUEST');
    expect(String(answer.body['detail']).toLowerCase()).toContain(word.toLowerCase());
    expect(await api.execution('k-form')).toBeUndefined();
  });

  it('R-006a names the place of an inexact number in the payload', async () => {
    const answer = await api.send({
      method: 'POST',
      path: '/executions',
      key: 'k',
      body: claimText('{"items":[{"price":0.10000000000000001}]}'),
    });
    expect(answer.body['errors']).toEqual([expect.objectContaining({ pointer: '/payload/items/0/price' })]);
  });

  it('BI-01 control characters are refused in every id and name, and the field is named', async () => {
    const members = {
      requestId: 1,
      contentVersion: 1,
      workflowId: 1,
      step: 1,
      businessRef: 1,
      externalRequestKey: 1,
      inputRef: 1,
      owner: 1,
      traceId: 1,
      'target.system': 1,
      'approvalRef.id': 1,
    };
    for (const path of Object.keys(members)) {
      for (const text of ['a\u0001b', 'a\u001b[31m', 'line\nbreak', '\u0085', '\u007f']) {
        const [outer = '', inner] = path.split('.');
        const value = inner === undefined ? text : { account: 'a', [inner]: text };
        const answer = await api.claim('k-control', { [outer]: value });
        expect([answer.status, answer.body['code']], path).toEqual([400, 'INVALID_REQUEST']);
        expect(answer.text).toContain(`/${path.replace('.', '/')}`);
      }
    }
  });

  it('R-006d text of any script and invisible characters in payloads are content like any other', async () => {
    const payload = { memo: '각산상회 \u202e\u200b\ufeff\u0001 \ud83d\udd11' };
    expect((await api.claim('k-text', { payload })).status).toBe(201);
    expect((await api.claim('k-text', { payload })).body['code']).toBe('REQUEST_IN_PROGRESS');
    expect(
      (await api.claim('k-text', { payload: { memo: payload.memo.replace('\u200b', '') } })).body['code'],
    ).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('BI-03 __proto__ in a payload is content and touches no prototype', async () => {
    const body = claimText('{"__proto__":{"canary":1},"constructor":{"prototype":{"canary":1}}}');
    expect((await api.send({ method: 'POST', path: '/executions', key: 'k-proto', body })).status).toBe(201);
    const other = claimText('{"__proto__":{"canary":2},"constructor":{"prototype":{"canary":1}}}');
    const conflict = await api.send({ method: 'POST', path: '/executions', key: 'k-proto', body: other });
    expect(conflict.body['conflictingFields']).toEqual(['/__proto__/canary']);
    expect(({} as Record<string, unknown>)['canary']).toBeUndefined();
    const outside = await api.send({
      method: 'POST',
      path: '/executions',
      key: 'k',
      body: '{"__proto__":{"operation":"x"},"requestId":"r","payload":1}',
    });
    expect(outside.status).toBe(400);
  });

  it('BI-03 100,000 members and a name of a megabyte get a bounded answer', async () => {
    const wide = claimText(`{${Array.from({ length: 100_000 }, (_, index) => `"f${index}":0`).join(',')}}`);
    expect(
      (await api.send({ method: 'POST', path: '/executions', key: 'k-wide', body: wide.slice(0, 1_048_000) }))
        .status,
    ).toBe(400);
    const many = claimText(`{${Array.from({ length: 70_000 }, (_, index) => `"f${index}":0`).join(',')}}`);
    expect((await api.send({ method: 'POST', path: '/executions', key: 'k-many', body: many })).status).toBe(
      201,
    );
    const long = claimText(`{"${'n'.repeat(1_000_000)}":0}`);
    expect((await api.send({ method: 'POST', path: '/executions', key: 'k-long', body: long })).status).toBe(
      201,
    );
  });

  it('413 for more than 1 MiB, announced or not, and 1 MiB exactly is read', async () => {
    const body = claimText(`"${'x'.repeat(1_048_576)}"`);
    const answer = await api.send({ method: 'POST', path: '/executions', key: 'k', body });
    expect([answer.status, answer.body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const chunked = await api.raw(
      `POST /api/v1/executions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.north}\r\nIdempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n${`10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(17)}`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    const exact = claimText(`"${'x'.repeat(1_048_576 - claimText('""').length)}"`);
    expect(exact.length).toBe(1_048_576);
    expect(
      (await api.send({ method: 'POST', path: '/executions', key: 'k-exact', body: exact })).status,
    ).toBe(201);
  });

  it('AZ-07 AZ-09 R-002d the tenant and principal come from the token alone', async () => {
    for (const name of [
      'tenantId',
      'tenant_id',
      'principal',
      'principalId',
      'state',
      'version',
      'fencingToken',
    ]) {
      const answer = await api.claim('k-injected', { [name]: 'tenant-south' });
      expect([answer.status, answer.body['code']], name).toEqual([400, 'INVALID_REQUEST']);
      expect(answer.body['errors']).toEqual([
        { pointer: `/${name}`, detail: 'is not a member of this body' },
      ]);
    }
    const headers = { 'X-Tenant-Id': 'tenant-south', 'X-Principal': 'south' };
    expect(
      (await api.claim('k-injected', {}, { headers, path: '/executions?tenantId=tenant-south' })).status,
    ).toBe(201);
    expect(await api.execution('k-injected')).toMatchObject({
      tenant_id: 'tenant-north',
      principal_id: 'north',
    });
  });

  it.each([
    { leaseSeconds: 0 },
    { leaseSeconds: 86_401 },
    { leaseSeconds: 1.5 },
    { leaseSeconds: '60' },
    { attemptId: 'no' },
    { deadline: '2026-02-30T00:00:00Z' },
    { deadline: '10000-01-01T00:00:00Z' },
    { deadline: 1795975515 },
    { target: { system: 'crm' } },
    { target: 'crm' },
    { approvalRef: { id: 'a', count: 0 } },
    { requestId: '' },
    { requestId: 'x'.repeat(256) },
    { requestId: null },
    { owner: {} },
  ])('BI-11 R-006a refuses the member %j', async (members) => {
    const answer = await api.claim('k-member', members);
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.text).toContain(`"/${Object.keys(members)[0]}`);
  });

  it('BI-11 a deadline in any zone is stored as its instant', async () => {
    await api.claim('k-deadline', { deadline: '2030-01-01T00:00:00.123456+14:00' });
    expect((await api.execution('k-deadline'))?.['deadline']).toEqual(new Date('2029-12-31T10:00:00.123Z'));
  });
});
