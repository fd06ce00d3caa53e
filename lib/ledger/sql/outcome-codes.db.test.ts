// What an operation's own table says about a failure code, for every writer.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  fingerprint,
  ledgerFixture,
  PROVEN_PROTECTION,
  sqlProducer,
  type Json,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

const OPERATION = 'pay-by-table';
const TABLE = {
  UNKNOWN_ACCOUNT: { class: 'FINAL' },
  BUSY: { class: 'RETRYABLE', condition: 'after a minute' },
  NO_PERMISSION: { class: 'FIX_FIRST', condition: 'the account manager grants the scope' },
};
const ANSWER = { status: 422, headers: {}, bodyText: '{"refused":true}' };

let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  sql = await sqlProducer(db);
  await ledger.policy(OPERATION, {
    outcome_codes: TABLE,
    protection_class: 'PROVIDER_KEY',
    transient_codes: ['BUSY', 'NO_PERMISSION'],
    ...PROVEN_PROTECTION,
  });
});
afterAll(async () => {
  await sql.end();
  await db.drop();
});

/** One failure report after the start of the effect; answers the row. */
async function failed(report: Json, operation = OPERATION, started = true): Promise<Json & { id: string }> {
  const more = { operation };
  const id = started
    ? (await ledger.started(randomUUID(), more)).id
    : (await ledger.claim(randomUUID(), more)).execution!.executionId;
  const body = { fencingToken: '1', message: 'm', ...report };
  const answer = await ledger.report('fail', id, body);
  const row = await ledger.row(id);
  expect(answer).toMatchObject({ code: null, execution: { state: row['state'] } });
  expect(await ledger.report('fail', id, body), 'the same report again').toEqual(answer);
  return { ...row, id };
}
const PROVIDER = { basis: 'PROVIDER_TRANSIENT' };

describe('R-037c the operation’s table outranks the reporter', () => {
  it('R-037c B-92 a final code is final at once, and its answer is kept', async () => {
    for (const retryable of [true, false]) {
      expect(await failed({ retryable, code: 'UNKNOWN_ACCOUNT', response: ANSWER })).toMatchObject({
        state: 'FAILED_FINAL',
        response_status: 422,
      });
    }
  });

  it('R-037c B-92 a code that the table does not list is in doubt after the start, whatever the reporter says', async () => {
    for (const retryable of [true, false]) {
      const row = await failed({ retryable, code: 'NEVER_SEEN', response: ANSWER });
      expect(row).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'NO_PROOF', response_status: null });
      expect(await ledger.exceptions(row.id)).toMatchObject([{ kind: 'UNKNOWN_RESULT' }]);
    }
    expect(await failed({ retryable: false, code: 'BUSY_' })).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-037c with a proof, or before the start, an unlisted code means what the reporter says', async () => {
    const states = [];
    for (const basis of ['NOT_SENT', 'LOOKUP'])
      for (const retryable of [true, false])
        states.push((await failed({ retryable, code: 'NEVER_SEEN', basis }))['state']);
    for (const retryable of [true, false])
      states.push((await failed({ retryable, code: 'NEVER_SEEN' }, OPERATION, false))['state']);
    expect(states).toEqual(Array.from({ length: 3 }, () => ['FAILED_RETRYABLE', 'FAILED_FINAL']).flat());
  });

  it('R-037c a retryable code needs its proof, and no answer of it is kept', async () => {
    for (const retryable of [true, false]) {
      expect(await failed({ retryable, code: 'BUSY' })).toMatchObject({ state: 'UNKNOWN' });
      const row = await failed({ retryable, code: 'BUSY', response: ANSWER, ...PROVIDER });
      expect(row).toMatchObject({ state: 'FAILED_RETRYABLE', attempts_allowed: 3, response_status: null });
      expect(row).toMatchObject({ response_headers: null, response_body: null });
      expect(await ledger.exceptions(row.id)).toEqual([]);
    }
  });

  it('R-037c without a table the reporter is believed as before', async () => {
    const none = (report: Json) => failed(report, 'no-table');
    expect(await none({ retryable: false, code: 'ANY' })).toMatchObject({ state: 'FAILED_FINAL' });
    expect(await none({ retryable: true, code: 'ANY' })).toMatchObject({ state: 'UNKNOWN' });
    const { state } = await none({ retryable: true, code: 'ANY', basis: 'LOOKUP' });
    expect(state).toBe('FAILED_RETRYABLE');
  });

  it('R-037c an empty table lists nothing', async () => {
    await ledger.policy('empty-table', { outcome_codes: {} });
    expect(await failed({ retryable: false, code: 'ANY' }, 'empty-table')).toMatchObject({
      state: 'UNKNOWN',
    });
  });

  it('R-037c plain SQL is held to the same', async () => {
    const written = async (set: string) => {
      const { rows } = await sql.query<{ execution_id: string }>(
        'INSERT INTO ledger.executions (operation, idempotency_key, fingerprint) VALUES ($1, $2, $3) RETURNING execution_id',
        [OPERATION, randomUUID(), fingerprint('x')],
      );
      const id = rows[0]!.execution_id;
      const update = (text: string) =>
        sql.query(`UPDATE ledger.executions SET fencing_token = 1, ${text} WHERE execution_id = $1`, [id]);
      await update('effect_started_at = now()');
      await update(set);
      return (await ledger.row(id))['state'];
    };
    expect(await written(`state = 'FAILED_FINAL', failure_code = 'NEVER_SEEN'`)).toBe('UNKNOWN');
    expect(await written(`state = 'FAILED_FINAL', failure_code = NULL`)).toBe('UNKNOWN');
    expect(await written(`state = 'FAILED_RETRYABLE', failure_code = 'UNKNOWN_ACCOUNT'`)).toBe(
      'FAILED_FINAL',
    );
    expect(
      await written(
        `state = 'FAILED_FINAL', failure_code = 'NO_PERMISSION', failure_basis = 'PROVIDER_TRANSIENT'`,
      ),
    ).toBe('FAILED_RETRYABLE');
  });

  it('R-037c announcing and failing in one statement hides no start', async () => {
    const { rows } = await sql.query<{ execution_id: string }>(
      'INSERT INTO ledger.executions (operation, idempotency_key, fingerprint) VALUES ($1, $2, $3) RETURNING execution_id',
      [OPERATION, randomUUID(), fingerprint('x')],
    );
    const id = rows[0]!.execution_id;
    await sql.query(
      `UPDATE ledger.executions SET fencing_token = 1, effect_started_at = now(), state = 'FAILED_RETRYABLE' WHERE execution_id = $1`,
      [id],
    );
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'NO_PROOF' });
  });

  it.each([
    ['[]'],
    ['"FINAL"'],
    ['{"A": "FINAL"}'],
    ['{"A": {}}'],
    ['{"A": {"class": "MAYBE"}}'],
    ['{"A": {"class": "FINAL", "condition": 1}}'],
    ['{"A": {"class": "FINAL", "retry": true}}'],
    ['{"": {"class": "FINAL"}}'],
  ])('R-037c %s is no table', async (outcome_codes) => {
    await expect(ledger.policy(randomUUID(), { outcome_codes })).rejects.toMatchObject({
      constraint: 'operation_policies_outcome_codes_form',
    });
  });
});

