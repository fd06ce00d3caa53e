// The key that travels on: the same one on every retry, where the outside system tells repetitions by it.
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

const KEEPS = { operation: 'keeps-our-key' };
let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  sql = await sqlProducer(db);
  await ledger.policy(KEEPS.operation, { protection_class: 'PROVIDER_KEY', ...PROVEN_PROTECTION });
  await ledger.policy('unchecked', { protection_class: 'PROVIDER_KEY' });
});
afterAll(async () => {
  await sql.end();
  await db.drop();
});

const begin = (id: string, report: Json = {}, fencingToken = '1') =>
  ledger.report('effect_started', id, { fencingToken, ...report });
const claimed = async (more: Json, key: string = randomUUID()) =>
  (await ledger.claim(key, more)).execution!.executionId;
const givenBack = (id: string, fencingToken = '1') =>
  ledger.report('fail', id, { fencingToken, retryable: true, code: 'X', message: 'x', basis: 'NOT_SENT' });

describe('R-032 the key travels on', () => {
  it('R-032 to a provider that keeps our key it is the execution’s own where none is named', async () => {
    const key = randomUUID();
    const id = await claimed(KEEPS, key);
    expect((await begin(id)).execution).toMatchObject({ externalRequestKey: key });
    expect(await ledger.row(id)).toMatchObject({ external_request_key: key });
  });

  it('R-032 the named one is kept and is the same on every retry', async () => {
    const key = randomUUID();
    const id = await claimed(KEEPS, key);
    await begin(id, { externalRequestKey: 'ours-7' });
    await givenBack(id);
    expect((await ledger.claim(key, KEEPS)).execution).toMatchObject({ externalRequestKey: 'ours-7' });
    expect((await begin(id, {}, '2')).execution).toMatchObject({ externalRequestKey: 'ours-7' });
    expect(await begin(id, { externalRequestKey: 'ours-7' }, '2')).toMatchObject({ code: null });
  });

  it('R-032 another one is refused later: at the start of the effect, by a claim, in plain SQL', async () => {
    const key = randomUUID();
    const id = await claimed({ ...KEEPS, externalRequestKey: 'first' }, key);
    const other = { code: 'INVALID_STATE', detail: 'OTHER_EXTERNAL_REQUEST_KEY' };
    expect(await begin(id, { externalRequestKey: 'second' })).toMatchObject(other);
    expect(await ledger.row(id)).toMatchObject({ effect_started_at: null });
    await begin(id);
    expect(await begin(id, { externalRequestKey: 'second' })).toMatchObject(other);
    await expect(
      sql.query(
        `UPDATE ledger.executions SET fencing_token = 1, external_request_key = 'second' WHERE execution_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: 'OO004' });
    await givenBack(id);
    await expect(ledger.claim(key, { ...KEEPS, externalRequestKey: 'second' })).rejects.toMatchObject({
      code: 'OO005',
      message: expect.stringMatching(/^externalRequestKey:/) as string,
    });
    expect(await ledger.claim(key, { ...KEEPS, externalRequestKey: 'first' })).toMatchObject({ code: null });
  });

  it('R-032 plain SQL that names none sends the execution’s own as well', async () => {
    const key = randomUUID();
    const { rows } = await sql.query<{ execution_id: string }>(
      'INSERT INTO ledger.executions (operation, idempotency_key, fingerprint) VALUES ($1, $2, $3) RETURNING execution_id',
      [KEEPS.operation, key, fingerprint('x')],
    );
    const id = rows[0]!.execution_id;
    await sql.query(
      'UPDATE ledger.executions SET fencing_token = 1, effect_started_at = now() WHERE execution_id = $1',
      [id],
    );
    expect(await ledger.row(id)).toMatchObject({ external_request_key: key });
  });

  it.each(['unchecked', 'create-payment'])(
    'R-032 for %s, where no provider is known to keep it, it is only recorded',
    async (operation) => {
      const key = randomUUID();
      const id = await claimed({ operation }, key);
      expect((await begin(id)).execution).toMatchObject({ externalRequestKey: null });
      await givenBack(id);
      await ledger.claim(key, { operation, externalRequestKey: 'one' });
      expect((await begin(id, { externalRequestKey: 'two' }, '2')).execution).toMatchObject({
        externalRequestKey: 'two',
      });
    },
  );
});
