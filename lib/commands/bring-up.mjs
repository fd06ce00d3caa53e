// Everything between `npm run up` and the printed address, and the way back. Builtin modules only: it installs the rest.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { complainAboutProvider } from '../access/provider-settings.mjs';
import { buildApp } from './build-app.mjs';
import { Children } from './children.mjs';
import { choosePort, reservePort } from './choose-port.mjs';
import { dataDir } from './data-dir.mjs';
import { DATABASE, holdDatabase } from './embedded-database.mjs';
import { connectTo, holdAlone, readMessage } from './exclusive.mjs';
import { childPlans, installationEnv, knowsSandbox, localAddress } from './installation.mjs';
import { ROOT, TYPESCRIPT, install, isInstalled, run, runNode, stopTools } from './toolchain.mjs';

/** Bytes: a cluster, its log and the logs of the programs; a first installation needs much more. */
const LEAST_SPACE = { started: 200e6, first: 2.5e9 };
const READY_MS = 60_000;

const tell = (line) => console.log(line);
const ifFailed = ({ ok, output }, what) => {
  if (!ok) throw new Error(`${what}:\n${output.trimEnd()}`);
};

// One `up` per data folder: two would start two sandboxes on the same records.
async function claimFolder(folder, about) {
  const name = `up ${folder}`;
  const lock = await holdAlone(name, (socket) => {
    socket.on('error', () => undefined);
    socket.end(`${JSON.stringify(about)}\n`);
  });
  if (lock) return;
  const other = await connectTo(name).then((socket) => socket && readMessage(socket));
  const where = other?.address ? `at ${other.address}` : 'and is still starting';
  throw new Error(
    `Onceover already runs ${where} (process ${other?.pid ?? 'unknown'}). Stop that one first, or give this one another DATA_DIR.`,
  );
}

function checkSpace(folder) {
  const { bavail, bsize } = fs.statfsSync(folder);
  const wanted = isInstalled() ? LEAST_SPACE.started : LEAST_SPACE.first;
  if (bavail * bsize >= wanted) return;
  const [free, need] = [bavail * bsize, wanted].map((bytes) => Math.round(bytes / 1e6));
  throw new Error(`The disk of ${folder} is nearly full: ${free} MB are free, ${need} MB are needed.`);
}

async function step(what, work) {
  const started = Date.now();
  const result = await work();
  const seconds = (Date.now() - started) / 1000;
  if (seconds > 0.3) tell(`  ${what}: ${seconds.toFixed(1)} s`);
  return result;
}

// The embedded database, or the one of DATABASE_URL with the addresses that the environment gives.
async function openDatabase() {
  if (!process.env.DATABASE_URL) {
    const held = await holdDatabase();
    return {
      embedded: held,
      appUrl: held.url('onceover_app'),
      workerUrl: held.url('onceover_worker'),
      signerUrl: held.url('onceover_signer'),
      ownerUrl: held.url('onceover_owner'),
      northSqlUrl: held.url('north_sql'),
    };
  }
  return {
    embedded: null,
    appUrl: process.env.DATABASE_URL,
    workerUrl: process.env.DATABASE_WORKER_URL || process.env.DATABASE_URL,
    signerUrl: process.env.DATABASE_SIGNER_URL || null,
    ownerUrl: process.env.DATABASE_OWNER_URL || null,
    northSqlUrl: process.env.NORTH_SQL_URL || undefined,
  };
}

async function migrate(database) {
  if (!database.ownerUrl) {
    tell(
      '  DATABASE_OWNER_URL is not set: migrations and demo accounts are left to whoever owns the database.',
    );
    return;
  }
  const env = {
    ONCEOVER_CONFIG: undefined, // read with the first records, before the demo's
    ...(database.embedded && { DATABASE_URL: undefined, DATABASE_OWNER_URL: undefined }),
  };
  const migrated = await runNode(path.join(ROOT, 'lib/commands/migrate.mjs'), ['deploy'], {
    quiet: true,
    env,
  });
  ifFailed(migrated, `The database ${DATABASE} could not be migrated`);
}

async function bootstrap(database, env) {
  if (!database.ownerUrl) return;
  const done = await run(process.execPath, [...TYPESCRIPT, 'lib/commands/bootstrap.ts'], {
    quiet: true,
    env: {
      ...env,
      DATABASE_OWNER_URL: database.ownerUrl,
      NORTH_SQL_URL: database.northSqlUrl,
    },
  });
  ifFailed(done, 'The first records could not be made');
  if (process.env.ONCEOVER_CONFIG) tell(`  ${done.output.trim()}`);
}

