// `npm run chaos [-- --runs N --seed S --run K --mutant NAME]`: faults on purpose, then the outside systems' data against
// the ledger. Exit 1 when anything was lost, doubled or left undecided and unseen. A failing run is repeated by its number.
// `--mutants` takes one guarantee away after another and exits 1 when the suite does not notice. `--evidence` asks another
// question: does the evidence come in time, and is any of it wrong?
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { chaosOfEvidence } from './chaos-evidence';
import { readCommandLine } from './command-line.mjs';
import { EVIDENCE_MUTANT_NAMES } from '../testing/chaos/evidence/mutants';
import { CHAOS_MUTANT_NAMES, isChaosMutant } from '../testing/chaos/mutants';
import { runSuite, type SuiteResult } from '../testing/chaos/suite';

/** From this many runs on, every kind of rescue must have been needed. */
const TELLING_RUNS = 50;
/** Part of the intents that must end with exactly one effect; the rest is open in the queue. */
const EXACTLY_ONCE = 0.95;

const USAGE = `usage: npm run chaos [-- --runs N --seed S --run K --mutant NAME | --mutants]
  Faults on purpose, then the outside systems' data against the ledger.
  --runs N    how many runs (20)      --seed S    the same faults again      --run K   one run alone, by its number
  --mutant M  takes one guarantee away: ${CHAOS_MUTANT_NAMES.join(', ')}
  --mutants   takes one after another away and fails when the suite does not notice
  --evidence  whether unknown results get conclusive evidence in time, and none that is wrong; with
    --unknown N  how many unknown results (500)      --late S  seconds by which requests and effects come late (20)
    --mutant M   ${EVIDENCE_MUTANT_NAMES.join(', ')}`;

const { values } = readCommandLine(USAGE, () =>
  parseArgs({
    options: {
      runs: { type: 'string', default: '20' },
      seed: { type: 'string' },
      run: { type: 'string' },
      mutant: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      evidence: { type: 'boolean', default: false },
      unknown: { type: 'string', default: '500' },
      late: { type: 'string', default: '20' },
    },
  }),
);

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}`);
  return Number(text);
}

function print(result: SuiteResult, seed: number): void {
  const { happened, struck } = result;
  const took = result.runs.map((run) => run.tookMs).sort((left, right) => left - right);
  const rows: [string, string | number][] = [
    ['runs', result.runs.length],
    ['seed', seed],
    ['intents', result.intents],
    ['effects', result.effects],
    ['executions', result.executions],
    ['intakes', result.intakes],
    ['exceptions', result.exceptions],
    ['lost', result.lost.length],
    ['duplicated', result.duplicated.length],
    ['other faults', result.other.length],
    [
      'exactly one effect',
      `${result.exactlyOnce} (${((100 * result.exactlyOnce) / result.intents).toFixed(1)} %)`,
    ],
    ['open in the queue', result.open],
    ['take-overs', happened.takeovers],
    ['same-key retries', happened.sameKeyRetries],
    ['reissues', happened.reissues],
    ['fenced', happened.fenced],
    ['replayed', happened.replays],
    ['processes killed', struck.kills],
    ['processes stopped past the lease', struck.stops],
    ['processes that gave up and came back', result.restarts.length],
    ['statements or answers lost', struck.lost],
    ['runs that killed the database', struck.databaseKills],
    ['median run', `${((took[Math.floor(took.length / 2)] ?? 0) / 1000).toFixed(1)} s`],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(34)} ${value}`);
}

function faultsOf(result: SuiteResult): string[] {
  const faults = [...result.lost, ...result.duplicated, ...result.other];
  if (result.exactlyOnce < EXACTLY_ONCE * result.intents)
    faults.push(`fewer than ${EXACTLY_ONCE * 100} % of the intents ended with exactly one effect`);
  if (result.runs.length >= TELLING_RUNS) {
    for (const [name, count] of Object.entries(result.happened)) {
      if (count === 0) faults.push(`nothing was ever rescued by ${name}: these runs prove little`);
    }
  }
  return faults;
}

async function oneSuite(seed: number, runs: readonly number[]): Promise<boolean> {
  const { mutant = null } = values;
  if (mutant !== null && !isChaosMutant(mutant))
    throw new Error(`--mutant is one of ${CHAOS_MUTANT_NAMES.join(', ')}`);
  const result = await runSuite({ seed, runs, mutant, tell: (line) => console.log(line) });
  print(result, seed);
  const faults = faultsOf(result);
  for (const fault of faults.slice(0, 40)) console.log(`✗ ${fault}`);
  if (faults.length > 0)
    console.log(
      `\nagain: npm run chaos -- --seed ${seed} --runs ${runs.length}; one run alone by --run K (keys are chaos-SEED-K-INTENT)`,
    );
  return faults.length === 0;
}

/** A suite that passes without the guarantee proves nothing about it. */
async function everyMutant(seed: number, runs: readonly number[]): Promise<boolean> {
  let noticed = true;
  for (const mutant of CHAOS_MUTANT_NAMES) {
    const { lost, duplicated, other } = await runSuite({ seed, runs, mutant, tell: () => undefined });
    const counts = `lost ${lost.length}, duplicated ${duplicated.length}, other faults ${other.length}`;
    const seen = lost.length + duplicated.length + other.length > 0;
    console.log(`${seen ? 'noticed     ' : 'NOT NOTICED '}  ${mutant}: ${counts}`);
    noticed &&= seen;
  }
  return noticed;
}

function main(): Promise<boolean> {
  const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber(values.seed, 'seed');
  if (values.evidence) {
    const size = { unknown: wholeNumber(values.unknown, 'unknown'), late: wholeNumber(values.late, 'late') };
    return chaosOfEvidence({ seed, ...size, mutant: values.mutant, mutants: values.mutants });
  }
  const runs =
    values.run === undefined
      ? Array.from({ length: wholeNumber(values.runs, 'runs') }, (_, number) => number)
      : [wholeNumber(values.run, 'run')];
  return values.mutants ? everyMutant(seed, runs) : oneSuite(seed, runs);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  process.exitCode = 2;
}
