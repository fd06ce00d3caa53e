import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { expectDocumented } from '@/lib/testing/documented';
import { producerApiUnderTest, type ApiAnswer, type ProducerApiUnderTest } from '@/lib/testing/producer-api';
import type { CallName } from './addresses';

let api: ProducerApiUnderTest;
let small: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
  small = await producerApiUnderTest({ claimLimit: { perSecond: 0.001, burst: 1 } });
});
afterAll(async () => {
  await api.close();
  await small.close();
});

const seen = new Set<string>();

/** The answer, after it was held against the document. */
function documented(call: CallName, answer: ApiAnswer, status: number, code?: ProblemCode): ApiAnswer {
  expect([answer.status, answer.body['code']], answer.text).toEqual([status, code]);
  expectDocumented(call, answer);
  if (code !== undefined) seen.add(code);
  return answer;
}

const owner = (text: string, values: unknown[] = []) => api.db.pool('owner').query(text, values);
const RESPONSE = { status: 201, headers: { location: '/r/1' }, body: { id: 'R' } };
const failed = (retryable: boolean, more: object = {}) => ({
  fencingToken: '1',
  retryable,
  code: 'LIMIT',
  message: '',
  ...more,
});

it('R-018e every success of a claim is as the document says', async () => {
  documented('claim', await api.claim('k-first'), 201);
  const attemptId = randomUUID();
  await api.claim('k-same', { attemptId });
  documented('claim', await api.claim('k-same', { attemptId }), 201);
  const { executionId } = await api.started('k-retry');
  documented('fail', await api.report(executionId, 'fail', failed(true, { basis: 'NOT_SENT' })), 200);
  const retried = documented('claim', await api.claim('k-retry'), 201);
  expect(retried.body).toMatchObject({ disposition: 'RETRY_SAME_KEY', attempt: 2 });
  await api.succeeded('k-reused');
  expect(documented('claim', await api.claim('k-reused'), 200).body['disposition']).toBe('RESULT_REUSED');
  await api.succeeded('k-stored', { response: RESPONSE });
  expect(documented('claim', await api.claim('k-stored'), 201).headers['idempotency-replayed']).toBe('true');
  const held = await api.claim('k-first', {}, { headers: { Prefer: 'respond-async' } });
  documented('claim', held, 202);
  await api.policy('pass.op', 1, { keyless: 'PASS' });
  const body = { operation: 'pass.op', requestId: 'r', payload: {} };
  documented('claim', await api.send({ method: 'POST', path: '/executions', body }), 200);
  documented('register', await api.send({ method: 'POST', path: '/executions/register', body }), 200);
  const keyless = { operation: 'pass.op', requestId: 'r' };
  documented(
    'reportKeyless',
    await api.send({ method: 'POST', path: '/intakes/keyless', body: keyless }),
    202,
  );
  documented('register', await api.claim('k-registered', {}, { path: '/executions/register' }), 202);
});

