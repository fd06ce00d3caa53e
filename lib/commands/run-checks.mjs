// The checks of `npm run verify`, in the order in which a failure is cheapest to find. Builtin modules only: it installs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hasBrowserTests, prepareBrowser } from './browser.mjs';
import { buildApp } from './build-app.mjs';
import { prepareNetwork } from './debian.mjs';
import { checkFirstLoad } from './first-load.mjs';
import { LONG_FUZZ_RUNS, fuzz } from './fuzz.mjs';
import { OLDER_MAJOR } from './postgres-binaries.mjs';
import { runTests } from './test-results.mjs';
import { ROOT, TOOLS, TYPESCRIPT, generate, install, run, runNode, stopTools } from './toolchain.mjs';

const program = (name) => path.join(ROOT, 'lib/commands', name);

// On a cluster of its own: migrations from nothing, then schema files, migrations and the live database against each other.
async function checkDrift() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onceover-drift-'));
  fs.chmodSync(folder, 0o755); // PostgreSQL's user must enter it
  const env = { DATA_DIR: folder, DATABASE_URL: undefined, DATABASE_OWNER_URL: undefined };
  try {
    for (const command of ['deploy', 'deploy', 'check', 'live']) {
      const done = await runNode(program('migrate.mjs'), [command], { env, quiet: true });
      if (!done.ok) return { ...done, output: `migrate.mjs ${command}:\n${done.output}` };
    }
    return { ok: true, output: '' };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const tool = (name, args) => () => runNode(TOOLS[name], args, { quiet: true });
const attempt = (work) => async () => {
  try {
    await work();
    return { ok: true, output: '' };
  } catch (error) {
    return { ok: false, output: error.message };
  }
};
const listing = (name) => (args) => () =>
  run(process.execPath, [...TYPESCRIPT, program(name), ...args], { quiet: true });
const rules = listing('rules.ts');
const checks = listing('checks.ts');
/** Parts of CHECKS.md in which nothing may be open. */
const COMPLETE_PARTS = 'AN,AZ,FE,AU,HD,PR,SC';

const chaos =
  (...args) =>
  () =>
    run(process.execPath, [...TYPESCRIPT, program('chaos.ts'), '--seed', '1', ...args], { quiet: true });

const outsideCalls = () =>
  run(process.execPath, [...TYPESCRIPT, path.join(ROOT, 'lib/testing/programs/outside-tests.ts')], {
    quiet: true,
  });

// Its figures are told: nothing passes or fails by them, but that each of them can be had.
async function bench() {
  const done = await run(process.execPath, [...TYPESCRIPT, program('bench.ts')], { quiet: true });
  console.log(done.output.trimEnd());
  return done;
}

const evidence = (...args) => chaos('--evidence', ...args);

// Its seed and counts are told in any case: a run can be judged and made again.
async function longFuzz() {
  const done = await fuzz({ runs: String(LONG_FUZZ_RUNS), quiet: true });
  console.log(
    done.output
      .split('\n')
      .flatMap((line) => /fuzz .*: seed .*/.exec(line) ?? [])
      .join('\n'),
  );
  return done;
}

const LINT = ['lint', tool('eslint', ['.', '--max-warnings', '0'])];
const STATIC = [
  ['format', tool('prettier', ['--check', '--log-level', 'warn', '.'])],
  ['types', tool('tsc', ['--noEmit'])],
  [
    'boundaries',
    tool('depcruise', ['app', 'components', 'lib', 'e2e', '--config', '.dependency-cruiser.cjs']),
  ],
  ['unused code', tool('knip', ['--include', 'files,dependencies,unlisted,unresolved'])],
  ['schema drift', checkDrift],
];

/**
 * Runs everything and ends the process: exit 1 when anything failed.
 * @param {{ full: boolean }} options full adds the suites that take long
 */
export async function verify({ full }) {
  const started = Date.now();
  const count = { passed: 0, failed: 0 };
  const failures = [];
  const failedTests = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => void stopTools().then(() => process.exit(1)));
  }

  async function check(name, work) {
    const from = Date.now();
    const { ok, output } = await work();
    console.log(`${ok ? '✓' : '✗'} ${name}  ${((Date.now() - from) / 1000).toFixed(1)} s`);
    if (!ok) console.log(output?.trimEnd() ?? '');
    count[ok ? 'passed' : 'failed'] += 1;
    if (!ok) failures.push(name);
    return ok;
  }

  // Each test counts; a run that fails without a failing test counts as one more.
  async function tests(name, testProgram, env) {
    const { ok, output, tests: found, seconds } = await runTests(testProgram, { quiet: true, env });
    const failed = found.filter((test) => !test.passed);
    count.passed += found.length - failed.length;
    count.failed += failed.length + (failed.length === 0 && !ok ? 1 : 0);
    console.log(
      `${ok ? '✓' : '✗'} ${name}  ${found.length - failed.length} passed, ${failed.length} failed  ${seconds.toFixed(1)} s`,
    );
    if (ok) return;
    failures.push(name);
    failedTests.push(...failed);
    console.log(output.trimEnd().slice(-20_000));
  }

  try {
    const seconds = await install();
    if (seconds > 0) console.log(`installed packages  ${seconds.toFixed(1)} s`);
    await generate();
    // Lint reads types too, and takes as long as all the others together.
    await check('page types', tool('next', ['typegen']));
    const rest = async () => {
      for (const [name, work] of STATIC) await check(name, work);
    };
    await Promise.all([check(...LINT), rest()]);
    await check('network of its own', attempt(prepareNetwork));
    await tests('tests', 'vitest');
    await check('chaos', chaos('--runs', '7'));
    const built = await check('build', attempt(buildApp));
    if (built) await check('first load of /queue', async () => checkFirstLoad());
    if (hasBrowserTests() && (await check('browser', attempt(prepareBrowser))) && built) {
      await tests('browser tests', 'playwright', full ? { E2E_FULL: '1' } : {});
    }
    await check('rules', rules(['--brief', '--kept']));
    await check('attacks', checks(['--brief', '--kept']));
    if (full) {
      const complete = ['--brief', '--kept', '--complete', '--parts', COMPLETE_PARTS];
      await check(`attacks of ${COMPLETE_PARTS}, complete`, checks(complete));
      await check('outside calls in a network of their own', outsideCalls);
      await check('bench', bench);
      await check('long fuzz', longFuzz);
      await check('mutants', rules(['--mutate']));
      await check('chaos, 60 runs', chaos('--runs', '60'));
      await check('chaos notices broken guarantees', chaos('--runs', '20', '--mutants'));
      await check('evidence of 500 unknown results', evidence());
      await check(
        'evidence notices a broken engine',
        evidence('--unknown', '60', '--late', '8', '--mutants'),
      );
      await tests(`tests on PostgreSQL ${OLDER_MAJOR}`, 'vitest', { TEST_POSTGRES: String(OLDER_MAJOR) });
    }
  } catch (error) {
    count.failed += 1;
    failures.push('verify');
    console.log(error.message);
  }
  // Said again at the end: of a long output often only the end is kept.
  for (const { title, file, reason } of failedTests) console.log(`\n✗ ${title}\n  ${file}\n${reason}`);
  if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
  console.log(`${((Date.now() - started) / 1000).toFixed(0)} s`);
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exit(count.failed > 0 ? 1 : 0);
}
