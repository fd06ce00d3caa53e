// Runs the tools under node_modules. Builtin modules only: up and verify start before anything is installed.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { inTurn } from './exclusive.mjs';

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

/** Milliseconds between asking a tool to stop and stopping it. */
const STOP_MS = 3_000;
const running = new Set();
let stopping = false;

const signalGroup = (child, signal) => {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // it has just ended
  }
};

/** Ends the tools that still run, with everything that they started, and starts no more. Resolves when they are gone. */
export async function stopTools() {
  stopping = true;
  const children = [...running];
  const gone = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of children) signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => children.forEach((child) => signalGroup(child, 'SIGKILL')), STOP_MS);
  await Promise.all(gone);
  clearTimeout(timer);
}

/**
 * Runs a program to its end with inherited output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean }} [options] quiet keeps the output back unless the program fails
 * @returns {Promise<{ ok: boolean, seconds: number, output: string }>}
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const started = Date.now();
  if (stopping) return Promise.resolve({ ok: false, seconds: 0, output: 'stopped' });
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...QUIET_ENV, ...env },
      detached: true, // a group of its own, so that a tool ends together with its helpers
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const end = (ok) => {
      running.delete(child);
      resolve({ ok, seconds: (Date.now() - started) / 1000, output });
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

/** Runs a Node program of node_modules or of ours. */
export const runNode = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);

const readLock = (file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')).packages;

/** True when node_modules holds what the lockfile says, by npm's own record of what it has put there. */
export function isInstalled() {
  if (!fs.existsSync(path.join(ROOT, 'node_modules/.package-lock.json'))) return false;
  const wanted = readLock('package-lock.json');
  const present = readLock('node_modules/.package-lock.json');
  const asWanted = Object.keys(present).every((name) => present[name].version === wanted[name]?.version);
  const complete = Object.keys(wanted).every(
    (name) => name === '' || name in present || wanted[name].optional,
  );
  return asWanted && complete;
}

/**
 * `npm ci`, only when the lockfile is not the installed one. Throws when npm fails.
 * @returns {Promise<number>} seconds used
 */
export const install = () => inTurn(`install ${ROOT}`, installInTurn);

async function installInTurn() {
  if (isInstalled()) return 0;
  console.log('  installing packages, about a minute …');
  const npmCi = () => run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true });
  const first = await npmCi();
  if (first.ok) return first.seconds;
  // An npm that outlived a killed start may have been at work in the same folder.
  const second = isInstalled() ? { ok: true, seconds: 0, output: '' } : await npmCi();
  if (!second.ok) throw new Error(`npm ci failed:\n${second.output.trimEnd()}`);
  return first.seconds + second.seconds;
}

/** Generates the Prisma client into lib/db/generated. Throws with the tool's words when it fails. */
export async function generate() {
  const { ok, seconds, output } = await runNode(TOOLS.prisma, ['generate'], { quiet: true });
  if (!ok) throw new Error(`prisma generate failed:\n${output}`);
  return seconds;
}
