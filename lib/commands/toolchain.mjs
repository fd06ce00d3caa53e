// Runs the tools under node_modules. Builtin modules only: up and verify start before anything is installed.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';

/** The checkout's folder. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** No telemetry, no look-ups, and no download of Prisma's native schema engine, which nothing here uses. */
export const QUIET_ENV = {
  NEXT_TELEMETRY_DISABLED: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
};

const tool = (relative) => path.join(ROOT, 'node_modules', relative);
export const TOOLS = {
  depcruise: tool('dependency-cruiser/bin/dependency-cruise.mjs'),
  eslint: tool('eslint/bin/eslint.js'),
  knip: tool('knip/bin/knip.js'),
  next: tool('next/dist/bin/next'),
  playwright: tool('@playwright/test/cli.js'),
  prettier: tool('prettier/bin/prettier.cjs'),
  prisma: tool('prisma/build/index.js'),
  tsc: tool('typescript/bin/tsc'),
  vitest: tool('vitest/vitest.mjs'),
};

/** Node arguments that run a TypeScript program of ours; `server-only` resolves to its empty file. */
export const TYPESCRIPT = [
  '--conditions=react-server',
  '--import',
  new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href,
];

/**
 * Runs a program to its end with inherited output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean }} [options] quiet keeps the output back unless the program fails
 * @returns {Promise<{ ok: boolean, seconds: number, output: string }>}
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...QUIET_ENV, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const end = (ok) => resolve({ ok, seconds: (Date.now() - started) / 1000, output });
    child.once('error', (error) => {
      output += `${error.message}\n`;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

/** Runs a Node program of node_modules or of ours. */
export const runNode = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);

/** @param {string} file */
const digestOf = (file) => crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');

/** True when node_modules mirrors the lockfile already. */
export function isInstalled() {
  const stamp = path.join(ROOT, 'node_modules/.lock-digest');
  return (
    fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digestOf(path.join(ROOT, 'package-lock.json'))
  );
}

/** `npm ci`, only when the lockfile is not the installed one. Throws when npm fails. */
export async function install() {
  if (isInstalled()) return 0;
  const { ok, seconds } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (!ok) throw new Error('npm ci failed: see above');
  fs.writeFileSync(
    path.join(ROOT, 'node_modules/.lock-digest'),
    digestOf(path.join(ROOT, 'package-lock.json')),
  );
  return seconds;
}

/** Generates the Prisma client into lib/db/generated. Throws with the tool's words when it fails. */
export async function generate() {
  const { ok, seconds, output } = await runNode(TOOLS.prisma, ['generate'], { quiet: true });
  if (!ok) throw new Error(`prisma generate failed:\n${output}`);
  return seconds;
}
