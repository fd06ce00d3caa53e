// `npm run chaos -- --evidence`: how soon unknown results get conclusive evidence, and whether any of it is wrong.
import { quantile, WITHIN_MS, type EvidenceResult } from '../testing/chaos/evidence/judge';
import {
  EVIDENCE_MUTANT_NAMES,
  isEvidenceMutant,
  type EvidenceMutantName,
} from '../testing/chaos/evidence/mutants';
import { runEvidence, type EvidenceRun } from '../testing/chaos/evidence/suite';

/** Part of the unknown results that must have conclusive evidence in time. */
const SHARE = 0.95;
const STORIES = 20;

export interface EvidenceArguments {
  readonly seed: number;
  readonly unknown: number;
  readonly late: number;
  readonly mutant: string | undefined;
  readonly mutants: boolean;
}

/** @returns whether the evidence held; with `mutants`, whether each was noticed */
export function chaosOfEvidence({ mutants, mutant, ...size }: EvidenceArguments): Promise<boolean> {
  if (mutants) return everyMutant(size);
  if (mutant !== undefined && !isEvidenceMutant(mutant))
    throw new Error(`--mutant is one of ${EVIDENCE_MUTANT_NAMES.join(', ')} here`);
  return oneRun({ ...size, mutant: mutant ?? null });
}

type Size = Omit<EvidenceArguments, 'mutant' | 'mutants'>;

async function oneRun(options: Size & { mutant: EvidenceMutantName | null }): Promise<boolean> {
  const run = await runEvidence({ ...options, tell: (line) => console.log(line) });
  print(run, options.seed);
  for (const story of run.wrong.slice(0, STORIES)) console.log(`✗ wrong: ${story}`);
  for (const story of run.late.slice(0, STORIES)) console.log(`  not conclusive in time: ${story}`);
  const faults = faultsOf(run, options.unknown);
  for (const fault of faults) console.log(`✗ ${fault}`);
  return faults.length === 0;
}

/** An engine that is wrong on purpose must be noticed by what it claims, not by being late. */
async function everyMutant(size: Size): Promise<boolean> {
  let noticed = true;
  for (const mutant of EVIDENCE_MUTANT_NAMES) {
    const { wrong, compared } = await runEvidence({ ...size, mutant, tell: () => undefined });
    const seen = wrong.length > 0;
    console.log(
      `${seen ? 'noticed     ' : 'NOT NOTICED '}  ${mutant}: ${wrong.length} of ${compared} claims wrong`,
    );
    noticed &&= seen;
  }
  return noticed;
}

function faultsOf(run: EvidenceResult, wanted: number): string[] {
  const faults: string[] = [];
  if (run.wrong.length > 0) faults.push(`${run.wrong.length} claims are wrong`);
  if (run.unknown < wanted) faults.push(`only ${run.unknown} results were unknown`);
  if (run.inTime < SHARE * run.unknown)
    faults.push(`fewer than ${SHARE * 100} % have conclusive evidence within ${WITHIN_MS / 1000} s`);
  return faults;
}

const seconds = (ms: number | null) => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);
const share = (part: number, whole: number) => `${part} (${((100 * part) / whole).toFixed(1)} %)`;

function print(run: EvidenceRun, seed: number): void {
  const rows: [string, string | number][] = [
    ['seed', seed],
    ['calls', run.calls],
    ['spoilt by the outside systems', share(run.spoilt, run.calls)],
    ['unknown results', run.unknown],
    ...Object.entries(run.outcomes)
      .sort(([, left], [, right]) => right - left)
      .map(([outcome, count]): [string, string] => [`  ${outcome}`, share(count, run.unknown)]),
    [`conclusive ${WITHIN_MS / 1000} s after the horizon`, share(run.inTime, run.unknown)],
    ['  before the horizon', share(run.early, run.unknown)],
    ['horizon to evidence, median', seconds(quantile(run.waits, 0.5))],
    ['horizon to evidence, 99 of 100', seconds(quantile(run.waits, 0.99))],
    ['lookups', run.looks],
    ['claims compared', run.compared],
    ['wrong', run.wrong.length],
    ['workers killed', run.killed.workers],
    ['automations killed', run.killed.automations],
    ['took', seconds(run.tookMs)],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(34)} ${value}`);
}
