import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  fingerprint,
  ledgerFixture,
  NORTH,
  OPERATION,
  PROVEN_PROTECTION,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(() => db.drop());

const key = () => `key-${randomUUID()}`;

describe('who claims', () => {
  it('R-010a of many simultaneous equal claims exactly one claims and every arrival is kept', async () => {
    const k = key();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ledger.claim(k)));
    expect(answers.filter((each) => each.disposition === 'CLAIMED')).toHaveLength(1);
    expect(answers.filter((each) => each.code === 'REQUEST_IN_PROGRESS')).toHaveLength(19);
    expect(await ledger.dispositions(k)).toHaveLength(20);
  });

  it('R-025a B-01 the loser waits for the rival’s commit and then reads its row in a new statement', async () => {
    const k = key();
    const rival = await db.pool('app').connect();
    await rival.query('BEGIN');
    await rival.query('SELECT ledger.claim_as($1, $2)', [
      NORTH,
      { operation: OPERATION, key: k, fingerprint: fingerprint('content') },
    ]);
    const waiting = ledger.claim(k);
    await waitForBlocked();
    await rival.query('COMMIT');
    rival.release();
    expect(await waiting).toMatchObject({ disposition: 'DUPLICATE_HELD', code: 'REQUEST_IN_PROGRESS' });
  });

  it('R-025b B-07 after the rival rolls back the waiting caller claims; no answer rests on a row that is not there', async () => {
    const k = key();
    const rival = await db.pool('app').connect();
    await rival.query('BEGIN');
    await rival.query('SELECT ledger.claim_as($1, $2)', [
      NORTH,
      { operation: OPERATION, key: k, fingerprint: fingerprint('content') },
    ]);
    const waiting = ledger.claim(k);
    await waitForBlocked();
    await rival.query('ROLLBACK');
    rival.release();
    expect(await waiting).toMatchObject({ disposition: 'CLAIMED', code: null });
  });

  it('R-021 B-02 a claim repeated with its attempt id is the same claim; another attempt id is held', async () => {
    const k = key();
    const attemptId = randomUUID();
    const first = await ledger.claim(k, { attemptId });
    const again = await ledger.claim(k, { attemptId });
    expect(again).toMatchObject({ disposition: 'SAME_ATTEMPT', code: null });
    expect(again.execution!.fencingToken).toBe(first.execution!.fencingToken);
    expect(await ledger.claim(k, { attemptId: randomUUID() })).toMatchObject({ code: 'REQUEST_IN_PROGRESS' });
  });

  async function waitForBlocked() {
    await expect
      .poll(async () => {
        const { rows } = await db
          .pool('superuser')
          .query<{ n: number }>(
            `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
        return rows[0]!.n;
      })
      .toBeGreaterThan(0);
  }
});

describe('replay, hold and retry', () => {
  it('R-011a SUCCEEDED replays the stored answer exactly, FAILED_FINAL its refusal', async () => {
    const done = await ledger.started();
    const response = { status: 201, headers: { location: '/p/1' }, bodyText: '{"a":1.0}' };
    await ledger.report('complete', done.id, {
      fencingToken: done.token,
      resultId: `R-${done.key}`,
      response,
    });
    expect(await ledger.claim(done.key)).toMatchObject({
      disposition: 'RESULT_REUSED',
      code: null,
      replay: { status: 201, headers: { location: '/p/1' }, body: '{"a":1.0}' },
    });
    const refused = await ledger.started();
    await ledger.report('fail', refused.id, {
      fencingToken: refused.token,
      retryable: false,
      code: 'DECLINED',
      message: 'no',
    });
    expect(await ledger.claim(refused.key)).toMatchObject({
      disposition: 'RESULT_REUSED',
      code: 'EXECUTION_FAILED_FINAL',
      failureCode: 'DECLINED',
    });
  });

  it('R-011b B-04 FAILED_RETRYABLE lets one of many retry with the same key and the next token', async () => {
    const { id, token, key: k } = await ledger.started();
    await ledger.report('fail', id, {
      fencingToken: token,
      retryable: true,
      code: 'BUSY',
      message: 'm',
      basis: 'NOT_SENT',
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ledger.claim(k)));
    expect(answers.filter((each) => each.disposition === 'RETRY_SAME_KEY')).toHaveLength(1);
    expect(await ledger.row(id)).toMatchObject({ state: 'PROCESSING', attempt: 2, fencing_token: '2' });
  });

  it('R-011c UNKNOWN asks for reconciliation and RECEIVED lets one claim', async () => {
    const { id, token, key: k } = await ledger.started();
    await ledger.report('report_unknown', id, { fencingToken: token, code: 'T', message: 'm' });
    expect(await ledger.claim(k)).toMatchObject({
      disposition: 'RECONCILE_REQUIRED',
      code: 'RECONCILE_REQUIRED',
    });
    const registered = key();
    expect(await ledger.register(registered)).toMatchObject({ disposition: 'REGISTERED', code: null });
    const answers = await Promise.all(Array.from({ length: 5 }, () => ledger.claim(registered)));
    expect(answers.filter((each) => each.disposition === 'CLAIMED')).toHaveLength(1);
  });

  it('B-41 a held duplicate is told whole seconds, at least 1 and at most the rest of the lease', async () => {
    const k = key();
    await ledger.claim(k, { leaseSeconds: 30 });
    const { retryAfterSeconds } = await ledger.claim(k);
    expect(Number.isInteger(retryAfterSeconds)).toBe(true);
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  it('R-028a a lease that ended before the effect lets the next claim take over, and costs no attempt (B-23)', async () => {
    const k = key();
    await ledger.claim(k, { leaseSeconds: 1 });
    await db.advanceClock('2 seconds');
    const answer = await ledger.claim(k);
    expect(answer).toMatchObject({
      disposition: 'CLAIMED',
      code: null,
      execution: { attempt: 2, fencingToken: '2' },
    });
    expect(await ledger.row(answer.execution!.executionId)).toMatchObject({ attempts_spent: 1 });
    const { rows } = await db
      .pool('owner')
      .query('SELECT attempt, outcome FROM ledger.attempts WHERE execution_id = $1 ORDER BY attempt', [
        answer.execution!.executionId,
      ]);
    expect(rows).toEqual([
      { attempt: 1, outcome: 'TAKEN_OVER' },
      { attempt: 2, outcome: null },
    ]);
  });

  it('R-028b B-31 a lease that ended after the effect started is never taken over by time alone', async () => {
    const { id, key: k } = await ledger.started(key(), { leaseSeconds: 1 });
    await db.advanceClock('2 seconds');
    expect(await ledger.claim(k)).toMatchObject({ code: 'RECONCILE_REQUIRED' });
    expect(await ledger.exceptions(id)).toMatchObject([{ kind: 'STUCK_PROCESSING', state: 'OPEN' }]);
  });

  it('R-018a attempts that are used up are refused, and a person is asked', async () => {
    await ledger.policy('one-try', { max_attempts: 1 });
    const { id, token, key: k } = await ledger.started(key(), { operation: 'one-try' });
    await ledger.report('fail', id, {
      fencingToken: token,
      retryable: true,
      code: 'BUSY',
      message: 'm',
      basis: 'NOT_SENT',
    });
    expect(await ledger.claim(k, { operation: 'one-try' })).toMatchObject({
      disposition: 'ATTEMPTS_EXHAUSTED',
      code: 'ATTEMPTS_EXHAUSTED',
    });
    expect(await ledger.exceptions(id)).toMatchObject([{ kind: 'RETRY_STALLED', state: 'OPEN' }]);
  });
});

describe('business reference and single executor', () => {
  it('R-017a a second key for a unique business reference is refused and told the first execution', async () => {
    await ledger.policy('unique-ref', { business_ref_unique: true });
    const more = { operation: 'unique-ref', businessRef: 'ORD-1' };
    const first = await ledger.claim(key(), more);
    const second = await ledger.claim(key(), more);
    expect(second).toMatchObject({
      disposition: 'BUSINESS_REFERENCE_TAKEN',
      code: 'BUSINESS_REFERENCE_TAKEN',
      firstExecutionId: first.execution!.executionId,
    });
  });

  it('R-017a a unique reference that comes with a later claim is refused alike', async () => {
    await ledger.policy('orders-later', { business_ref_unique: true });
    const registered = key();
    await ledger.register(registered, { operation: 'orders-later' });
    const more = { operation: 'orders-later', businessRef: 'ORD-7' };
    const { executionId, fencingToken } = (await ledger.claim(key(), more)).execution!;
    await ledger.report('complete', executionId, { fencingToken, resultId: `R-${executionId}` });
    expect(await ledger.claim(registered, more)).toMatchObject({
      code: 'BUSINESS_REFERENCE_TAKEN',
      firstExecutionId: executionId,
    });
  });

  it('R-017b without that policy the reference is only recorded', async () => {
    await ledger.policy('plain-ref', {
      single_executor: 'NONE',
      protection_class: 'CONDITIONAL',
      ...PROVEN_PROTECTION,
    });
    const more = { operation: 'plain-ref', businessRef: 'ORD-1' };
    expect([(await ledger.claim(key(), more)).code, (await ledger.claim(key(), more)).code]).toEqual([
      null,
      null,
    ]);
  });

  it('R-016a while one execution runs for an operation or business object, another claim is held with Retry-After', async () => {
    await ledger.policy('one-at-a-time', { single_executor: 'OPERATION' });
    const first = await ledger.claim(key(), { operation: 'one-at-a-time' });
    const second = key();
    const held = await ledger.claim(second, { operation: 'one-at-a-time' });
    expect(held).toMatchObject({ disposition: 'SINGLE_EXECUTOR_BUSY', code: 'SINGLE_EXECUTOR_BUSY' });
    expect(held.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    const { executionId, fencingToken } = first.execution!;
    await ledger.report('complete', executionId, { fencingToken, resultId: 'R-single' });
    expect((await ledger.claim(second, { operation: 'one-at-a-time' })).disposition).toBe('CLAIMED');
  });

  it('R-020 a registration in the caller’s own transaction vanishes with its rollback', async () => {
    const k = key();
    const client = await db.pool('app').connect();
    await client.query('BEGIN');
    await client.query('SELECT ledger.register_as($1, $2)', [
      NORTH,
      { operation: OPERATION, key: k, fingerprint: fingerprint('content') },
    ]);
    await client.query('ROLLBACK');
    client.release();
    expect(await ledger.dispositions(k)).toEqual([]);
  });

  it('R-015a intakes are never updated nor deleted, not by the owner either', async () => {
    const k = key();
    await ledger.claim(k);
    for (const sql of [
      `UPDATE ledger.intakes SET trace_id = 'x'`,
      'DELETE FROM ledger.intakes',
      'TRUNCATE ledger.intakes CASCADE',
    ]) {
      await expect(db.pool('owner').query(sql)).rejects.toMatchObject({ code: 'OO001' });
    }
  });
});
