// `npm run checks [-- --parts AN,AZ --complete --brief --kept]`: each check as proven, failing, open or by hand.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkIdsIn, chosenParts, isGood, judgeChecks, readChecks, type JudgedCheck } from './check-book';
import { readCommandLine } from './command-line.mjs';
import { foundResults, printJudged } from './found-results';
import { unknownIds } from './rule-book';
import { ROOT } from './toolchain.mjs';

const USAGE = `usage: npm run checks [-- --parts AN,AZ --complete --brief --kept]
  Lists each check of CHECKS.md as proven, failing, open or by hand, by what the tests of this tree found.
  --parts     only these parts                   --complete  an open check is a failure
  --brief     without the tests of each check
  --kept      judges what was found last, though files have changed since`;

const { values, parts } = readCommandLine(USAGE, () => {
  const parsed = parseArgs({
    options: {
      parts: { type: 'string' },
      complete: { type: 'boolean', default: false },
      brief: { type: 'boolean', default: false },
      kept: { type: 'boolean', default: false },
    },
  });
  return { ...parsed, parts: chosenParts(parsed.values.parts) };
});

const sum = (checks: readonly JudgedCheck[]) =>
  (['proven', 'failing', 'open', 'by hand'] as const)
    .map((state) => `${checks.filter((check) => check.state === state).length} ${state}`)
    .join(', ');

const checks = readChecks(readFileSync(path.join(ROOT, 'CHECKS.md'), 'utf8'));
const tests = await foundResults(values);
const judged = judgeChecks(checks, tests, parts);
for (const check of judged) printJudged(check, values);
const unknown = unknownIds(checks, tests, checkIdsIn);
if (unknown.length > 0)
  console.log(`\nTest titles carry ids that CHECKS.md does not have: ${unknown.join(', ')}`);
console.log();
for (const part of parts) console.log(`${part}  ${sum(judged.filter((check) => check.part === part))}`);
console.log(`\n${sum(judged)}`);
process.exitCode = isGood(judged, values.complete) && unknown.length === 0 ? 0 : 1;
