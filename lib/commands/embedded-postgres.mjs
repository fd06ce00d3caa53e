// One PostgreSQL cluster from npm's programs: made, started and stopped with its own pg_ctl. Builtin modules only.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { postgresBinaries, runAsServer, serverIdentity } from './postgres-binaries.mjs';

const START_SECONDS = 60;
/** PID 1 of a container may reap late: a killed postmaster then counts as alive for a second or two. */
const RETRY_MS = 10_000;

/** @typedef {{ folder: string, password: string, settings?: Record<string, string>, disposable?: boolean, major?: number }} Cluster */

const dataFolder = (cluster) => path.join(cluster.folder, 'data');
const portFile = (cluster) => path.join(cluster.folder, 'port');
const logFile = (cluster) => path.join(cluster.folder, 'server.log');

function giveToServer(file) {
  const { uid, gid } = serverIdentity();
  if (uid !== undefined) fs.chownSync(file, uid, gid);
}

/** The process id and port in postmaster.pid, or null when there is no such file. */
function postmaster(cluster) {
  try {
    const lines = fs.readFileSync(path.join(dataFolder(cluster), 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return pid && port ? { pid, port } : null;
  } catch {
    return null;
  }
}

// A killed process that its parent has not buried yet: it answers signal 0 and does nothing else.
function isZombie(pid) {
  try {
    return / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
  } catch {
    return false; // no /proc on this system, or just gone
  }
}

/** Whether the process of postmaster.pid exists: cheap, for watching. */
export function looksAlive(cluster) {
  const found = postmaster(cluster);
  if (!found) return false;
  try {
    process.kill(found.pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return !isZombie(found.pid);
}

/** The port of the running server, or null. */
export function runningPort(cluster) {
  if (!looksAlive(cluster)) return null;
  // The process id may be another program's by now: pg_ctl knows.
  const status = runAsServer(postgresBinaries(cluster.major).pgCtl, ['status', '-D', dataFolder(cluster)]);
  return status.status === 0 ? (postmaster(cluster)?.port ?? null) : null;
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = net.createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const anyFreePort = () =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** The port of the last start, or null. */
export const keptPort = (cluster) =>
  fs.existsSync(portFile(cluster)) ? Number(fs.readFileSync(portFile(cluster), 'utf8')) : null;

/** A cluster keeps its port while that is free, so that addresses in other windows stay good. */
async function choosePort(cluster) {
  const known = keptPort(cluster);
  return known && (await isFree(known)) ? known : anyFreePort();
}

function tellFailure(what, text) {
  if (/No space left on device|ENOSPC/i.test(text)) {
    return new Error(`${what}: the disk is full. Free some space and start again; nothing was lost.`);
  }
  return new Error(`${what}:\n${text.trim().slice(-1500)}`);
}

// Made in a folder beside and then renamed: a killed initdb never leaves half a cluster.
function makeCluster(cluster) {
  const target = dataFolder(cluster);
  const draft = `${target}.draft`;
  const passwordFile = path.join(cluster.folder, 'initdb.password');
  fs.rmSync(draft, { recursive: true, force: true });
  fs.writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  giveToServer(passwordFile);
  const made = runAsServer(postgresBinaries(cluster.major).initdb, [
    ...['-D', draft, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
  ]);
  fs.rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    fs.rmSync(draft, { recursive: true, force: true });
    throw tellFailure(
      'The embedded PostgreSQL could not be set up',
      `${made.error ?? ''}${made.stderr ?? ''}`,
    );
  }
  fs.renameSync(draft, target);
}

async function startOnce(cluster, port) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off', // our statements are short: compiling them costs more than it saves
    ...cluster.settings,
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  fs.rmSync(logFile(cluster), { force: true }); // one start's log: it must not grow for ever
  const started = runAsServer(
    postgresBinaries(cluster.major).pgCtl,
    [
      'start',
      '-D',
      dataFolder(cluster),
      '-l',
      logFile(cluster),
      '-w',
      '-t',
      String(START_SECONDS),
      '-o',
      `-p ${port} ${options.join(' ')}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (started.status === 0) return;
  const log = fs.existsSync(logFile(cluster)) ? fs.readFileSync(logFile(cluster), 'utf8') : '';
  throw tellFailure(
    'The embedded PostgreSQL did not start',
    `${started.error ?? ''}${started.stderr ?? ''}${log}`,
  );
}

/**
 * Starts the cluster, makes it first when there is none, or takes over a server that runs already.
 * Only one process may do this at a time (the guardian).
 * @param {Cluster} cluster a disposable one is made anew when it does not start
 * @param {{ port?: number, cancelled?: () => boolean }} [how] port: for a restart, the one that others know; cancelled:
 *   asked right before each try, so that a server is not started after it was told to stop
 * @returns {Promise<number>} the port on 127.0.0.1
 */
export async function startCluster(cluster, how = {}) {
  fs.mkdirSync(cluster.folder, { recursive: true });
  giveToServer(cluster.folder);
  if (!fs.existsSync(path.join(dataFolder(cluster), 'PG_VERSION'))) makeCluster(cluster);
  for (const deadline = Date.now() + RETRY_MS; ;) {
    const running = runningPort(cluster);
    if (running) return running;
    const port = how.port ?? (await choosePort(cluster));
    if (how.cancelled?.()) throw new Error('the start was cancelled');
    try {
      await startOnce(cluster, port);
      fs.writeFileSync(portFile(cluster), String(port));
      return port;
    } catch (error) {
      if (/disk is full/.test(error.message)) throw error;
      if (Date.now() > deadline) {
        if (!cluster.disposable) throw error;
        fs.rmSync(dataFolder(cluster), { recursive: true, force: true });
        return startCluster({ ...cluster, disposable: false }, how);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

/** Stops the server, letting open transactions roll back; no error when it does not run. */
export function stopCluster(cluster) {
  if (!fs.existsSync(path.join(dataFolder(cluster), 'postmaster.pid'))) return;
  runAsServer(postgresBinaries(cluster.major).pgCtl, [
    'stop',
    '-D',
    dataFolder(cluster),
    '-m',
    'fast',
    '-w',
    '-t',
    '60',
  ]);
}
