import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  fingerprint,
  ledgerFixture,
  NORTH,
  OPERATION,
  OTHER_NORTH,
  SOUTH,
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

describe('scope and form', () => {
  it('R-001 equal content under two keys is two executions', async () => {
    const [first, second] = [await ledger.claim(key()), await ledger.claim(key())];
    expect([first.disposition, second.disposition]).toEqual(['CLAIMED', 'CLAIMED']);
    expect(first.execution!.executionId).not.toBe(second.execution!.executionId);
  });

  it('R-002a the same key of another principal, tenant or operation is another scope and sees nothing of it', async () => {
    const k = key();
    const first = await ledger.claim(k);
    for (const answer of [
      await ledger.claim(k, {}, OTHER_NORTH),
      await ledger.claim(k, {}, SOUTH),
      await ledger.claim(k, { operation: `${OPERATION}.v2` }),
    ]) {
      expect(answer).toMatchObject({ disposition: 'CLAIMED', code: null });
      expect(answer.execution!.executionId).not.toBe(first.execution!.executionId);
    }
  });

  it('R-002b the database refuses a second row of one scope and a scope with a missing part', async () => {
    const { id } = await ledger.started();
    const copy = (columns: string) =>
      db.pool('owner').query(
        `INSERT INTO ledger.executions (tenant_id, principal_id, operation, idempotency_key, fingerprint, state, moved_by, state_since, created_at, updated_at)
         SELECT tenant_id, ${columns}, fingerprint, 'RECEIVED', 'register', now(), now(), now() FROM ledger.executions WHERE execution_id = $1`,
        [id],
      );
    await expect(copy('principal_id, operation, idempotency_key')).rejects.toMatchObject({
      code: '23505',
      constraint: 'executions_scope_is_unique',
    });
    await expect(copy('NULL, operation, idempotency_key')).rejects.toMatchObject({ code: '23502' });
    await expect(copy('principal_id, NULL, idempotency_key')).rejects.toMatchObject({
      code: expect.stringMatching(/^23502$|^XX/) as string,
    });
    await expect(copy('principal_id, operation, NULL')).rejects.toMatchObject({ code: '23502' });
  });

  it('R-003a a keyless arrival is recorded as KEY_MISSING, refused by default, and opens one exception', async () => {
    const operation = `keyless-${randomUUID()}`;
    const app = db.pool('app');
    const arrive = async () =>
      (
        await app.query<{ answer: Record<string, unknown> }>('SELECT ledger.keyless_as($1, $2) AS answer', [
          NORTH,
          { operation, requestId: 'REQ-1' },
        ])
      ).rows[0]!.answer;
    expect(await arrive()).toMatchObject({
      disposition: 'KEY_MISSING',
      code: 'IDEMPOTENCY_KEY_MISSING',
      unprotected: false,
    });
    await arrive();
    const intakes = await db
      .pool('owner')
      .query('SELECT idempotency_key, request_id, disposition FROM ledger.intakes WHERE operation = $1', [
        operation,
      ]);
    expect(intakes.rows).toEqual(
      Array(2).fill({ idempotency_key: null, request_id: 'REQ-1', disposition: 'KEY_MISSING' }),
    );
    const open = await db
      .pool('owner')
      .query('SELECT kind FROM review.exceptions WHERE operation = $1', [operation]);
    expect(open.rows).toEqual([{ kind: 'KEY_MISSING' }]);
  });

  it('R-003b a policy can let a keyless request pass, said so and counted', async () => {
    const operation = `pass-${randomUUID()}`;
    await ledger.policy(operation, { keyless: 'PASS' });
    const { rows } = await db
      .pool('app')
      .query('SELECT ledger.keyless_as($1, $2) AS answer', [NORTH, { operation, requestId: 'REQ-2' }]);
    expect(rows[0]).toMatchObject({ answer: { disposition: 'KEY_MISSING', code: null, unprotected: true } });
  });

  it.each([
    ['', 'empty'],
    ['a'.repeat(256), '256 characters'],
    ['with blank', 'a blank'],
    ['키', 'not ASCII'],
    ['tab\t', 'a control'],
  ])('R-004b the database refuses the key %j (%s)', async (bad) => {
    await expect(ledger.claim(bad)).rejects.toMatchObject({ code: 'OO005' });
  });

  it('R-004c keys are compared byte for byte', async () => {
    const k = key();
    await ledger.claim(`${k}a`);
    expect((await ledger.claim(`${k}A`)).disposition).toBe('CLAIMED');
  });
});

describe('conflict before state', () => {
  it('R-012a B-65 another fingerprint is a conflict while running, unknown, done and expired; nothing stored changes', async () => {
    await ledger.policy('short', { retention_seconds: 1 });
    const { id, token, key: k } = await ledger.started(key(), { operation: 'short' });
    const changed = { operation: 'short', fingerprint: fingerprint('other') };
    const expectConflict = async () => {
      const before = await ledger.row(id);
      expect(await ledger.claim(k, changed)).toMatchObject({
        disposition: 'CONTENT_CONFLICT',
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
      expect(await ledger.row(id)).toEqual(before);
    };
    await expectConflict();
    await ledger.report('report_unknown', id, { fencingToken: token, code: 'T', message: 'm' });
    await expectConflict();
    await ledger.report('complete', id, { fencingToken: token, resultId: `R-${k}` });
    await expectConflict();
    await db
      .pool('owner')
      .query(`UPDATE ledger.executions SET expires_at = ledger.clock() WHERE execution_id = $1`, [id]);
    await expectConflict();
    expect((await ledger.exceptions(id)).filter((each) => each.kind === 'CONTENT_CONFLICT')).toHaveLength(1);
  });

  it('R-012b another content version or target is a conflict; one on one side only is none and is recorded', async () => {
    const target = { system: 'crm', account: 'A-1' };
    const k = key();
    const { executionId } = (await ledger.claim(k, { contentVersion: 'v1', target })).execution!;
    expect(await ledger.claim(k, { contentVersion: 'v2', target })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      conflictingFields: ['contentVersion'],
    });
    expect(
      await ledger.claim(k, { contentVersion: 'v1', target: { system: 'crm', account: 'A-2' } }),
    ).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      conflictingFields: ['target.account'],
    });
    expect((await ledger.claim(k)).code).toBe('REQUEST_IN_PROGRESS');
    expect(await ledger.row(executionId)).toMatchObject({ content_version: 'v1', target_account: 'A-1' });
  });

  it('R-008a the conflict names the differing fields by their keyed hashes', async () => {
    const k = key();
    await ledger.claim(k, { fieldHashes: { '/amount': 'aa', '/to': 'bb' } });
    const answer = await ledger.claim(k, {
      fingerprint: fingerprint('other'),
      fieldHashes: { '/amount': 'cc', '/to': 'bb', '/memo': 'dd' },
    });
    expect(answer.conflictingFields).toEqual(['/amount', '/memo']);
  });

  it('R-006f a record of an older policy version is compared under that version', async () => {
    const k = key();
    await ledger.claim(k, { policyVersion: 3, fingerprint: fingerprint('under v3') });
    const retransmission = {
      policyVersion: 4,
      fingerprint: fingerprint('under v4'),
      fingerprints: { 3: fingerprint('under v3') },
    };
    expect((await ledger.claim(k, retransmission)).code).toBe('REQUEST_IN_PROGRESS');
  });
});
