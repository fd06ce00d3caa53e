// A policy that changes while records are there: repetitions are answered under the old one, new claims under the new.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  ledgerFixture,
  PROVEN_PROTECTION,
  type Json,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(() => db.drop());

/** A later version of a policy in the place of the one in force. */
async function supersede(operation: string, version: number, columns: Json): Promise<void> {
  const owner = db.pool('owner');
  await owner.query('UPDATE ledger.operation_policies SET retired_at = now() WHERE operation = $1', [
    operation,
  ]);
  const names = Object.keys(columns);
  await owner.query(
    `INSERT INTO ledger.operation_policies (tenant_id, operation, version, created_by${names.map((name) => `, ${name}`).join('')})
     VALUES ('tenant-north', $1, $2, 'system:test'${names.map((_, index) => `, $${index + 3}`).join('')})`,
    [operation, version, ...Object.values(columns)],
  );
}
async function done(operation: string, key: string = randomUUID(), more: Json = {}): Promise<string> {
  const { id, token } = await ledger.started(key, { operation, ...more });
  await ledger.report('complete', id, { fencingToken: token, resultId: `R-${id}` });
  return key;
}

describe('what a later policy asks of new records', () => {
  it('R-006g R-019c a repetition needs no approval that its claim did not need; a new key does', async () => {
    const operation = 'approved-later';
    const key = await done(operation);
    const attemptId = randomUUID();
    const running = randomUUID();
    await ledger.claim(running, { operation, attemptId });
    await ledger.policy(operation, { approval_ref_required: true });
    expect(await ledger.claim(key, { operation })).toMatchObject({ disposition: 'RESULT_REUSED' });
    expect(await ledger.claim(running, { operation, attemptId })).toMatchObject({
      disposition: 'SAME_ATTEMPT',
    });
    await expect(ledger.claim(randomUUID(), { operation })).rejects.toMatchObject({ code: 'OO005' });
  });

  it('R-006g R-004d a key that looks personal and was allowed keeps its answer', async () => {
    const operation = 'personal-once';
    await ledger.policy(operation, { allow_personal_keys: true });
    await done(operation, 'kim@example.com');
    await supersede(operation, 2, {});
    expect(await ledger.claim('kim@example.com', { operation })).toMatchObject({
      disposition: 'RESULT_REUSED',
    });
    await expect(ledger.claim('lee@example.com', { operation })).rejects.toMatchObject({ code: 'OO005' });
  });

  it('R-006g R-014d a success that needed no result id is reused when later ones need one', async () => {
    const operation = 'id-later';
    await ledger.policy(operation, { result_id_required: false });
    const key = randomUUID();
    const { id, token } = await ledger.started(key, { operation });
    await ledger.report('complete', id, { fencingToken: token });
    await supersede(operation, 2, {});
    expect(await ledger.claim(key, { operation })).toMatchObject({ disposition: 'RESULT_REUSED' });
    const later = await ledger.started(randomUUID(), { operation });
    await ledger.report('complete', later.id, { fencingToken: later.token });
    expect(await ledger.row(later.id)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-006g what the policy in force cannot read matches a record under an older one, and makes none', async () => {
    const operation = 'read-later';
    await ledger.policy(operation, {});
    const key = await done(operation);
    await supersede(operation, 2, {});
    const old = { operation, policyVersion: 1, fingerprints: {}, onlyExisting: true };
    expect(await ledger.claim(key, old)).toMatchObject({ disposition: 'RESULT_REUSED' });
    const unseen = randomUUID();
    await expect(ledger.claim(unseen, old)).rejects.toMatchObject({ code: 'OO005' });
    expect(await ledger.dispositions(unseen)).toEqual([]);
    // A record under the policy that cannot read it was made of something else.
    await expect(ledger.claim(await done(operation), old)).rejects.toMatchObject({ code: 'OO005' });
  });
});

describe('what a later policy asks of the records that are there', () => {
  it('R-017c a reference is unique from then on, whoever had it first', async () => {
    const operation = 'unique-later';
    await done(operation, randomUUID(), { businessRef: 'ORDER-1' });
    await ledger.policy(operation, { business_ref_unique: true });
    expect(await ledger.claim(randomUUID(), { operation, businessRef: 'ORDER-1' })).toMatchObject({
      disposition: 'BUSINESS_REFERENCE_TAKEN',
    });
  });

  it('R-017c where two records carry one reference the policy is refused, and names it', async () => {
    const operation = 'twice-before';
    await done(operation, randomUUID(), { businessRef: 'ORDER-2' });
    await done(operation, randomUUID(), { businessRef: 'ORDER-2' });
    await expect(ledger.policy(operation, { business_ref_unique: true })).rejects.toMatchObject({
      code: 'OO005',
      message: expect.stringContaining('ORDER-2') as string,
    });
    const third = await ledger.claim(randomUUID(), { operation, businessRef: 'ORDER-2' });
    expect(third).toMatchObject({ disposition: 'CLAIMED' });
  });

  it('R-016b one that runs counts for a single executor', async () => {
    const operation = 'single-later';
    await ledger.claim(randomUUID(), { operation });
    await ledger.policy(operation, { single_executor: 'OPERATION', protection_class: 'LOOKUP_ONLY' });
    expect(await ledger.claim(randomUUID(), { operation })).toMatchObject({
      disposition: 'SINGLE_EXECUTOR_BUSY',
    });
  });

  it('R-032 a key that was sent is kept when the proof of the provider has run out', async () => {
    const operation = 'proof-over';
    await ledger.policy(operation, { protection_class: 'PROVIDER_KEY', ...PROVEN_PROTECTION });
    const { id, token, key } = await ledger.started(randomUUID(), { operation, externalRequestKey: 'E1' });
    await ledger.report('fail', id, {
      fencingToken: token,
      retryable: true,
      code: 'C',
      message: 'm',
      basis: 'NOT_SENT',
    });
    await supersede(operation, 2, {
      protection_class: 'PROVIDER_KEY',
      ...PROVEN_PROTECTION,
      protection_valid_until: '2026-02-01T00:00:00Z',
    });
    await expect(ledger.claim(key, { operation, externalRequestKey: 'E2' })).rejects.toMatchObject({
      code: 'OO005',
    });
  });
});
