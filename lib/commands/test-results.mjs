// Runs the two test programs and keeps what they found under test-results, marked with the tree that they ran on.
import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT, TOOLS, runNode } from './toolchain.mjs';
import { treeDigest } from './tree-digest.mjs';

const FOLDER = path.join(ROOT, 'test-results');
const fileOf = (program) => path.join(FOLDER, `${program}.json`);
const treeOf = (program) => path.join(FOLDER, `${program}.tree`);

/**
 * @typedef {{ title: string, file: string, passed: boolean, reason?: string, unloaded?: boolean }} TestOutcome
 *   title with the titles of the blocks around it; reason: how a failure begins; unloaded: not a test, but a file of which none ran
 * @typedef {'vitest' | 'playwright'} Program
 */

const relative = (file) => path.relative(ROOT, path.resolve(ROOT, file));

const REASON_LINES = 12;
const begins = (message) =>
  stripVTControlCharacters(String(message ?? ''))
    .split('\n')
    .slice(0, REASON_LINES)
    .join('\n')
    .trimEnd();
const failure = (message) => ({ passed: false, reason: begins(message) });

function readVitest(report) {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      title: test.fullName,
      file: relative(name),
      ...(test.status === 'passed' ? { passed: true } : failure(test.failureMessages?.[0])),
    }));
    // A file that does not load has no tests to fail.
    if (status === 'failed' && tests.every((test) => test.passed)) {
      tests.push({
        title: `${relative(name)} runs: ${String(message).split('\n')[0]}`,
        file: relative(name),
        unloaded: true,
        ...failure(message),
      });
    }
    return tests;
  });
}

const firstError = (spec) =>
  spec.tests?.flatMap((test) => test.results ?? []).find((result) => result.error)?.error.message;

function readPlaywright(report) {
  const walk = (suite, titles) => {
    const inside = suite.title && suite.title !== suite.file ? [...titles, suite.title] : titles;
    const own = (suite.specs ?? []).map((spec) => ({
      title: [...inside, spec.title].join(' '),
      file: path.join('e2e', spec.file),
      ...(spec.ok ? { passed: true } : failure(firstError(spec))),
    }));
    return [...own, ...(suite.suites ?? []).flatMap((child) => walk(child, inside))];
  };
  const tests = report.suites.flatMap((suite) => walk(suite, []));
  for (const error of report.errors ?? []) {
    tests.push({
      title: `browser tests run: ${String(error.message).split('\n')[0]}`,
      file: 'e2e',
      ...failure(error.message),
    });
  }
  return tests;
}

/**
 * What a program found last, or null when it ran on another tree or not at all.
 * @param {Program} program
 * @param {{ anyTree?: boolean }} [options] anyTree: also what was found before the last edits
 * @returns {TestOutcome[] | null}
 */
export function keptResults(program, { anyTree = false } = {}) {
  if (!fs.existsSync(fileOf(program))) return null;
  if (anyTree) return readResults(program, fileOf(program));
  if (!fs.existsSync(treeOf(program)) || fs.readFileSync(treeOf(program), 'utf8') !== treeDigest())
    return null;
  return readResults(program, fileOf(program));
}

/**
 * @param {Program} program
 * @param {string} file
 * @returns {TestOutcome[]}
 */
export function readResults(program, file) {
  const report = JSON.parse(fs.readFileSync(file, 'utf8'));
  return program === 'vitest' ? readVitest(report) : readPlaywright(report);
}

/**
 * Runs all tests of a program.
 * @param {Program} program
 * @param {{ quiet?: boolean, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ ok: boolean, seconds: number, output: string, tests: TestOutcome[] }>}
 */
export async function runTests(program, { quiet = false, env = {} } = {}) {
  fs.mkdirSync(FOLDER, { recursive: true });
  for (const file of [fileOf(program), treeOf(program)]) fs.rmSync(file, { force: true });
  const tree = treeDigest();
  const args =
    program === 'vitest'
      ? ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${fileOf(program)}`]
      : ['test'];
  const done = await runNode(TOOLS[program], args, { quiet, env });
  const tests = fs.existsSync(fileOf(program))
    ? readResults(program, fileOf(program))
    : [{ title: `${program} ran`, file: '', ...failure('it left no results') }];
  if (tree && tree === treeDigest()) fs.writeFileSync(treeOf(program), tree);
  return { ...done, tests };
}
