// Too many conflicts and mismatches stop an operation's automatic execution, until a person resumes it.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  asActor,
  fingerprint,
  ledgerFixture,
  NORTH,
  OTHER_NORTH,
  SOUTH,
  sqlProducer,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  sql = await sqlProducer(db);
});
afterAll(async () => {
  await sql.end();
  await db.drop();
});

/** An operation of its own with a tolerance, and one execution to conflict with. */
async function touchy(tolerance: number, windowSeconds = 3_600) {
  const operation = `touchy-${randomUUID()}`;
  await ledger.policy(operation, { conflict_tolerance: tolerance, conflict_window_seconds: windowSeconds });
  // One execution each, so that no conflict waits for another at their common exception.
  const keys = Array.from({ length: 8 }, () => randomUUID());
  for (const key of keys) await ledger.claim(key, { operation });
  const key = keys[0]!;
  const conflict = (on: string = keys.shift()!) =>
    ledger.claim(on, { operation, fingerprint: fingerprint(randomUUID()) });
  /** A success about another account than the claim's. */
  const mismatch = async () => {
    const target = { system: 'bank', account: 'A' };
    const { id } = await ledger.started(randomUUID(), { operation, target });
    const elsewhere = { target: { ...target, account: 'B' } };
    await ledger.report('complete', id, { fencingToken: '1', resultId: `R-${id}`, ...elsewhere });
  };
  const claims = async () => (await ledger.claim(randomUUID(), { operation })).code;
  const pauses = async () => {
    const { rows } = await db
      .pool('owner')
      .query<{ detail: object }>(
        `SELECT detail FROM review.exceptions WHERE operation = $1 AND kind = 'OPERATION_PAUSED' AND state = 'OPEN'`,
        [operation],
      );
    return rows.map((row) => row.detail);
  };
  return { operation, key, keys, conflict, mismatch, claims, pauses };
}

