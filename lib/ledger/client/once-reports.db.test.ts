import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLedgerClient,
  EffectInDoubt,
  FinalRefusal,
  NotSent,
  ReportFault,
  type EffectResult,
  type LedgerClient,
  type OnceOptions,
} from '@/lib/ledger/client';
import { outsideSystem } from '@/lib/testing/outside-world';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
let client: LedgerClient;
beforeAll(async () => {
  api = await producerApiUnderTest();
  client = createLedgerClient({ baseUrl: api.url, token: api.tokens.north });
});
afterAll(() => api.close());

const work = (key: string, more: Partial<OnceOptions> = {}): OnceOptions =>
  ({
    ...{ key, operation: 'refund.create', requestId: `r-${key}`, payload: { amount: 100 } },
    ...{ retry: { baseDelayMs: 5, maxDelayMs: 20 }, ...more },
  }) as OnceOptions;

const stored = async (key: string) => {
  const { state, result_id, failure_code, failure_message } = (await api.execution(key)) ?? {};
  return { state, result_id, failure_code, failure_message };
};

/** An object that holds itself: no JSON can. */
function circular(): Record<string, unknown> {
  const ring: Record<string, unknown> = {};
  return Object.assign(ring, { ring });
}

describe('R-026 whatever an effect returns is reported as far as it can be', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['an address that is too long', { resultUrl: `https://x/${'a'.repeat(2100)}` }, 'resultUrl'],
    ['an address with a control character', { resultUrl: 'https://x/\u0007' }, 'resultUrl'],
    ['a member that nobody knows', { note: 'x' }, 'note'],
    ['half a target', { target: { system: 'mail' } }, 'target'],
    ['a member that holds itself', circular(), 'ring'],
    ['an answer that holds itself', { response: { status: 200, body: circular() } }, 'response'],
    ['an answer that is none', { response: 200 }, 'response'],
    ['an answer with a number that is none', { response: { status: 200, body: 10n } }, 'response'],
    ['a header that may not be stored', { response: { status: 200, headers: { a: 'b' } } }, 'response'],
  ])('R-026 %s does not cost us the result id', async (name, extra, member) => {
    const key = `K-${randomUUID()}`;
    const result = { resultId: `R-${key}`, ...extra } as EffectResult;
    const outcome = await client.once(work(key), async () => result);
    expect(outcome).toMatchObject({ kind: 'COMPLETED', execution: { resultId: `R-${key}` } });
    expect(outcome.kind === 'COMPLETED' && outcome.fault, name).toBeInstanceOf(ReportFault);
    expect(outcome).toMatchObject({ fault: { faults: [{ member }] } });
    expect(await stored(key)).toMatchObject({ state: 'SUCCEEDED', result_id: `R-${key}` });
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['blank', '  '],
    ['invisible', '\u200b\u2060\u00a0'],
    ['too long', 'x'.repeat(300)],
    ['with a control character', 'R\u0000'],
    ['a number', 4711],
    ['half a character', 'R\ud83d'],
  ])(
    'R-014a a result id that is %s is none: the work is in doubt, and the fault is told',
    async (_, resultId) => {
      const key = `K-${randomUUID()}`;
      const outcome = await client.once(work(key), async () => ({ resultId }) as EffectResult);
      expect(outcome).toMatchObject({ kind: 'IN_DOUBT', fault: { faults: [{ member: 'resultId' }] } });
      expect(await stored(key)).toMatchObject({ state: 'UNKNOWN', failure_code: 'RESULT_NOT_STORABLE' });
    },
  );

  it.each<[string, () => unknown]>([
    ['a text', () => 'R-1'],
    [
      'an object that throws when it is read',
      () => ({
        get resultId() {
          throw new Error('no');
        },
      }),
    ],
  ])('R-036 %s is doubt, not silence', async (_, result) => {
    const key = `K-${randomUUID()}`;
    const outcome = await client.once(work(key), async () => result() as EffectResult);
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', fault: { faults: [{ member: 'result' }] } });
    expect(await stored(key)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-014f half a target that contradicts the claim is in doubt, and the result id stands in the report', async () => {
    const key = `K-${randomUUID()}`;
    const target = { system: 'mail', account: 'north' };
    const result = { resultId: `R-${key}`, target: { system: 'crm' } } as EffectResult;
    const outcome = await client.once(work(key, { target }), async () => result);
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', fault: { faults: [{ member: 'target' }] } });
    expect(await stored(key)).toMatchObject({
      state: 'UNKNOWN',
      failure_message: expect.stringContaining(`R-${key}`) as string,
    });
  });
});

