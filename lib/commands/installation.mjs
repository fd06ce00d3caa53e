// What the processes of a running installation are told through their environment, and how each is started.
import fs from 'node:fs';
import path from 'node:path';
import { SERVER } from './build-app.mjs';
import { keptSecret } from './data-dir.mjs';
import { ROOT, TYPESCRIPT } from './toolchain.mjs';

/** Kept from the served processes: they act as their own database role only. */
const OWNER_ONLY = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL', 'DATABASE_WORKER_URL', 'DATABASE_SIGNER_URL'];

const without = (env, names) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/**
 * The environment that all processes of `npm run up` share. Keys that are not given are made in DATA_DIR.
 * @param {{ folder: string, host: string, port: number, embedded: boolean }} where
 * @returns {Record<string, string | undefined>}
 */
export function installationEnv({ folder, host, port, embedded }) {
  const given = without(process.env, OWNER_ONLY);
  const shownHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return {
    ...given,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATA_DIR: folder,
    HOST: host,
    HOSTNAME: host, // the standalone server's name for it
    ONCEOVER_LATEST_MIGRATION: latestMigration(),
    PORT: String(port),
    DEMO: (given.DEMO || (embedded ? 'on' : 'off')) === 'off' ? 'off' : 'on',
    NEXTAUTH_URL: given.NEXTAUTH_URL || `http://${shownHost}:${port}`,
    NEXTAUTH_SECRET: given.NEXTAUTH_SECRET || keptSecret(folder, 'nextauth-secret'),
    FIELD_HASH_KEY: given.FIELD_HASH_KEY || keptSecret(folder, 'field-hash-key'),
  };
}

// Readiness asks for it: a server must not answer over a database that its build does not know.
const latestMigration = () =>
  fs
    .readdirSync(path.join(ROOT, 'prisma/migrations'))
    .filter((name) => /^\d{14}_/.test(name))
    .sort()
    .at(-1);

// The sandbox's systems have API keys; connectors name them by reference.
function sandboxSecrets(folder) {
  const file = path.join(folder, 'sandbox.json');
  if (!fs.existsSync(file)) return {};
  const systems = Object.entries(JSON.parse(fs.readFileSync(file, 'utf8')));
  return Object.fromEntries(
    systems.map(([name, { secret }]) => [`SECRET_SANDBOX_${name.toUpperCase()}`, secret]),
  );
}

function logFile(folder, name) {
  const logs = path.join(folder, 'logs');
  fs.mkdirSync(logs, { recursive: true });
  const file = path.join(logs, `${name}.log`);
  // The log of the last start stays beside the new one; nothing grows over several starts.
  if (fs.existsSync(file)) fs.renameSync(file, `${file}.before`);
  return file;
}

/**
 * How `up` starts each process; no sandbox when DEMO is off.
 * @param {{ env: Record<string, string | undefined>, database: { appUrl: string, workerUrl: string, northSqlUrl?: string }, folder: string }} what
 */
export function childPlans({ env, database, folder }) {
  const demo = env.DEMO === 'on';
  const secrets = demo ? sandboxSecrets(folder) : {};
  const program = (name) => [...TYPESCRIPT, path.join(ROOT, `lib/commands/${name}.ts`)];
  const outsider = without(env, ['DATABASE_URL', 'NEXTAUTH_SECRET', 'FIELD_HASH_KEY', 'AUDIT_SIGNING_KEY']);
  return {
    server: {
      name: 'server',
      args: ['--import', new URL('./peer-address.mjs', import.meta.url).href, SERVER],
      env: { ...without(env, ['AUDIT_SIGNING_KEY']), ...secrets, DATABASE_URL: database.appUrl },
      logFile: logFile(folder, 'server'),
      restart: false,
    },
    worker: {
      name: 'worker',
      args: program('worker'),
      env: { ...without(env, ['AUDIT_SIGNING_KEY']), ...secrets, DATABASE_URL: database.workerUrl },
      logFile: logFile(folder, 'worker'),
      restart: true,
    },
    sandbox: demo && {
      name: 'sandbox',
      args: program('sandbox'),
      // An outsider on this machine: it knows addresses and its own tokens, nothing of ours.
      env: {
        ...outsider,
        ...secrets,
        ONCEOVER_URL: env.NEXTAUTH_URL,
        NORTH_SQL_URL: database.northSqlUrl,
        NODE_ENV: undefined,
      },
      logFile: logFile(folder, 'sandbox'),
      restart: true,
    },
  };
}
