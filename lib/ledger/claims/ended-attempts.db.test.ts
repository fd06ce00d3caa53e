// What an arrival is told when an attempt has ended, was left, or is in doubt; and what its executor is told.
import { expect } from 'vitest';
import { throughEveryDoor } from '@/lib/testing/every-door';
import type { Reported } from '@/lib/testing/doors/door';

const NOT_SENT: Reported = { retryable: true, code: 'BUSY', message: 'm', basis: 'NOT_SENT' };
const DECLINED: Reported = { retryable: false, code: 'DECLINED', message: 'no' };

throughEveryDoor([
  {
    title: 'R-011a R-013b the stored answer comes again to the byte: status, header and text',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const { executionId } = await world.started(door, sent);
      const body = '{ "refund" : "R-1", "amount": 1.0, "memo": "\\u0041 각산" }';
      await world.api.send({
        method: 'POST',
        path: `/executions/${executionId}/complete`,
        body: `{"fencingToken":"1","resultId":"R-${operation}","response":{"status":201,"headers":{"Location":"/refunds/R-1"},"body":${body}}}`,
      });
      const replay = { status: 201, location: '/refunds/R-1', body };
      expect(await door.claim(sent)).toEqual({ word: 'REPLAYED', executionId, replay });
      expect(await door.claim(sent)).toEqual({ word: 'REPLAYED', executionId, replay });
      expect(await world.dispositions(sent)).toEqual(['CLAIMED', 'RESULT_REUSED', 'RESULT_REUSED']);
    },
  },
  {
    title: 'R-011a B-82 an answer given through this door is replayed as it was given, "false" included',
    run: async (door, world, operation) => {
      for (const [index, body] of ['{"id":"O-9","lines":[1,2.5]}', 'false', '0', '""', 'null'].entries()) {
        const sent = { operation, key: `K-${index}` };
        const { executionId, fencingToken } = await world.started(door, sent);
        const response = { status: 200, body };
        const done = await door.report('complete', executionId, {
          fencingToken,
          resultId: world.fresh('R'),
          response,
        });
        expect(done).toMatchObject({ word: 'OK', state: 'SUCCEEDED' });
        expect(await door.claim(sent)).toEqual({
          word: 'REPLAYED',
          executionId,
          replay: { status: 200, location: null, body },
        });
      }
    },
  },
  {
    title: 'R-011a without a stored answer a success hands over its result',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const resultId = world.fresh('R');
      const { executionId, fencingToken } = await world.started(door, sent);
      const resultUrl = 'https://crm.example/7';
      await door.report('complete', executionId, { fencingToken, resultId, resultUrl });
      expect(await door.claim(sent)).toEqual({ word: 'RESULT_REUSED', executionId, resultId, resultUrl });
    },
  },
  {
    title: 'R-011a a final failure replays its answer, or is told by its code where none was stored',
    run: async (door, world, operation) => {
      const [answered, bare] = [
        { operation, key: 'K-1' },
        { operation, key: 'K-2' },
      ];
      const first = await world.started(door, answered);
      await door.report('fail', first.executionId, {
        ...DECLINED,
        fencingToken: first.fencingToken,
        response: { status: 422, body: '{"over":true}' },
      });
      expect(await door.claim(answered)).toMatchObject({
        word: 'REPLAYED',
        replay: { status: 422, body: '{"over":true}' },
      });
      const second = await world.started(door, bare);
      await door.report('fail', second.executionId, { ...DECLINED, fencingToken: second.fencingToken });
      expect(await door.claim(bare)).toMatchObject({
        word: 'EXECUTION_FAILED_FINAL',
        executionId: second.executionId,
        failureCode: 'DECLINED',
      });
    },
  },
  {
    title:
      'R-011b B-04 after a failure without effect one of many retries with the same key and the next token',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const { executionId, fencingToken } = await world.started(door, sent);
      await door.report('fail', executionId, { ...NOT_SENT, fencingToken });
      const answers = await Promise.all(Array.from({ length: 5 }, () => door.claim(sent)));
      expect(answers.filter((answer) => answer.word === 'RETRY_SAME_KEY')).toEqual([
        expect.objectContaining({ executionId, fencingToken: '2', attempt: 2 }),
      ]);
      expect(answers.filter((answer) => answer.word === 'REQUEST_IN_PROGRESS')).toHaveLength(4);
      expect(await world.row(sent)).toMatchObject({ attempt: 2, attempts_spent: 2, fencing_token: '2' });
    },
  },
  {
    title: 'R-018a used-up attempts are refused, and a person is asked',
    run: async (door, world, operation) => {
      await world.api.policy(operation, 1, { max_attempts: 1 });
      const sent = { operation, key: 'K-1' };
      const { executionId, fencingToken } = await world.started(door, sent);
      await door.report('fail', executionId, { ...NOT_SENT, fencingToken });
      expect(await door.claim(sent)).toMatchObject({ word: 'ATTEMPTS_EXHAUSTED', executionId });
      expect(await world.exceptions(executionId)).toEqual(['RETRY_STALLED']);
      expect(await world.row(sent)).toMatchObject({ state: 'FAILED_RETRYABLE', attempt: 1 });
    },
  },
  {
    title:
      'R-018b R-028a R-029a a lease that is over before the effect is taken over at its exact end; the old token is fenced',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const { executionId = '' } = await door.claim(sent);
      const end = await world.instant(executionId, 'lease_expires_at');
      await world.stopAt(end, -1);
      expect(await door.claim(sent)).toMatchObject({ word: 'REQUEST_IN_PROGRESS', retryAfterSeconds: 1 });
      await world.stopAt(end, 0);
      expect(await door.claim(sent)).toMatchObject({
        word: 'CLAIMED',
        executionId,
        fencingToken: '2',
        attempt: 2,
      });
      expect(await door.report('effect-started', executionId, { fencingToken: '1' })).toMatchObject({
        word: 'FENCED',
      });
      expect(await world.row(sent)).toMatchObject({ attempts_spent: 1, effect_started_at: null });
    },
  },
  {
    title: 'R-028b R-011c B-31 after the effect has started time alone gives the work to nobody',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const { executionId } = await world.started(door, sent);
      await world.stopAt(await world.instant(executionId, 'lease_expires_at'), 0);
      expect(await door.claim(sent)).toMatchObject({
        word: 'RECONCILE_REQUIRED',
        executionId,
      });
      expect(await world.exceptions(executionId)).toEqual(['STUCK_PROCESSING']);
      await world.api.db.advanceClock('365 days');
      expect(await door.claim(sent)).toMatchObject({ word: 'RECONCILE_REQUIRED' });
      expect(await world.row(sent)).toMatchObject({ attempt: 1, fencing_token: '1' });
    },
  },
  {
    title: 'R-011c R-014a an unknown result, and a success without one, ask for reconciliation',
    run: async (door, world, operation) => {
      const unknown = { operation, key: 'K-1' };
      const first = await world.started(door, unknown);
      const { fencingToken } = first;
      await door.report('unknown', first.executionId, { fencingToken, code: 'TIMED_OUT', message: 'm' });
      const missing = { operation, key: 'K-2' };
      const second = await world.started(door, missing);
      expect(await door.report('complete', second.executionId, { fencingToken })).toMatchObject({
        word: 'OK',
        state: 'UNKNOWN',
      });
      expect(await door.claim(unknown)).toMatchObject({
        word: 'RECONCILE_REQUIRED',
        executionId: first.executionId,
        underReview: true,
      });
      expect(await door.claim(missing)).toMatchObject({
        word: 'RECONCILE_REQUIRED',
        executionId: second.executionId,
      });
    },
  },
  {
    title: 'R-014b a result that another execution has is no success, and is never handed over',
    run: async (door, world, operation) => {
      const resultId = world.fresh('R');
      const target = { system: 'crm', account: 'main' };
      const words = [];
      for (const key of ['K-1', 'K-2']) {
        const { executionId, fencingToken } = await world.started(door, { operation, key, target });
        words.push((await door.report('complete', executionId, { fencingToken, resultId })).state);
      }
      expect(words).toEqual(['SUCCEEDED', 'UNKNOWN']);
      expect(await door.claim({ operation, key: 'K-2', target })).toMatchObject({
        word: 'RECONCILE_REQUIRED',
      });
    },
  },
  {
    title:
      'R-041 R-043 a finished record answers up to its last microsecond, and from then on is gone for good',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const resultId = world.fresh('R');
      const { executionId, fencingToken } = await world.started(door, sent);
      await door.report('complete', executionId, { fencingToken, resultId });
      const end = await world.instant(executionId, 'expires_at');
      await world.stopAt(end, -1);
      expect(await door.claim(sent)).toMatchObject({ word: 'RESULT_REUSED', resultId });
      for (const later of [0, 1]) {
        await world.stopAt(end, later);
        expect(await door.claim(sent)).toMatchObject({
          word: 'IDEMPOTENCY_KEY_EXPIRED',
          executionId,
          resultId,
        });
      }
      expect(await world.exceptions(executionId)).toEqual(['EXPIRED_KEY']);
      expect(await world.row(sent)).toMatchObject({ attempt: 1, result_id: resultId });
    },
  },
  {
    title:
      'R-029a R-029d R-033a reports: repeated alike, fenced before the state is looked at, and no move back',
    run: async (door, world, operation) => {
      const sent = { operation, key: 'K-1' };
      const { executionId, fencingToken } = await world.started(door, sent);
      const report = (verb: Parameters<typeof door.report>[0], reported: Reported) =>
        door.report(verb, executionId, { fencingToken, ...reported });
      expect(await report('effect-started', {})).toMatchObject({ word: 'OK', state: 'PROCESSING' });
      expect(await report('cancel', { reason: 'late' })).toMatchObject({ word: 'EFFECT_ALREADY_STARTED' });
      expect(await report('heartbeat', { fencingToken: '2' })).toMatchObject({ word: 'FENCED' });
      const resultId = world.fresh('R');
      for (const _ of ['first', 'again'])
        expect(await report('complete', { resultId })).toMatchObject({
          word: 'OK',
          state: 'SUCCEEDED',
          resultId,
        });
      expect(await report('complete', { resultId: world.fresh('R') })).toMatchObject({
        word: 'RESULT_CONFLICT',
      });
      expect(await report('fail', DECLINED)).toMatchObject({ word: 'INVALID_STATE' });
      expect(await report('complete', { fencingToken: '7', resultId })).toMatchObject({ word: 'FENCED' });
      expect(await world.row(sent)).toMatchObject({ state: 'SUCCEEDED', result_id: resultId });
    },
  },
]);
