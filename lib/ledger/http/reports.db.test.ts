import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectDocumented } from '@/lib/testing/documented';
import { expectProblem } from '@/lib/testing/expect-problem';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

describe('R-027 R-029 what an executor reports', () => {
  it('R-030 effect-started says until when the call may be sent, and keeps job id and request key', async () => {
    const claim = await api.claim('k-start', { leaseSeconds: 60, deadline: '2099-01-01T00:00:00Z' });
    const answer = await api.report(claim.body['executionId'], 'effect-started', {
      fencingToken: '1',
      externalJobId: 'job-7',
      externalRequestKey: 'ext-7',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      state: 'PROCESSING',
      sendBefore: claim.body['leaseExpiresAt'],
      externalRequestKey: 'ext-7',
    });
    const again = await api.report(claim.body['executionId'], 'effect-started', {
      fencingToken: '1',
      externalRequestKey: 'other',
    });
    expect(again.body).toMatchObject({
      sendBefore: claim.body['leaseExpiresAt'],
      externalRequestKey: 'ext-7',
    });
  });

  it('R-030 a heartbeat lengthens the lease and tells held duplicates the progress', async () => {
    const { executionId } = await api.started('k-beat', { leaseSeconds: 5, owner: 'w-9' });
    const answer = await api.report(executionId, 'heartbeat', {
      fencingToken: '1',
      leaseSeconds: 600,
      progress: { done: 3, of: 7 },
    });
    expect(Date.parse(String(answer.body['leaseExpiresAt']))).toBeGreaterThan(Date.now() + 500_000);
    const held = await api.claim('k-beat');
    expect(held.body).toMatchObject({
      code: 'REQUEST_IN_PROGRESS',
      owner: 'w-9',
      progress: { done: 3, of: 7 },
    });
  });

  it('R-030 job id and progress stand at every address that shows the execution', async () => {
    const { executionId } = await api.started('k-job', { workflowId: 'w-job' });
    const told = { externalJobId: 'job-8', progress: { done: 4, of: 9 } };
    await api.report(executionId, 'heartbeat', { fencingToken: '1', ...told });
    const one = await api.send({ path: `/executions/${executionId}` });
    expect(one.body).toMatchObject(told);
    expectDocumented('getExecution', one);
    const lists = ['/executions?operation=refund.create&key=k-job', '/workflows/w-job'];
    for (const path of lists) expect((await api.send({ path })).body['items']).toMatchObject([told]);
    const done = await api.report(executionId, 'complete', { fencingToken: '1', resultId: 'R-job' });
    expect(done.body).toMatchObject({ state: 'SUCCEEDED', ...told });
  });

  it('R-029a any token but the present one is FENCED, before the state is looked at', async () => {
    const { executionId } = await api.succeeded('k-fence');
    for (const verb of ['effect-started', 'heartbeat', 'complete', 'fail', 'unknown', 'cancel']) {
      const report =
        {
          fail: { retryable: false, code: 'X', message: '' },
          unknown: { code: 'X', message: '' },
          cancel: { reason: 'r' },
        }[verb] ?? {};
      for (const fencingToken of ['0', '2', '99999999999999999999999']) {
        expectProblem(await api.report(executionId, verb, { ...report, fencingToken }), 409, 'FENCED');
      }
    }
    expect(await api.execution('k-fence')).toMatchObject({
      state: 'SUCCEEDED',
      result_id: 'result of k-fence',
      fencing_token: '1',
    });
  });

  it('R-029 the same report again answers the same; another result is RESULT_CONFLICT', async () => {
    const { executionId } = await api.started('k-again');
    const first = await api.report(executionId, 'complete', { fencingToken: '1', resultId: 'R-again' });
    const second = await api.report(executionId, 'complete', { fencingToken: '1', resultId: 'R-again' });
    expect(second.body).toEqual(first.body);
    expectProblem(
      await api.report(executionId, 'complete', { fencingToken: '1', resultId: 'R-other' }),
      409,
      'RESULT_CONFLICT',
    );
    expectProblem(await api.report(executionId, 'heartbeat', { fencingToken: '1' }), 409, 'INVALID_STATE');
  });

  it('R-014a R-014b a success without a result, or with a doubted one, answers 200 with UNKNOWN', async () => {
    const one = await api.started('k-noresult');
    expect((await api.report(one.executionId, 'complete', { fencingToken: '1' })).body).toMatchObject({
      state: 'UNKNOWN',
      resultId: null,
    });
    await api.succeeded('k-owner', { resultId: 'R-shared' });
    const two = await api.started('k-thief');
    expect(
      (await api.report(two.executionId, 'complete', { fencingToken: '1', resultId: 'R-shared' })).body,
    ).toMatchObject({ state: 'UNKNOWN' });
    const three = await api.started('k-elsewhere', { target: { system: 'crm', account: 'a' } });
    const answer = await api.report(three.executionId, 'complete', {
      fencingToken: '1',
      resultId: 'R-e',
      target: { system: 'crm', account: 'b' },
    });
    expect([answer.status, answer.body['state']]).toEqual([200, 'UNKNOWN']);
  });

  it('R-037a a retryable failure after the start needs a proof, or means UNKNOWN', async () => {
    const fail = async (key: string, body: Record<string, unknown>) => {
      const { executionId } = await api.started(key);
      return (
        await api.report(executionId, 'fail', {
          fencingToken: '1',
          retryable: true,
          code: 'E504',
          message: 'gateway',
          ...body,
        })
      ).body['state'];
    };
    expect(await fail('k-f1', {})).toBe('UNKNOWN');
    expect(await fail('k-f2', { basis: 'PROVIDER_TRANSIENT' })).toBe('UNKNOWN');
    expect(await fail('k-f3', { basis: 'NOT_SENT' })).toBe('FAILED_RETRYABLE');
    expect(await fail('k-f4', { basis: 'LOOKUP' })).toBe('FAILED_RETRYABLE');
  });

  it('R-033a cancelling is allowed until the effect has started', async () => {
    const open = await api.claim('k-cancel');
    const answer = await api.report(open.body['executionId'], 'cancel', { reason: 'not wanted any more' });
    expect(answer.body).toMatchObject({ state: 'FAILED_FINAL' });
    expectProblem(
      await api.report(open.body['executionId'], 'effect-started', { fencingToken: '1' }),
      409,
      'FENCED',
    );
    const { executionId } = await api.started('k-cancel-late');
    expectProblem(
      await api.report(executionId, 'cancel', { fencingToken: '1', reason: 'r' }),
      409,
      'EFFECT_ALREADY_STARTED',
    );
  });

  it('R-031 a late result of the rightful token settles what was unknown', async () => {
    const { executionId } = await api.started('k-late');
    await api.report(executionId, 'unknown', { fencingToken: '1', code: 'TIMED_OUT', message: '' });
    expect(
      (await api.report(executionId, 'complete', { fencingToken: '1', resultId: 'R-late' })).body,
    ).toMatchObject({ state: 'SUCCEEDED', resultId: 'R-late' });
  });
});

