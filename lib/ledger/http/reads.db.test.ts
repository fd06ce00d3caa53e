import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Execution } from '@/lib/ledger/client/wire';
import { expectDocumented } from '@/lib/testing/documented';
import { expectProblem } from '@/lib/testing/expect-problem';
import {
  producerApiUnderTest,
  type PrincipalName,
  type ProducerApiUnderTest,
} from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

const MEMBERS = [
  'attempt',
  'businessRef',
  'contentVersion',
  'createdAt',
  'effectStartedAt',
  'executionId',
  'expiresAt',
  'externalJobId',
  'externalRequestKey',
  'fencingToken',
  'fingerprint',
  'key',
  'leaseExpiresAt',
  'nextCheckAt',
  'operation',
  'owner',
  'progress',
  'reissueOf',
  'requestId',
  'resultId',
  'resultUrl',
  'state',
  'stateSince',
  'step',
  'supersededBy',
  'target',
  'underReview',
  'updatedAt',
  'workflowId',
];

async function allPages(path: string, as: PrincipalName = 'north'): Promise<Execution[]> {
  const found: Execution[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await api.send({
      path: cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`,
      as,
    });
    expect(page.status, page.text).toBe(200);
    found.push(...(page.body['items'] as Execution[]));
    cursor = page.body['nextCursor'] as string | null;
    if (cursor === null) return found;
  }
}

describe('R-035 reading one scope', () => {
  it('R-035 an execution has the members of the contract, absent ones null, times in UTC', async () => {
    const { body } = await api.claim('k-read', {
      target: { system: 'crm', account: 'main' },
      workflowId: 'wf-read',
      step: 'one',
    });
    const answer = await api.send({ path: `/executions/${String(body['executionId']).toUpperCase()}` });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(MEMBERS);
    expect(answer.body).toMatchObject({
      key: 'k-read',
      state: 'PROCESSING',
      fencingToken: '1',
      target: { system: 'crm', account: 'main' },
      resultId: null,
      supersededBy: null,
    });
    for (const name of ['createdAt', 'stateSince', 'leaseExpiresAt', 'expiresAt'])
      expect(answer.body[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('R-026 an execution is found by operation and key', async () => {
    await api.claim('k find&me="1"');
    await api.claim('k-find&me="1"');
    const answer = await api.send({
      path: `/executions?${new URLSearchParams({ operation: 'refund.create', key: 'k-find&me="1"' })}`,
    });
    expect((answer.body['items'] as Execution[]).map((each) => each.key)).toEqual(['k-find&me="1"']);
    expect((await api.send({ path: '/executions?operation=label.print&key=k-read' })).body).toEqual({
      items: [],
      nextCursor: null,
    });
  });

  it('R-035 the steps of a workflow are one list', async () => {
    for (const step of ['crm', 'mail', 'report'])
      await api.claim(`k-wf-${step}`, { workflowId: 'wf 1/각', step });
    const steps = await allPages(`/workflows/${encodeURIComponent('wf 1/각')}?limit=2`);
    expect(steps.map((each) => each.step)).toEqual(['crm', 'mail', 'report']);
    expect(
      (await api.send({ path: `/workflows/${encodeURIComponent('wf 1/각')}`, as: 'northTwo' })).body,
    ).toEqual({ items: [], nextCursor: null });
  });

  it('B-104 R-020 waiting work comes oldest first, each row once, even when all share one instant', async () => {
    await api.db.setClock('2027-01-01T00:00:00.123456Z');
    const keys = Array.from({ length: 15 }, (_, index) => `k-wait-${index}`);
    for (const key of keys) await api.claim(key, {}, { path: '/executions/register', as: 'south' });
    await api.db.setClock(null);
    for (const limit of [1, 5, 14, 15, 200]) {
      const rows = await allPages(`/executions?state=RECEIVED&limit=${limit}`, 'south');
      expect(rows.map((each) => each.key).sort()).toEqual([...keys].sort());
      expect(new Set(rows.map((each) => each.executionId)).size).toBe(15);
    }
  });

  it('R-020 R-037d retryable failures and reissues wait too; replaced records and those that need a fix first do not', async () => {
    const { executionId } = await api.started('k-again');
    await api.report(executionId, 'fail', {
      fencingToken: '1',
      retryable: true,
      code: 'X',
      message: '',
      basis: 'NOT_SENT',
    });
    // R-037d: this one waits for a person.
    const unfixed = await api.started('k-unfixed', { operation: 'mail.send' });
    await api.policy('mail.send', 1, { outcome_codes: { NO_SCOPE: { class: 'FIX_FIRST' } } });
    await api.report(unfixed.executionId, 'fail', {
      ...{ fencingToken: '1', retryable: true, code: 'NO_SCOPE', message: '', basis: 'NOT_SENT' },
    });
    expect(await api.execution('k-unfixed')).toMatchObject({ state: 'FAILED_RETRYABLE' });
    const keysOf = async (query: string) => (await allPages(`/executions?${query}`)).map((each) => each.key);
    expect(await keysOf('state=FAILED_RETRYABLE')).toEqual(['k-again']);
    expect(await keysOf('state=FAILED_RETRYABLE&operation=label.print')).toEqual([]);
    await api.claim('k-reissue', {}, { path: '/executions/register' });
    await api.claim('k-plain', {}, { path: '/executions/register' });
    await api.db
      .pool('owner')
      .query(
        `update ledger.executions set reissue_of = $1, reissue_relation = 'NEW_WORK' where idempotency_key = 'k-reissue'`,
        [executionId],
      );
    expect(await keysOf('state=RECEIVED&reissued=true')).toEqual(['k-reissue']);
    expect(await keysOf('state=RECEIVED&reissued=false')).toEqual(['k-plain']);
  });

  it.each([
    '/executions',
    '/executions?operation=refund.create',
    '/executions?key=k',
    '/executions?operation=&key=k',
    '/executions?operation=refund.create&key=',
    '/executions?state=',
    '/executions?state=received',
    '/executions?state=SUCCEEDED',
    '/executions?state=RECEIVED&state=RECEIVED',
    '/executions?state=RECEIVED&reissued=yes',
    '/executions?state=RECEIVED&limit=0',
    '/executions?state=RECEIVED&limit=-1',
    '/executions?state=RECEIVED&limit=201',
    '/executions?state=RECEIVED&limit=1e2',
    '/executions?state=RECEIVED&limit=NaN',
    '/executions?state=RECEIVED&limit=1.5',
    '/executions?state=RECEIVED&limit=',
    '/executions?state=RECEIVED&limit=1000000000',
    '/executions?state=RECEIVED&cursor=',
    '/executions?state=RECEIVED&cursor=%00',
    "/executions?state=RECEIVED&cursor=' or 1=1",
    '/executions?state=RECEIVED&tenantId=tenant-south',
    '/executions?operation=refund.create&key=k&limit=5',
    '/executions?operation=%00&key=k',
    '/executions?operation=refund.create&key=%00',
    '/workflows/wf?limit=x',
    '/workflows/wf?other=1',
    '/workflows/%00',
    '/workflows/a%0Ab',
  ])('BI-06 BI-10 a filter that is missing, blank or odd is 400, never "all rows": %s', async (path) => {
    expectProblem(await api.send({ path: path.replaceAll(' ', '%20') }), 400, 'INVALID_REQUEST');
  });

  it.each([
    ['/executions?foo=1', 'foo', 'is not a query parameter of this list'],
    ['/executions?operation=refund.create&key=k&limit=5', 'limit', 'is not a query parameter of this list'],
    ['/executions?state=RECEIVED&key=k', 'key', 'is not a query parameter of this list'],
    ['/workflows/wf?other=1', 'other', 'is not a query parameter of this list'],
    ['/executions?operation=refund.create', 'key', 'is missing'],
    ['/executions?state=RECEIVED&limit=201', 'limit', 'must be 1 to 200'],
    ['/executions?state=RECEIVED&state=RECEIVED', 'state', 'is given more than once'],
    ['/executions?state=RECEIVED&cursor=x', 'cursor', 'is not one that this list gave'],
  ])('R-018e a query is refused by the name of its parameter: %s', async (path, parameter, detail) => {
    const answer = await api.send({ path });
    expectProblem(answer, 400, 'INVALID_REQUEST');
    expect(answer.body['detail']).toBe(`query parameter ${parameter}: ${detail}`);
    expect((answer.body['errors'] as unknown[])[0]).toEqual({ parameter, detail });
    expectDocumented(path.startsWith('/workflows') ? 'listWorkflow' : 'listExecutions', answer);
  });

  it('BI-07 SQL in a filter is only text', async () => {
    const key = `x'or'1'='1';--`;
    const answer = await api.send({ path: `/executions?${new URLSearchParams({ operation: `o'--`, key })}` });
    expect([answer.status, answer.body]).toEqual([200, { items: [], nextCursor: null }]);
    expect(
      (await api.send({ path: `/workflows/${encodeURIComponent("'; drop table ledger.executions; --")}` }))
        .body['items'],
    ).toEqual([]);
    expect((await api.send({ path: `/executions/${randomUUID()}` })).status).toBe(404);
  });
});