describe('R-037 whatever an effect throws is reported as far as it can be', () => {
  it.each<[string, string]>([
    ['no code', ''],
    ['a code that is too long', 'x'.repeat(200)],
    ['a code with a control character', 'A\u0007'],
  ])('R-037 a final refusal with %s is stored with a code that says so', async (_, code) => {
    const key = `K-${randomUUID()}`;
    const outcome = await client.once(work(key), () => Promise.reject(new FinalRefusal(code, 'closed')));
    expect(outcome).toMatchObject({ kind: 'FAILED', fault: { faults: [{ member: 'code' }] } });
    expect(await stored(key)).toMatchObject({ state: 'FAILED_FINAL', failure_code: 'CODE_UNUSABLE' });
  });

  it('R-037 an answer that is no JSON does not cost us the refusal, nor a bad code the other reports', async () => {
    const refusal = new FinalRefusal('CLOSED', 'closed', { status: 422, body: circular() as never });
    const thrown: [unknown, string, string][] = [
      [refusal, 'FAILED_FINAL', 'CLOSED'],
      [new NotSent('', 'm'), 'FAILED_RETRYABLE', 'CODE_UNUSABLE'],
      [new EffectInDoubt('', 'm'), 'UNKNOWN', 'CODE_UNUSABLE'],
      [Object.create(null), 'UNKNOWN', 'EFFECT_THREW'],
      [new Error('\u{1f600}'.repeat(700) + 'x'), 'UNKNOWN', 'EFFECT_THREW'],
      [new Error('x' + '\u{1f600}'.repeat(700)), 'UNKNOWN', 'EFFECT_THREW'],
    ];
    for (const [error, state, failure_code] of thrown) {
      const key = `K-${randomUUID()}`;
      await client.once(work(key), async () => {
        throw error;
      });
      expect(await stored(key)).toMatchObject({ state, failure_code });
    }
  });
});

describe('B-34 the time of an effect', () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it('B-34 R-030 with less time than the effect may take it is not begun', async () => {
    const crm = outsideSystem();
    const more = { deadline: inMs(20_000), effectTimeoutMs: 30_000 };
    const outcome = await client.once(work('K-short', { ...more, leaseSeconds: 600 }), () => crm.act('R'));
    const renewed = await client.once(work('K-short-2', { ...more, leaseSeconds: 2 }), () => crm.act('R'));
    expect([outcome.kind, renewed.kind, crm.count()]).toEqual(['RELEASED', 'RELEASED', 0]);
    expect(await stored('K-short')).toMatchObject({ state: 'FAILED_RETRYABLE' });
  });

  it.each([0, -1, NaN])(
    'R-030 %d is no time for an effect, and a mistake in the program',
    async (effectTimeoutMs) => {
      const key = `K-${randomUUID()}`;
      await expect(client.once(work(key, { effectTimeoutMs }), async () => ({}))).rejects.toThrow(TypeError);
      expect(await api.execution(key)).toBeUndefined();
    },
  );

  it('R-031 a result that comes after its time is reported all the same', async () => {
    let finish: (result: EffectResult) => void = () => undefined;
    const effect = () => new Promise<EffectResult>((resolve) => (finish = resolve));
    const outcome = await client.once(work('K-late', { effectTimeoutMs: 50 }), effect);
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN' } });
    finish({ resultId: 'R-late' });
    expect(outcome.kind === 'IN_DOUBT' && (await outcome.late)).toMatchObject({ kind: 'COMPLETED' });
    expect(await stored('K-late')).toMatchObject({ state: 'SUCCEEDED', result_id: 'R-late' });
  });

  it('R-031a an effect that fails after its time leaves the doubt as it is', async () => {
    let fail: (error: Error) => void = () => undefined;
    const effect = () => new Promise<EffectResult>((_, reject) => (fail = reject));
    const outcome = await client.once(work('K-late-no', { effectTimeoutMs: 50 }), effect);
    fail(new FinalRefusal('NO', 'no'));
    expect(outcome.kind === 'IN_DOUBT' && (await outcome.late)).toBeNull();
    expect(await stored('K-late-no')).toMatchObject({ state: 'UNKNOWN' });
  });
});

describe('R-027a an attempt that was left before its effect, and its lease is over', () => {
  async function leftBehind(key: string) {
    const owner = `w-${randomUUID()}`;
    const mine = work(key, { attemptId: randomUUID(), owner, leaseSeconds: 1 });
    const { retry: _, ...request } = mine;
    const claim = await client.claim(request);
    if (claim.kind !== 'CLAIMED') throw new Error(`not claimed: ${claim.kind}`);
    const isOver = 'select lease_expires_at < now() as over from ledger.executions where execution_id = $1';
    const over = async () =>
      (await api.db.pool('owner').query<{ over: boolean }>(isOver, [claim.executionId])).rows[0]?.over;
    await expect.poll(over, { timeout: 10_000 }).toBe(true);
    return mine;
  }

  it('R-035b R-027a its restarted owner goes on with it: one effect', async () => {
    const crm = outsideSystem();
    const mine = await leftBehind('K-restart');
    expect(await client.once(mine, () => crm.act('R-restart'))).toMatchObject({ kind: 'COMPLETED' });
    expect((await client.once(mine, () => crm.act('R-twice'))).kind).toBe('RESULT_REUSED');
    expect(crm.count()).toBe(1);
  });

  it('R-035b R-027a taken over meanwhile, it is left to the other', async () => {
    const crm = outsideSystem();
    const mine = await leftBehind('K-restart-late');
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const other = client.once(work('K-restart-late'), async () => (await gate, crm.act('R-other')));
    await expect
      .poll(async () => (await api.execution('K-restart-late'))?.['effect_started_at'] ?? null)
      .not.toBeNull();
    expect((await client.once(mine, () => crm.act('R-mine'))).kind).toBe('DUPLICATE_HELD');
    release();
    expect(await other).toMatchObject({ kind: 'COMPLETED' });
    expect(crm.count()).toBe(1);
  });
});
