// Other content under the same key, whatever has become of the record; and keys whose place another one took.
import { expect } from 'vitest';
import { throughEveryDoor, type ClaimCase } from '@/lib/testing/every-door';
import type { ClaimWorld } from '@/lib/testing/claim-world';
import type { Door, Reported, Sent } from '@/lib/testing/doors/door';

const OTHER = { content: { amount: 900 } };

type Arrange = (door: Door, world: ClaimWorld, sent: Sent) => Promise<void>;

const reported =
  (verb: Parameters<Door['report']>[0], members: (world: ClaimWorld) => Reported): Arrange =>
  async (door, world, sent) => {
    const { executionId, fencingToken } = await world.started(door, sent);
    await door.report(verb, executionId, { fencingToken, ...members(world) });
  };

const succeeded = reported('complete', (world) => ({ resultId: world.fresh('R') }));

/** Every state that a record can be in, by how it gets there. */
const STATES: Readonly<Record<string, { arrange: Arrange; state: string }>> = {
  RECEIVED: { arrange: async (door, _, sent) => void (await door.register(sent)), state: 'RECEIVED' },
  PROCESSING: { arrange: async (door, _, sent) => void (await door.claim(sent)), state: 'PROCESSING' },
  'PROCESSING with the lease over': {
    arrange: async (door, world, sent) => {
      const { executionId = '' } = await door.claim(sent);
      await world.stopAt(await world.instant(executionId, 'lease_expires_at'), 1);
    },
    state: 'PROCESSING',
  },
  'PROCESSING and stuck': {
    arrange: async (door, world, sent) => {
      const { executionId } = await world.started(door, sent);
      await world.stopAt(await world.instant(executionId, 'lease_expires_at'), 1);
    },
    state: 'PROCESSING',
  },
  SUCCEEDED: { arrange: succeeded, state: 'SUCCEEDED' },
  FAILED_FINAL: {
    arrange: reported('fail', () => ({ retryable: false, code: 'NO', message: 'm' })),
    state: 'FAILED_FINAL',
  },
  FAILED_RETRYABLE: {
    arrange: reported('fail', () => ({ retryable: true, code: 'BUSY', message: 'm', basis: 'NOT_SENT' })),
    state: 'FAILED_RETRYABLE',
  },
  UNKNOWN: { arrange: reported('unknown', () => ({ code: 'TIMED_OUT', message: 'm' })), state: 'UNKNOWN' },
  'SUCCEEDED and past retention': {
    arrange: async (door, world, sent) => {
      await succeeded(door, world, sent);
      const { execution_id: id } = (await world.row(sent))!;
      await world.stopAt(await world.instant(id, 'expires_at'), 1);
    },
    state: 'SUCCEEDED',
  },
  EXPIRED: {
    arrange: async (door, world, sent) => {
      await succeeded(door, world, sent);
      const { execution_id: id } = (await world.row(sent))!;
      await world.stopAt(await world.instant(id, 'expires_at'), 1);
      await world.sweep();
    },
    state: 'EXPIRED',
  },
};

const inEveryState = Object.entries(STATES).map(([name, { arrange, state }]): ClaimCase => ({
  title: `R-012a R-012c R-018d LC-02 B-65 ${name}: other content is a conflict, changes nothing, and joins one exception`,
  run: async (door, world, operation) => {
    const sent = { operation, key: 'K-1' };
    await arrange(door, world, sent);
    const before = await world.row(sent);
    expect(before).toMatchObject({ state });
    for (const _ of ['first', 'again']) {
      const answer = await door.claim({ ...sent, ...OTHER });
      expect(answer).toMatchObject({ word: 'IDEMPOTENCY_KEY_REUSED', executionId: before!.execution_id });
      expect(answer.retryAfterSeconds).toBeUndefined();
      expect(answer.resultId).toBeUndefined();
    }
    expect(await world.row(sent)).toEqual(before);
    expect((await world.dispositions(sent)).slice(-2)).toEqual(['CONTENT_CONFLICT', 'CONTENT_CONFLICT']);
    expect(
      (await world.exceptions(before!.execution_id)).filter((kind) => kind === 'CONTENT_CONFLICT'),
    ).toHaveLength(1);
  },
}));

throughEveryDoor([
  ...inEveryState,
  {
    title:
      'R-012b another content version or target conflicts where both sides tell one; on one side only it is recorded',
    run: async (door, world, operation) => {
      const target = { system: 'crm', account: 'main' };
      const bare = { operation, key: 'K-1' };
      await door.register(bare);
      const sent = { ...bare, target, contentVersion: 'v1' };
      expect(await door.claim(sent)).toMatchObject({ word: 'CLAIMED' });
      expect(await world.row(sent)).toMatchObject({ target_account: 'main', content_version: 'v1' });
      for (const other of [
        { contentVersion: 'v2' },
        { target: { system: 'crm', account: 'test' } },
        { target: { system: 'erp', account: 'main' } },
      ])
        expect(await door.claim({ ...sent, ...other })).toMatchObject({ word: 'IDEMPOTENCY_KEY_REUSED' });
      expect(await door.claim(bare)).toMatchObject({ word: 'REQUEST_IN_PROGRESS' });
    },
  },
  {
    title: 'R-006c R-006d B-49 B-52 B-64 the fingerprint tells contents apart and nothing else',
    run: async (door, _, operation) => {
      const contents: Sent['content'][] = [
        { amount: 100 },
        { amount: '100' },
        { amount: 1 },
        {},
        { amount: 100, memo: '' },
      ];
      for (const [one, content] of contents.entries()) {
        const key = `K-${one}`;
        expect(await door.claim({ operation, key, content })).toMatchObject({ word: 'CLAIMED' });
        for (const [other, arriving] of contents.entries())
          expect(await door.claim({ operation, key, content: arriving }), `${one} ${other}`).toMatchObject({
            word: one === other ? 'REQUEST_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED',
          });
      }
    },
  },
  {
    title:
      'R-071a R-011 R-042b a replaced key executes nothing and names the new one, which is claimed as it was registered',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      await STATES['FAILED_RETRYABLE']!.arrange(door, world, sent);
      const next = await world.replaced(sent);
      expect(await door.claim(sent)).toMatchObject({
        word: 'IDEMPOTENCY_KEY_SUPERSEDED',
        newKey: next.key,
        newExecutionId: next.executionId,
      });
      expect(await door.claim({ ...sent, ...OTHER })).toMatchObject({
        word: 'IDEMPOTENCY_KEY_REUSED',
        newKey: next.key,
      });
      const reissued = { operation, key: next.key };
      expect(await door.claim(reissued)).toMatchObject({
        word: 'CLAIMED',
        executionId: next.executionId,
        fencingToken: '1',
        attempt: 1,
      });
      expect(await door.claim(reissued)).toMatchObject({ word: 'REQUEST_IN_PROGRESS' });
    },
  },
]);
