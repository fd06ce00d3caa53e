// A policy that changes at the same moment as work is claimed: whichever commits last has seen the other.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  fingerprint,
  ledgerFixture,
  NORTH,
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

const waiting = async () => {
  const { rowCount } = await db
    .pool('superuser')
    .query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rowCount;
};

/** Does `first` in an open transaction, begins `second`, and commits once `second` waits for it. */
async function meet<T>(
  pool: pg.Pool,
  [text, values]: readonly [text: string, values: readonly unknown[]],
  second: () => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(text, [...values]);
    const answer = second();
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    await client.query('COMMIT');
    return await answer;
  } finally {
    client.release();
  }
}

const POLICY = `INSERT INTO ledger.operation_policies (tenant_id, operation, version, created_by, business_ref_unique)
                VALUES ('tenant-north', $1, 1, 'system:test', true)`;
const claimOf = (operation: string, businessRef: string) =>
  [
    'SELECT ledger.claim_as($1, $2)',
    [NORTH, { operation, key: randomUUID(), fingerprint: fingerprint('content'), businessRef }],
  ] as const;

describe('a policy and a claim at one moment', () => {
  it('R-017c a claim that commits after the policy was asked for is one of the records it finds', async () => {
    const operation = 'claim-first';
    await meet(db.pool('app'), claimOf(operation, 'ORDER-1'), () =>
      ledger.policy(operation, { business_ref_unique: true }),
    );
    expect(await ledger.claim(randomUUID(), { operation, businessRef: 'ORDER-1' })).toMatchObject({
      disposition: 'BUSINESS_REFERENCE_TAKEN',
    });
  });

  it('R-017c a claim that comes before the policy commits is made under the policy', async () => {
    const operation = 'policy-first';
    await ledger.claim(randomUUID(), { operation, businessRef: 'ORDER-2' });
    const answer = await meet(db.pool('owner'), [POLICY, [operation]], () =>
      ledger.claim(randomUUID(), { operation, businessRef: 'ORDER-2' }),
    );
    expect(answer).toMatchObject({ disposition: 'BUSINESS_REFERENCE_TAKEN' });
  });

  it('R-017c work that is written by SQL waits in the same way', async () => {
    const operation = 'sql-first';
    const insert = [
      `INSERT INTO ledger.executions (operation, idempotency_key, fingerprint, business_ref, state, lease_expires_at)
       VALUES ($1, $2, $3, 'ORDER-3', 'PROCESSING', now() + interval '1 minute')`,
      [operation, randomUUID(), fingerprint('content')],
    ] as const;
    await meet(sql, insert, () => ledger.policy(operation, { business_ref_unique: true }));
    expect(await ledger.claim(randomUUID(), { operation, businessRef: 'ORDER-3' })).toMatchObject({
      disposition: 'BUSINESS_REFERENCE_TAKEN',
    });
  });

  it('R-016b a claim that commits after the policy was asked for is the executor that runs', async () => {
    const operation = 'executor-first';
    await meet(db.pool('app'), claimOf(operation, 'ORDER-4'), () =>
      ledger.policy(operation, { single_executor: 'OPERATION', protection_class: 'LOOKUP_ONLY' }),
    );
    expect(await ledger.claim(randomUUID(), { operation })).toMatchObject({
      disposition: 'SINGLE_EXECUTOR_BUSY',
    });
  });
});
