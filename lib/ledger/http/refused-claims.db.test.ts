import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '@/lib/testing/expect-problem';
import { createProducerApi } from './producer-api';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
});
afterAll(() => api.close());

describe('answers that refuse a claim', () => {
  it('R-012a R-018d B-65 other content is a conflict at once, whatever the state', async () => {
    await api.claim('k-conflict', { payload: { amount: 100, to: 'A-7' } });
    const running = await api.claim('k-conflict', { payload: { amount: 900, to: 'A-7' } });
    expectProblem(running, 409, 'IDEMPOTENCY_KEY_REUSED');
    expect(running.body['conflictingFields']).toEqual(['/amount']);
    expect(running.headers['retry-after']).toBeUndefined();
    await api.succeeded('k-conflict-2');
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

  it('R-012a B-61 B-62 a replay just given keeps nobody from comparing: not here, not in a server that has just started', async () => {
    const { executionId } = await api.succeeded('K-1061');
    const restarted = createProducerApi({
      pool: () => api.pool,
      fieldHashKey: () => new TextEncoder().encode('field hash key of the tests'),
      log: pino({ level: 'silent' }),
    });
    const claimAfterRestart = async (payload: unknown) => {
      const response = await restarted.fetch(
        new Request(`${api.url}/api/v1/executions`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${api.tokens.north}`, 'Idempotency-Key': 'K-1061' },
          body: JSON.stringify({ operation: 'refund.create', requestId: 'r', payload }),
        }),
      );
      return (await response.json()) as Record<string, unknown>;
    };
    expect((await api.claim('K-1061')).body).toMatchObject({ disposition: 'RESULT_REUSED', executionId });
    expectProblem(await api.claim('K-1061', { payload: { amount: 900 } }), 409, 'IDEMPOTENCY_KEY_REUSED');
    expect(await claimAfterRestart({ amount: 900 })).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await claimAfterRestart({ amount: 100 })).toMatchObject({ disposition: 'RESULT_REUSED' });
    expect((await api.claim('K-1061', { payload: { amount: 900 } }, { as: 'northTwo' })).status).toBe(201);
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

  it('R-041 R-043 410 IDEMPOTENCY_KEY_EXPIRED with the result and where to look', async () => {
    await api.succeeded('k-expired', { resultUrl: 'https://crm.example/9' });
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
    await api.succeeded('k-old');
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
    const first = await api.succeeded('k-order', {}, order);
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

  it('R-018a 409 ATTEMPTS_EXHAUSTED when every attempt is used', async () => {
    await api.policy('print', 1, { max_attempts: 1 });
    const { executionId } = await api.started('k-attempts', { operation: 'print' });
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

  it('R-021 the same attempt id gets the same claim; another one does not', async () => {
    const attemptId = randomUUID();
    const first = await api.claim('k-attempt', { attemptId });
    const again = await api.claim('k-attempt', { attemptId: attemptId.toUpperCase() });
    expect(again.status).toBe(201);
    expect(again.body).toEqual({ ...first.body, disposition: 'SAME_ATTEMPT' });
    expectProblem(await api.claim('k-attempt', { attemptId: randomUUID() }), 409, 'REQUEST_IN_PROGRESS');
    expect(await api.intakes('k-attempt')).toEqual(['CLAIMED', 'SAME_ATTEMPT', 'DUPLICATE_HELD']);
  });

  it('R-003a a missing key is 400, recorded, and never filled from another field', async () => {
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

  it('R-020 what a registration says of an attempt is nobody’s attempt, and no claim is taken for its repetition', async () => {
    const attemptId = randomUUID();
    const about = { owner: 'w-1', leaseSeconds: 600, attemptId };
    const registered = await api.claim('k-early', about, { path: '/executions/register' });
    expect(registered.status).toBe(202);
    expect(registered.body).toMatchObject({
      state: 'RECEIVED',
      owner: null,
      leaseExpiresAt: null,
      attempt: 0,
    });
    const claimed = await api.claim('k-early', { owner: 'w-2', attemptId });
    expect([claimed.status, claimed.body['disposition']]).toEqual([201, 'CLAIMED']);
    expect(await api.execution('k-early')).toMatchObject({ owner: 'w-2', attempt: 1 });
  });

  it('R-020 register answers 202 with the record and leaves the claim to others', async () => {
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

  it('R-001 the same content under two keys is two executions', async () => {
    const [one, two] = await Promise.all([api.claim('k-twin-1'), api.claim('k-twin-2')]);
    expect([one?.status, two?.status]).toEqual([201, 201]);
    expect(one?.body['executionId']).not.toBe(two?.body['executionId']);
  });

  it('R-019a a claim stays inside what was approved', async () => {
    const approvalRef = { id: 'AP-1', target: { system: 'crm', account: 'main' }, contentVersion: 'v1' };
    for (const [outside, member] of [
      [{ target: { system: 'crm', account: 'other' } }, 'target'],
      [{ contentVersion: 'v2' }, 'contentVersion'],
    ] as const) {
      const answer = await api.claim('k-approval', { approvalRef, ...outside });
      expectProblem(answer, 422, 'UNPROCESSABLE');
      expect(answer.body['detail']).toContain(member);
    }
    expect(
      (await api.claim('k-approval', { approvalRef, contentVersion: 'v1', target: approvalRef.target }))
        .status,
    ).toBe(201);
    await api.policy('needs.approval', 1, { approval_ref_required: true });
    expectProblem(await api.claim('k-unapproved', { operation: 'needs.approval' }), 422, 'UNPROCESSABLE');
  });
});
