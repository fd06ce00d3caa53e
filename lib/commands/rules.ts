// `npm run rules [-- --complete --brief --kept | --mutate [--rule R-012]]`: each rule as proven, failing or open.
// --kept judges what was found last, though files have changed since; without it the tests run when they have.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from '../testing/mutants';
import { readCommandLine } from './command-line.mjs';
import { hasBrowserTests, prepareBrowser } from './browser.mjs';
import { judgeRules, readRules, unknownIds, type JudgedRule, type TestOutcome } from './rule-book';
import { runMutants } from './run-mutants';
import { keptResults, runTests } from './test-results.mjs';
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

async function resultsOf(program: 'vitest' | 'playwright'): Promise<TestOutcome[]> {
  const kept = keptResults(program, { anyTree: values.kept });
  if (kept || values.kept) return kept ?? [];
  if (program === 'playwright') {
    if (!hasBrowserTests()) return [];
    await prepareBrowser();
  }
  console.error(`running ${program}: there are no results for this tree`);
  return (await runTests(program, { quiet: true })).tests;
}

function print(rule: JudgedRule): void {
  console.log(`${rule.state.padEnd(7)}  ${rule.id}  ${rule.words}`);
  if (values.brief) return;
  for (const test of rule.failing) console.log(`           ✗ ${test.title}  (${test.file})`);
  for (const test of rule.passing) console.log(`           ✓ ${test.title}  (${test.file})`);
  for (const part of rule.parts.filter(({ id }) => rule.missing.includes(id))) {
    console.log(`           · ${part.id} has no passing test: ${part.words}`);
  }
}

async function list(rulesText: string): Promise<boolean> {
  const rules = readRules(rulesText);
  const tests = [...(await resultsOf('vitest')), ...(await resultsOf('playwright'))];
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
