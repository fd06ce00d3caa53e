// What goes wrong in one run, and when: all of it follows from the seed.
import fc from 'fast-check';
import type { Fault } from '@/lib/sandbox/systems/fault';

export const CHAOS_OPERATIONS = [
  'create-crm-record',
  'send-receipt-mail',
  'create-payment',
  'register-monthly-report',
] as const;
export type ChaosOperation = (typeof CHAOS_OPERATIONS)[number];

/** Named places of an automation at which its process can be killed or stopped. */
export const AUTOMATION_POINTS = [
  'claim.sending',
  'claim.answered',
  'effect_started.sending',
  'effect_started.answered',
  'effect.sending',
  'effect.done',
  'complete.sending',
  'complete.answered',
] as const;
/** The same for servers, workers and operators: around every statement, COMMIT included. */
const PROCESS_POINTS = ['statement.sending', 'statement.answered'] as const;
export type Point =
  (typeof AUTOMATION_POINTS)[number] | (typeof PROCESS_POINTS)[number] | 'request.received' | 'request.done';

/** KILL is SIGKILL; STOP is SIGSTOP for `ms` and then SIGCONT. */
export interface Strike {
  readonly action: 'KILL' | 'STOP';
  readonly ms: number;
}

/** One of the senders of an intent. */
export interface Copy {
  /** Which of the automation processes sends it. */
  readonly automation: number;
  readonly delayMs: number;
  /** Strikes this process when this intent gets there for the first time. */
  readonly strike: (Strike & { readonly point: Point }) | null;
  /** What the outside system does with this sender's first call. */
  readonly fault: Fault | null;
}

export interface PlannedIntent {
  readonly operation: ChaosOperation;
  readonly amount: number;
  readonly copies: readonly Copy[];
  /** One more sender uses the same key for another amount. */
  readonly conflict: boolean;
  /** How operators settle "nothing happened". */
  readonly settle: 'SAME_KEY' | 'NEW_KEY';
}

export interface ProcessStrike extends Strike {
  readonly kind: 'server' | 'worker' | 'operator';
  readonly index: number;
  readonly point: Point;
  /** The how-manieth passage of that point, from when the run began. */
  readonly hit: number;
}

/** A statement whose answer is lost on the way, or that is lost itself. */
export interface LostStatement {
  readonly marker: string;
  readonly lost: 'ANSWER' | 'STATEMENT';
  readonly afterMs: number;
}

export interface RunPlan {
  readonly intents: readonly PlannedIntent[];
  readonly strikes: readonly ProcessStrike[];
  readonly losses: readonly LostStatement[];
  /** Milliseconds after the run began at which the database is killed; null: never. */
  readonly killDatabaseAfterMs: number | null;
}

/** Enough that a stopped one does not hold up all work. */
export const AUTOMATIONS = 8;
export const INSTANCES = 2;
/** Longer than a lease of `LEASE_SECONDS`, shorter than the time after which "not found" proves something. */
const STOP_MS = { min: 3_300, max: 4_000 };
export const LEASE_SECONDS = 3;
/** Every this many runs one kills the database. */
export const DATABASE_EVERY = 7;

/** Longer than the lease has left, shorter than an automation's patience. */
const SLOW: Fault = { kind: 'delay', seconds: 1 };

const stopOrKill: fc.Arbitrary<Strike> = fc.record({
  action: fc.constantFrom('KILL' as const, 'STOP' as const),
  ms: fc.integer(STOP_MS),
});

const FAULTS: readonly (Fault | null)[] = [
  ...[null, null, null],
  { kind: 'drop-after-commit', seconds: 0 },
  { kind: 'error-after', seconds: 0 },
  { kind: 'error-before', seconds: 0 },
  { kind: 'hang-before', seconds: 0 },
  { kind: 'late-arrival', seconds: 0.7 },
  SLOW,
];

const stop = fc.integer(STOP_MS).map((ms): Strike => ({ action: 'STOP', ms }));
const strikeAt = (strike: fc.Arbitrary<Strike>, ...points: Point[]) =>
  fc.tuple(strike, fc.constantFrom(...points)).map(([struck, point]) => ({ ...struck, point }));

