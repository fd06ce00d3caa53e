// The evidence suite: calls are spoilt until enough results are unknown, workers are killed meanwhile, and then every claim
// of the evidence is compared with the systems' own data.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '../staff';
import { enterElsewhere, enterOldRecord, giveBack } from './by-hand';
import { drawCase, type Case, type Late } from './cases';
import { countUnknown, readUnknowns } from './claims';
import { judgeEvidence, waitOf, WITHIN_MS, type EvidenceResult } from './judge';
import { breakTree, type EvidenceMutantName } from './mutants';
import { readThings } from './truth';
import { openEvidenceWorld, type EvidenceWorld } from './world';

/** Errands that one automation has at once. */
const AT_ONCE = 8;
const HAND_OUT_MS = 20;
const LOOK_MS = 1_000;
/** Milliseconds between the kills of workers, and of automations in the middle of their errands. */
const KILL_WORKER_MS = 30_000;
const KILL_AUTOMATION_MS = 40_000;
/** Milliseconds for which a process was at work before it is killed: on a slow machine starting takes as long. */
const UP_MS = 15_000;
/** Milliseconds for a lease, a sweep and whatever a slow machine adds, before the slowest unknown result is one. */
const SLACK_MS = 30_000;

export interface EvidenceOptions extends Late {
  readonly seed: number;
  /** Unknown results to wait for. */
  readonly unknown: number;
  readonly mutant: EvidenceMutantName | null;
  readonly tell: (line: string) => void;
}

export interface EvidenceRun extends EvidenceResult {
  readonly calls: number;
  readonly spoilt: number;
  readonly killed: { readonly workers: number; readonly automations: number };
  readonly tookMs: number;
}

interface Making {
  readonly cases: Map<string, Case>;
  /** Keys of payments that a colleague will give back. */
  readonly toReverse: Set<string>;
  readonly killed: { workers: number; automations: number };
}

export async function runEvidence(options: EvidenceOptions): Promise<EvidenceRun> {
  const startedAt = Date.now();
  const broken = options.mutant === null ? undefined : breakTree(options.mutant);
  const world = await openEvidenceWorld(options, broken);
  const making: Making = { cases: new Map(), toReverse: new Set(), killed: { workers: 0, automations: 0 } };
  const over = new AbortController();
  const disturbances = disturb(world, making, over.signal);
  try {
    await makeUnknown(world, making, options);
    options.tell(`${making.cases.size} calls made, ${await countUnknown(world.owner)} results unknown`);
    const judge = async () =>
      judgeEvidence(await readUnknowns(world.owner), making.cases, readThings(world.folder));
    await waitForEvidence(world, options, judge);
    over.abort();
    await disturbances;
    const cases = [...making.cases.values()];
    return {
      ...(await judge()),
      ...{ calls: cases.length, spoilt: cases.filter(({ faults }) => faults.length > 0).length },
      ...{ killed: making.killed, tookMs: Date.now() - startedAt },
    };
  } finally {
    over.abort();
    await world.close();
    if (broken !== undefined) rmSync(broken, { recursive: true, force: true });
  }
}

/** Hands out cases until enough results are unknown; the last ones are finished. */
async function makeUnknown(world: EvidenceWorld, making: Making, options: EvidenceOptions): Promise<void> {
  let nextCount = 0;
  for (let enough = false; !enough; await sleep(HAND_OUT_MS)) {
    for (const automation of world.automations) {
      if (automation.busy < AT_ONCE)
        automation.send({ errands: [errandOf(await newCase(world, making, options))] });
    }
    if (Date.now() < nextCount) continue;
    nextCount = Date.now() + LOOK_MS;
    enough = (await countUnknown(world.owner)) >= options.unknown;
  }
  while (world.automations.some((each) => each.busy > 0)) await sleep(HAND_OUT_MS);
}

