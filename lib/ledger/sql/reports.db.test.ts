import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  ledgerFixture,
  NORTH,
  OTHER_NORTH,
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

const unknown = (id: string, token: string) =>
  ledger.report('report_unknown', id, { fencingToken: token, code: 'TIMEOUT', message: 'no answer' });
const complete = (id: string, token: string, more: Record<string, unknown>) =>
  ledger.report('complete', id, { fencingToken: token, ...more });

describe('fencing', () => {
  it('R-029a B-32 every verb refuses any token but the present one before it looks at the state, and changes nothing', async () => {
    const { id } = await ledger.started();
    const before = await ledger.row(id);
    for (const verb of [
      'effect_started',
      'heartbeat',
      'complete',
      'fail',
      'report_unknown',
      'cancel',
    ] as const) {
      for (const fencingToken of ['0', '2']) {
        const answer = await ledger.report(verb, id, {
          fencingToken,
          retryable: true,
          code: 'X',
          message: 'x',
          reason: 'x',
          resultId: 'X',
        });
        expect(answer.code, verb).toBe('FENCED');
      }
    }
    expect(await ledger.row(id)).toEqual(before);
  });

  it('R-002c another principal’s execution is not there', async () => {
    const { id, token } = await ledger.started();
    expect(await ledger.report('complete', id, { fencingToken: token, resultId: 'X' }, OTHER_NORTH)).toEqual({
      code: 'NOT_FOUND',
    });
  });

  it('R-029b after a person decided "failed for good", a success of the old token is kept and blocks the lineage', async () => {
    const { id, token, key } = await ledger.started();
    await db
      .pool('owner')
      .query(
        `UPDATE ledger.executions SET state = 'FAILED_FINAL', moved_by = 'person', fencing_token = fencing_token + 1 WHERE execution_id = $1`,
        [id],
      );
    expect(await complete(id, token, { resultId: 'LATE-1' })).toMatchObject({ code: 'FENCED' });
    expect(await ledger.row(id)).toMatchObject({ state: 'FAILED_FINAL', result_id: null });
    expect((await ledger.exceptions(id)).map((each) => each.kind)).toContain('CONTRADICTED_DECISION');
    const { rows } = await db
      .pool('owner')
      .query('SELECT result_id, fencing_token FROM ledger.late_reports WHERE execution_id = $1', [id]);
    expect(rows).toEqual([{ result_id: 'LATE-1', fencing_token: '1' }]);
    expect((await ledger.claim(key)).execution).toMatchObject({ underReview: true });
  });

  it('R-029c B-38 a late success after "not applied" makes the record unknown again and blocks its retry', async () => {
    const { id, token, key } = await ledger.started();
    await db
      .pool('owner')
      .query(
        `UPDATE ledger.executions SET state = 'FAILED_RETRYABLE', moved_by = 'person', fencing_token = fencing_token + 1 WHERE execution_id = $1`,
        [id],
      );
    await complete(id, token, { resultId: 'LATE-2' });
    expect(await ledger.row(id)).toMatchObject({
      state: 'UNKNOWN',
      unknown_reason: 'CONTRADICTED',
      result_id: null,
      reported_result_id: 'LATE-2',
    });
    expect(await ledger.claim(key)).toMatchObject({ code: 'RECONCILE_REQUIRED' });
  });

  it('R-029c in such a doubt nobody owns the present token: whatever it reports is fenced and kept', async () => {
    const { id, token: old, key } = await ledger.started();
    const failure = { retryable: true, code: 'BUSY', message: 'm', basis: 'NOT_SENT' };
    await ledger.report('fail', id, { fencingToken: old, ...failure });
    const token = (await ledger.claim(key)).execution!.fencingToken;
    await ledger.report('fail', id, { fencingToken: token, ...failure });
    await complete(id, old, { resultId: 'LATE-3' });
    expect(await complete(id, token, { resultId: 'OWN-3' })).toMatchObject({ code: 'FENCED' });
    expect(await unknown(id, token)).toMatchObject({ code: 'FENCED' });
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'CONTRADICTED' });
    const { rows } = await db
      .pool('owner')
      .query('SELECT verb FROM ledger.late_reports WHERE execution_id = $1 ORDER BY report_id', [id]);
    expect(rows.map((row: { verb: string }) => row.verb)).toEqual(['complete', 'complete', 'report_unknown']);
  });

  it('R-029d another result after a person linked one opens DUPLICATE_RESULT and overwrites nothing', async () => {
    const { id, token } = await ledger.started();
    await unknown(id, token);
    await db
      .pool('owner')
      .query(
        `UPDATE ledger.executions SET state = 'SUCCEEDED', moved_by = 'person', result_id = 'LINKED-1', fencing_token = fencing_token + 1 WHERE execution_id = $1`,
        [id],
      );
    expect(await complete(id, token, { resultId: 'OTHER-1' })).toMatchObject({ code: 'FENCED' });
    expect(await ledger.row(id)).toMatchObject({ state: 'SUCCEEDED', result_id: 'LINKED-1' });
    expect(
      (await ledger.exceptions(id)).filter(
        (each) => each.kind === 'DUPLICATE_RESULT' && each.state === 'OPEN',
      ),
    ).toHaveLength(1);
  });

  it('LC-05 a token that was never issued is fenced and leaves no report', async () => {
    const { id } = await ledger.started();
    await complete(id, '99', { resultId: 'X' });
    const { rows } = await db
      .pool('owner')
      .query('SELECT 1 FROM ledger.late_reports WHERE execution_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('leased mode', () => {
  it('R-030 effect-started answers until when the call may be sent, and the same again', async () => {
    const { executionId: id, fencingToken } = (
      await ledger.claim(randomUUID(), { deadline: '2000-01-01T00:00:00Z' })
    ).execution!;
    const first = await ledger.report('effect_started', id, { fencingToken, externalJobId: 'JOB-7' });
    expect(first).toMatchObject({ code: null, sendBefore: '2000-01-01T00:00:00.000000Z' });
    expect(await ledger.report('effect_started', id, { fencingToken })).toEqual(first);
    expect(first.execution).toMatchObject({ externalJobId: 'JOB-7', progress: null });
  });

  it('R-027a B-34 the effect cannot be started once the lease is over; a heartbeat renews it first', async () => {
    const { executionId: id, fencingToken } = (await ledger.claim(randomUUID(), { leaseSeconds: 1 }))
      .execution!;
    await db.advanceClock('2 seconds');
    expect(await ledger.report('effect_started', id, { fencingToken })).toMatchObject({
      code: 'INVALID_STATE',
      detail: 'LEASE_OVER',
    });
    expect(await ledger.report('heartbeat', id, { fencingToken, leaseSeconds: 60 })).toMatchObject({
      code: null,
    });
    expect(await ledger.report('effect_started', id, { fencingToken })).toMatchObject({ code: null });
  });

  it('R-014a SUCCEEDED needs a result id; without one it is unknown with its own exception, and the answer says so', async () => {
    const { id, token } = await ledger.started();
    expect(await complete(id, token, {})).toMatchObject({ code: null, execution: { state: 'UNKNOWN' } });
    expect(await ledger.exceptions(id)).toMatchObject([{ kind: 'MISSING_RESULT_ID', state: 'OPEN' }]);
  });

  it('R-014b a result that is linked already, and one of another target, are kept as reports and never linked', async () => {
    const first = await ledger.started();
    await complete(first.id, first.token, { resultId: 'SAME' });
    const second = await ledger.started();
    await complete(second.id, second.token, { resultId: 'SAME' });
    const third = await ledger.started(randomUUID(), { target: { system: 'crm', account: 'A-1' } });
    await complete(third.id, third.token, { resultId: 'T-3', target: { system: 'crm', account: 'A-2' } });
    for (const [id, reported] of [
      [second.id, 'SAME'],
      [third.id, 'T-3'],
    ] as const) {
      expect(await ledger.row(id)).toMatchObject({
        state: 'UNKNOWN',
        unknown_reason: 'RESULT_MISMATCH',
        result_id: null,
        reported_result_id: reported,
      });
      expect(await ledger.exceptions(id)).toMatchObject([{ kind: 'RESULT_MISMATCH', state: 'OPEN' }]);
    }
    expect(await ledger.row(third.id)).toMatchObject({ target_account: 'A-1' });
  });

  it('R-014c of two simultaneous completions with one result id exactly one links it', async () => {
    const [a, b] = [await ledger.started(), await ledger.started()];
    await Promise.all([
      complete(a.id, a.token, { resultId: 'RACE' }),
      complete(b.id, b.token, { resultId: 'RACE' }),
    ]);
    const states = [(await ledger.row(a.id)).state, (await ledger.row(b.id)).state].sort();
    expect(states).toEqual(['SUCCEEDED', 'UNKNOWN']);
  });

  it('R-014d a result id that was cleared afterwards is not reused', async () => {
    const { id, token, key } = await ledger.started();
    await complete(id, token, { resultId: `R-${key}` });
    await db
      .pool('owner')
      .query('UPDATE ledger.executions SET result_id = NULL WHERE execution_id = $1', [id]);
    expect(await ledger.claim(key)).toMatchObject({ code: 'RECONCILE_REQUIRED' });
    expect((await ledger.exceptions(id)).map((each) => each.kind)).toEqual(['MISSING_RESULT_ID']);
  });

  it('R-031 a late result of the rightful token completes the unknown record and closes the exception as confirmed late', async () => {
    const { id, token } = await ledger.started();
    await unknown(id, token);
    expect(await complete(id, token, { resultId: 'LATE-OK' })).toMatchObject({
      code: null,
      execution: { state: 'SUCCEEDED' },
    });
    expect(await ledger.exceptions(id)).toMatchObject([
      { kind: 'UNKNOWN_RESULT', state: 'CLOSED', closing_code: 'CONFIRMED_LATE' },
    ]);
  });

  it('the same verb again answers the same; another result id is a conflict; a move the state does not allow is refused', async () => {
    const { id, token } = await ledger.started();
    const first = await complete(id, token, { resultId: 'ONCE' });
    expect(await complete(id, token, { resultId: 'ONCE' })).toEqual(first);
    expect(await complete(id, token, { resultId: 'TWICE' })).toMatchObject({ code: 'RESULT_CONFLICT' });
    expect(await unknown(id, token)).toMatchObject({ code: 'INVALID_STATE' });
  });

  it('R-037a once the effect has started, "retryable" without proof is unknown; with proof it is retryable', async () => {
    const outcome = async (more: Record<string, unknown>, operation = 'create-payment') => {
      const { id, token } = await ledger.started(randomUUID(), { operation });
      await ledger.report('fail', id, {
        fencingToken: token,
        retryable: true,
        code: 'E429',
        message: 'm',
        ...more,
      });
      return (await ledger.row(id)).state;
    };
    expect(await outcome({})).toBe('UNKNOWN');
    expect(await outcome({ basis: 'PROVIDER_TRANSIENT' })).toBe('UNKNOWN');
    expect(await outcome({ basis: 'NOT_SENT' })).toBe('FAILED_RETRYABLE');
    expect(await outcome({ basis: 'LOOKUP' })).toBe('FAILED_RETRYABLE');
    await ledger.policy('keeps-our-key', {
      protection_class: 'PROVIDER_KEY',
      transient_codes: ['E429'],
      ...PROVEN_PROTECTION,
    });
    expect(await outcome({ basis: 'PROVIDER_TRANSIENT' }, 'keeps-our-key')).toBe('FAILED_RETRYABLE');
    expect(await outcome({ basis: 'PROVIDER_TRANSIENT', code: 'E500' }, 'keeps-our-key')).toBe('UNKNOWN');
  });

  it.each([408, 425, 429, 500, 503])('R-037b B-79 a stored final response cannot be %i', async (status) => {
    const { id, token } = await ledger.started();
    await expect(
      ledger.report('fail', id, {
        fencingToken: token,
        retryable: false,
        code: 'X',
        message: 'x',
        response: { status },
      }),
    ).rejects.toMatchObject({ constraint: 'executions_response_is_final' });
  });

  it('R-033a cancelling is allowed until the effect has started, and then fences its owner', async () => {
    const { executionId: id, fencingToken } = (await ledger.claim(randomUUID())).execution!;
    const cancelled = await ledger.report('cancel', id, { fencingToken, reason: 'not needed' });
    expect(cancelled).toMatchObject({ code: null, execution: { state: 'FAILED_FINAL' } });
    expect(await ledger.report('cancel', id, { fencingToken, reason: 'not needed' })).toEqual(cancelled);
    expect(await ledger.report('cancel', id, { reason: 'not needed' })).toEqual(cancelled);
    expect(await ledger.report('effect_started', id, { fencingToken })).toMatchObject({ code: 'FENCED' });
    const started = await ledger.started();
    expect(await ledger.report('cancel', started.id, { reason: 'too late' })).toMatchObject({
      code: 'EFFECT_ALREADY_STARTED',
    });
  });

  it('R-033b of cancel and effect-started at once exactly one wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { executionId: id, fencingToken } = (await ledger.claim(randomUUID())).execution!;
      const [cancelled, begun] = await Promise.all([
        ledger.report('cancel', id, { reason: 'race' }),
        ledger.report('effect_started', id, { fencingToken }),
      ]);
      expect([cancelled.code === null, begun.code === null].sort()).toEqual([false, true]);
    }
  });
});

it('B-25 heartbeats do not change the version that a person’s decision and evidence are bound to', async () => {
  const { id, token } = await ledger.started();
  const { version } = await ledger.row(id);
  await ledger.report('heartbeat', id, { fencingToken: token, progress: { done: 3 } }, NORTH);
  expect(await ledger.row(id)).toMatchObject({ version, progress: { done: 3 } });
});
