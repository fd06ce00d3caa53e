import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { asActor, ledgerFixture, type LedgerFixture } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
const T0 = '2030-01-01T00:00:00.000000Z';
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  await ledger.policy('quick', {
    lease_seconds: 10,
    grace_seconds: 5,
    long_running_seconds: 100,
    claim_within_seconds: 60,
    retry_within_seconds: 60,
    retention_seconds: 1000,
  });
  await db.setClock(T0);
});
afterAll(() => db.drop());

const more = { operation: 'quick' };
const kinds = async (id: string) => (await ledger.exceptions(id)).map((each) => `${each.kind} ${each.state}`);

describe('what only time shows', () => {
  it('R-028d R-045d lease over opens one STUCK_PROCESSING; after the grace the same exception is UNKNOWN_RESULT', async () => {
    const { id } = await ledger.started(randomUUID(), more);
    await ledger.sweep();
    expect(await kinds(id)).toEqual([]);
    await db.advanceClock('10 seconds');
    await ledger.sweep();
    await ledger.sweep();
    expect(await kinds(id)).toEqual(['STUCK_PROCESSING OPEN']);
    await db.advanceClock('5 seconds');
    await ledger.sweep();
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'LEASE_OVER' });
    expect(await kinds(id)).toEqual(['UNKNOWN_RESULT OPEN']);
  });

  it('B-10 the lease’s last microsecond is still the owner’s', async () => {
    const { id } = await ledger.started(randomUUID(), more);
    await db.advanceClock('9.999999 seconds');
    await ledger.sweep();
    expect(await kinds(id)).toEqual([]);
    await db.advanceClock('0.000001 seconds');
    await ledger.sweep();
    expect(await kinds(id)).toEqual(['STUCK_PROCESSING OPEN']);
  });

  it('R-051 a lease that is alive and inside the limit is no exception; an owner over the limit is LONG_RUNNING', async () => {
    const { id, token } = await ledger.started(randomUUID(), more);
    for (let beat = 0; beat < 11; beat += 1) {
      await ledger.report('heartbeat', id, { fencingToken: token });
      await db.advanceClock('9 seconds');
      await ledger.sweep();
      if (beat < 10) expect(await kinds(id)).toEqual([]);
    }
    await ledger.report('heartbeat', id, { fencingToken: token });
    await db.advanceClock('2 seconds');
    await ledger.sweep();
    expect(await kinds(id)).toEqual(['LONG_RUNNING OPEN']);
  });

  it('R-050a an owner who reports in time closes the exception, recorded as the executor’s doing', async () => {
    const { id, token } = await ledger.started(randomUUID(), more);
    await db.advanceClock('11 seconds');
    await ledger.sweep();
    await ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}` });
    expect(await ledger.exceptions(id)).toMatchObject([
      { kind: 'STUCK_PROCESSING', state: 'CLOSED', closing_code: 'EXECUTOR_REPORTED' },
    ]);
  });

  it('R-045e B-28 registered and never claimed is UNCLAIMED; retryable and nobody came back is RETRY_STALLED', async () => {
    const registered = (await ledger.register(randomUUID(), more)).execution!.executionId;
    const failed = await ledger.started(randomUUID(), more);
    await ledger.report('fail', failed.id, {
      fencingToken: failed.token,
      retryable: true,
      code: 'X',
      message: 'x',
      basis: 'NOT_SENT',
    });
    await db.advanceClock('60 seconds');
    await ledger.sweep();
    expect(await kinds(registered)).toEqual(['UNCLAIMED OPEN']);
    expect(await kinds(failed.id)).toEqual(['RETRY_STALLED OPEN']);
    expect((await ledger.claim(failed.key, more)).disposition).toBe('RETRY_SAME_KEY');
    expect(await kinds(failed.id)).toEqual(['RETRY_STALLED CLOSED']);
  });
});

describe('retention', () => {
  it('R-043 replay until one microsecond before expires_at, refusal from expires_at on', async () => {
    const { id, token, key } = await ledger.started(randomUUID(), more);
    await ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}` });
    await db.advanceClock('999.999999 seconds');
    expect((await ledger.claim(key, more)).disposition).toBe('RESULT_REUSED');
    await db.advanceClock('0.000001 seconds');
    expect(await ledger.claim(key, more)).toMatchObject({
      disposition: 'RECORD_EXPIRED',
      code: 'IDEMPOTENCY_KEY_EXPIRED',
      resultId: `R-${id}`,
    });
    expect(await kinds(id)).toEqual(['EXPIRED_KEY OPEN']);
  });

  it('R-040a LC-10 a terminal record becomes a tombstone that keeps what is needed, unless an exception is open', async () => {
    const calm = await ledger.started(randomUUID(), {
      ...more,
      displayFields: { '/amount': 5 },
      contentVersion: 'v1',
    });
    const disputed = await ledger.started(randomUUID(), more);
    for (const { id, token } of [calm, disputed]) {
      await ledger.report('complete', id, {
        fencingToken: token,
        resultId: `R-${id}`,
        response: { status: 200, bodyText: '{}' },
      });
    }
    await ledger.claim(disputed.key, { ...more, contentVersion: 'v1' });
    await ledger.claim(disputed.key, { ...more, fingerprint: `sha256:${'0'.repeat(64)}` });
    await db.advanceClock('1001 seconds');
    await ledger.sweep();
    expect(await ledger.row(calm.id)).toMatchObject({
      state: 'EXPIRED',
      expired_from: 'SUCCEEDED',
      result_id: `R-${calm.id}`,
      content_version: 'v1',
      response_body: null,
      display_fields: null,
    });
    expect(await ledger.row(disputed.id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('R-040b R-040c unfinished records are never tombstoned: past retention they are EXPIRED_KEY exceptions', async () => {
    const unknown = await ledger.started(randomUUID(), more);
    await ledger.report('report_unknown', unknown.id, {
      fencingToken: unknown.token,
      code: 'T',
      message: 'm',
    });
    await db.advanceClock('1001 seconds');
    await ledger.sweep();
    expect(await ledger.row(unknown.id)).toMatchObject({ state: 'UNKNOWN' });
    expect(await kinds(unknown.id)).toEqual(['UNKNOWN_RESULT OPEN', 'EXPIRED_KEY OPEN']);
  });

  it('R-041 R-042b B-43 LC-11 a late arrival on a tombstone never executes; later ones join its exception', async () => {
    const { id, token, key } = await ledger.started(randomUUID(), more);
    await ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}` });
    await db.advanceClock('1001 seconds');
    await ledger.sweep();
    for (let arrival = 0; arrival < 2; arrival += 1) {
      expect(await ledger.claim(key, more)).toMatchObject({
        code: 'IDEMPOTENCY_KEY_EXPIRED',
        resultId: `R-${id}`,
        execution: { state: 'EXPIRED' },
      });
    }
    expect(await kinds(id)).toEqual(['EXPIRED_KEY OPEN']);
    expect(await ledger.dispositions(key)).toEqual(['CLAIMED', 'RECORD_EXPIRED', 'RECORD_EXPIRED']);
  });
});

describe('many sweepers', () => {
  it('R-045f two sweeps at once handle each row once and never wait for each other', async () => {
    const started = await Promise.all(Array.from({ length: 10 }, () => ledger.started(randomUUID(), more)));
    await db.advanceClock('15 seconds');
    const counts = await Promise.all([ledger.sweep(), ledger.sweep(), ledger.sweep()]);
    const total = counts.reduce((sum, each) => sum + Number(each.UNKNOWN_RESULT ?? 0), 0);
    expect(total).toBeGreaterThanOrEqual(10);
    for (const { id } of started) expect(await kinds(id)).toEqual(['UNKNOWN_RESULT OPEN']);
  });

  it('B-91 one row that cannot be moved is counted and does not keep the others from being looked at', async () => {
    const poisoned = await ledger.started('poison', more);
    const other = await ledger.started(randomUUID(), more);
    await db
      .pool('owner')
      .query(
        `ALTER TABLE ledger.executions ADD CONSTRAINT poison CHECK (idempotency_key <> 'poison' OR state <> 'UNKNOWN')`,
      );
    await db.advanceClock('15 seconds');
    expect(await ledger.sweep()).toMatchObject({ UNKNOWN_RESULT: 1, FAILED_23514: 1 });
    expect(await kinds(other.id)).toEqual(['UNKNOWN_RESULT OPEN']);
    expect(await ledger.row(poisoned.id)).toMatchObject({ state: 'PROCESSING' });
    await db.pool('owner').query('ALTER TABLE ledger.executions DROP CONSTRAINT poison');
    await db.advanceClock('5 minutes');
    await ledger.sweep();
    expect(await kinds(poisoned.id)).toEqual(['UNKNOWN_RESULT OPEN']);
  });

  it('LC-10 a row that a decision holds at this moment is skipped and found by the next sweep', async () => {
    const { id } = await ledger.started(randomUUID(), more);
    await db.advanceClock('15 seconds');
    const holder = await db.pool('owner').connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM ledger.executions WHERE execution_id = $1 FOR UPDATE', [id]);
    await ledger.sweep();
    expect(await kinds(id)).toEqual([]);
    await holder.query('COMMIT');
    holder.release();
    await ledger.sweep();
    expect(await kinds(id)).toEqual(['UNKNOWN_RESULT OPEN']);
  });
});

describe('exceptions of arrivals', () => {
  it('R-046 R-012c one open exception per execution and kind; every conflicting arrival is listed under it', async () => {
    const { id, key } = await ledger.started(randomUUID(), more);
    for (const digit of ['1', '2', '3'])
      await ledger.claim(key, { ...more, fingerprint: `sha256:${digit.repeat(64)}` });
    expect(await kinds(id)).toEqual(['CONTENT_CONFLICT OPEN']);
    const { rows } = await db
      .pool('owner')
      .query(
        `SELECT e.event FROM review.exception_events e JOIN review.exceptions x USING (exception_id) WHERE x.execution_id = $1 ORDER BY e.at, e.event_id`,
        [id],
      );
    expect(rows.map((each: { event: string }) => each.event)).toEqual(['opened', 'joined', 'joined']);
  });

  it('R-054a too many conflicts pause the operation: claims are refused and one exception opens', async () => {
    await ledger.policy('touchy', { conflict_tolerance: 2 });
    const { key } = await ledger.started(randomUUID(), { operation: 'touchy' });
    for (const digit of ['1', '2', '3', '4'])
      await ledger.claim(key, { operation: 'touchy', fingerprint: `sha256:${digit.repeat(64)}` });
    expect(await ledger.claim(randomUUID(), { operation: 'touchy' })).toMatchObject({
      disposition: 'OPERATION_PAUSED',
      code: 'OPERATION_PAUSED',
    });
    const { rows } = await db
      .pool('owner')
      .query(`SELECT kind FROM review.exceptions WHERE operation = 'touchy' AND kind = 'OPERATION_PAUSED'`);
    expect(rows).toHaveLength(1);
  });

  it('R-086b the sweep’s changes are in the audit chain, by its system actor', async () => {
    const { rows } = await db
      .pool('owner')
      .query(
        `SELECT DISTINCT actor_kind, actor_id FROM review.audit_events WHERE event = 'sweep.ran_with_changes'`,
      );
    expect(rows).toEqual([{ actor_kind: 'system', actor_id: 'system:worker' }]);
    await expect(
      asActor(db.pool('app'), { kind: 'system', id: 'system:x' }, (client) =>
        client.query('SELECT ledger.sweep()'),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
