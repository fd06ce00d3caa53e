import { describe, expect, it } from 'vitest';
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
