import { inject, expect, it } from 'vitest';
import { checkHistory, type HistoryEvent } from '@/lib/testing/check-history';
import { say } from '@/lib/testing/fuzz/campaign';
import { worldOfFile } from '@/lib/testing/every-door';
import { randomHistory } from '@/lib/testing/random-history';

const HISTORIES = 12;
const PLAN = { callers: 6, keys: 4, steps: 14 };

const world = worldOfFile();

/** How often each thing happened that a history is about: one that never happened proves nothing. */
function counted(events: readonly HistoryEvent[]) {
  const count = (is: (event: HistoryEvent) => boolean) => events.filter(is).length;
  const claims = events.filter((event) => event.call === 'claim');
  return {
    takeovers: claims.filter((event) => event.disposition === 'CLAIMED' && Number(event.token) > 1).length,
    retries: count((event) => event.disposition === 'RETRY_SAME_KEY'),
    fenced: count((event) => event.code === 'FENCED'),
    replays: count((event) => event.disposition === 'RESULT_REUSED'),
    conflicts: count((event) => event.code === 'IDEMPOTENCY_KEY_REUSED'),
    doubts: count((event) => event.code === 'RECONCILE_REQUIRED'),
    lost: count((event) => event.returnedAt === null),
  };
}

it('LC-14 R-011a R-029a random histories of many callers at once break no promise', async () => {
  const seed = inject('fuzzSeed');
  const all: HistoryEvent[] = [];
  for (let history = 0; history < HISTORIES; history += 1) {
    const plan = { ...PLAN, seed: seed + history * 1000 };
    const events = await randomHistory(world().door('HTTP'), world(), plan);
    expect(checkHistory(events), `seed ${plan.seed}`).toEqual([]);
    all.push(...events);
  }
  const counts = counted(all);
  say(`histories: seed ${seed}, ${all.length} calls: ${JSON.stringify(counts)}`);
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
}, 120_000);
