// The embedded database as its users see it: ask for it, get addresses, let go of it.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { connectTo, readMessage } from './exclusive.mjs';
import { dataDir, keepPrivate, randomSecret } from './data-dir.mjs';
import { keptPort, runningPort } from './embedded-postgres.mjs';
import { SYSTEM_HOME, serverCanEnter } from './postgres-binaries.mjs';

/** Every role that gets a password of its own in DATA_DIR/database.json. */
export const ROLES = [
  'postgres',
  'onceover_owner',
  'onceover_app',
  'onceover_worker',
  'onceover_signer',
  'north_sql',
];
export const DATABASE = 'onceover';
const PATIENCE_MS = 120_000;

function makeRecord(folder) {
  // PostgreSQL's user must reach its files; when the checkout lies under a private folder they go to the system's.
  const cluster = serverCanEnter(folder)
    ? path.join(folder, 'postgres')
    : path.join(SYSTEM_HOME, `cluster-${randomSecret().slice(0, 12)}`);
  const passwords = Object.fromEntries(ROLES.map((role) => [role, randomSecret()]));
  return `${JSON.stringify({ cluster, passwords }, null, 2)}\n`;
}

/** The cluster's place and passwords, kept for its owner's eyes in DATA_DIR/database.json. */
export function databaseRecord(folder = dataDir()) {
  const file = path.join(folder, 'database.json');
  const orphan = path.join(folder, 'postgres/data/PG_VERSION');
  if (!fs.existsSync(file) && fs.existsSync(orphan)) {
    throw new Error(
      `${file} is gone, and with it the passwords of the database beside it. Restore it, or remove ${folder}/postgres to start anew.`,
    );
  }
  return JSON.parse(keepPrivate(file, () => makeRecord(folder)));
}

/** Addresses by role and database, for a record and the port that its server has. */
export const urlFor =
  (record, port) =>
  (role, database = DATABASE) =>
    `postgresql://${role}:${record.passwords[role]}@127.0.0.1:${port}/${database}`;

/** Addresses of a database that runs already, or null. */
export function runningDatabase(folder = dataDir()) {
  const record = databaseRecord(folder);
  const port = runningPort({ folder: record.cluster });
  return port ? { port, url: urlFor(record, port) } : null;
}

/** The port that the database had last and takes again while it is free, or null before the first start. */
export const lastKnownPort = (folder = dataDir()) => keptPort({ folder: databaseRecord(folder).cluster });

// The connection to a new guardian, or to another one that was a moment earlier.
async function startGuardian(name, cluster) {
  const guardian = spawn(process.execPath, [path.join(import.meta.dirname, 'database-guardian.mjs'), name], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
  });
  guardian.on('error', () => undefined); // the deadline below says it
  guardian.stdin.on('error', () => undefined); // it found another one before reading
  guardian.stdin.end(JSON.stringify(cluster));
  guardian.unref();
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(20)) {
    const socket = await connectTo(name);
    if (socket) return socket;
  }
  throw new Error('The process that guards the embedded database did not start.');
}

/**
 * Starts a cluster or joins the one that runs. It runs while at least one process holds it.
 * @param {import('./embedded-postgres.mjs').Cluster} cluster
 * @returns {Promise<{ port: number, lost: Promise<string>, release: () => Promise<void> }>} `lost` resolves with the
 *   reason when the server ends while we hold it; `release` resolves when the server has stopped or others hold it
 */
export async function holdCluster(cluster) {
  const name = `database ${fs.realpathSync(path.dirname(cluster.folder))}/${path.basename(cluster.folder)}`;
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const socket = (await connectTo(name)) ?? (await startGuardian(name, cluster));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const message = await readMessage(socket);
    if (message?.error) throw new Error(message.error);
    if (!message?.port) {
      socket.destroy();
      await closed;
      continue; // it is just stopping, or was killed: ask again
    }
    let released = false;
    const lost = new Promise((resolve) => {
      void readMessage(socket).then(
        (last) => released || resolve(last?.error ?? 'its guardian process ended'),
      );
    });
    const release = async () => {
      released = true;
      socket.end();
      await closed;
    };
    return { port: message.port, lost, release };
  }
  throw new Error('The embedded database could not be reached within two minutes.');
}

/**
 * The embedded database of DATA_DIR, running.
 * @param {string} [folder] DATA_DIR
 */
export async function holdDatabase(folder = dataDir()) {
  const record = databaseRecord(folder);
  fs.mkdirSync(path.dirname(record.cluster), { recursive: true });
  const held = await holdCluster({ folder: record.cluster, password: record.passwords.postgres });
  return { ...held, passwords: record.passwords, url: urlFor(record, held.port) };
}
