import { readFileSync, readdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLedgerClient,
  EffectInDoubt,
  FinalRefusal,
  NotSent,
  ProviderTransient,
  type ClaimRequest,
  type LedgerClient,
  type OnceOptions,
} from '@/lib/ledger/client';
import { PROVEN_PROTECTION } from '@/lib/testing/ledger-fixture';
import { outsideSystem } from '@/lib/testing/outside-world';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
let client: LedgerClient;
beforeAll(async () => {
  api = await producerApiUnderTest();
  client = createLedgerClient({ baseUrl: api.url, token: api.tokens.north });
});
afterAll(() => api.close());

const FAST = { baseDelayMs: 5, maxDelayMs: 20 };

function request(key: string, more: Partial<OnceOptions> = {}): ClaimRequest {
  return {
    key,
    operation: 'refund.create',
    requestId: `r-${key}`,
    payload: { amount: 100 },
    ...more,
  } as ClaimRequest;
}

const work = (key: string, more: Partial<OnceOptions> = {}): OnceOptions => ({
  ...request(key, more),
  retry: FAST,
});

describe('R-027 once: claim, announce, run, report', () => {
  it('R-027 runs the effect once and stores its result; the next call replays it byte for byte', async () => {
    const crm = outsideSystem();
    const first = await client.once(work('K-once'), async (context) => {
      expect(context).toMatchObject({
        key: 'K-once',
        attempt: 1,
        fencingToken: '1',
        externalRequestKey: 'K-once',
      });
      expect(context.signal.aborted).toBe(false);
      expect((await api.execution('K-once'))?.['effect_started_at']).not.toBeNull();
      return crm.act('R-once', {
        status: 201,
        headers: { location: '/r/1' },
        body: { id: 'R-once', ok: false },
      });
    });
    expect(first).toMatchObject({
      kind: 'COMPLETED',
      responseStored: true,
      execution: { state: 'SUCCEEDED', resultId: 'R-once' },
    });
    const second = await client.once(work('K-once'), () => crm.act('R-twice'));
    expect(second).toMatchObject({
      kind: 'REPLAYED',
      status: 201,
      bodyText: '{"id":"R-once","ok":false}',
      headers: { location: '/r/1' },
    });
    expect(crm.count()).toBe(1);
  });

  it.each([300, 302, 303, 304, 307])(
    'R-013b a stored answer with status %i and an address is data and is not followed',
    async (status) => {
      const key = `K-redirect-${status}`;
      const response = { status, headers: { location: '/orders/1' } };
      await client.once(work(key), async () => ({ resultId: `R-${key}`, response }));
      expect(await client.once(work(key), () => Promise.reject(new Error('never')))).toMatchObject({
        kind: 'REPLAYED',
        status,
        headers: { location: '/orders/1' },
        bodyText: '',
      });
    },
  );

  it('R-010a ten at once: one effect, the others are held', async () => {
    const crm = outsideSystem();
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const calls = Array.from({ length: 10 }, () =>
      client.once(work('K-1008'), async () => (await gate, crm.act('R-1008'))),
    );
    await expect.poll(async () => (await api.intakes('K-1008')).length).toBe(10);
    release();
    const kinds = (await Promise.all(calls)).map((outcome) => outcome.kind);
    expect(kinds.filter((kind) => kind === 'COMPLETED')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'DUPLICATE_HELD')).toHaveLength(9);
    expect(crm.count()).toBe(1);
  });

  it('R-012a changed content never runs and never gets the old result', async () => {
    const crm = outsideSystem();
    await client.once(work('K-changed'), () => crm.act('R-changed'));
    const answer = await client.once(
      work('K-changed', { payload: { amount: 900 } } as Partial<OnceOptions>),
      () => crm.act('R-x'),
    );
    expect(answer).toMatchObject({
      kind: 'REFUSED',
      code: 'IDEMPOTENCY_KEY_REUSED',
      problem: { conflictingFields: ['/amount'] },
    });
    expect(crm.count()).toBe(1);
  });

  it('R-014a a success without a result id is in doubt, not done', async () => {
    const outcome = await client.once(work('K-nothing'), async () => ({}));
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN' } });
  });
});

