// `npm run fuzz [-- --runs 100000 --seed 7]`: generated requests against the producer API. The same seed makes the same ones.
import { parseArgs } from 'node:util';
import { readCommandLine } from './command-line.mjs';
import { TOOLS, runNode } from './toolchain.mjs';

export const LONG_FUZZ_RUNS = 100_000;

const number = (name, text) => {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} is a number`);
  return text;
};

/**
 * @param {{ runs: string, seed?: string, quiet?: boolean }} how runs: requests of all tests together
 */
export const fuzz = ({ runs, seed, quiet = false }) =>
  runNode(TOOLS.vitest, ['run', '--project=database', 'lib/ledger/fuzz'], {
    quiet,
    env: {
      FUZZ_RUNS: number('runs', runs),
      FUZZ_SEED: seed === undefined ? undefined : number('seed', seed),
    },
  });

if (import.meta.filename === process.argv[1]) {
  const USAGE = `usage: npm run fuzz [-- --runs ${LONG_FUZZ_RUNS} --seed 7]
  Generated requests against the producer API. The same seed makes the same ones.`;
  const { values } = readCommandLine(USAGE, () =>
    parseArgs({
      options: { runs: { type: 'string', default: String(LONG_FUZZ_RUNS) }, seed: { type: 'string' } },
    }),
  );
  const { ok } = await fuzz(values);
  process.exitCode = ok ? 0 : 1;
}
