// What an attempt leaves behind when it ends, through functions and in plain SQL.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture, sqlProducer, type Json, type LedgerFixture } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  sql = await sqlProducer(db);
  await ledger.policy('no-id', { result_id_required: false });
});
afterAll(async () => {
  await sql.end();
  await db.drop();
});

const NOT_SENT = { retryable: true, code: 'REFUSED', message: 'm', basis: 'NOT_SENT' };
const ANSWER = { status: 422, headers: {}, bodyText: '{"error":"declined"}' };
const complete = (id: string, token: string, resultId?: string, more: Json = {}) =>
  ledger.report('complete', id, {
    fencingToken: token,
    ...(resultId !== undefined && { resultId }),
    ...more,
  });
const fail = (id: string, token: string, change: Json = {}) =>
  ledger.report('fail', id, { fencingToken: token, ...NOT_SENT, ...change });
const kinds = async (id: string) =>
  (await ledger.exceptions(id)).map(({ kind, state }) => `${kind} ${state}`);
const lateResults = async (id: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ result_id: string }>(
      'SELECT result_id FROM ledger.late_reports WHERE execution_id = $1 ORDER BY report_id',
      [id],
    );
  return rows.map((each) => each.result_id);
};
const byPerson = (id: string, set: string) =>
  db
    .pool('owner')
    .query(
      `UPDATE ledger.executions SET ${set}, moved_by = 'person', fencing_token = fencing_token + 1 WHERE execution_id = $1`,
      [id],
    );

describe('a proof is of its own attempt', () => {
  const direct = (id: string, set: string) =>
    sql.query(`UPDATE ledger.executions SET ${set} WHERE execution_id = $1`, [id]);

  it('R-037e R-029e a direct claim takes no proof over: the next failure without one is in doubt', async () => {
    const { id, token, key } = await ledger.started();
    await fail(id, token);
    await direct(id, `fencing_token = ${token}, state = 'PROCESSING'`);
    expect(await ledger.row(id)).toMatchObject({ failure_basis: null, failure_code: null });
    await direct(id, `fencing_token = 2, effect_started_at = now()`);
    await direct(id, `fencing_token = 2, state = 'FAILED_RETRYABLE', failure_code = 'TIMED_OUT'`);
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'NO_PROOF' });
    expect(await ledger.claim(key)).toMatchObject({ disposition: 'RECONCILE_REQUIRED' });
  });

  it('R-037e what was looked up after the last attempt says nothing of the next', async () => {
    const { id, token } = await ledger.started();
    await fail(id, token, { basis: 'LOOKUP' });
    await direct(id, `fencing_token = 1, state = 'PROCESSING'`);
    await direct(id, `fencing_token = 2, effect_started_at = now()`);
    await direct(id, `fencing_token = 2, state = 'FAILED_RETRYABLE', failure_code = 'TIMED_OUT'`);
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-037e a proof that was set before the effect started is none', async () => {
    const claim = await ledger.claim(randomUUID());
    const id = claim.execution!.executionId;
    await direct(id, `fencing_token = 1, failure_basis = 'NOT_SENT'`);
    await direct(id, `fencing_token = 1, effect_started_at = now()`);
    await direct(id, `fencing_token = 1, state = 'FAILED_RETRYABLE', failure_code = 'TIMED_OUT'`);
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-021 the id of an ended attempt does not become that of a direct claim', async () => {
    const attemptId = randomUUID();
    const { id, token, key } = await ledger.started(randomUUID(), { attemptId });
    await fail(id, token);
    await direct(id, `fencing_token = ${token}, state = 'PROCESSING'`);
    expect(await ledger.row(id)).toMatchObject({ attempt_id: null });
    expect(await ledger.claim(key, { attemptId })).toMatchObject({ disposition: 'DUPLICATE_HELD' });
  });

  it('R-030 job and progress are their attempt’s', async () => {
    const { id, token, key } = await ledger.started();
    await ledger.report('heartbeat', id, {
      fencingToken: token,
      externalJobId: 'job-1',
      progress: { done: 3 },
    });
    await fail(id, token);
    await ledger.claim(key);
    expect(await ledger.row(id)).toMatchObject({ external_job_id: null, progress: null });
    const { rows } = await db
      .pool('owner')
      .query('SELECT external_job_id FROM ledger.attempts WHERE execution_id = $1 ORDER BY attempt', [id]);
    expect(rows).toEqual([{ external_job_id: 'job-1' }, { external_job_id: null }]);
  });
});

