// `npm run rules [-- --complete --brief --kept | --mutate [--rule R-012]]`: each rule as proven, failing or open.
// --kept judges what was found last, though files have changed since; without it the tests run when they have.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from '../testing/mutants';
import { readCommandLine } from './command-line.mjs';
import { foundResults, printJudged } from './found-results';
import { judgeRules, readRules, unknownIds, type JudgedRule } from './rule-book';
import { runMutants } from './run-mutants';
import { keptResults } from './test-results.mjs';
import { ROOT } from './toolchain.mjs';

const USAGE = `usage: npm run rules [-- --complete --brief --kept | --mutate [--rule R-012 …]]
  Lists each rule as proven, failing or open, by what the tests of this tree found.
  --brief     without the tests of each rule     --complete  an open rule is a failure
  --kept      judges what was found last, though files have changed since
  --mutate    breaks the rules on purpose, or those of --rule, and shows that their tests notice`;

const { values } = readCommandLine(USAGE, () =>
  parseArgs({
    options: {
      complete: { type: 'boolean', default: false },
      brief: { type: 'boolean', default: false },
      kept: { type: 'boolean', default: false },
      mutate: { type: 'boolean', default: false },
      rule: { type: 'string', multiple: true, default: [] },
    },
  }),
);

function print(rule: JudgedRule): void {
  printJudged(rule, values);
  if (values.brief) return;
  for (const part of rule.parts.filter(({ id }) => rule.missing.includes(id))) {
    console.log(`           · ${part.id} has no passing test: ${part.words}`);
  }
}

async function list(rulesText: string): Promise<boolean> {
  const rules = readRules(rulesText);
  const tests = await foundResults(values);
  const judged = judgeRules(rules, tests);
  judged.forEach(print);
  const count = (state: JudgedRule['state']) => judged.filter((rule) => rule.state === state).length;
  const unknown = unknownIds(rules, tests);
  if (unknown.length > 0)
    console.log(`\nTest titles carry ids that RULES.md does not have: ${unknown.join(', ')}`);
  console.log(`\n${count('proven')} proven, ${count('failing')} failing, ${count('open')} open`);
  return count('failing') === 0 && unknown.length === 0 && !(values.complete && count('open') > 0);
}

/** Rules that tests prove and nobody has tried to break yet. */
function tellUnbroken(rulesText: string): void {
  const tests = [
    ...(keptResults('vitest', { anyTree: true }) ?? []),
    ...(keptResults('playwright', { anyTree: true }) ?? []),
  ];
  const proven = judgeRules(readRules(rulesText), tests).filter((rule) => rule.state === 'proven');
  const unbroken = proven.filter((rule) => !MUTANTS.some((mutant) => mutant.rule.startsWith(rule.id)));
  if (unbroken.length > 0)
    console.log(`proven and without a mutant: ${unbroken.map((rule) => rule.id).join(', ')}`);
}

async function mutate(rulesText: string): Promise<boolean> {
  const killed = await runMutants(values.rule);
  if (values.rule.length === 0) tellUnbroken(rulesText);
  return killed;
}

const book = readFileSync(path.join(ROOT, 'RULES.md'), 'utf8');
const good = values.mutate ? await mutate(book) : await list(book);
process.exitCode = good ? 0 : 1;
