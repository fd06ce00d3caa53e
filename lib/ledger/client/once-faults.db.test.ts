import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLedgerClient,
  LeaseLost,
  type ClaimRequest,
  type LedgerClient,
  type OnceOptions,
} from '@/lib/ledger/client';
import { faultyFetch, outsideSystem } from '@/lib/testing/outside-world';
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

function unluckyClient(suffix: string, times: number, fault: 'lose answer' | 'lose request') {
  const { fetch, lost } = faultyFetch(suffix, times, fault);
  return {
    unlucky: createLedgerClient({ baseUrl: api.url, token: api.tokens.north, fetch, retry: FAST }),
    lost,
  };
}

describe('R-026 what the network loses', () => {
  it('R-021 B-02 a lost answer to the claim does not lock its owner out', async () => {
    const crm = outsideSystem();
    const { unlucky, lost } = unluckyClient('/executions', 2, 'lose answer');
    expect(await unlucky.once(work('K-1002'), () => crm.act('R-1002'))).toMatchObject({
      kind: 'COMPLETED',
      execution: { attempt: 1 },
    });
    expect([lost(), crm.count()]).toEqual([2, 1]);
    expect(await api.intakes('K-1002')).toEqual(['CLAIMED', 'SAME_ATTEMPT', 'SAME_ATTEMPT']);
  });

  it('R-026 a lost answer to the announcement does not stop the work, nor repeat it', async () => {
    const crm = outsideSystem();
    const { unlucky } = unluckyClient('/effect-started', 1, 'lose answer');
    expect(await unlucky.once(work('K-announce'), () => crm.act('R-announce'))).toMatchObject({
      kind: 'COMPLETED',
    });
    expect(crm.count()).toBe(1);
  });

  it('R-038 when the announcement cannot be made, nothing runs and the claim is given back', async () => {
    const crm = outsideSystem();
    const { unlucky } = unluckyClient('/effect-started', 100, 'lose request');
    expect(await unlucky.once(work('K-cannot'), () => crm.act('R'))).toMatchObject({ kind: 'UNAVAILABLE' });
    expect(crm.count()).toBe(0);
    expect((await api.execution('K-cannot'))?.['state']).toBe('FAILED_RETRYABLE');
  });

  it('B-26 R-026 storing a finished result is tried again with the same token until it is stored', async () => {
    const crm = outsideSystem();
    const { unlucky, lost } = unluckyClient('/complete', 6, 'lose request');
    const outcome = await unlucky.once(work('K-1026'), () => crm.act('R-1026'));
    expect(outcome).toMatchObject({ kind: 'COMPLETED', execution: { resultId: 'R-1026', attempt: 1 } });
    expect([lost(), crm.count()]).toEqual([6, 1]);
  }, 60_000);

  it('B-26 R-026 when it cannot be stored in time the outcome is doubt with an address, never failure', async () => {
    const crm = outsideSystem();
    const { unlucky } = unluckyClient('/complete', 1_000, 'lose request');
    const outcome = await unlucky.once(work('K-unstored', { storeDeadlineMs: 300 }), () => crm.act('R'));
    expect(outcome).toMatchObject({
      kind: 'IN_DOUBT',
      execution: null,
      statusUrl: expect.stringContaining('/api/v1/executions/') as string,
    });
  });

  it('R-026 a response that the ledger will not keep does not cost us the result', async () => {
    for (const [key, response] of [
      ['K-cookie', { status: 200, headers: { 'set-cookie': 'a=b' } }],
      ['K-nan', { status: 200, body: NaN }],
      ['K-503', { status: 503 }],
    ] as const) {
      const outcome = await client.once(work(key), async () => ({ resultId: `R-${key}`, response }));
      expect(outcome, key).toMatchObject({
        kind: 'COMPLETED',
        responseStored: false,
        execution: { resultId: `R-${key}` },
      });
    }
  });
});

describe('R-028 R-030 the lease', () => {
  it('R-030 heartbeats keep a lease that is shorter than the work', async () => {
    let beats = 0;
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (String(input).endsWith('/heartbeat')) beats += 1;
      return globalThis.fetch(input, init);
    };
    const beating = createLedgerClient({ baseUrl: api.url, token: api.tokens.north, fetch });
    const outcome = await beating.once(work('K-beats', { leaseSeconds: 1 }), async (context) => {
      await context.report({ progress: { done: 1 }, externalJobId: 'job-1' });
      await expect.poll(() => beats, { timeout: 10_000 }).toBeGreaterThanOrEqual(5);
      return { resultId: 'R-beats' };
    });
    expect(outcome).toMatchObject({ kind: 'COMPLETED', execution: { attempt: 1 } });
    expect(await api.execution('K-beats')).toMatchObject({ external_job_id: 'job-1', progress: { done: 1 } });
  });

  it('B-34 R-029a when somebody else decided meanwhile, the signal aborts and the outcome is FENCED', async () => {
    let reason: unknown;
    const outcome = await client.once(work('K-fenced', { leaseSeconds: 1 }), async (context) => {
      await api.db
        .pool('owner')
        .query(
          `update ledger.executions set fencing_token = fencing_token + 1, state = 'UNKNOWN', unknown_reason = 'DECLARED', moved_by = 'person' where execution_id = $1`,
          [context.executionId],
        );
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      reason = context.signal.reason;
      return { resultId: 'R-zombie' };
    });
    // Asserted out here: what an effect throws is a report, not a failed test.
    expect(reason).toBeInstanceOf(LeaseLost);
    expect(reason).toMatchObject({ fenced: true });
    expect(outcome).toEqual({ kind: 'FENCED', executionId: expect.any(String) as string, effectRan: true });
  });

  it('R-030 a deadline before the end of the lease ends the time for sending', async () => {
    const deadline = new Date(Date.now() + 700).toISOString();
    let sendBefore = '';
    const outcome = await client.once(work('K-deadline', { deadline, leaseSeconds: 60 }), async (context) => {
      sendBefore = context.sendBefore;
      return new Promise(() => undefined);
    });
    expect(Date.parse(sendBefore)).toBe(Date.parse(deadline));
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT' });
  });

  it('R-035 an attempt that was interrupted after its start is reported, not run again', async () => {
    const crm = outsideSystem();
    const attemptId = randomUUID();
    const claim = await client.claim(request('K-interrupted', { attemptId }));
    if (claim.kind !== 'CLAIMED') throw new Error('not claimed');
    expect((await client.get(claim.executionId)).kind).toBe('OK');
    await client.effectStarted(claim.executionId, { fencingToken: claim.fencingToken });
    expect(await client.once(work('K-interrupted', { attemptId }), () => crm.act('R'))).toMatchObject({
      kind: 'IN_DOUBT',
      execution: { state: 'UNKNOWN' },
    });
    const attempt = randomUUID();
    await client.claim(request('K-resumed', { attemptId: attempt }));
    expect(
      await client.once(work('K-resumed', { attemptId: attempt }), () => crm.act('R-resumed')),
    ).toMatchObject({ kind: 'COMPLETED' });
    expect(crm.count()).toBe(1);
  });

  it('B-23 R-028 a claim given back before its effect says so, and the next one goes on', async () => {
    const crm = outsideSystem();
    const released = await client.once(work('K-1023', { beforeEffect: () => false }), () => crm.act('R'));
    expect(released).toMatchObject({
      kind: 'RELEASED',
      execution: { state: 'FAILED_RETRYABLE', effectStartedAt: null },
    });
    expect(await client.once(work('K-1023'), () => crm.act('R-1023'))).toMatchObject({ kind: 'COMPLETED' });
    expect(crm.count()).toBe(1);
  });
});