describe('R-054a too many conflicts pause the operation', () => {
  it('R-054a as many as it tolerates do not; one more does, and opens one exception', async () => {
    const { conflict, claims, pauses } = await touchy(2);
    await conflict();
    await conflict();
    expect([await claims(), await pauses()]).toEqual([null, []]);
    await conflict();
    expect(await claims()).toBe('OPERATION_PAUSED');
    await conflict();
    expect(await pauses()).toEqual([{ conflicts: 3, mismatches: 0 }]);
  });

  it('R-054a mismatches count as well, alone and together with conflicts', async () => {
    const alone = await touchy(1);
    await alone.mismatch();
    expect(await alone.claims()).toBeNull();
    await alone.mismatch();
    expect(await alone.claims()).toBe('OPERATION_PAUSED');
    expect(await alone.pauses()).toEqual([{ conflicts: 0, mismatches: 2 }]);
    const mixed = await touchy(1);
    await mixed.conflict();
    await mixed.mismatch();
    expect(await mixed.claims()).toBe('OPERATION_PAUSED');
    expect(await mixed.pauses()).toEqual([{ conflicts: 1, mismatches: 1 }]);
  });

  it('R-054a of conflicts that come at once the last sees the others', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { conflict, pauses } = await touchy(3);
      await Promise.all(Array.from({ length: 4 }, () => conflict()));
      expect(await pauses()).toHaveLength(1);
    }
  });

  it('R-054a one that is not committed yet is waited for', async () => {
    const { operation, keys, conflict, pauses } = await touchy(1);
    const [key, other] = [keys.shift(), keys.shift()];
    const call = { operation, key, fingerprint: fingerprint('other') };
    const { second } = await asActor(
      db.pool('app'),
      { kind: 'system', id: 'system:test' },
      async (client) => {
        await client.query('SELECT ledger.claim_as($1, $2)', [NORTH, call]);
        const waiting = conflict(other);
        const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
        await expect.poll(async () => (await db.pool('owner').query(locks)).rowCount).toBe(1);
        return { second: waiting };
      },
    );
    await second;
    expect(await pauses()).toEqual([{ conflicts: 2, mismatches: 0 }]);
  });

  it('R-054a only what lies within its window counts, to the microsecond of the ledger’s clock', async () => {
    const at = async (instant: string, ...acts: (() => Promise<unknown>)[]) => {
      await db.setClock(instant);
      for (const act of acts) await act();
    };
    const edge = await touchy(1, 60);
    const inside = await touchy(1, 60);
    await at('2027-03-01T00:00:00Z', edge.conflict, inside.conflict);
    await at('2027-03-01T00:00:59.999999Z', inside.conflict);
    await at('2027-03-01T00:01:00Z', edge.conflict);
    expect([await edge.pauses(), await inside.pauses()]).toMatchObject([[], [{ conflicts: 2 }]]);
    const mismatches = await touchy(1, 60);
    await at('2027-03-02T00:00:00Z', mismatches.mismatch);
    await at('2027-03-02T00:01:00Z', mismatches.mismatch);
    expect(await mismatches.pauses()).toEqual([]);
    await db.setClock(null);
  });

  it('R-054a no claim gets through, neither a new one, a registered one nor a retry, in the API or in plain SQL', async () => {
    const { operation, conflict } = await touchy(1);
    const registered = randomUUID();
    await ledger.register(registered, { operation });
    const retryable = randomUUID();
    const { execution } = await ledger.claim(retryable, { operation });
    const id = execution!.executionId;
    await ledger.report('fail', id, { fencingToken: '1', retryable: true, code: 'X', message: 'x' });
    await conflict();
    await conflict();
    for (const key of [randomUUID(), registered, retryable])
      expect(await ledger.claim(key, { operation })).toMatchObject({ code: 'OPERATION_PAUSED' });
    const insert = (state: string) =>
      sql.query(
        'INSERT INTO ledger.executions (operation, idempotency_key, fingerprint, state) VALUES ($1, $2, $3, $4)',
        [operation, randomUUID(), fingerprint('x'), state],
      );
    await expect(insert('PROCESSING')).rejects.toMatchObject({ code: 'OO006' });
    await expect(
      sql.query(
        `UPDATE ledger.executions SET fencing_token = 1, state = 'PROCESSING' WHERE execution_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: 'OO006' });
    // Work can still be noted down for later, and what runs may finish.
    await insert('RECEIVED');
    expect(await ledger.register(randomUUID(), { operation })).toMatchObject({ disposition: 'REGISTERED' });
  });

  it('R-054a what runs goes on, and other principals of the tenant are held too, other tenants not', async () => {
    const { operation, key, conflict } = await touchy(1);
    await conflict();
    await conflict();
    const { rows } = await db
      .pool('owner')
      .query<{ execution_id: string }>(
        'SELECT execution_id FROM ledger.executions WHERE operation = $1 AND idempotency_key = $2',
        [operation, key],
      );
    const id = rows[0]!.execution_id;
    expect(await ledger.report('effect_started', id, { fencingToken: '1' })).toMatchObject({ code: null });
    expect(await ledger.report('complete', id, { fencingToken: '1', resultId: `R-${id}` })).toMatchObject({
      execution: { state: 'SUCCEEDED' },
    });
    const by = (principal: string) => ledger.claim(randomUUID(), { operation }, principal);
    expect([(await by(OTHER_NORTH)).code, (await by(SOUTH)).code]).toEqual(['OPERATION_PAUSED', null]);
  });

  it('R-054a without a tolerance nothing pauses', async () => {
    const key = randomUUID();
    await ledger.claim(key, { operation: 'tolerant' });
    for (let round = 0; round < 12; round += 1)
      await ledger.claim(key, { operation: 'tolerant', fingerprint: fingerprint(String(round)) });
    expect(await ledger.claim(randomUUID(), { operation: 'tolerant' })).toMatchObject({ code: null });
  });
});
