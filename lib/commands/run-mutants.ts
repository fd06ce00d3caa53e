// Breaks one thing at a time and runs only the tests that carry its rule's id: a mutant that none of them notices survives.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { holdTestServer, type TestServer } from '../testing/cluster';
import type { Mutant } from '../testing/mutant';
import { MUTANTS } from '../testing/mutants';
import { dropTemplate, prepareTemplate } from '../testing/template';
import { fateOf, type Fate } from './mutant-fate';
import { readResults } from './test-results.mjs';
import { ROOT, TOOLS, runNode } from './toolchain.mjs';

/** Mutants at work at the same time; each runs a Vitest of its own. */
const PARALLEL = 2;

function testFiles(): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'generated' ? [] : walk(name);
      return /\.test\.tsx?$/.test(name) ? [name] : [];
    });
  return [...['app', 'components', 'lib'].flatMap(walk), 'proxy.test.ts'];
}

/** Files that mention the rule's number: ids can stand in titles made from tables. */
const filesAbout = (rule: string, files: readonly string[]) =>
  files.filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes(rule));

async function runTestsOf(
  mutant: Mutant,
  files: readonly string[],
  env: Record<string, string>,
): Promise<Fate> {
  const about = filesAbout(mutant.rule, files);
  if (about.length === 0) return { mutant, state: 'survived', words: 'no test carries its id' };
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-mutant-'));
  const report = path.join(folder, 'report.json');
  try {
    const ofRule = `${mutant.rule}\\b`;
    // One PostgreSQL is enough: a mutated template lies on its server alone.
    const projects = ['--project=unit', '--project=database'];
    const args = ['run', ...about, ...projects, '-t', ofRule, '--reporter=json', `--outputFile=${report}`];
    await runNode(TOOLS.vitest, args, { quiet: true, env });
    return fateOf(mutant, readResults('vitest', report));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withMutatedDatabase<T>(
  server: TestServer,
  mutant: Mutant,
  work: (template: string) => Promise<T>,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-mutant-'));
  try {
    cpSync(path.join(ROOT, 'prisma/migrations'), folder, { recursive: true });
    const file = path.join(folder, path.relative('prisma/migrations', mutant.file));
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(mutant.find, () => mutant.replace),
    );
    const template = await prepareTemplate(server, { folder, kind: 'mutant' });
    try {
      return await work(template);
    } finally {
      await dropTemplate(server, template);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(server: TestServer, mutant: Mutant, files: readonly string[]): Promise<Fate> {
  if (!mutant.file.startsWith('prisma/migrations/')) {
    return runTestsOf(mutant, files, { ONCEOVER_MUTANT: JSON.stringify(mutant) });
  }
  return withMutatedDatabase(server, mutant, (template) =>
    runTestsOf(mutant, files, { ONCEOVER_TEST_TEMPLATE: template }),
  ).catch((error: Error) => ({
    mutant,
    state: 'broken' as const,
    words: `it cannot be applied: ${error.message.trim().split('\n').slice(0, 3).join(' ')}`,
  }));
}

/**
 * Runs the committed mutants, or those of some rules, and prints the fate of each.
 * @returns whether all were killed
 */
export async function runMutants(rules: readonly string[]): Promise<boolean> {
  const chosen = MUTANTS.filter(
    (mutant) => rules.length === 0 || rules.some((rule) => mutant.rule.startsWith(rule)),
  );
  const files = testFiles();
  const server = await holdTestServer();
  const queue = [...chosen];
  const fates: Fate[] = [];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const fate = await judge(server, mutant, files);
      fates.push(fate);
      const state = fate.state === 'killed' ? fate.state : fate.state.toUpperCase();
      console.log(`${state.padEnd(8)}  ${mutant.rule}  ${mutant.file}: ${fate.words}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, work));
  } finally {
    await server.release();
  }
  const of = (state: Fate['state']) => fates.filter((fate) => fate.state === state);
  const survivors = [...of('survived'), ...of('broken')];
  for (const { mutant } of survivors) {
    console.log(`\n${mutant.rule} ${mutant.file}\n  - ${mutant.find.trim()}\n  + ${mutant.replace.trim()}`);
  }
  const broken = of('broken').length;
  console.log(
    `\n${of('killed').length} killed, ${of('survived').length} survived${broken > 0 ? `, ${broken} BROKEN: of them nothing is known` : ''}`,
  );
  return survivors.length === 0;
}
