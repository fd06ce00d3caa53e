import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemType, type ProblemCode } from '@/lib/domain/problem-codes';
import { producerApiUnderTest, type ApiAnswer, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

function expectProblem(answer: ApiAnswer, status: number, code: ProblemCode): void {
  expect(answer.body).toMatchObject({ status, code, type: problemType(code) });
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(typeof answer.body['title']).toBe('string');
  expect(typeof answer.body['detail']).toBe('string');
}

/** Claims and takes the effect to its report. */
async function started(key: string, members: Record<string, unknown> = {}) {
  const claim = await api.claim(key, members);
  expect(claim.status, claim.text).toBe(201);
  const { executionId, fencingToken } = claim.body as { executionId: string; fencingToken: string };
  expect((await api.report(executionId, 'effect-started', { fencingToken })).status).toBe(200);
  return { executionId, fencingToken };
}

async function succeeded(
  key: string,
  report: Record<string, unknown> = {},
  members: Record<string, unknown> = {},
) {
  const { executionId, fencingToken } = await started(key, members);
  const answer = await api.report(executionId, 'complete', {
    fencingToken,
    resultId: `result of ${key}`,
    ...report,
  });
  expect(answer.body, answer.text).toMatchObject({ state: 'SUCCEEDED' });
  return { executionId, fencingToken };
}

describe('answers to a claim', () => {
  it('R-010a R-011c 201 CLAIMED for the first claim', async () => {
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

  it('R-011d 409 REQUEST_IN_PROGRESS under a live lease, with Retry-After within the lease', async () => {
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

  it('R-033b 202 DUPLICATE_HELD with a status address only when the caller prefers it', async () => {
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

  it('R-011e the stored response again, byte for byte, marked as a replay', async () => {
    const body = '{ "refund" : "R-1", "amount": 1.0 }';
    const claim = await started('k-replay');
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

  it('R-011f 200 RESULT_REUSED where no response was stored', async () => {
    const { executionId } = await succeeded('k-reused', { resultUrl: 'https://crm.example/7' });
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

  it('R-011g a final failure replays its response, or 409 EXECUTION_FAILED_FINAL without one', async () => {
    const one = await started('k-final');
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
    const two = await started('k-final-bare');
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

  it('R-011h 201 RETRY_SAME_KEY after a failure that proves that nothing was sent', async () => {
    const { executionId } = await started('k-retry');
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

  it('R-011i R-028b 409 RECONCILE_REQUIRED when stuck and when unknown, and never a new execution', async () => {
    const { executionId } = await started('k-stuck', { leaseSeconds: 1 });
    await api.db.advanceClock('2 seconds');
    expectProblem(await api.claim('k-stuck'), 409, 'RECONCILE_REQUIRED');
    const { executionId: unknown } = await started('k-unknown');
    await api.report(unknown, 'unknown', { fencingToken: '1', code: 'TIMED_OUT', message: 'no answer' });
    const answer = await api.claim('k-unknown');
    expectProblem(answer, 409, 'RECONCILE_REQUIRED');
    expect(answer.body).toMatchObject({ executionId: unknown, underReview: true });
    expect(Date.parse(String(answer.body['nextCheckAt']))).toBeGreaterThan(0);
    expect(answer.headers['retry-after']).toBeUndefined();
    expect((await api.execution('k-stuck'))?.['attempt']).toBe(1);
    expect(executionId).not.toBe(unknown);
  });

  it('R-012a R-018d B-65 other content is a conflict at once, whatever the state', async () => {
    await api.claim('k-conflict', { payload: { amount: 100, to: 'A-7' } });
    const running = await api.claim('k-conflict', { payload: { amount: 900, to: 'A-7' } });
    expectProblem(running, 409, 'IDEMPOTENCY_KEY_REUSED');
    expect(running.body['conflictingFields']).toEqual(['/amount']);
    expect(running.headers['retry-after']).toBeUndefined();
    await succeeded('k-conflict-2');
    expectProblem(
      await api.claim('k-conflict-2', { payload: { amount: 900 } }),
      409,
      'IDEMPOTENCY_KEY_REUSED',
    );
    await api.db.advanceClock('91 days');
    expectProblem(
      await api.claim('k-conflict-2', { payload: { amount: 900 } }),
      409,
      'IDEMPOTENCY_KEY_REUSED',
    );
    await api.db.advanceClock('-91 days');
    expect(await api.intakes('k-conflict')).toEqual(['CLAIMED', 'CONTENT_CONFLICT']);
    expect(await api.execution('k-conflict')).toMatchObject({ state: 'PROCESSING', version: '1' });
  });

  it('R-012b content version and target count where both sides give them', async () => {
    const target = { system: 'crm', account: 'main' };
    await api.claim('k-target', { target, contentVersion: 'v1' });
    const other = await api.claim('k-target', {
      target: { system: 'crm', account: 'test' },
      contentVersion: 'v2',
    });
    expectProblem(other, 409, 'IDEMPOTENCY_KEY_REUSED');
    expect(other.body['conflictingFields']).toEqual(['contentVersion', 'target.account']);
    expectProblem(await api.claim('k-target'), 409, 'REQUEST_IN_PROGRESS');
  });

  it('R-041a 410 IDEMPOTENCY_KEY_EXPIRED with the result and where to look', async () => {
    await succeeded('k-expired', { resultUrl: 'https://crm.example/9' });
    const { expires_at } = (await api.execution('k-expired')) as { expires_at: Date };
    await api.db.setClock(new Date(expires_at.getTime() - 1).toISOString());
    expect((await api.claim('k-expired')).status).toBe(200);
    await api.db.setClock(new Date(expires_at.getTime() + 1).toISOString());
    const answer = await api.claim('k-expired');
    await api.db.setClock(null);
    expectProblem(answer, 410, 'IDEMPOTENCY_KEY_EXPIRED');
    expect(answer.body).toMatchObject({
      resultId: 'result of k-expired',
      resultUrl: 'https://crm.example/9',
    });
  });

  it('R-071a 409 IDEMPOTENCY_KEY_SUPERSEDED names the new key; a conflict names it too', async () => {
    await succeeded('k-old');
    const next = await api.claim('k-new');
    await api.db
      .pool('owner')
      .query(
        `update ledger.executions set superseded_by = $2, moved_by = 'person' where idempotency_key = $1`,
        ['k-old', next.body['executionId']],
      );
    const answer = await api.claim('k-old');
    expectProblem(answer, 409, 'IDEMPOTENCY_KEY_SUPERSEDED');
    expect(answer.body).toMatchObject({ newKey: 'k-new', newExecutionId: next.body['executionId'] });
    expect((await api.claim('k-old', { payload: 2 })).body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      newKey: 'k-new',
    });
  });

  it('R-017a 409 BUSINESS_REFERENCE_TAKEN shows the first execution', async () => {
    await api.policy('order.create', 1, { business_ref_unique: true });
    const order = { operation: 'order.create', businessRef: 'order-1' };
    const first = await succeeded('k-order', {}, order);
    const answer = await api.claim('k-order-again', order);
    expectProblem(answer, 409, 'BUSINESS_REFERENCE_TAKEN');
    expect(answer.body['executionId']).toBe(first.executionId);
    expect(await api.execution('k-order-again')).toBeUndefined();
  });

  it('R-016a 409 SINGLE_EXECUTOR_BUSY with Retry-After while another execution of the business reference runs', async () => {
    await api.claim('k-busy', { businessRef: 'case-1' });
    const answer = await api.claim('k-busy-2', { businessRef: 'case-1' });
    expectProblem(answer, 409, 'SINGLE_EXECUTOR_BUSY');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await api.claim('k-busy-3', { businessRef: 'case-2' })).status).toBe(201);
  });

  it('R-018e 409 ATTEMPTS_EXHAUSTED when every attempt is used', async () => {
    await api.policy('print', 1, { max_attempts: 1 });
    const { executionId } = await started('k-attempts', { operation: 'print' });
    await api.report(executionId, 'fail', {
      fencingToken: '1',
      retryable: true,
      code: 'X',
      message: '',
      basis: 'LOOKUP',
    });
    expectProblem(await api.claim('k-attempts', { operation: 'print' }), 409, 'ATTEMPTS_EXHAUSTED');
  });

  it('R-054a 503 OPERATION_PAUSED with Retry-After', async () => {
    await api.db
      .pool('owner')
      .query(
        `insert into ledger.operation_pauses (tenant_id, operation, reason) values ('tenant-north', 'paused.op', 'test')`,
      );
    const answer = await api.claim('k-paused', { operation: 'paused.op' });
    expectProblem(answer, 503, 'OPERATION_PAUSED');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await api.intakes('k-paused')).toEqual(['OPERATION_PAUSED']);
  });

  it('R-021a the same attempt id gets the same claim; another one does not', async () => {
    const attemptId = randomUUID();
    const first = await api.claim('k-attempt', { attemptId });
    const again = await api.claim('k-attempt', { attemptId: attemptId.toUpperCase() });
    expect(again.status).toBe(201);
    expect(again.body).toEqual({ ...first.body, disposition: 'SAME_ATTEMPT' });
    expectProblem(await api.claim('k-attempt', { attemptId: randomUUID() }), 409, 'REQUEST_IN_PROGRESS');
    expect(await api.intakes('k-attempt')).toEqual(['CLAIMED', 'SAME_ATTEMPT', 'DUPLICATE_HELD']);
  });

  it('R-003a R-015a a missing key is 400, recorded, and never filled from another field', async () => {
    const answer = await api.send({
      method: 'POST',
      path: '/executions',
      body: { operation: 'keyless.op', requestId: 'k-request', payload: {} },
    });
    expectProblem(answer, 400, 'IDEMPOTENCY_KEY_MISSING');
    expect(await api.intakes(null)).toEqual(['KEY_MISSING']);
    expect(await api.execution('k-request')).toBeUndefined();
  });

  it('R-003b a policy may let keyless requests pass, and the answer says that nothing protects them', async () => {
    await api.policy('keyless.pass', 1, { keyless: 'PASS' });
    const answer = await api.send({
      method: 'POST',
      path: '/executions',
      body: { operation: 'keyless.pass', requestId: 'r', payload: {} },
    });
    expect([answer.status, answer.body]).toEqual([200, { disposition: 'KEY_MISSING', unprotected: true }]);
    const reported = await api.send({
      method: 'POST',
      path: '/intakes/keyless',
      body: { operation: 'keyless.pass', requestId: 'r' },
    });
    expect(reported.status).toBe(202);
    expect(Object.keys(reported.body).sort()).toEqual(['disposition', 'intakeId']);
  });

  it('R-020a register answers 202 with the record and leaves the claim to others', async () => {
    const answer = await api.claim('k-registered', {}, { path: '/executions/register' });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      state: 'RECEIVED',
      key: 'k-registered',
      fencingToken: '0',
      attempt: 0,
    });
    expect(answer.headers['location']).toBe(`/api/v1/executions/${String(answer.body['executionId'])}`);
    expect((await api.claim('k-registered', {}, { path: '/executions/register' })).status).toBe(202);
    expectProblem(
      await api.claim('k-registered', { payload: 2 }, { path: '/executions/register' }),
      409,
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect((await api.claim('k-registered')).body).toMatchObject({ disposition: 'CLAIMED', attempt: 1 });
  });

  it('R-001a the same content under two keys is two executions', async () => {
    const [one, two] = await Promise.all([api.claim('k-twin-1'), api.claim('k-twin-2')]);
    expect([one?.status, two?.status]).toEqual([201, 201]);
    expect(one?.body['executionId']).not.toBe(two?.body['executionId']);
  });

  it('R-019a a claim stays inside what was approved', async () => {
    const approvalRef = { id: 'AP-1', target: { system: 'crm', account: 'main' }, contentVersion: 'v1' };
    expectProblem(
      await api.claim('k-approval', { approvalRef, target: { system: 'crm', account: 'other' } }),
      422,
      'UNPROCESSABLE',
    );
    expectProblem(await api.claim('k-approval', { approvalRef, contentVersion: 'v2' }), 422, 'UNPROCESSABLE');
    expect(
      (await api.claim('k-approval', { approvalRef, contentVersion: 'v1', target: approvalRef.target }))
        .status,
    ).toBe(201);
    await api.policy('needs.approval', 1, { approval_ref_required: true });
    expectProblem(await api.claim('k-unapproved', { operation: 'needs.approval' }), 422, 'UNPROCESSABLE');
  });
});