it('R-018e every refusal of a claim is as the document says', async () => {
  const keyless = { operation: 'refund.create', requestId: 'r', payload: {} };
  const without = { method: 'POST', path: '/executions', body: keyless };
  documented('claim', await api.send(without), 400, 'IDEMPOTENCY_KEY_MISSING');
  documented('claim', await api.claim('two words'), 400, 'IDEMPOTENCY_KEY_INVALID');
  documented('claim', await api.claim('k', { surprise: 1 }), 400, 'INVALID_REQUEST');
  documented('claim', await api.claim('k', {}, { token: null }), 401, 'UNAUTHENTICATED');
  const token = await api.makeToken('north', { operations: ['other.op'] });
  documented('claim', await api.claim('k', {}, { token }), 403, 'FORBIDDEN');
  documented('claim', await api.claim('k-held'), 201);
  documented('claim', await api.claim('k-held'), 409, 'REQUEST_IN_PROGRESS');
  documented('claim', await api.claim('k-held', { payload: { amount: 2 } }), 409, 'IDEMPOTENCY_KEY_REUSED');
  const { executionId } = await api.started('k-doubt');
  const doubt = { fencingToken: '1', code: 'TIMED_OUT', message: '' };
  documented('reportUnknown', await api.report(executionId, 'unknown', doubt), 200);
  documented('claim', await api.claim('k-doubt'), 409, 'RECONCILE_REQUIRED');
  const final = await api.started('k-final');
  documented('fail', await api.report(final.executionId, 'fail', failed(false)), 200);
  documented('claim', await api.claim('k-final'), 409, 'EXECUTION_FAILED_FINAL');
  const large = { payload: 'x'.repeat(1_100_000) };
  documented('claim', await api.claim('k', large), 413, 'PAYLOAD_TOO_LARGE');
  const approvalRef = { id: 'A', target: { system: 'crm', account: 'A-1' } };
  const outside = { approvalRef, target: { system: 'crm', account: 'A-2' } };
  documented('claim', await api.claim('k', outside), 422, 'UNPROCESSABLE');
  await api.policy('unique.op', 1, { business_ref_unique: true });
  await api.claim('k-ref-1', { operation: 'unique.op', businessRef: 'O-1' });
  const taken = await api.claim('k-ref-2', { operation: 'unique.op', businessRef: 'O-1' });
  documented('claim', taken, 409, 'BUSINESS_REFERENCE_TAKEN');
  await api.claim('k-busy-1', { operation: 'busy.op', businessRef: 'O-1' });
  const busy = await api.claim('k-busy-2', { operation: 'busy.op', businessRef: 'O-1' });
  documented('claim', busy, 409, 'SINGLE_EXECUTOR_BUSY');
  await api.policy('once.op', 1, { max_attempts: 1 });
  const spent = await api.started('k-spent', { operation: 'once.op' });
  await api.report(spent.executionId, 'fail', failed(true, { basis: 'LOOKUP' }));
  documented('claim', await api.claim('k-spent', { operation: 'once.op' }), 409, 'ATTEMPTS_EXHAUSTED');
  const attemptId = randomUUID();
  const ended = (await api.claim('k-ended', { attemptId })).body['executionId'];
  await api.report(ended, 'fail', failed(true, { basis: 'NOT_SENT' }));
  documented('claim', await api.claim('k-ended', { attemptId }), 409, 'INVALID_STATE');
  await owner(
    `insert into ledger.operation_pauses (tenant_id, operation, reason) values ('tenant-north', 'paused.op', 'test')`,
  );
  documented('claim', await api.claim('k', { operation: 'paused.op' }), 503, 'OPERATION_PAUSED');
  await small.claim('k-only');
  documented('claim', await small.claim('k-more'), 429, 'RATE_LIMITED');
});

it('R-025 R-018e a rival that is never seen, and a state of another version, are told as what they are', async () => {
  // Stands for a rival that holds the key whenever we insert, and has rolled back whenever we look.
  await owner(
    `create function ledger.unseen_rival() returns trigger language plpgsql as 'begin return null; end'`,
  );
  await owner(`create trigger unseen_rival before insert on ledger.executions for each row
    when (new.idempotency_key = 'k-unseen') execute function ledger.unseen_rival()`);
  documented('claim', await api.claim('k-unseen'), 409, 'REQUEST_STATUS_UNCONFIRMED');
  await owner('drop trigger unseen_rival on ledger.executions');
  documented('claim', await api.claim('k-unseen'), 201);

  const superuser = api.db.pool('superuser');
  const later = (await api.claim('k-later')).body['executionId'];
  await superuser.query('alter table ledger.executions drop constraint executions_state_check');
  await superuser.query('alter table ledger.executions disable trigger user');
  await superuser.query(`update ledger.executions set state = 'HIBERNATING' where execution_id = $1`, [
    later,
  ]);
  await superuser.query('alter table ledger.executions enable trigger user');
  const read = await api.send({ path: `/executions/${String(later)}` });
  documented('getExecution', read, 500, 'UNKNOWN_IDEMPOTENCY_STATE');
  documented('claim', await api.claim('k-later'), 500, 'UNKNOWN_IDEMPOTENCY_STATE');
  expect(await api.execution('k-later')).toMatchObject({ state: 'HIBERNATING', attempt: 1 });
});

