// Migrations without network.
// usage: node migrate.mjs deploy | new NAME | check | diff | live | status   [--migrations FOLDER]
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readCommandLine } from './command-line.mjs';
import { DATABASE, holdDatabase } from './embedded-database.mjs';
import { installJobSchema } from './job-schema.mjs';
import { MIGRATIONS_FOLDER, openEngine } from './migration-engine.mjs';
import { enableLogins, provisionOwner } from './provision-database.mjs';
import { ROOT, TYPESCRIPT, run } from './toolchain.mjs';

// Held from the look at the history until the last grant, so that of two instances one does everything.
const DEPLOY_LOCK = 7_203_110_002;
const USAGE = 'usage: migrate.mjs deploy | new NAME | check | diff | live | status';

/**
 * Applies what is missing, then the job library's schema.
 * @param {{ url: string, folder?: string }} target url: as the owner
 * @returns {Promise<string[]>} names of the migrations applied
 */
export async function deploy({ url, folder }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [DEPLOY_LOCK]);
    const engine = await openEngine({ url }, folder);
    const { editedMigrationNames, failedMigrationNames } = await engine.status();
    // Each migration is one transaction: a failed one left nothing but its row in the history, and may be mended.
    const edited = editedMigrationNames.filter((name) => !failedMigrationNames.includes(name));
    if (edited.length > 0) {
      throw new Error(
        `Applied migrations were changed afterwards: ${edited.join(', ')}. Migrations only go forward: restore them and write a new one.`,
      );
    }
    for (const name of failedMigrationNames) await engine.forget(name);
    const applied = await engine.apply();
    await installJobSchema(client, url);
    return applied;
  } finally {
    await client.end();
  }
}

// The owner's address: from the environment, or of the embedded database, running while `work` runs.
async function withOwner(work) {
  const url = process.env.DATABASE_OWNER_URL;
  if (url) return work({ url, adminUrl: process.env.DATABASE_ADMIN_URL || url });
  if (process.env.DATABASE_URL) {
    throw new Error(
      'DATABASE_URL is set, so migrations need DATABASE_OWNER_URL: the same database as the role onceover_owner.',
    );
  }
  const held = await holdDatabase();
  try {
    await provisionOwner(held.url('postgres', 'postgres'), {
      password: held.passwords.onceover_owner,
      database: DATABASE,
    });
    return await work({ url: held.url('onceover_owner'), adminUrl: held.url('postgres', 'postgres'), held });
  } finally {
    await held.release();
  }
}

// An installation for real use has no other moment at which the owner is there.
async function fill(url) {
  const { ok } = await run(process.execPath, [...TYPESCRIPT, 'lib/commands/bootstrap.ts'], {
    env: { DATABASE_OWNER_URL: url, DEMO: 'off' },
  });
  if (!ok) throw new Error('The database is migrated, and nothing of ONCEOVER_CONFIG is in it.');
}

async function writeNew(engine, name) {
  if (!name || !/^[a-z0-9_]+$/.test(name)) throw new Error('usage: migrate.mjs new NAME (a-z, 0-9, _)');
  const { text } = await engine.ahead(true);
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = path.join(MIGRATIONS_FOLDER, `${stamp}_${name}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'migration.sql'), text);
  console.log(`wrote ${path.relative(ROOT, folder)}/migration.sql`);
}

function report({ differs, text }, agreed) {
  console.log(differs ? text.trimEnd() : agreed);
  process.exitCode = differs ? 2 : 0;
}

async function main() {
  const { positionals, values } = readCommandLine(USAGE, () =>
    parseArgs({ allowPositionals: true, options: { migrations: { type: 'string' } } }),
  );
  const [command = '', name] = positionals;
  const folder = values.migrations ? path.resolve(values.migrations) : MIGRATIONS_FOLDER;
  if (!['deploy', 'new', 'check', 'diff', 'live', 'status'].includes(command)) throw new Error(USAGE);
  await withOwner(async (target) => {
    if (command === 'deploy') {
      const applied = await deploy({ url: target.url, folder });
      if (target.held) {
        await enableLogins(target.adminUrl, { passwords: target.held.passwords, database: DATABASE });
      }
      console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'no pending migrations');
      if (process.env.ONCEOVER_CONFIG) await fill(target.url);
      return;
    }
    const engine = await openEngine(target, folder);
    if (command === 'new') await writeNew(engine, name);
    else if (command === 'status') console.log(JSON.stringify(await engine.status(), null, 2));
    else if (command === 'live') report(await engine.drift(), 'database and schema agree');
    else report(await engine.ahead(command === 'diff'), 'schema and migrations agree');
  });
}

if (process.argv[1] === import.meta.filename) {
  await main().catch((error) => {
    console.error(error?.message ?? error, error?.meta ? JSON.stringify(error.meta) : '');
    process.exitCode = 1;
  });
  process.exit(); // the engine keeps its pool open
}
