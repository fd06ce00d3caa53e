// What an approval that a claim names lets through, and how often.
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
  type Json,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  sql = await sqlProducer(db);
  await ledger.policy('approved-only', { approval_ref_required: true });
});
afterAll(async () => {
  await sql.end();
  await db.drop();
});

const target = { system: 'bank', account: 'main' };
const claimed = (approvalRef: unknown, more: Json = {}, key: string = randomUUID()) =>
  ledger.claim(key, { approvalRef, ...more });
const usesOf = async (id: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ use_number: number }>(
      'SELECT use_number FROM ledger.approval_uses WHERE approval_id = $1 ORDER BY use_number',
      [id],
    );
  return rows.map((row) => row.use_number);
};
const refused = (member: string) => ({ code: 'OO005', message: expect.stringMatching(member) as string });

describe('R-019a a claim stays inside what was approved', () => {
  it('R-019a another target or content version is refused by name, and nothing is stored', async () => {
    const id = randomUUID();
    const key = randomUUID();
    const approvalRef = { id, target, contentVersion: 'v1' };
    for (const [more, member] of [
      [{ target: { system: 'bank', account: 'other' } }, /^target:/],
      [{ target: { system: 'mail', account: 'main' } }, /^target:/],
      [{ contentVersion: 'v2' }, /^contentVersion:/],
    ] as const) {
      await expect(claimed(approvalRef, more, key)).rejects.toMatchObject(refused(member.source));
    }
    expect(await ledger.dispositions(key)).toEqual([]);
    expect(await usesOf(id)).toEqual([]);
    expect(await claimed(approvalRef, { target, contentVersion: 'v1' }, key)).toMatchObject({ code: null });
  });

  it('R-019a what the claim leaves unsaid is what was approved, also for every later claim', async () => {
    const key = randomUUID();
    const { execution } = await claimed({ id: randomUUID(), target, contentVersion: 'v1' }, {}, key);
    expect(execution).toMatchObject({ target, contentVersion: 'v1' });
    expect(await ledger.claim(key, { target: { system: 'bank', account: 'other' } })).toMatchObject({
      disposition: 'CONTENT_CONFLICT',
    });
  });

  it('R-019a a retry stays inside the approval of its first claim', async () => {
    const key = randomUUID();
    const approvalRef = { id: randomUUID() };
    const { execution } = await claimed(approvalRef, {}, key);
    await ledger.report('fail', execution!.executionId, {
      ...{ fencingToken: '1', retryable: true, code: 'X', message: 'x' },
    });
    await expect(claimed({ id: randomUUID() }, {}, key)).rejects.toMatchObject(refused('^approvalRef:'));
    await expect(claimed({ ...approvalRef, count: 5 }, {}, key)).rejects.toMatchObject({ code: 'OO005' });
    expect(await claimed(approvalRef, {}, key)).toMatchObject({ disposition: 'RETRY_SAME_KEY' });
    expect(await usesOf(approvalRef.id)).toEqual([1]);
  });

  it.each([
    ['free text', 'Ms Kim said yes on the phone', /^approvalRef:/],
    ['a list', ['A-1'], /^approvalRef:/],
    ['an object without an id', { target }, /^approvalRef\.id/],
    ['an empty id', { id: '' }, /^approvalRef\.id/],
    ['half a target', { id: 'A', target: { system: 'bank' } }, /^approvalRef\.target/],
    ['a target as text', { id: 'A', target: 'bank' }, /^approvalRef\.target/],
    ['a version that is no text', { id: 'A', contentVersion: 1 }, /^approvalRef\.contentVersion/],
    ['no use at all', { id: 'A', count: 0 }, /^approvalRef\.count/],
    ['half a use', { id: 'A', count: 1.5 }, /^approvalRef\.count/],
    ['a number as text', { id: 'A', count: '2' }, /^approvalRef\.count/],
    ['a member that nobody knows', { id: 'A', contentversion: 'v1' }, /^approvalRef:/],
  ])('R-019a %s is no approval', async (_name, approvalRef, message) => {
    const key = randomUUID();
    await expect(claimed(approvalRef, { operation: 'approved-only' }, key)).rejects.toMatchObject(
      refused(message.source),
    );
    expect(await ledger.dispositions(key)).toEqual([]);
  });
});