describe('R-011a stored responses', () => {
  const store = async (key: string, response: string) => {
    const { executionId } = await api.started(key);
    return api.send({
      method: 'POST',
      path: `/executions/${executionId}/complete`,
      body: `{"fencingToken":"1","resultId":"${key}","response":${response}}`,
    });
  };

  it.each([
    ['204', '{"status":204}', 204, ''],
    ['204-null', '{"status":204,"body":null}', 204, ''],
    ['false', '{"status":200,"body":false}', 200, 'false'],
    ['zero', '{"status":200,"body":0}', 200, '0'],
    ['null', '{"status":200,"body":null}', 200, 'null'],
    ['empty', '{"status":200,"body":""}', 200, '""'],
    ['nobody', '{"status":200}', 200, ''],
    ['spaced', '{"status":200,"body":{ "a" : 1.50,\n"b":[]}}', 200, '{ "a" : 1.50,\n"b":[]}'],
    ['text', '{"status":200,"headers":{"Content-Type":"text/plain"},"body":"plain \\u00e9"}', 200, 'plain é'],
    ['404', '{"status":404,"headers":{"etag":"\\"v1\\"","link":"<a>; rel=next"},"body":{}}', 404, '{}'],
  ])('B-82 R-011a replays %s as it was given', async (key, response, status, text) => {
    expect((await store(`K-82-${key}`, response)).body).toMatchObject({ state: 'SUCCEEDED' });
    const replay = await api.claim(`K-82-${key}`);
    expect([replay.status, replay.text, replay.headers['idempotency-replayed']]).toEqual([
      status,
      text,
      'true',
    ]);
    expect(replay.headers['content-type']).toBe(
      text === '' ? undefined : key === 'text' ? 'text/plain' : 'application/json',
    );
  });

  it.each([
    ['Set-Cookie', '{"status":200,"headers":{"Set-Cookie":"a=b"}}'],
    ['RateLimit-Remaining', '{"status":200,"headers":{"RateLimit-Remaining":"7"}}'],
    ['a line break', '{"status":200,"headers":{"location":"/a\\r\\nSet-Cookie: x=1"}}'],
    ['non-ASCII', '{"status":200,"headers":{"location":"/각산"}}'],
    ['the same header twice', '{"status":200,"headers":{"ETag":"1","etag":"2"}}'],
    ['503', '{"status":503}'],
    ['408', '{"status":408}'],
    ['425', '{"status":425}'],
    ['429', '{"status":429}'],
    ['600', '{"status":600}'],
    ['101', '{"status":101}'],
    ['-1', '{"status":-1}'],
    ['204 with a body', '{"status":204,"body":{}}'],
    ['an object as text/html', '{"status":200,"headers":{"content-type":"text/html"},"body":{}}'],
  ])('B-83 R-037b refuses %s with 422, and nothing is stored', async (name, response) => {
    const key = `K-83-${name.replaceAll(' ', '-')}`;
    expectProblem(await store(key, response), 422, 'UNPROCESSABLE');
    expect(await api.execution(key)).toMatchObject({ state: 'PROCESSING', result_id: null });
  });

  it('B-83 R-013b a row of a SQL program replays allow-listed, sendable headers only', async () => {
    await store('K-83-sql', '{"status":200,"body":1}');
    await api.db
      .pool('owner')
      .query(`update ledger.executions set response_headers = $1 where idempotency_key = 'K-83-sql'`, [
        { 'set-cookie': 'a=b', Date: 'x', location: '/각산', etag: 'e1', link: 7 },
      ]);
    const replay = await api.claim('K-83-sql');
    expect([replay.status, replay.text, replay.headers['etag']]).toEqual([200, '1', 'e1']);
    expect(
      replay.headers['set-cookie'] ?? replay.headers['location'] ?? replay.headers['link'],
    ).toBeUndefined();
    expect(replay.headers['date']).not.toBe('x');
  });

  it('B-79 a failure that may be retried stores no answer', async () => {
    const { executionId } = await api.started('K-1079');
    const report = {
      fencingToken: '1',
      retryable: true,
      code: 'BUSY',
      message: '',
      basis: 'NOT_SENT',
      response: { status: 503, body: 'busy' },
    };
    expect((await api.report(executionId, 'fail', report)).body).toMatchObject({ state: 'FAILED_RETRYABLE' });
    expect(await api.execution('K-1079')).toMatchObject({ response_status: null, response_body: null });
    expect((await api.claim('K-1079')).body).toMatchObject({ disposition: 'RETRY_SAME_KEY' });
  });

  it('B-86 the answer to a rival never becomes the stored one', async () => {
    const { executionId } = await api.started('K-1086');
    expect((await api.claim('K-1086')).status).toBe(409);
    await api.report(executionId, 'complete', {
      fencingToken: '1',
      resultId: 'R-1086',
      response: { status: 200, body: 'mine' },
    });
    expect((await api.claim('K-1086')).text).toBe('"mine"');
  });

  it('B-73 the key is never echoed', async () => {
    const claim = await api.claim('K-echo');
    expect(JSON.stringify([claim.headers, claim.body])).not.toContain('K-echo');
  });
});

