// The production build, made only when what it is made of has changed.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { tidyArtefact } from './artefact.mjs';
import { takesNoArguments } from './command-line.mjs';
import { inTurn } from './exclusive.mjs';
import { ROOT, TOOLS, generate, runNode } from './toolchain.mjs';

const SOURCES = [
  'app',
  'components',
  'lib',
  'prisma/schema',
  'public',
  'instrumentation-client.ts',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'prisma.config.ts',
  'proxy.ts',
  'tsconfig.json',
];
// Not part of the served app.
const ASIDE = /(^|\/)lib\/(commands|testing|sandbox|db\/generated)(\/|$)|\.test\.tsx?$/;
const STANDALONE = path.join(ROOT, '.next/standalone');
const STAMP = path.join(STANDALONE, '.sources-digest');

/** The program that serves the build. */
export const SERVER = path.join(STANDALONE, 'server.js');

/** The key that the build keeps for what server actions carry; counts where no other one is given at the start. */
export const builtActionKey = () =>
  JSON.parse(fs.readFileSync(path.join(STANDALONE, '.next/server/server-reference-manifest.json'), 'utf8'))
    .encryptionKey;

function* filesUnder(relative) {
  const full = path.join(ROOT, relative);
  if (ASIDE.test(relative) || !fs.existsSync(full)) return;
  if (!fs.statSync(full).isDirectory()) {
    yield relative;
    return;
  }
  for (const name of fs.readdirSync(full).sort()) yield* filesUnder(`${relative}/${name}`);
}

/** One hash over names and contents of everything that the build reads, and over Node's version. */
export function sourcesDigest() {
  const hash = crypto.createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    for (const file of filesUnder(source)) {
      const content = fs.readFileSync(path.join(ROOT, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/**
 * Generates and builds when needed; two programs of one checkout take turns. Throws with the tool's words when it fails.
 * @returns {Promise<number>} seconds used; 0 when the build was there
 */
export const buildApp = () => inTurn(`build ${ROOT}`, buildInTurn);

async function buildInTurn() {
  const digest = sourcesDigest();
  const started = Date.now();
  const built = fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === digest;
  if (built && fs.existsSync(path.join(ROOT, 'lib/db/generated/client.ts'))) return 0;
  await generate(); // the worker reads it too
  if (built) return (Date.now() - started) / 1000;
  fs.rmSync(STAMP, { force: true });
  const { ok, output } = await runNode(TOOLS.next, ['build'], {
    quiet: true,
    env: { NODE_ENV: 'production' },
  });
  if (!ok) throw new Error(`The build failed:\n${output.trimEnd()}`);
  // The standalone server serves these, but Next does not put them there.
  fs.cpSync(path.join(ROOT, '.next/static'), path.join(STANDALONE, '.next/static'), { recursive: true });
  if (fs.existsSync(path.join(ROOT, 'public'))) {
    fs.cpSync(path.join(ROOT, 'public'), path.join(STANDALONE, 'public'), { recursive: true });
  }
  tidyArtefact(STANDALONE);
  fs.writeFileSync(STAMP, digest);
  return (Date.now() - started) / 1000;
}

if (process.argv[1] === import.meta.filename) {
  takesNoArguments('usage: npm run build\n  Makes the production build, when its sources have changed.');
  try {
    const seconds = await buildApp();
    console.log(seconds > 0 ? `built in ${seconds.toFixed(1)} s` : 'the build is up to date');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