async function untilReady(address, isFailed) {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(100)) {
    if (isFailed()) return;
    const answer = await fetch(`${address}/api/health`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
  }
  throw new Error(`The server did not answer at ${address}/api/health within ${READY_MS / 1000} s.`);
}

/** Goes into another window, which knows nothing of this one's DATA_DIR. */
export function sqlLine(folder, given = process.env.DATA_DIR) {
  const where = given ? `DATA_DIR='${folder.replaceAll("'", String.raw`'\''`)}' ` : '';
  return `psql "$(${where}npm run -s db:url -- --role north_sql)"`;
}

function greet({ address, seconds, folder, demo, embedded }) {
  tell(`\nOnceover is ready at ${address} after ${seconds.toFixed(1)} s.`);
  const shown = path.relative(ROOT, folder).startsWith('..') ? folder : path.relative(ROOT, folder);
  if (demo) {
    const password = fs.readFileSync(path.join(folder, 'demo-password'), 'utf8').trim();
    tell(`
  Sign in as     operator@demo.local, operator2@demo.local (works on exceptions)
                 approver@demo.local, approver2@demo.local (also decides reissues)
                 manager@demo.local (reads all), admin@demo.local, admin2@demo.local
  Password       ${password}    (also in ${shown}/demo-password)
  Tokens         ${shown}/demo-tokens.json, one per demo automation`);
    if (embedded) tell(`  SQL            ${sqlLine(folder)}`);
  }
  tell(`  Logs           ${shown}/logs\n\nCtrl-C stops everything.`);
}

/** Runs until it is told to stop; ends the process itself. */
export async function bringUp() {
  const started = Date.now();
  const state = { ending: false, held: null };
  const children = new Children({ tell, onFatal: (reason) => void end(1, reason) });

  async function end(code, reason) {
    if (state.ending) return;
    state.ending = true;
    if (reason) console.error(`\n${reason}`);
    await stopTools();
    await children.stop();
    await state.held?.release();
    process.exit(code);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0));

  // The guardian can be killed while the server lives on: then a new one takes over.
  async function keepDatabase(held) {
    state.held = held;
    const reason = await held.lost;
    if (state.ending) return;
    const again = await holdDatabase().catch(() => null);
    if (again?.port === held.port) return keepDatabase(again);
    await again?.release();
    return end(1, `The database was lost: ${reason}`);
  }

  try {
    const folder = dataDir();
    const about = { pid: process.pid, address: null };
    await claimFolder(folder, about);
    checkSpace(folder);
    const complaints = complainAboutProvider(process.env);
    if (complaints.length > 0) throw new Error(`Onceover does not start:\n  - ${complaints.join('\n  - ')}`);
    const host = process.env.HOST || '127.0.0.1';
    // Asked now, so that a taken PORT is told at once, and again when the server starts, minutes later on a new machine.
    await choosePort({ given: process.env.PORT, host });
    tell('Starting Onceover …');
    await step('installed packages', install);
    const [, database] = await Promise.all([
      step('built the app', buildApp),
      step('prepared the database', async () => {
        const opened = await openDatabase();
        if (opened.embedded) void keepDatabase(opened.embedded);
        await migrate(opened);
        return opened;
      }),
    ]);
    const { port, note } = await choosePort({ given: process.env.PORT, host, reserve: reservePort });
    if (note) tell(note);
    const env = installationEnv({ folder, host, port, embedded: Boolean(database.embedded) });
    const records = step('made accounts and keys', () => bootstrap(database, env));
    // The first start makes what the processes are told; later ones need not wait for the look at what exists.
    if (env.DEMO === 'on' && !knowsSandbox(folder)) await records;
    const plans = childPlans({ env, database, folder });
    children.start(plans.server);
    children.start(plans.worker);
    if (plans.signer) children.start(plans.signer);
    else tell('  DATABASE_SIGNER_URL is not set: the audit is not signed by this start.');
    await Promise.all([records, untilReady(localAddress(host, port), () => state.ending)]);
    if (state.ending) return;
    if (plans.sandbox) children.start(plans.sandbox);
    about.address = env.NEXTAUTH_URL;
    greet({
      address: env.NEXTAUTH_URL,
      seconds: (Date.now() - started) / 1000,
      folder,
      demo: env.DEMO === 'on',
      embedded: Boolean(database.embedded),
    });
  } catch (error) {
    await end(1, error.message);
  }
}
