// What the processes of a running installation are told through their environment, and how each is started.
import fs from 'node:fs';
import path from 'node:path';
import { SERVER } from './build-app.mjs';
import { keptSecret } from './data-dir.mjs';
import { ROOT, TYPESCRIPT } from './toolchain.mjs';

/** Of the signer alone, besides its database's address. */
const SIGNERS_OWN = [
  'AUDIT_CHECKPOINT_WEBHOOK',
  'AUDIT_SIGNING_KEY',
  'SECRET_AUDIT_CHECKPOINT_WEBHOOK',
  'SECRET_AUDIT_CHECKPOINT_WEBHOOK_NEXT',
];

/** Kept from every served process: each acts as its own database role, and signing is another program's. */
const KEPT_BACK = [
  ...SIGNERS_OWN,
  'AUDIT_NEXT_SIGNING_KEY',
  'DATABASE_ADMIN_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_SIGNER_URL',
  'DATABASE_URL',
  'DATABASE_WORKER_URL',
];

const isSecretName = (name) => name.startsWith('SECRET_');

const without = (env, names) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/**
 * What server and worker of a production installation share: all of it given, nothing of the demo.
 * @param {{ host: string, port: number }} where
 * @returns {Record<string, string | undefined>}
 */
export const productionEnv = ({ host, port }) => ({
  ...without(process.env, KEPT_BACK),
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  HOST: host,
  HOSTNAME: host, // the standalone server's name for it
  PORT: String(port),
  ONCEOVER_LATEST_MIGRATION: latestMigration(),
  DEMO: 'off',
});

/** Where the server answers on this machine, whatever its name outside is. */
export function localAddress(host, port) {
  const reachable =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}

/**
 * What all processes of `npm run up` share. Keys that are not given are made in DATA_DIR.
 * @param {{ folder: string, host: string, port: number, embedded: boolean }} where
 * @returns {Record<string, string | undefined>}
 */
export function installationEnv({ folder, host, port, embedded }) {
  return {
    ...productionEnv({ host, port }),
    DATA_DIR: folder,
    DEMO: (process.env.DEMO || (embedded ? 'on' : 'off')) === 'off' ? 'off' : 'on',
    NEXTAUTH_URL: process.env.NEXTAUTH_URL || localAddress(host, port),
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || keptSecret(folder, 'nextauth-secret'),
    FIELD_HASH_KEY: process.env.FIELD_HASH_KEY || keptSecret(folder, 'field-hash-key'),
  };
}

// Readiness asks for it: a server must not answer over a database that its build does not know.
const latestMigration = () =>
  fs
    .readdirSync(path.join(ROOT, 'prisma/migrations'))
    .filter((name) => /^\d{14}_/.test(name))
    .sort()
    .at(-1);

const sandboxFile = (folder) => path.join(folder, 'sandbox.json');

/** Whether an earlier start has chosen the sandbox's ports and keys; the first one's bootstrap does. */
export const knowsSandbox = (folder) => fs.existsSync(sandboxFile(folder));

// The sandbox's systems have API keys; connectors name them by reference.
function sandboxSecrets(folder) {
  if (!knowsSandbox(folder)) return {};
  const systems = Object.entries(JSON.parse(fs.readFileSync(sandboxFile(folder), 'utf8')));
  return Object.fromEntries(
    systems.map(([system, { secret }]) => {
      const name = `SECRET_SANDBOX_${system.toUpperCase()}`;
      return [name, process.env[name] || secret];
    }),
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

/** The web server; a crash of it ends the start, so that whoever supervises us sees it. */
export const serverPlan = (env, log) => ({
  name: 'server',
  args: ['--import', new URL('./peer-address.mjs', import.meta.url).href, SERVER],
  env,
  logFile: log,
  restart: false,
});

/** A program of ours beside the server; a crash of it is mended by starting it again. */
export const programPlan = (name, env, log) => ({
  name,
  args: [...TYPESCRIPT, path.join(ROOT, `lib/commands/${name}.ts`)],
  env: without(env, ['OIDC_CLIENT_SECRET']), // nobody signs in there
  logFile: log,
  restart: true,
});

// The only process that is told the private key; it knows neither the sessions' nor the fields' secret, nor connectors'.
function signerPlan({ env, url, folder }) {
  const own = SIGNERS_OWN.map((name) => [name, process.env[name]]);
  const plan = programPlan(
    'audit-signer',
    {
      ...without(env, ['NEXTAUTH_SECRET', 'FIELD_HASH_KEY', ...Object.keys(env).filter(isSecretName)]),
      ...Object.fromEntries(own),
      DATABASE_URL: url,
    },
    logFile(folder, 'audit-signer'),
  );
  return { ...plan, args: [...plan.args, '--make-key'] };
}

/**
 * How `up` starts each process; no sandbox when DEMO is off, no signer without its role's address.
 * @param {{ env: Record<string, string | undefined>, database: { appUrl: string, workerUrl: string, signerUrl: string | null, northSqlUrl?: string }, folder: string }} what
 */
export function childPlans({ env, database, folder }) {
  const demo = env.DEMO === 'on';
  const secrets = demo ? sandboxSecrets(folder) : {};
  // An outsider on this machine: it knows addresses and its own tokens, nothing of ours.
  const sandbox = {
    ...without(env, ['NEXTAUTH_SECRET', 'FIELD_HASH_KEY', 'NODE_ENV']),
    ...secrets,
    ONCEOVER_URL: localAddress(env.HOST, env.PORT),
    NORTH_SQL_URL: database.northSqlUrl,
  };
  return {
    server: serverPlan({ ...env, ...secrets, DATABASE_URL: database.appUrl }, logFile(folder, 'server')),
    worker: programPlan(
      'worker',
      { ...env, ...secrets, DATABASE_URL: database.workerUrl },
      logFile(folder, 'worker'),
    ),
    signer: database.signerUrl !== null && signerPlan({ env, url: database.signerUrl, folder }),
    sandbox: demo && programPlan('sandbox', sandbox, logFile(folder, 'sandbox')),
  };
}
