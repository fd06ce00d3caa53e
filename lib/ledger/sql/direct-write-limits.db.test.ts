// What a program in plain SQL cannot get past, however it words it.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { looksPersonal } from '@/lib/domain/personal-keys';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { fingerprint, ledgerFixture, NORTH, type LedgerFixture } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  const mapped = await db.producer();
  await db
    .pool('owner')
    .query('UPDATE ledger.principals SET login_role = $1 WHERE principal_id = $2', [mapped.role, NORTH]);
  sql = new pg.Pool({ connectionString: mapped.url, max: 4 });
});
afterAll(async () => {
  await sql.end();
  await db.drop();
});

const insert = async (key: string, columns = '', values = '') =>
  (
    await sql.query<{ execution_id: string; state: string; fencing_token: string }>(
      `INSERT INTO ledger.executions (operation, idempotency_key, fingerprint${columns}) VALUES ('create-payment', $1, $2${values})
       RETURNING execution_id, state, fencing_token`,
      [key, fingerprint('content')],
    )
  ).rows[0]!;
const update = (id: string, set: string) =>
  sql.query(`UPDATE ledger.executions SET ${set} WHERE execution_id = $1`, [id]);

describe('what a SQL producer may try', () => {
  it('R-027c a lease has an end, within a day', async () => {
    for (const lease of [`'infinity'`, `'2099-01-01'`]) {
      await expect(insert(randomUUID(), ', lease_expires_at', `, ${lease}`)).rejects.toMatchObject({
        code: 'OO005',
      });
    }
    const { execution_id: id } = await insert(randomUUID());
    await expect(sql.query('SELECT ledger.heartbeat($1, 1, 86401)', [id])).rejects.toMatchObject({
      code: 'OO005',
    });
    await expect(update(id, `fencing_token = 1, lease_expires_at = 'infinity'`)).rejects.toMatchObject({
      code: 'OO005',
    });
  });

  it('R-014f the target is told once; a success about another target or none is in doubt', async () => {
    const target = [', target_system, target_account', `, 'crm', 'A-1'`] as const;
    const { execution_id: id } = await insert(randomUUID(), ...target);
    await expect(update(id, `fencing_token = 1, target_account = 'A-2'`)).rejects.toMatchObject({
      code: 'OO004',
    });
    await expect(update(id, `fencing_token = 1, target_account = NULL`)).rejects.toMatchObject({
      code: 'OO004',
    });
    await update(id, `fencing_token = 1, state = 'SUCCEEDED', result_id = 'R-${id}', target_account = NULL`);
    expect(await ledger.row(id)).toMatchObject({
      state: 'UNKNOWN',
      unknown_reason: 'RESULT_MISMATCH',
      target_account: 'A-1',
    });
  });

  it('R-016c a reference that comes with a later claim holds the single executor too', async () => {
    const businessRef = `ORD-${randomUUID()}`;
    const registered = randomUUID();
    await ledger.register(registered);
    await ledger.claim(randomUUID(), { businessRef });
    expect(await ledger.claim(registered, { businessRef })).toMatchObject({ code: 'SINGLE_EXECUTOR_BUSY' });
  });

  it('R-086b no session setting of a producer makes its acts somebody else’s', async () => {
    const { execution_id: id } = await insert(randomUUID());
    const client = await sql.connect();
    await client.query(
      `SET onceover.actor_kind = 'person'; SET onceover.actor_id = '00000000-0000-4000-8000-00000000000a'; SET onceover.request_id = 'x'`,
    );
    await client.query(`SELECT ledger.effect_started($1, 1)`, [id]);
    await client.query(`SELECT ledger.report_unknown($1, 1, 'T', 'm')`, [id]);
    client.release(true);
    const { rows } = await db
      .pool('owner')
      .query(
        'SELECT e.actor_kind, e.actor_id FROM review.exception_events e JOIN review.exceptions x USING (exception_id) WHERE x.execution_id = $1',
        [id],
      );
    expect(rows).toEqual([{ actor_kind: 'system', actor_id: 'system:ledger' }]);
  });

  it('R-004d a key that is personal data is refused here as well, by the same forms as in the API', async () => {
    const keys = [
      'kim@example.co.kr',
      '010-1234-5678',
      '+82-10-1234-5678',
      '02-123-4567',
      '(212)555-0100',
      '900101-1234567',
      'ORD-1',
      '0101234',
      '20261129000123',
      'a@b',
      '9001011234568',
      '9001011234567',
      '9913011234567',
    ];
    const { rows } = await db
      .pool('owner')
      .query('SELECT key, ledger.personal_kind(key) AS kind FROM unnest($1::text[]) key', [keys]);
    expect(rows).toEqual(keys.map((key) => ({ key, kind: looksPersonal(key) })));
    await expect(insert('kim@example.co.kr')).rejects.toMatchObject({ code: 'OO005' });
    await expect(ledger.claim('010-1234-5678')).rejects.toMatchObject({ code: 'OO005' });
    await ledger.policy('by-phone', { allow_personal_keys: true });
    expect(await ledger.claim('010-1234-5678', { operation: 'by-phone' })).toMatchObject({ code: null });
  });
});