describe('R-029 the form of reports', () => {
  it.each([
    ['complete', {}, '/fencingToken'],
    ['complete', { fencingToken: 1 }, '/fencingToken'],
    ['complete', { fencingToken: '01' }, '/fencingToken'],
    ['complete', { fencingToken: '-1' }, '/fencingToken'],
    ['complete', { fencingToken: '1', resultId: '' }, '/resultId'],
    ['complete', { fencingToken: '1', resultId: ' \u200b' }, '/resultId'],
    ['complete', { fencingToken: '1', resultId: 'a\u0000' }, '/resultId'],
    ['complete', { fencingToken: '1', resultId: 'a\u0007' }, '/resultId'],
    ['complete', { fencingToken: '1', response: { status: '200' } }, '/response/status'],
    ['complete', { fencingToken: '1', response: { status: 200, cookies: 1 } }, '/response/cookies'],
    ['fail', { fencingToken: '1', code: 'X', message: '' }, '/retryable'],
    [
      'fail',
      { fencingToken: '1', retryable: true, code: 'X', message: '', basis: 'MODEL_SAID_SO' },
      '/basis',
    ],
    ['unknown', { fencingToken: '1', code: 'X' }, '/message'],
    ['cancel', { fencingToken: '1' }, '/reason'],
    ['heartbeat', { fencingToken: '1', leaseSeconds: 0 }, '/leaseSeconds'],
    ['heartbeat', { fencingToken: '1', progress: 'x'.repeat(5000) }, '/progress'],
    ['effect-started', { fencingToken: '1', state: 'SUCCEEDED' }, '/state'],
  ])('BI-01 R-014g R-029 refuses %s %j at %s', async (verb, body, pointer) => {
    const { executionId } = await api.started(`k-form-${randomUUID()}`);
    const answer = await api.report(executionId, verb, body);
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body['errors']).toEqual([expect.objectContaining({ pointer })]);
  });
});
