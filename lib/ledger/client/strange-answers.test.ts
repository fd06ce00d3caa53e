import { describe, expect, it } from 'vitest';
import type { OnceOptions } from '@/lib/ledger/client';
import { claimed, json, problem, record, request, scripted, type Step } from '@/lib/testing/scripted-ledger';

const ELSE = '00000000-0000-4000-8000-00000000000f';

/** `once` before a network that answers by script: whether its effect ran, what it answered, and which calls it made. */
async function onceOver(steps: Step[], options: Partial<OnceOptions> = {}) {
  const { client, clock, sent } = scripted(steps);
  let ran = 0;
  const work = { ...request, retry: { maxAttempts: 1 }, storeDeadlineMs: 1_000, ...options } as OnceOptions;
  const outcome = await clock.run(
    client.once(work, async () => {
      ran += 1;
      return { resultId: 'R' };
    }),
  );
  return { ran, outcome, verbs: sent.map(({ url }) => url.split('/').at(-1)) };
}

describe('R-038 an announcement that was not answered by the ledger', () => {
  it('R-038 the effect runs after a whole answer', async () => {
    const done = () => json(record({ state: 'SUCCEEDED', resultId: 'R' }));
    const { ran, outcome } = await onceOver([claimed, () => json(record()), done]);
    expect([ran, outcome.kind]).toEqual([1, 'COMPLETED']);
  });

  it('B-26 R-026 a finished effect is reported until the ledger itself has answered', async () => {
    const done = () => json(record({ state: 'SUCCEEDED', resultId: 'R' }));
    const strangers: Step[] = [
      () => json({}),
      () => new Response('<html>', { status: 404 }),
      () => problem('INTERNAL_ERROR'),
      () => json(record({ executionId: ELSE })),
    ];
    const { ran, outcome, verbs } = await onceOver([claimed, () => json(record()), ...strangers, done], {
      storeDeadlineMs: 60_000,
    });
    expect([ran, outcome.kind]).toEqual([1, 'COMPLETED']);
    expect(verbs.filter((verb) => verb === 'complete')).toHaveLength(5);
  });

  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['a list', []],
    ['null', null],
    ['true', true],
    ['another object', { ok: true }],
    ['no time for sending', record({ sendBefore: null })],
    ['a time that is none', record({ sendBefore: 'soon' })],
    ['an instant of the server that is none', record({ updatedAt: 'now' })],
    ['a state that nobody knows', record({ state: 'ARCHIVED' })],
    ['no token', record({ fencingToken: 1 })],
    ['a record without its announcement', record({ sendBefore: undefined })],
    ['another execution', record({ executionId: ELSE })],
    ['the token of another', record({ fencingToken: '2' })],
    ['a record that is not announced', record({ effectStartedAt: null })],
    ['a record that has ended', record({ state: 'SUCCEEDED' })],
    ['an ended lease', record({ sendBefore: '2026-11-29T00:00:00Z' })],
  ])('R-038 %s: nothing runs, and that nothing was sent is reported', async (_, body) => {
    const { ran, outcome, verbs } = await onceOver([claimed, () => json(body)]);
    expect(ran).toBe(0);
    expect(outcome.kind).toMatch(/UNAVAILABLE|RELEASED/);
    expect(verbs.slice(0, 3)).toEqual(['executions', 'effect-started', 'fail']);
  });

  it('R-038 nothing runs and nothing is sent for a caller who has stopped before', async () => {
    const { ran, outcome, verbs } = await onceOver([claimed], { signal: AbortSignal.abort() });
    expect([ran, verbs]).toEqual([0, []]);
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', reason: 'ABORTED' });
  });
});

describe('R-038 claims and reads that were not answered by the ledger', () => {
  const headers = (disposition: string) => ({
    'Idempotency-Replayed': 'true',
    'Onceover-Execution': ELSE,
    'Onceover-Disposition': disposition,
  });
  it.each<[string, Step]>([
    ['no members', () => json({ disposition: 'CLAIMED' }, 201)],
    ['an id that leads elsewhere', () => json({ ...bodyOfClaim, executionId: '../../x' }, 201)],
    ['a token that is no number', () => json({ ...bodyOfClaim, fencingToken: 'x' }, 201)],
    ['an end that is no time', () => json({ ...bodyOfClaim, leaseExpiresAt: 'x' }, 201)],
    ['a reused result that is no JSON', () => new Response('{', { headers: headers('RESULT_REUSED') })],
    ['a reused result that is null', () => new Response('null', { headers: headers('RESULT_REUSED') })],
    ['a replay of no execution', () => new Response('1', { headers: { 'Idempotency-Replayed': 'true' } })],
    ['a code that nobody knows', () => problem('FENCED', {}, { code: 'toString' })],
    ['a held request without a number', () => problem('REQUEST_IN_PROGRESS', {}, { executionId: 5 })],
    [
      'a held request with a strange wait',
      () => problem('REQUEST_IN_PROGRESS', {}, { retryAfterSeconds: 'x' }),
    ],
  ])('R-038 %s is no answer to a claim', async (_, step) => {
    const { ran, outcome } = await onceOver([step]);
    expect(ran).toBe(0);
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', reason: 'NOT_THE_LEDGER' });
  });

  const bodyOfClaim = {
    disposition: 'CLAIMED',
    executionId: ELSE,
    fencingToken: '1',
    attempt: 1,
    leaseExpiresAt: '2026-11-29T00:01:00Z',
  };

  it('R-038 every other call is held to its form too', async () => {
    const { client, clock } = scripted([() => json({ items: [{}], nextCursor: null })]);
    const token = { fencingToken: '1' };
    for (const call of [
      client.get(ELSE),
      client.find('o', 'k'),
      client.listWaiting({ state: 'RECEIVED' }),
      client.listWorkflow('w'),
      client.register(request),
      client.heartbeat(ELSE, token),
      client.complete(ELSE, token),
      client.fail(ELSE, { ...token, retryable: true, code: 'X', message: '' }),
      client.reportUnknown(ELSE, { ...token, code: 'X', message: '' }),
      client.cancel(ELSE, { reason: 'r' }),
      client.keyless({ operation: 'o', requestId: 'r' }),
    ])
      expect(await clock.run<{ kind: string }>(call)).toMatchObject({ reason: 'NOT_THE_LEDGER' });
  });
});
