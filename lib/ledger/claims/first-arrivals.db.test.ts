// What a first arrival and its repetitions are told while nothing has ended yet.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { throughEveryDoor } from '@/lib/testing/every-door';

const OWNED = { word: 'CLAIMED', fencingToken: '1', attempt: 1 };

throughEveryDoor([
  {
    title: 'R-010a the first claim gets the work, its token and a lease, and is recorded',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const answer = await door.claim(sent);
      expect(answer).toMatchObject(OWNED);
      expect(Date.parse(answer.leaseExpiresAt ?? '')).toBeGreaterThan(0);
      expect(await world.row(sent)).toMatchObject({
        execution_id: answer.executionId,
        state: 'PROCESSING',
        fencing_token: '1',
        attempts_spent: 1,
      });
      expect(await world.dispositions(sent)).toEqual(['CLAIMED']);
    },
  },
  {
    title: 'R-001 R-002a equal content under two keys, and one key of two operations, are separate work',
    run: async (door, world, operation) => {
      const answers = [
        await door.claim({ operation, key: 'K-1' }),
        await door.claim({ operation, key: 'K-2' }),
        await door.claim({ operation: `${operation}.v2`, key: 'K-1' }),
      ];
      for (const answer of answers) expect(answer).toMatchObject(OWNED);
      expect(new Set(answers.map((answer) => answer.executionId)).size).toBe(3);
    },
  },
  {
    title: 'R-004a R-004d BI-05 B-70 every key of the grammar is a key of its own, 255 characters included',
    run: async (door, world, operation) => {
      const keys = ['a', 'x'.repeat(255), 'Abc', 'abc', '..', '%2e', "it's", 'a"b', '\\', '<b>', '--', '$1'];
      for (const key of keys) expect(await door.claim({ operation, key }), key).toMatchObject(OWNED);
      for (const key of keys)
        expect(await door.claim({ operation, key }), key).toMatchObject({ word: 'REQUEST_IN_PROGRESS' });
    },
  },
  {
    title: 'R-004a R-004c R-004d BI-05 B-70 B-74 what is no key is refused by name and leaves no record',
    run: async (door, world, operation) => {
      for (const key of ['', 'a b', 'x'.repeat(256), 'k\u00e9y', 'a\u0085', 'kim@example.com']) {
        const sent = { operation, key };
        expect(await door.claim(sent), key).toMatchObject({ word: 'IDEMPOTENCY_KEY_INVALID' });
        expect(await door.register(sent), key).toMatchObject({ word: 'IDEMPOTENCY_KEY_INVALID' });
        expect(await world.dispositions(sent)).toEqual([]);
      }
    },
  },
  {
    title:
      'R-011 R-018b B-41 a duplicate under a live lease is held: who works, and whole seconds within the lease',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1', owner: 'worker-7', leaseSeconds: 30 };
      const first = await door.claim(sent);
      const answer = await door.claim(sent);
      expect(answer).toMatchObject({
        word: 'REQUEST_IN_PROGRESS',
        executionId: first.executionId,
        owner: 'worker-7',
      });
      expect(Number.isInteger(answer.retryAfterSeconds)).toBe(true);
      expect(answer.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(answer.retryAfterSeconds).toBeLessThanOrEqual(30);
      expect(answer.fencingToken).toBeUndefined();
      expect(await world.dispositions(sent)).toEqual(['CLAIMED', 'DUPLICATE_HELD']);
    },
  },
  {
    title:
      'R-021 B-02 the same attempt id gets the same claim, another one is held, and other content conflicts',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1', attemptId: randomUUID() };
      const first = await door.claim(sent);
      const again = await door.claim({ ...sent, attemptId: sent.attemptId.toUpperCase() });
      expect(again).toEqual({ ...first, word: 'SAME_ATTEMPT' });
      expect(await door.claim({ ...sent, content: { amount: 900 } })).toMatchObject({
        word: 'IDEMPOTENCY_KEY_REUSED',
      });
      expect(await door.claim({ ...sent, attemptId: randomUUID() })).toMatchObject({
        word: 'REQUEST_IN_PROGRESS',
      });
      expect(await world.row(sent)).toMatchObject({ fencing_token: '1', attempt: 1 });
    },
  },
  {
    title: 'R-021 an attempt id whose attempt has ended starts no second one',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1', attemptId: randomUUID() };
      const { executionId, fencingToken } = await world.started(door, sent);
      await door.report('fail', executionId, {
        fencingToken,
        retryable: true,
        code: 'BUSY',
        message: 'm',
        basis: 'NOT_SENT',
      });
      expect(await door.claim(sent)).toMatchObject({ word: 'INVALID_STATE' });
      expect(await world.row(sent)).toMatchObject({ state: 'FAILED_RETRYABLE', attempt: 1 });
    },
  },
  {
    title: 'R-020 R-011c R-027b what was registered is claimed once, later, with the first token',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const registered = await door.register(sent);
      expect(registered).toMatchObject({ word: 'REGISTERED', state: 'RECEIVED' });
      expect(await door.register(sent)).toMatchObject({ word: 'REGISTERED', state: 'RECEIVED' });
      expect(await door.register({ ...sent, content: { amount: 900 } })).toMatchObject({
        word: 'IDEMPOTENCY_KEY_REUSED',
      });
      const answers = await Promise.all(Array.from({ length: 5 }, () => door.claim(sent)));
      expect(answers.filter((answer) => answer.word === 'CLAIMED')).toEqual([
        expect.objectContaining({ ...OWNED, executionId: registered.executionId }),
      ]);
      expect(answers.filter((answer) => answer.word === 'REQUEST_IN_PROGRESS')).toHaveLength(4);
    },
  },
  {
    title:
      'R-018b whoever waits for a lease of a day, of this work or of work beside it, asks again within a minute',
    run: async (door, world, operation) => {
      await world.api.policy(operation, 1, { single_executor: 'OPERATION' });
      const sent = { operation, key: 'K-1', leaseSeconds: 86_400 };
      await door.claim(sent);
      expect(await door.claim(sent)).toMatchObject({ word: 'REQUEST_IN_PROGRESS', retryAfterSeconds: 60 });
      expect(await door.claim({ operation, key: 'K-2' })).toMatchObject({
        word: 'SINGLE_EXECUTOR_BUSY',
        retryAfterSeconds: 60,
      });
    },
  },
  {
    title: 'R-016a of two claims that must not run together the second is held, and gets the work afterwards',
    run: async (door, world, operation) => {
      await world.api.policy(operation, 1, { single_executor: 'OPERATION' });
      const { executionId, fencingToken } = await world.started(door, { operation, key: 'K-1' });
      const second = { operation, key: 'K-2' };
      const held = await door.claim(second);
      expect(held).toMatchObject({ word: 'SINGLE_EXECUTOR_BUSY' });
      expect(held.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(await world.row(second)).toBeUndefined();
      await door.report('complete', executionId, { fencingToken, resultId: world.fresh('R') });
      expect(await door.claim(second)).toMatchObject(OWNED);
    },
  },
  {
    title: 'R-016a without a policy one execution runs per business reference, and others beside it',
    run: async (door, world, operation) => {
      expect(await door.claim({ operation, key: 'K-1', businessRef: 'case-1' })).toMatchObject(OWNED);
      expect(await door.claim({ operation, key: 'K-2', businessRef: 'case-1' })).toMatchObject({
        word: 'SINGLE_EXECUTOR_BUSY',
      });
      expect(await door.claim({ operation, key: 'K-3', businessRef: 'case-2' })).toMatchObject(OWNED);
      expect(await door.claim({ operation, key: 'K-4' })).toMatchObject(OWNED);
    },
  },
  {
    title: 'R-017a a second key for a unique business reference is refused and told the first execution',
    run: async (door, world, operation) => {
      await world.api.policy(operation, 1, { business_ref_unique: true });
      const { executionId, fencingToken } = await world.started(door, {
        operation,
        key: 'K-1',
        businessRef: 'order-1',
      });
      await door.report('complete', executionId, { fencingToken, resultId: world.fresh('R') });
      const second = { operation, key: 'K-2', businessRef: 'order-1' };
      expect(await door.claim(second)).toMatchObject({ word: 'BUSINESS_REFERENCE_TAKEN', executionId });
      expect(await world.row(second)).toBeUndefined();
      expect(await world.dispositions(second)).toEqual(['BUSINESS_REFERENCE_TAKEN']);
    },
  },
  {
    title: 'R-054a a paused operation hands out no work, new or old, and still answers what it knows',
    run: async (door, world, operation) => {
      const done = { operation, key: 'K-1' };
      const { executionId, fencingToken } = await world.started(door, done);
      await door.report('complete', executionId, { fencingToken, resultId: world.fresh('R') });
      await door.register({ operation, key: 'K-2' });
      await world.api.db
        .pool('owner')
        .query(
          `insert into ledger.operation_pauses (tenant_id, operation, reason) values ('tenant-north', $1, 'test')`,
          [operation],
        );
      for (const key of ['K-2', 'K-3']) {
        const answer = await door.claim({ operation, key });
        expect(answer).toMatchObject({ word: 'OPERATION_PAUSED' });
        expect(answer.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      }
      expect(await world.row({ operation, key: 'K-3' })).toBeUndefined();
      expect(await door.claim(done)).toMatchObject({ word: 'RESULT_REUSED' });
      expect(await door.claim({ ...done, content: { amount: 900 } })).toMatchObject({
        word: 'IDEMPOTENCY_KEY_REUSED',
      });
    },
  },
  {
    title: 'R-019a R-019b a claim stays inside the approval that it names, and a policy can demand one',
    run: async (door, world, operation) => {
      const target = { system: 'crm', account: 'main' };
      const approvalRef = { id: world.fresh('AP'), target, contentVersion: 'v1' };
      const sent = { operation, key: 'K-1', approvalRef };
      for (const outside of [
        { target: { system: 'crm', account: 'other' } },
        { target: { system: 'erp', account: 'main' } },
        { contentVersion: 'v2' },
      ])
        expect(await door.claim({ ...sent, ...outside })).toEqual(
          expect.objectContaining({ word: 'UNPROCESSABLE' }),
        );
      expect(await world.dispositions(sent)).toEqual([]);
      expect(await door.claim({ ...sent, target, contentVersion: 'v1' })).toMatchObject(OWNED);
      await world.api.policy(operation, 1, { approval_ref_required: true });
      expect(await door.claim({ operation, key: 'K-2' })).toMatchObject({ word: 'UNPROCESSABLE' });
    },
  },
]);