describe('R-037d what needs a fix first waits for a person', () => {
  it('R-037d nothing retries it: a person is asked at once, and claims find no attempts', async () => {
    const row = await failed({ retryable: true, code: 'NO_PERMISSION', ...PROVIDER });
    expect(row).toMatchObject({ state: 'FAILED_RETRYABLE', attempts_spent: 1, attempts_allowed: 1 });
    const open = [{ kind: 'RETRY_STALLED', state: 'OPEN', reason_code: 'FIX_FIRST', closing_code: null }];
    expect(await ledger.exceptions(row.id)).toEqual(open);
    const key = String(row['idempotency_key']);
    for (const disposition of ['ATTEMPTS_EXHAUSTED', 'ATTEMPTS_EXHAUSTED'])
      expect(await ledger.claim(key, { operation: OPERATION })).toMatchObject({ disposition });
    expect(await ledger.exceptions(row.id)).toEqual(open);
    await expect(
      sql.query(
        `UPDATE ledger.executions SET fencing_token = 1, state = 'PROCESSING' WHERE execution_id = $1`,
        [row.id],
      ),
    ).rejects.toMatchObject({ code: 'OO004' });
  });

  it('R-037d it is no failure without its proof, once the effect has started', async () => {
    expect(await failed({ retryable: false, code: 'NO_PERMISSION' })).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-037d the exception comes with the change or not at all', async () => {
    const { id } = await ledger.started(randomUUID(), { operation: OPERATION });
    const client = await sql.connect();
    await client.query('BEGIN');
    await client.query('SELECT ledger.fail($1, 1, true, $2, $3, $4)', [
      id,
      'NO_PERMISSION',
      'm',
      'PROVIDER_TRANSIENT',
    ]);
    await client.query('ROLLBACK');
    client.release();
    expect(await ledger.exceptions(id)).toEqual([]);
    expect(await ledger.row(id)).toMatchObject({ state: 'PROCESSING', attempts_allowed: 3 });
  });
});