it('R-018e expired and superseded keys are as the document says', async () => {
  const superuser = api.db.pool('superuser');
  const { executionId: old } = await api.succeeded('k-old');
  const { executionId: replaced } = await api.succeeded('k-replaced');
  const { executionId: successor } = await api.succeeded('k-successor');
  await superuser.query('alter table ledger.executions disable trigger user');
  await superuser.query(
    `update ledger.executions set state = 'EXPIRED', expired_from = 'SUCCEEDED' where execution_id = $1`,
    [old],
  );
  await superuser.query(`update ledger.executions set superseded_by = $2 where execution_id = $1`, [
    replaced,
    successor,
  ]);
  await superuser.query('alter table ledger.executions enable trigger user');
  documented('claim', await api.claim('k-old'), 410, 'IDEMPOTENCY_KEY_EXPIRED');
  documented('claim', await api.claim('k-replaced'), 409, 'IDEMPOTENCY_KEY_SUPERSEDED');
});

it('R-018e reports and reading are as the document says', async () => {
  const { body } = await api.claim('k-reports', { workflowId: 'wf', step: 'a' });
  const id = body['executionId'];
  documented('cancel', await api.report(id, 'cancel', { fencingToken: '9', reason: 'r' }), 409, 'FENCED');
  documented('effectStarted', await api.report(id, 'effect-started', { fencingToken: '1' }), 200);
  documented('cancel', await api.report(id, 'cancel', { reason: 'r' }), 409, 'EFFECT_ALREADY_STARTED');
  documented('heartbeat', await api.report(id, 'heartbeat', { fencingToken: '1', progress: [1] }), 200);
  documented('complete', await api.report(id, 'complete', { fencingToken: '1', resultId: 'R-x' }), 200);
  const other = await api.report(id, 'complete', { fencingToken: '1', resultId: 'R-y' });
  documented('complete', other, 409, 'RESULT_CONFLICT');
  const late = await api.report(id, 'heartbeat', { fencingToken: '1' });
  documented('heartbeat', late, 409, 'INVALID_STATE');
  const cancelled = (await api.claim('k-cancelled')).body['executionId'];
  documented('cancel', await api.report(cancelled, 'cancel', { reason: 'r' }), 200);
  documented('getExecution', await api.send({ path: `/executions/${String(id)}` }), 200);
  documented('getExecution', await api.send({ path: `/executions/${randomUUID()}` }), 404, 'NOT_FOUND');
  documented(
    'listExecutions',
    await api.send({ path: '/executions?operation=refund.create&key=k-reports' }),
    200,
  );
  documented('listExecutions', await api.send({ path: '/executions?state=FAILED_RETRYABLE&limit=1' }), 200);
  documented('listExecutions', await api.send({ path: '/executions?workflowId=wf' }), 200);
  documented('listExecutions', await api.send({ path: '/executions' }), 400, 'INVALID_REQUEST');
  documented('listWorkflow', await api.send({ path: '/workflows/wf' }), 200);
  const open = documented('getDocument', await api.send({ path: '/openapi.json', token: null }), 200);
  expect(open.body).toMatchObject({ openapi: '3.1.0' });
});

/** Shown elsewhere with the faults that cause them, or of same-database mode, which has no HTTP. */
const ELSEWHERE = [
  'DATABASE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
];
const SAME_DATABASE = ['RETRY_DEADLINE_EXCEEDED', 'RETRY_LIMIT_REACHED'];

it('R-018c each code was given by the API itself', () => {
  expect([...seen, ...ELSEWHERE, ...SAME_DATABASE].toSorted()).toEqual(Object.keys(PROBLEM_CODES).toSorted());
});