describe('R-019d one approval covers the number of executions that it names', () => {
  it('R-019d it is used up after them, one where it names no number', async () => {
    const two = { id: randomUUID(), count: 2 };
    expect([(await claimed(two)).code, (await claimed(two)).code]).toEqual([null, null]);
    const key = randomUUID();
    await expect(claimed(two, {}, key)).rejects.toMatchObject(refused('^approvalRef.count:'));
    expect(await ledger.dispositions(key)).toEqual([]);
    const one = { id: randomUUID() };
    await claimed(one);
    await expect(claimed(one)).rejects.toMatchObject(refused('^approvalRef.count:'));
  });

  it('R-019d of many claims at once exactly its number gets through', async () => {
    const approvalRef = { id: randomUUID(), count: 3 };
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => claimed(approvalRef)));
    expect(answers.filter((each) => each.status === 'fulfilled')).toHaveLength(3);
    expect(await usesOf(approvalRef.id)).toEqual([1, 2, 3]);
  });

  it('R-019d the same execution uses it once: repeated, replayed, retried or registered first', async () => {
    const approvalRef = { id: randomUUID() };
    const key = randomUUID();
    await ledger.register(key, { approvalRef });
    const attemptId = randomUUID();
    const { execution } = await claimed(approvalRef, { attemptId }, key);
    expect(await claimed(approvalRef, { attemptId }, key)).toMatchObject({ disposition: 'SAME_ATTEMPT' });
    expect(await claimed(approvalRef, {}, key)).toMatchObject({ disposition: 'DUPLICATE_HELD' });
    await ledger.report('complete', execution!.executionId, { fencingToken: '1', resultId: `R-${key}` });
    expect(await claimed(approvalRef, {}, key)).toMatchObject({ disposition: 'RESULT_REUSED' });
    expect(await usesOf(approvalRef.id)).toEqual([1]);
  });

  it('R-019d an approval that comes with a later claim is used by it', async () => {
    const approvalRef = { id: randomUUID() };
    const key = randomUUID();
    await ledger.register(key);
    await claimed(approvalRef, {}, key);
    expect(await usesOf(approvalRef.id)).toEqual([1]);
    await expect(claimed(approvalRef)).rejects.toMatchObject({ code: 'OO005' });
  });

  it('R-019d told again with other terms it is refused: nobody widens an approval by telling it anew', async () => {
    const id = randomUUID();
    await claimed({ id, target, count: 2 });
    for (const told of [
      { id, target, count: 9 },
      { id, count: 2 },
      { id, count: 2, target: { ...target, account: 'B' } },
    ])
      await expect(claimed(told)).rejects.toMatchObject(refused('^approvalRef:'));
    expect(await claimed({ id, target, count: 2 })).toMatchObject({ code: null });
  });

  it('R-019d a claim that is rolled back gives its use back', async () => {
    const approvalRef = { id: randomUUID() };
    const call = {
      operation: 'create-payment',
      key: randomUUID(),
      fingerprint: fingerprint('x'),
      approvalRef,
    };
    await expect(
      asActor(db.pool('app'), { kind: 'system', id: 'system:test' }, async (client) => {
        await client.query('SELECT ledger.claim_as($1, $2)', [NORTH, call]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await claimed(approvalRef)).toMatchObject({ code: null });
  });

  it('R-019d the same id of another principal or tenant is another approval', async () => {
    const approvalRef = { id: randomUUID() };
    const uses = [NORTH, OTHER_NORTH, SOUTH].map((by) => ledger.claim(randomUUID(), { approvalRef }, by));
    expect((await Promise.all(uses)).map((answer) => answer.code)).toEqual([null, null, null]);
  });

  it('R-019d its uses are only added, and never more than it allows', async () => {
    const approvalRef = { id: randomUUID() };
    const { execution } = await claimed(approvalRef);
    const { execution: other } = await ledger.claim(randomUUID());
    for (const text of [
      `UPDATE ledger.approval_uses SET approved = '{"count": 9}'`,
      'DELETE FROM ledger.approval_uses',
      'TRUNCATE ledger.approval_uses',
    ])
      await expect(db.pool('owner').query(text)).rejects.toMatchObject({ code: 'OO001' });
    const insert = (number: number) =>
      db.pool('owner').query(
        `INSERT INTO ledger.approval_uses (tenant_id, principal_id, approval_id, use_number, approved, execution_id, used_at)
         VALUES ('tenant-north', $1, $2, $3, '{"count": 1}', $4, now())`,
        [NORTH, approvalRef.id, number, other!.executionId],
      );
    await expect(insert(1)).rejects.toMatchObject({ constraint: 'approval_uses_pkey' });
    await expect(insert(2)).rejects.toMatchObject({ constraint: 'approval_uses_stay_within_count' });
    await expect(
      db
        .pool('owner')
        .query(
          `UPDATE ledger.executions SET moved_by = 'person', approval_ref = '{"id": "x", "count": 1}' WHERE execution_id = $1`,
          [execution!.executionId],
        ),
    ).rejects.toMatchObject({ code: 'OO004' });
  });
});

describe('R-019b a policy can demand an approval', () => {
  it('R-019b claims and registrations without one are refused', async () => {
    const more = { operation: 'approved-only' };
    await expect(ledger.claim(randomUUID(), more)).rejects.toMatchObject(refused('^approvalRef:'));
    await expect(ledger.register(randomUUID(), more)).rejects.toMatchObject(refused('^approvalRef:'));
    expect(await claimed({ id: randomUUID() }, more)).toMatchObject({ code: null });
  });

  it('R-019b plain SQL is held to the same, for a new record and for one that was made before the policy', async () => {
    const insert = (operation: string, state: string) =>
      sql.query<{ execution_id: string }>(
        'INSERT INTO ledger.executions (operation, idempotency_key, fingerprint, state) VALUES ($1, $2, $3, $4) RETURNING execution_id',
        [operation, randomUUID(), fingerprint('x'), state],
      );
    await expect(insert('approved-only', 'PROCESSING')).rejects.toMatchObject({ code: 'OO005' });
    await expect(insert('approved-only', 'RECEIVED')).rejects.toMatchObject({ code: 'OO005' });
    const { rows } = await insert('approved-later', 'RECEIVED');
    await ledger.policy('approved-later', { approval_ref_required: true });
    await expect(
      sql.query(
        `UPDATE ledger.executions SET fencing_token = 0, state = 'PROCESSING' WHERE execution_id = $1`,
        [rows[0]!.execution_id],
      ),
    ).rejects.toMatchObject(refused('^approvalRef:'));
  });
});
