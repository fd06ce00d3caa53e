// Races that are made to happen: one session holds its transaction open while another one arrives.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { asActor, fingerprint, ledgerFixture, NORTH, type LedgerFixture } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(() => db.drop());

/** Resolves when a backend waits for another one, or when what it was asked has ended without waiting. */
async function untilBlocked(backend: number, ended: Promise<unknown>): Promise<void> {
  const over = ended.then(
    () => true,
    () => true,
  );
  for (;;) {
    const { rows } = await db
      .pool('superuser')
      .query<{ blocked: boolean }>('SELECT cardinality(pg_blocking_pids($1)) > 0 AS blocked', [backend]);
    if (rows[0]?.blocked) return;
    if (await Promise.race([over, new Promise<false>((resolve) => setTimeout(resolve, 10, false))])) return;
  }
}

async function session(): Promise<{ client: pg.PoolClient; backend: number }> {
  const client = await db.pool('app').connect();
  const { rows } = await client.query<{ backend: number }>('SELECT pg_backend_pid() AS backend');
  return { client, backend: rows[0]!.backend };
}

const COMPLETE = 'SELECT ledger.complete_as($1, $2, $3) AS answer';

describe('two sessions', () => {
  it('R-014c complete with one result id: the second waits for the first and keeps its result as a report', async () => {
    const [a, b] = [await ledger.started(), await ledger.started()];
    const [first, second] = [await session(), await session()];
    await first.client.query('BEGIN');
    await first.client.query(COMPLETE, [NORTH, a.id, { fencingToken: a.token, resultId: 'ONE' }]);
    const late = second.client.query(COMPLETE, [NORTH, b.id, { fencingToken: b.token, resultId: 'ONE' }]);
    await untilBlocked(second.backend, late);
    await first.client.query('COMMIT');
    await late;
    expect(await ledger.row(a.id)).toMatchObject({ state: 'SUCCEEDED', result_id: 'ONE' });
    expect(await ledger.row(b.id)).toMatchObject({
      state: 'UNKNOWN',
      unknown_reason: 'RESULT_MISMATCH',
      result_id: null,
      reported_result_id: 'ONE',
    });
    first.client.release();
    second.client.release();
  });

  it('R-045f the sweep passes over a row that somebody holds, and takes it the next time', async () => {
    const [held, free] = [await ledger.started(), await ledger.started()];
    await db.advanceClock('1 day');
    const holder = await db.pool('owner').connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM ledger.executions WHERE execution_id = $1 FOR UPDATE', [held.id]);
    const worker = { kind: 'system', id: 'system:worker' } as const;
    await asActor(db.pool('worker'), worker, async (client) => {
      await client.query(`SET LOCAL lock_timeout = '1s'`);
      await client.query('SELECT ledger.sweep()');
    });
    expect(await ledger.row(free.id)).toMatchObject({ state: 'UNKNOWN' });
    expect(await ledger.row(held.id)).toMatchObject({ state: 'PROCESSING' });
    await holder.query('COMMIT');
    holder.release();
    await ledger.sweep();
    expect(await ledger.row(held.id)).toMatchObject({ state: 'UNKNOWN' });
  });
});

describe('a takeover in plain SQL', () => {
  it('R-028c is refused once the effect has started, however long the lease is over', async () => {
    const { role, url } = await db.producer();
    await db
      .pool('owner')
      .query('UPDATE ledger.principals SET login_role = $1 WHERE principal_id = $2', [role, NORTH]);
    const sql = new pg.Pool({ connectionString: url, max: 1 });
    const { rows } = await sql.query<{ execution_id: string }>(
      `INSERT INTO ledger.executions (operation, idempotency_key, fingerprint)
       VALUES ('create-payment', $1, $2) RETURNING execution_id`,
      [randomUUID(), fingerprint('content')],
    );
    const id = rows[0]!.execution_id;
    const update = (set: string) =>
      sql.query(`UPDATE ledger.executions SET ${set} WHERE execution_id = $1`, [id]);
    await update('fencing_token = 1, effect_started_at = now()');
    await db.advanceClock('1 day');
    await expect(update(`fencing_token = 1, attempt_id = '${randomUUID()}'`)).rejects.toMatchObject({
      code: 'OO004',
    });
    expect(await ledger.row(id)).toMatchObject({ fencing_token: '1', attempt: 1 });
    await sql.end();
  });
});
