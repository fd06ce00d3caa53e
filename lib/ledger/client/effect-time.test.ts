import { describe, expect, it } from 'vitest';
import { createLedgerClient, type OnceOptions, type OnceOutcome } from '@/lib/ledger/client';
import { collectGarbage } from '@/lib/testing/garbage';
import type { VirtualClock } from '@/lib/testing/virtual-clock';
import { claimed, json, record, request, scripted, type Step } from '@/lib/testing/scripted-ledger';

/** The record as a ledger tells it whose clock is ours, with a lease of a second. */
const leased: Step = (clock: VirtualClock) => {
  const after = (ms: number) => new Date(clock.now() + ms).toISOString();
  return json(record({ updatedAt: after(0), leaseExpiresAt: after(1_000), sendBefore: after(1_000) }));
};

describe('B-34 R-030 the time of an effect is the smallest of all bounds', () => {
  it.each([
    ['the deadline of the claim', { deadline: '2026-11-29T00:00:05Z' }, 5_000],
    ['the time that it was given', { effectTimeoutMs: 3_000 }, 3_000],
    ['the smaller of both', { deadline: '2026-11-29T00:00:05Z', effectTimeoutMs: 4_000 }, 4_000],
  ])('B-34 R-030 %s ends it, whatever the heartbeats say', async (_, bounds, ms) => {
    const { client, clock } = scripted([claimed, leased]);
    const begun = clock.now();
    let ended = 0;
    const work = { ...request, ...bounds, storeDeadlineMs: 1_000 };
    const outcome = await clock.run(
      client.once(work, async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = clock.now() - begun;
        throw new Error('stopped');
      }),
    );
    expect(outcome.kind).toBe('IN_DOUBT');
    expect(ended).toBe(ms);
  });
});

describe('R-030 an effect that nothing holds but itself', () => {
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

  /** By the real clock, while the garbage is collected again and again. */
  async function onceAmidGarbage(options: Partial<OnceOptions>, ms: number): Promise<OnceOutcome> {
    const fetch: typeof globalThis.fetch = async (input) => {
      if (String(input).endsWith('/executions')) return claimed();
      const times = { updatedAt: soon(0), leaseExpiresAt: soon(60_000), sendBefore: soon(ms) };
      return json(record(times));
    };
    const client = createLedgerClient({ baseUrl: 'http://ledger.test', token: 't', fetch });
    const timer = setInterval(collectGarbage, 20);
    const work = { ...request, ...options } as OnceOptions;
    return client.once(work, () => new Promise(() => undefined)).finally(() => clearInterval(timer));
  }

  it('R-030 its own bound ends it', async () => {
    expect(await onceAmidGarbage({ effectTimeoutMs: 300 }, 30_000)).toMatchObject({ kind: 'IN_DOUBT' });
  }, 5_000);

  it('R-030 so does the end of the time for sending', async () => {
    expect(await onceAmidGarbage({}, 300)).toMatchObject({ kind: 'IN_DOUBT' });
  }, 5_000);

  it('R-036 so does the word of the caller to stop', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    expect(await onceAmidGarbage({ signal: stop.signal }, 30_000)).toMatchObject({ kind: 'IN_DOUBT' });
  }, 5_000);
});
