// The client in a project of its own: copied by the README's lines, type-checked and run without anything of this checkout.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

const ROOT = path.resolve(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const MODULES = path.join(ROOT, 'node_modules');
const SLOW = { timeout: 60_000 };

const [, COPY = ''] = /```sh\n([^`]*npm install[^`]*)```/.exec(README) ?? [];
const [copying, installing = ''] = COPY.split(/^npm install /m);
const packages = installing.trim().split(' ');

const PROGRAM = `
import { createLedgerClient } from './onceover/ledger/client';
import { deriveStepKey } from './onceover/domain/keys';

const ledger = createLedgerClient({ baseUrl: process.argv[2]!, token: process.argv[3]! });
const key: string = deriveStepKey({ workflowId: 'w-1', step: 'copied' });
const outcome = await ledger.once({ operation: 'acme-order-mail', key, requestId: 'R-1', payload: {} }, async () => ({
  resultId: 'COPIED-1',
}));
console.log(outcome.kind, key);
`;

let api: ProducerApiUnderTest;
let folder: string;
beforeAll(async () => {
  api = await producerApiUnderTest();
  folder = mkdtempSync(path.join(tmpdir(), 'onceover-copied-'));
  execFileSync('bash', ['-euc', copying ?? ''], { cwd: folder, env: { ...process.env, ONCEOVER: ROOT } });
  mkdirSync(path.join(folder, 'node_modules/@noble'), { recursive: true });
  for (const name of packages.map((each) => each.replace(/@[^@]*$/, '')))
    cpSync(path.join(MODULES, name), path.join(folder, 'node_modules', name), { recursive: true });
  symlinkSync(path.join(MODULES, '@types'), path.join(folder, 'node_modules/@types'));
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.close();
});

it('the README installs the versions that are tested here', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(packages).toHaveLength(3);
  for (const each of packages) {
    const [, name = '', version] = /^(.+)@([^@]+)$/.exec(each) ?? [];
    expect(dependencies[name]).toBe(version);
  }
});

it('R-035 the copied client type-checks, every file of it', SLOW, () => {
  const flags = '--strict --noEmit --target es2023 --module esnext --moduleResolution bundler --types node';
  const config = { compilerOptions: {}, include: ['**/*.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(MODULES, 'typescript/bin/tsc');
  expect(
    execFileSync(process.execPath, [tsc, '-p', '.', ...flags.split(' ')], { cwd: folder, encoding: 'utf8' }),
  ).toBe('');
});

it('R-035 the copied client runs with plain Node and tsx', SLOW, async () => {
  const loader = new URL(`file://${MODULES}/tsx/dist/loader.mjs`).href;
  const child = spawn(process.execPath, ['--import', loader, 'program.ts', api.url, api.tokens.north], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(text).toMatch(/^COMPLETED \S+\n$/);
  expect(await api.execution(text.trim().split(' ')[1]!)).toMatchObject({
    state: 'SUCCEEDED',
    result_id: 'COPIED-1',
  });
});