async function newCase(world: EvidenceWorld, making: Making, options: EvidenceOptions): Promise<Case> {
  const index = making.cases.size;
  const draw = (oldRecord: string) => drawCase(options.seed, index, options, oldRecord);
  const first = draw('');
  const isDeletion = first.operation === 'delete-crm-record';
  const made = isDeletion ? draw(await enterOldRecord(world.systems, `old ${first.key}`)) : first;
  making.cases.set(made.key, made);
  if (made.byHand === 'REVERSES_IT') making.toReverse.add(made.key);
  if (made.byHand === 'ENTERS_IT_ELSEWHERE') await enterElsewhere(world.systems, made);
  return made;
}

const errandOf = ({ key, operation, system, account, payload, faults }: Case) => ({
  ...{ id: key, key, operation, system, account, payload, faults, workflowId: key },
  ...{ delayMs: 0, strike: null, once: true },
});

/** Colleagues give payments back, and processes are killed, until it is over. */
async function disturb(world: EvidenceWorld, making: Making, signal: AbortSignal): Promise<void> {
  const every = async (ms: number, act: () => unknown) => {
    for (;;) {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await act();
    }
  };
  await Promise.all([
    every(KILL_WORKER_MS, () => {
      const worker = longestUp(world.workers);
      if (worker === null) return;
      worker.kill();
      making.killed.workers += 1;
    }),
    every(KILL_AUTOMATION_MS, () => {
      const automation = longestUp(world.automations.filter((each) => each.busy > 0));
      if (automation === null) return;
      // Nobody takes its errands up again: what it had begun is left to the sweep.
      automation.forget();
      automation.kill();
      making.killed.automations += 1;
    }),
    every(LOOK_MS / 2, async () => {
      if (making.toReverse.size === 0) return;
      for (const payment of readThings(world.folder, [...making.toReverse])) {
        if (!making.toReverse.has(payment.reference)) continue;
        making.toReverse.delete(payment.reference);
        await giveBack(world.systems, payment);
      }
    }),
  ]);
}

function longestUp(places: readonly Worker[]): Worker | null {
  const up = places.filter((each) => each.upMs > UP_MS);
  return up.toSorted((left, right) => right.upMs - left.upMs)[0] ?? null;
}

/**
 * Until all is known, or nothing more can be known in time; in any case until nothing more can arrive. A broken engine is
 * seen through with the first claim that is wrong: it stays wrong.
 */
async function waitForEvidence(
  world: EvidenceWorld,
  { late, tell, mutant }: EvidenceOptions,
  judge: () => Promise<EvidenceResult>,
): Promise<void> {
  const from = Date.now();
  const allArrived = from + 2 * late * 1_000 + LOOK_MS;
  const latest = from + SLACK_MS + 2 * late * 1_000 + WITHIN_MS;
  for (let told = 0; Date.now() < latest; await sleep(2 * LOOK_MS)) {
    if (mutant !== null && (await judge()).wrong.length > 0) return;
    const unknowns = await readUnknowns(world.owner);
    const open = unknowns.filter(({ looks }) => !isDone(looks)).length;
    if (open === 0 && Date.now() > allArrived && (await countUnderWay(world)) === 0) return;
    if (Date.now() - told > 15_000)
      tell(`${unknowns.length - open} of ${unknowns.length} results have conclusive evidence`);
    if (Date.now() - told > 15_000) told = Date.now();
  }
}

/** Known, or too late to be known in time. */
function isDone(looks: Parameters<typeof waitOf>[0]): boolean {
  if (waitOf(looks) !== null) return true;
  const horizons = looks.filter(({ current }) => current).map(({ horizonAt }) => horizonAt);
  return horizons.length > 0 && Date.now() > Math.max(...horizons) + WITHIN_MS + LOOK_MS;
}

/** Executions whose owner was killed: the sweep will find them unknown. */
async function countUnderWay({ owner }: EvidenceWorld): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ledger.executions WHERE state = 'PROCESSING' AND effect_started_at IS NOT NULL`,
  );
  return rows[0]?.count ?? 0;
}