describe('R-036 R-037 what an effect throws', () => {
  it.each([
    [
      'a final refusal',
      () => new FinalRefusal('ACCOUNT_CLOSED', 'closed', { status: 422, body: { closed: true } }),
      'FAILED',
      'FAILED_FINAL',
    ],
    ['not sent', () => new NotSent('GUARD', 'limit reached'), 'FAILED', 'FAILED_RETRYABLE'],
    [
      'a passing refusal that no policy lists',
      () => new ProviderTransient('BUSY', '503'),
      'IN_DOUBT',
      'UNKNOWN',
    ],
    ['its own doubt', () => new EffectInDoubt('PENDING', 'the provider says pending'), 'IN_DOUBT', 'UNKNOWN'],
    ['a lost connection', () => new TypeError('fetch failed'), 'IN_DOUBT', 'UNKNOWN'],
    ['a time-out', () => new DOMException('signal timed out', 'TimeoutError'), 'IN_DOUBT', 'UNKNOWN'],
    [
      'anything else, control characters included',
      () => new Error('reply \u0000\u001b did not parse'),
      'IN_DOUBT',
      'UNKNOWN',
    ],
    ['what is no error at all', () => 'why not', 'IN_DOUBT', 'UNKNOWN'],
  ])('B-20 B-80 B-97 R-036 %s', async (name, error, kind, state) => {
    const key = `K-throws-${randomUUID()}`;
    const outcome = await client.once(work(key), async () => {
      throw error();
    });
    expect(outcome.kind).toBe(kind);
    expect((await api.execution(key))?.['state'], name).toBe(state);
  });

  it('B-19 R-037 a final refusal is replayed to the next caller', async () => {
    await client.once(work('K-1019'), async () => {
      throw new FinalRefusal('LIMIT', 'over the limit', { status: 422, body: { limit: 1000 } });
    });
    expect(await client.claim(request('K-1019'))).toMatchObject({
      kind: 'REPLAYED',
      status: 422,
      bodyText: '{"limit":1000}',
    });
  });

  it('R-037 a passing refusal that the policy lists for a provider that keeps our key may be retried with the same key', async () => {
    await api.policy('pay.create', 1, {
      protection_class: 'PROVIDER_KEY',
      transient_codes: ['BUSY'],
      ...PROVEN_PROTECTION,
    });
    const key = 'K-transient';
    const keys: string[] = [];
    const attempt = (fail: boolean) =>
      client.once(work(key, { operation: 'pay.create' }), async (context) => {
        keys.push(context.externalRequestKey);
        if (fail) throw new ProviderTransient('BUSY', '503');
        return { resultId: 'PAY-1' };
      });
    expect(await attempt(true)).toMatchObject({ kind: 'FAILED', retryable: true });
    expect(await attempt(false)).toMatchObject({ kind: 'COMPLETED', execution: { attempt: 2 } });
    expect(keys).toEqual([key, key]);
  });

  it('R-036 an effect that takes too long is unknown, and what it still does cannot report success twice', async () => {
    const outcome = await client.once(
      work('K-slow', { effectTimeoutMs: 50 }),
      () => new Promise(() => undefined),
    );
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN' } });
    expect(await client.once(work('K-slow'), async () => ({ resultId: 'second' }))).toMatchObject({
      kind: 'REFUSED',
      code: 'RECONCILE_REQUIRED',
    });
  });
});

it('R-020 work that waits is found, claimed by its fingerprint and finished', async () => {
  expect(await client.register(request('K-waiting', { workflowId: 'wf-9', step: 'mail' }))).toMatchObject({
    kind: 'OK',
    value: { state: 'RECEIVED' },
  });
  const waiting = await client.listWaiting({ state: 'RECEIVED', operation: 'refund.create', limit: 1 });
  if (waiting.kind !== 'OK') throw new Error('no list');
  const { key, fingerprint } = waiting.value.items[0]!;
  const { payload: _payload, ...rest } = work(key);
  expect(
    await client.once({ ...rest, fingerprint } as OnceOptions, async () => ({ resultId: 'R-waiting' })),
  ).toMatchObject({ kind: 'COMPLETED' });
  expect(await client.find('refund.create', 'K-waiting')).toMatchObject({
    kind: 'OK',
    value: { items: [{ state: 'SUCCEEDED' }] },
  });
  expect(await client.listWorkflow('wf-9')).toMatchObject({
    kind: 'OK',
    value: { items: [{ step: 'mail' }] },
  });
  expect(await client.keyless({ operation: 'refund.create', requestId: 'r' })).toMatchObject({
    kind: 'OK',
    value: { intakeId: expect.any(String) as string },
  });
});

it('R-035 the client needs nothing of Node', () => {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
    expect(text, file).not.toMatch(
      /from '(node:|pg|pino|hono)|\b(Buffer|process|require|setImmediate)\b[.(]/,
    );
  }
});
