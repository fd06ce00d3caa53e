import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '@/lib/testing/expect-problem';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

describe('answers to a claim', () => {
  it('R-010a 201 CLAIMED for the first claim', async () => {
    const answer = await api.claim('k-first');
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body).sort()).toEqual([
      'attempt',
      'disposition',
      'executionId',
      'fencingToken',
      'leaseExpiresAt',
    ]);
    expect(answer.body).toMatchObject({ disposition: 'CLAIMED', fencingToken: '1', attempt: 1 });
    expect(answer.headers['location']).toBe(`/api/v1/executions/${String(answer.body['executionId'])}`);
    expect(await api.intakes('k-first')).toEqual(['CLAIMED']);
  });

  it('R-011 409 REQUEST_IN_PROGRESS under a live lease, with Retry-After within the lease', async () => {
    const first = await api.claim('k-held', { leaseSeconds: 30, owner: 'worker-1' });
    const answer = await api.claim('k-held');
    expectProblem(answer, 409, 'REQUEST_IN_PROGRESS');
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(answer.body).toMatchObject({
      executionId: first.body['executionId'],
      retryAfterSeconds: seconds,
      owner: 'worker-1',
    });
    expect(await api.intakes('k-held')).toEqual(['CLAIMED', 'DUPLICATE_HELD']);
  });

  it('R-033 202 DUPLICATE_HELD with a status address only when the caller prefers it', async () => {
    const first = await api.claim('k-async');
    const answer = await api.claim('k-async', {}, { headers: { Prefer: 'wait=5, Respond-Async' } });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      disposition: 'DUPLICATE_HELD',
      executionId: first.body['executionId'],
    });
    expect(answer.headers['location']).toBe(`/api/v1/executions/${String(first.body['executionId'])}`);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await api.claim('k-async', {}, { headers: { Prefer: 'respond-asynchronously' } })).status).toBe(
      409,
    );
  });

  it('R-011a R-013b the stored response again, byte for byte, marked as a replay', async () => {
    const body = '{ "refund" : "R-1", "amount": 1.0 }';
    const claim = await api.started('k-replay');
    const complete = `{"fencingToken":"1","resultId":"R-1","response":{"status":201,"headers":{"Location":"/refunds/R-1","Content-Language":"ko"},"body":${body}}}`;
    await api.send({ method: 'POST', path: `/executions/${claim.executionId}/complete`, body: complete });
    const answer = await api.claim('k-replay');
    expect([answer.status, answer.text]).toEqual([201, body]);
    expect(answer.headers).toMatchObject({
      location: '/refunds/R-1',
      'content-language': 'ko',
      'content-type': 'application/json',
      'idempotency-replayed': 'true',
      'onceover-execution': claim.executionId,
    });
    expect(await api.intakes('k-replay')).toEqual(['CLAIMED', 'RESULT_REUSED']);
  });

  it('R-011a 200 RESULT_REUSED where no response was stored', async () => {
    const { executionId } = await api.succeeded('k-reused', { resultUrl: 'https://crm.example/7' });
    const answer = await api.claim('k-reused');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      disposition: 'RESULT_REUSED',
      executionId,
      resultId: 'result of k-reused',
      resultUrl: 'https://crm.example/7',
    });
    expect(answer.headers['idempotency-replayed']).toBe('true');
  });

  it('R-011a a final failure replays its response, or 409 EXECUTION_FAILED_FINAL without one', async () => {
    const one = await api.started('k-final');
    await api.report(one.executionId, 'fail', {
      fencingToken: '1',
      retryable: false,
      code: 'LIMIT',
      message: 'over the limit',
      response: { status: 422, body: { over: true } },
    });
    const replay = await api.claim('k-final');
    expect([replay.status, replay.text, replay.headers['idempotency-replayed']]).toEqual([
      422,
      '{"over":true}',
      'true',
    ]);
    const two = await api.started('k-final-bare');
    await api.report(two.executionId, 'fail', {
      fencingToken: '1',
      retryable: false,
      code: 'LIMIT',
      message: 'over the limit',
    });
    const bare = await api.claim('k-final-bare');
    expectProblem(bare, 409, 'EXECUTION_FAILED_FINAL');
    expect(bare.body).toMatchObject({ executionId: two.executionId, failureCode: 'LIMIT' });
  });

  it('R-011b 201 RETRY_SAME_KEY after a failure that proves that nothing was sent', async () => {
    const { executionId } = await api.started('k-retry');
    await api.report(executionId, 'fail', {
      fencingToken: '1',
      retryable: true,
      code: 'REFUSED',
      message: '',
      basis: 'NOT_SENT',
      response: { status: 503 },
    });
    const answer = await api.claim('k-retry');
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      disposition: 'RETRY_SAME_KEY',
      attempt: 2,
      fencingToken: '2',
      executionId,
    });
  });

  it('R-028a a lease that ended before the effect is taken over with a higher token', async () => {
    const first = await api.claim('k-takeover', { leaseSeconds: 1 });
    await api.db.advanceClock('2 seconds');
    const answer = await api.claim('k-takeover');
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      disposition: 'CLAIMED',
      fencingToken: '2',
      executionId: first.body['executionId'],
    });
    expectProblem(
      await api.report(first.body['executionId'], 'effect-started', { fencingToken: '1' }),
      409,
      'FENCED',
    );
  });

  it('R-011c R-028b 409 RECONCILE_REQUIRED when stuck and when unknown, and never a new execution', async () => {
    const { executionId } = await api.started('k-stuck', { leaseSeconds: 1 });
    await api.db.advanceClock('2 seconds');
    expectProblem(await api.claim('k-stuck'), 409, 'RECONCILE_REQUIRED');
    const { executionId: unknown } = await api.started('k-unknown');
    await api.report(unknown, 'unknown', { fencingToken: '1', code: 'TIMED_OUT', message: 'no answer' });
    const answer = await api.claim('k-unknown');
    expectProblem(answer, 409, 'RECONCILE_REQUIRED');
    expect(answer.body).toMatchObject({ executionId: unknown, underReview: true });
    expect(Date.parse(String(answer.body['nextCheckAt']))).toBeGreaterThan(0);
    expect(answer.headers['retry-after']).toBeUndefined();
    expect((await api.execution('k-stuck'))?.['attempt']).toBe(1);
    expect(executionId).not.toBe(unknown);
  });
});
