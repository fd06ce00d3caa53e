// The chaos suite: many runs in one world, then one verdict over everything that is left.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyChain } from '@/lib/audit/verify-chain';
import { MIGRATIONS_FOLDER, readMigrations } from '@/lib/commands/migration-engine.mjs';
import { checkHistory } from '../check-history';
import { factsAbout, readFacts } from './facts';
import { judge, type Judgement } from './judge';
import { CHAOS_MUTANTS, type ChaosMutantName } from './mutants';
import { readNotebook } from './orders';
import { carryOut, runName, type Run } from './run';
import { openWorld, type World } from './world';

/** Runs at work in the world at the same time. */
const LANES = 5;
/** Milliseconds for operators and sweeps to settle what the last run has left. */
const CLOSING_MS = 20_000;

export interface SuiteOptions {
  readonly seed: number;
  /** Numbers of the runs; a failing one is repeated by its number alone. */
  readonly runs: readonly number[];
  readonly mutant: ChaosMutantName | null;
  readonly tell: (line: string) => void;
}

export interface SuiteResult extends Judgement {
  readonly runs: readonly Run[];
  /** Processes that ended by themselves, as a worker does when its database goes, and were started again; their words. */
  readonly restarts: readonly string[];
  readonly struck: {
    readonly kills: number;
    readonly stops: number;
    readonly lost: number;
    readonly databaseKills: number;
  };
}

export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const broken = options.mutant === null ? null : breakMigrations(options.mutant);
  const world = await openWorld(broken ?? undefined);
  try {
    const runs = await carryOutAll(world, options);
    await settle(world);
    const keys = runs.flatMap((run) => run.keys);
    const lines = world.notebooks.flatMap((notebook) => readNotebook(notebook));
    const judgement = judge(await readFacts(world.owner, world.folder), lines, keys, checkHistory);
    const other = [...judgement.other, ...(await faultsOfDatabase(world))];
    const kills = world.struck.filter(({ action }) => action === 'KILL').length;
    return {
      ...{ ...judgement, other, runs, restarts: world.restarts },
      struck: {
        ...{ kills, stops: world.struck.length - kills, lost: world.proxy.struck.length },
        databaseKills: runs.filter((run) => run.killedDatabase).length,
      },
    };
  } finally {
    await world.close();
    if (broken !== null) rmSync(broken, { recursive: true, force: true });
  }
}

async function carryOutAll(world: World, { seed, runs, tell }: SuiteOptions): Promise<Run[]> {
  const queue = [...runs];
  const done: Run[] = [];
  const lane = async () => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      const run = await carryOut(world, seed, number);
      done.push(run);
      tell(await tellRun(world, seed, run));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return done;
}

/** The run by itself, right after it: a failing one is repeated with `--run`. */
async function tellRun(world: World, seed: number, run: Run): Promise<string> {
  const facts = factsAbout(await readFacts(world.owner, world.folder), new Set(run.keys));
  const about = [runName(seed, run.number), ...facts.executions.map((each) => each.key)];
  const lines = world.notebooks.flatMap((notebook) => readNotebook(notebook, about));
  const { effects, executions, intakes, exceptions, lost, duplicated, other, happened } = judge(
    facts,
    lines,
    run.keys,
  );
  const counts = {
    effects,
    executions,
    intakes,
    exceptions,
    lost: lost.length,
    duplicated: duplicated.length,
  };
  const told = Object.entries({ ...counts, ...happened }).map(([name, count]) => `${name} ${count}`);
  const took = `${(run.tookMs / 1000).toFixed(1)} s${run.killedDatabase ? ', database killed' : ''}`;
  const late = run.settled ? [] : ['some senders were not answered finally in time'];
  return [`run ${run.number} (${took}): ${told.join(', ')}`, ...late, ...lost, ...duplicated, ...other].join(
    '\n  ✗ ',
  );
}

const UNSETTLED = `
  select count(*)::int as count from ledger.executions e
  where superseded_by is null and state in ('RECEIVED', 'PROCESSING', 'FAILED_RETRYABLE', 'UNKNOWN')`;

/** Waits until nothing moves that could still move; what people must look at stays open. */
async function settle(world: World): Promise<void> {
  for (const end = Date.now() + CLOSING_MS; Date.now() < end; await sleep(300)) {
    const { rows } = await world.owner.query<{ count: number }>(UNSETTLED);
    if (rows[0]?.count === 0) return;
  }
}

/** I4 and I12: the chain is whole, and nobody has left a transaction or a lock behind. */
async function faultsOfDatabase(world: World): Promise<string[]> {
  const faults: string[] = [];
  const chain = await verifyChain(world.owner);
  if (chain.kind !== 'verified') faults.push(`the audit chain is ${chain.kind}`);
  const idle = `select count(*)::int as count from pg_stat_activity
    where state like 'idle in transaction%' and state_change < clock_timestamp() - interval '5 seconds'`;
  const { rows } = await world.owner.query<{ count: number }>(idle);
  if (rows[0]?.count !== 0) faults.push(`${rows[0]?.count} sessions are idle in a transaction`);
  return faults;
}

/** A copy of the migrations with one guarantee taken away: the suite must notice. */
function breakMigrations(name: ChaosMutantName): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-chaos-mutant-'));
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
  const { find, replace } = CHAOS_MUTANTS[name];
  const files = readMigrations(folder).filter(({ sql }) => sql.includes(find));
  if (files.length === 0) throw new Error(`the mutant ${name} fits no migration`);
  for (const { name: migration, sql } of files) {
    writeFileSync(
      path.join(folder, migration, 'migration.sql'),
      sql.replaceAll(find, () => replace),
    );
  }
  return folder;
}
