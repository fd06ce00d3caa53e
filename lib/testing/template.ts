// The migrated database that every test database is a copy of.
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS_FOLDER, readMigrations } from '../commands/migration-engine.mjs';
import { enableLogins, provisionOwner } from '../commands/provision-database.mjs';
import { ROOT, runNode } from '../commands/toolchain.mjs';
import type { TestServer } from './cluster';
import { roleUrl } from './urls';

const TEMPLATE_LOCK = 7_203_110_003;
/** Templates of other migrations that may stay: a run that started before an edit still copies an older one. */
const KEPT_TEMPLATES = 8;

const quoted = (name: string) => `"${name}"`;

/** Names of databases that match a LIKE pattern, oldest first. */
async function databasesLike(client: pg.Client, pattern: string): Promise<string[]> {
  const sql = 'SELECT datname FROM pg_database WHERE datname LIKE $1 ORDER BY oid';
  const { rows } = await client.query<{ datname: string }>(sql, [pattern]);
  return rows.map((row) => row.datname);
}

const drop = (client: pg.Client, name: string) =>
  client.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Copies that a killed run left behind; their names carry its process id. */
async function dropLeftovers(client: pg.Client, key: string): Promise<void> {
  for (const name of await databasesLike(client, `test\\_${key}\\_%`)) {
    if (!isAlive(Number(name.split('_')[2]))) await drop(client, name);
  }
  for (const name of await databasesLike(client, `draft\\_${key}\\_%`)) await drop(client, name);
  const templates = await databasesLike(client, `template\\_${key}\\_%`);
  for (const name of templates.slice(0, -KEPT_TEMPLATES)) await drop(client, name);
}

/**
 * Makes the template for a folder of migrations, or finds the one made before.
 * @param from kind `mutant`: a template that its maker drops again
 * @returns its name
 */
export async function prepareTemplate(
  server: TestServer,
  { folder = MIGRATIONS_FOLDER, kind = 'template' }: { folder?: string; kind?: 'template' | 'mutant' } = {},
): Promise<string> {
  const content = readMigrations(folder).map(({ name, sql }) => `${name}\n${sql}`);
  const digest = createHash('sha256').update(content.join('\n')).digest('hex').slice(0, 12);
  const name = `${kind}_${server.key}_${digest}`;
  return asAdmin(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if ((await databasesLike(client, name)).length > 0) return name;
    await dropLeftovers(client, server.key);
    const draft = `draft_${server.key}_${randomBytes(4).toString('hex')}`;
    await migrate(server, draft, folder);
    await client.query(`ALTER DATABASE ${quoted(draft)} RENAME TO ${quoted(name)}`);
    return name;
  });
}

/** Removes a template with everything that still uses it. */
export const dropTemplate = (server: TestServer, name: string): Promise<void> =>
  asAdmin(server, async (client) => void (await drop(client, name)));

async function asAdmin<T>(server: TestServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function migrate(server: TestServer, database: string, folder: string): Promise<void> {
  await provisionOwner(server.adminUrl, { password: server.passwords.onceover_owner, database });
  const { ok, output } = await runNode(
    path.join(ROOT, 'lib/commands/migrate.mjs'),
    ['deploy', '--migrations', folder],
    { quiet: true, env: { DATABASE_OWNER_URL: roleUrl(server, 'onceover_owner', database) } },
  );
  if (!ok) throw new Error(`The migrations do not apply:\n${output}`);
  await enableLogins(server.adminUrl, { passwords: server.passwords, database });
}