describe('a result after the owner’s own end', () => {
  it('R-029f after its own failure makes the record unknown again and blocks the retry', async () => {
    const { id, token, key } = await ledger.started();
    await fail(id, token);
    expect(await complete(id, token, `OWN-${id}`)).toMatchObject({ code: 'INVALID_STATE' });
    expect(await ledger.row(id)).toMatchObject({
      state: 'UNKNOWN',
      unknown_reason: 'CONTRADICTED',
      reported_result_id: `OWN-${id}`,
    });
    expect(await lateResults(id)).toEqual([`OWN-${id}`]);
    expect(await kinds(id)).toEqual(['CONTRADICTED_DECISION OPEN']);
    expect(await ledger.claim(key)).toMatchObject({ disposition: 'RECONCILE_REQUIRED' });
  });

  it.each(['fail', 'cancel'])(
    'R-029f after its own final %s it contradicts it, and nothing is overwritten',
    async (verb) => {
      const first = await ledger.claim(randomUUID());
      const id = first.execution!.executionId;
      if (verb === 'fail') await fail(id, '1', { retryable: false, basis: undefined });
      else await ledger.report('cancel', id, { reason: 'no longer wanted' });
      const { fencing_token: token } = await ledger.row(id);
      expect(await complete(id, String(token), `OWN-${id}`)).toMatchObject({ code: 'INVALID_STATE' });
      expect(await ledger.row(id)).toMatchObject({ state: 'FAILED_FINAL', result_id: null });
      expect(await kinds(id)).toEqual(['CONTRADICTED_DECISION OPEN']);
      expect(await lateResults(id)).toEqual([`OWN-${id}`]);
    },
  );

  it('R-029f plain SQL is refused such a result, and told the verb that keeps it', async () => {
    const { id, token } = await ledger.started();
    await fail(id, token);
    await expect(
      sql.query(
        `UPDATE ledger.executions SET fencing_token = 1, state = 'SUCCEEDED', result_id = 'X' WHERE execution_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: 'OO004', hint: expect.stringContaining('ledger.complete') as string });
  });

  it('R-029d a second result of the present token is kept, and a person sees both', async () => {
    const { id, token } = await ledger.started();
    await complete(id, token, `A-${id}`);
    expect(await complete(id, token, `B-${id}`)).toMatchObject({ code: 'RESULT_CONFLICT' });
    expect(await ledger.row(id)).toMatchObject({ state: 'SUCCEEDED', result_id: `A-${id}` });
    expect(await lateResults(id)).toEqual([`B-${id}`]);
    expect(await kinds(id)).toEqual(['DUPLICATE_RESULT OPEN']);
  });

  it('R-029d so is another than the one that is under review', async () => {
    const target = { system: 'payment', account: 'main' };
    const { id, token } = await ledger.started(randomUUID(), { target });
    await complete(id, token, `A-${id}`, { target: { system: 'payment', account: 'other' } });
    expect(await complete(id, token, `B-${id}`)).toMatchObject({ code: 'RESULT_CONFLICT' });
    expect((await kinds(id)).sort()).toEqual(['DUPLICATE_RESULT OPEN', 'RESULT_MISMATCH OPEN']);
  });

  it('R-029a whoever shows no token is fenced and leaves nothing', async () => {
    const { id } = await ledger.started();
    for (const verb of ['complete', 'fail', 'report_unknown'] as const)
      expect(await ledger.report(verb, id, { ...NOT_SENT, fencingToken: null })).toMatchObject({
        code: 'FENCED',
      });
    expect(await lateResults(id)).toEqual([]);
  });

  it('R-037a whether a failure is final is said, not guessed', async () => {
    const { id, token } = await ledger.started();
    await expect(fail(id, token, { retryable: null })).rejects.toMatchObject({ code: 'OO005' });
    expect(await ledger.row(id)).toMatchObject({ state: 'PROCESSING' });
  });
});

describe('an answer is of its own outcome', () => {
  it('R-011d the answer of a final failure is not that of the success that a person finds', async () => {
    const { id, token, key } = await ledger.started();
    await fail(id, token, { retryable: false, basis: 'NOT_SENT', response: ANSWER });
    expect(await ledger.claim(key)).toMatchObject({ replay: { status: 422 } });
    await byPerson(id, `state = 'SUCCEEDED', result_id = 'PAY-${id}'`);
    const again = await ledger.claim(key);
    expect(again).toMatchObject({ disposition: 'RESULT_REUSED', execution: { resultId: `PAY-${id}` } });
    expect(again.replay).toBeNull();
  });

  it('R-011d the answer that came with a doubted result is kept for nobody', async () => {
    const target = { system: 'payment', account: 'main' };
    const { id, token, key } = await ledger.started(randomUUID(), { target });
    await complete(id, token, `A-${id}`, {
      target: { system: 'payment', account: 'other' },
      response: { ...ANSWER, status: 201 },
    });
    expect(await ledger.row(id)).toMatchObject({
      state: 'UNKNOWN',
      response_status: null,
      response_body: null,
    });
    await byPerson(id, `state = 'FAILED_FINAL', failure_code = 'EFFECT_NOT_OURS'`);
    expect((await ledger.claim(key, { target })).replay).toBeNull();
  });
});

describe('an id that nobody can see', () => {
  it.each(['', ' ', '\t', '\u200b', '\u00a0\u2060'])('R-014g %j is none', async (resultId) => {
    const { id, token } = await ledger.started();
    await complete(id, token, resultId);
    expect(await ledger.row(id)).toMatchObject({
      state: 'UNKNOWN',
      unknown_reason: 'MISSING_RESULT_ID',
      result_id: null,
    });
  });

  it('R-014g also in plain SQL, and where none is needed', async () => {
    const { id } = await ledger.started();
    await sql.query(
      `UPDATE ledger.executions SET fencing_token = 1, state = 'SUCCEEDED', result_id = ' ' WHERE execution_id = $1`,
      [id],
    );
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN', result_id: null });
    const free = await ledger.started(randomUUID(), { operation: 'no-id' });
    await complete(free.id, free.token, ' ');
    expect(await ledger.row(free.id)).toMatchObject({ state: 'SUCCEEDED', result_id: null });
  });
});
