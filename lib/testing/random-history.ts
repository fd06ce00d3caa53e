// Callers who claim, report, die, come back late and lose answers, at random and at once, and what each of them saw.
import { randomUUID } from 'node:crypto';
import type { ReportVerb } from '@/lib/ledger/protocol';
import type { HistoryEvent } from './history-event';
import type { ClaimWorld } from './claim-world';
import type { Door, Reported, Sent, Told } from './doors/door';
import { choices, type Choices } from './fuzz/choices';

export interface HistoryPlan {
  readonly seed: number;
  readonly callers: number;
  readonly keys: number;
  readonly steps: number;
}

const CALLS = {
  'effect-started': 'effect_started',
  complete: 'complete',
  fail: 'fail',
  unknown: 'unknown',
} as const satisfies Partial<Record<ReportVerb, HistoryEvent['call']>>;
type Verb = keyof typeof CALLS;
/** As often as they stand here. */
const VERBS: readonly Verb[] = [
  'effect-started',
  'effect-started',
  'complete',
  'fail',
  'fail',
  'fail',
  'fail',
  'unknown',
];

/** Tokens that a caller was given, the lost ones included: it may use each of them at any time. */
interface Held {
  readonly sent: Sent;
  readonly executionId: string;
  readonly fencingToken: string;
}

/** One history; everybody's last act is a look at each key. */
export async function randomHistory(
  door: Door,
  world: ClaimWorld,
  { seed, callers, keys, steps }: HistoryPlan,
): Promise<HistoryEvent[]> {
  const operation = world.fresh('history');
  const events: HistoryEvent[] = [];
  const everybody = Array.from({ length: callers }, async (_, index) => {
    const pick = choices(seed + index);
    const caller = new Caller(`caller-${index}`, door, pick, (event) => events.push(event));
    for (let step = 0; step < steps; step += 1)
      await caller.act({ operation, key: `K-${pick.below(keys)}`, leaseSeconds: 1 + pick.below(3) });
  });
  const passing = passTime(world, choices(seed - 1), steps);
  await Promise.all([...everybody, passing]);
  const last = new Caller('last', door, choices(seed), (event) => events.push(event));
  for (let key = 0; key < keys; key += 1) await last.claim({ operation, key: `K-${key}` }, false);
  return events;
}

/** Leases end, and the sweep finds it, while callers are at work. */
async function passTime(world: ClaimWorld, pick: Choices, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await world.api.db.advanceClock(`${pick.of([1, 2, 2, 40])} seconds`);
    if (pick.below(3) === 0) await world.sweep();
  }
}

class Caller {
  private readonly held: Held[] = [];

  constructor(
    private readonly name: string,
    private readonly door: Door,
    private readonly pick: Choices,
    private readonly record: (event: HistoryEvent) => void,
  ) {}

  async act(sent: Sent): Promise<void> {
    const { pick } = this;
    const lost = pick.below(8) === 0;
    const held = this.held.length === 0 || pick.below(3) === 0 ? undefined : pick.of(this.held.slice(-2));
    if (held === undefined)
      return this.claim(pick.below(10) === 0 ? { ...sent, content: { other: 1 } } : sent, lost);
    const verb = pick.of(VERBS);
    await this.report(held, verb, lost);
  }

  async claim(sent: Sent, lost: boolean): Promise<void> {
    const invokedAt = performance.now();
    const answer = await this.door.claim({ ...sent, attemptId: randomUUID() });
    const { executionId, fencingToken } = answer;
    if (executionId !== undefined && fencingToken !== undefined && !lost)
      this.held.push({ sent, executionId, fencingToken });
    this.record({ ...this.seen(sent, 'claim', invokedAt, lost), ...(lost ? {} : claimAnswer(answer)) });
  }

  private async report({ sent, executionId, fencingToken }: Held, verb: Verb, lost: boolean): Promise<void> {
    const invokedAt = performance.now();
    const resultId = `${this.name}-${randomUUID()}`;
    const answer = await this.door.report(verb, executionId, {
      fencingToken,
      ...this.members(verb, resultId),
    });
    this.record({
      ...this.seen(sent, CALLS[verb], invokedAt, lost),
      token: fencingToken,
      ...(verb === 'complete' ? { resultId } : {}),
      ...(lost ? {} : reportAnswer(answer)),
    });
  }

  private members(verb: Verb, resultId: string): Reported {
    const why = { code: 'X', message: 'm' };
    switch (verb) {
      case 'effect-started':
        return {};
      case 'complete':
        return { resultId };
      case 'unknown':
        return why;
      case 'fail':
        return this.pick.below(4) === 0
          ? { ...why, retryable: false }
          : { ...why, retryable: true, basis: 'NOT_SENT' };
    }
  }

  private seen(sent: Sent, call: HistoryEvent['call'], invokedAt: number, lost: boolean): HistoryEvent {
    const returnedAt = lost ? null : performance.now();
    return { scope: sent.key, process: this.name, call, invokedAt, returnedAt };
  }
}

const GIVEN = ['CLAIMED', 'RETRY_SAME_KEY', 'SAME_ATTEMPT', 'RESULT_REUSED'];

function claimAnswer({ word, fencingToken, resultId }: Told): Partial<HistoryEvent> {
  return GIVEN.includes(word) ? { disposition: word, token: fencingToken, resultId } : { code: word };
}

const reportAnswer = ({ word, state }: Told): Partial<HistoryEvent> =>
  word === 'OK' ? { state } : { code: word };