const copyWith = (
  strike: fc.Arbitrary<Copy['strike']>,
  delaysMs: readonly number[],
  faults: readonly (Fault | null)[],
): fc.Arbitrary<Copy> =>
  fc.record({
    automation: fc.integer({ min: 0, max: AUTOMATIONS - 1 }),
    delayMs: fc.constantFrom(...delaysMs),
    strike,
    fault: fc.constantFrom(...faults),
  });

const unharmed = fc.constant(null);
const harmed = fc.oneof(unharmed, strikeAt(stopOrKill, ...AUTOMATION_POINTS));

/** Anything: two at once are the race, a later one is a retransmission. */
const anySenders = fc.array(copyWith(harmed, [0, 0, 200, 1_500, 3_500], FAULTS), {
  minLength: 1,
  maxLength: 3,
});

/** The first owner sleeps before its effect until another has taken over and is in the middle of its own. */
const overtaken = fc.tuple(
  copyWith(strikeAt(stop, 'claim.answered', 'effect_started.sending'), [0], [null]),
  copyWith(unharmed, [400], [SLOW]),
  copyWith(unharmed, [600], [SLOW]),
);

/** The first owner falls silent after its effect, and others are eager to do the work. */
const silent = fc.tuple(
  copyWith(strikeAt(stop, 'effect.done', 'complete.sending'), [0], [null]),
  copyWith(unharmed, [300], [null]),
  copyWith(unharmed, [500], [null]),
);

/** In different processes: a stopped one must not stop the others. */
const apart = (copies: readonly Copy[]): Copy[] =>
  copies.map((each, index) => ({
    ...each,
    automation: ((copies[0]?.automation ?? 0) + index) % AUTOMATIONS,
  }));

const intent: fc.Arbitrary<PlannedIntent> = fc.record({
  operation: fc.constantFrom(...CHAOS_OPERATIONS),
  amount: fc.integer({ min: 1_000, max: 900_000 }),
  copies: fc.oneof(anySenders, anySenders, overtaken.map(apart), silent.map(apart)),
  conflict: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  settle: fc.constantFrom('SAME_KEY' as const, 'NEW_KEY' as const),
});

const processStrike: fc.Arbitrary<ProcessStrike> = fc
  .tuple(
    stopOrKill,
    fc.constantFrom('server' as const, 'server' as const, 'worker' as const, 'operator' as const),
    fc.integer({ min: 0, max: INSTANCES - 1 }),
    fc.constantFrom(...PROCESS_POINTS, 'request.received' as const, 'request.done' as const),
    fc.integer({ min: 1, max: 8 }),
  )
  .map(([strike, kind, index, point, hit]) => ({
    ...strike,
    ...{ kind, index, hit },
    point: kind !== 'server' && point.startsWith('request') ? 'statement.answered' : point,
  }));

const loss: fc.Arbitrary<LostStatement> = fc.record({
  marker: fc.constantFrom('claim_as', 'effect_started_as', 'complete_as', 'report_unknown_as', 'COMMIT'),
  lost: fc.constantFrom('ANSWER' as const, 'ANSWER' as const, 'STATEMENT' as const),
  afterMs: fc.integer({ min: 0, max: 1_500 }),
});

const planned = fc.record({
  intents: fc.array(intent, { minLength: 5, maxLength: 7 }),
  strikes: fc.array(processStrike, { minLength: 1, maxLength: 2 }),
  losses: fc.array(loss, { minLength: 1, maxLength: 2 }),
  killAfterMs: fc.integer({ min: 100, max: 2_000 }),
});

/** The plan of the `run`-th run (from 0) of a seed. */
export function planRun(seed: number, run: number): RunPlan {
  // A factor that spreads neighbouring runs over the generator's whole range.
  const [plan] = fc.sample(planned, { seed: (seed ^ Math.imul(run + 1, 0x9e3779b1)) | 0, numRuns: 1 });
  if (plan === undefined) throw new Error('bug: no plan was drawn');
  const { killAfterMs, ...rest } = plan;
  const kills = run % DATABASE_EVERY === DATABASE_EVERY - 1;
  return { ...rest, killDatabaseAfterMs: kills ? killAfterMs : null };
}
