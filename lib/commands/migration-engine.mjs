// Prisma's schema engine as WebAssembly over adapter-pg, so that migrations need no native binary and no network.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineBindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { ROOT } from './toolchain.mjs';

const SCHEMA_FOLDER = path.join(ROOT, 'prisma/schema');
export const MIGRATIONS_FOLDER = path.join(ROOT, 'prisma/migrations');
const filters = { externalTables: [], externalEnums: [] };

// The catalogue types "char" (18) and name[] (1003), which introspection reads and adapter-pg refuses.
const READABLE_AS = { 18: 25, 1003: 1009 };

// Two gaps of adapter-pg as a migration adapter: executeScript() splits on ';', which breaks function bodies and
// leaves the first half applied, and queryRaw() refuses catalogue types. Sent whole, a failing migration is atomic.
function mend(adapter) {
  adapter.executeScript = async (sql) => {
    try {
      await adapter.underlyingDriver().query(sql);
    } catch (error) {
      adapter.onError(error);
    }
  };
  adapter.queryRaw = async function queryRaw(query) {
    let types = [];
    const view = Object.create(adapter, {
      performIO: {
        value: async (request) => {
          const result = await adapter.performIO(request);
          types = result.fields.map((field) => field.dataTypeID);
          for (const field of result.fields)
            field.dataTypeID = READABLE_AS[field.dataTypeID] ?? field.dataTypeID;
          return result;
        },
      },
    });
    const result = await Object.getPrototypeOf(adapter).queryRaw.call(view, query);
    types.forEach((type, index) => {
      if (type === 18) result.columnTypes[index] = ColumnTypeEnum.Character;
    });
    return result;
  };
  return adapter;
}

// Discrete fields: given a connection string, adapter-pg's shadow connection would go to the main database.
function settingsOf(url, database) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: database ?? decodeURIComponent(pathname.slice(1)),
    ssl: searchParams.get('sslmode') && searchParams.get('sslmode') !== 'disable' ? {} : undefined,
    max: 2,
  };
}

class MigrationFactory extends PrismaPg {
  /** @param {{ url: string, adminUrl?: string }} target adminUrl may create databases; default: the same role */
  constructor({ url, adminUrl }) {
    super(settingsOf(url));
    this.target = { url, adminUrl: adminUrl ?? url };
  }

  async connect() {
    return mend(await super.connect());
  }

  // A throw-away database of our own, owned by the migrating role and dropped after its pool is closed.
  async connectToShadowDb() {
    const { url, adminUrl } = this.target;
    const name = `shadow_${crypto.randomUUID().replaceAll('-', '')}`;
    const admin = new pg.Client(settingsOf(adminUrl));
    await admin.connect();
    await admin.query(
      `CREATE DATABASE ${name} OWNER ${admin.escapeIdentifier(settingsOf(url).user)} TEMPLATE template0`,
    );
    const shadow = mend(await new PrismaPg(settingsOf(url, name)).connect());
    const end = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await end();
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.end();
    };
    return shadow;
  }
}

const schemaFiles = () =>
  fs
    .readdirSync(SCHEMA_FOLDER)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => ({
      path: path.join(SCHEMA_FOLDER, name),
      content: fs.readFileSync(path.join(SCHEMA_FOLDER, name), 'utf8'),
    }));

/** The migrations of a folder in their order, as `{ name, sql }`. */
export const readMigrations = (folder = MIGRATIONS_FOLDER) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(folder, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, sql: fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8') }));

const listOf = (folder) => ({
  baseDir: folder,
  shadowDbInitScript: '',
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  migrationDirectories: readMigrations(folder).map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  })),
});

async function load(target) {
  const bindings = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const code = new WebAssembly.Module(fs.readFileSync(bindings.replace(/\.js$/, '.wasm')));
  const instance = new WebAssembly.Instance(code, { './schema_engine_bg.js': engineBindings });
  engineBindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const datamodels = schemaFiles().map((file) => [file.path, file.content]);
  const factory = bindMigrationAwareSqlAdapterFactory(new MigrationFactory(target));
  return engineBindings.SchemaEngine.new({ datamodels }, () => {}, factory);
}

/**
 * The engine over one database. Its pool stays open until the process ends.
 * @param {{ url: string, adminUrl?: string }} target
 * @param {string} [folder] of the migrations
 */
export async function openEngine(target, folder = MIGRATIONS_FOLDER) {
  const engine = await load(target);
  const migrations = { tag: 'migrations', ...listOf(folder) };
  const schema = { tag: 'schemaDatamodel', files: schemaFiles() };
  const live = { tag: 'schemaDatasource', files: schemaFiles(), configDir: SCHEMA_FOLDER };
  const diff = async (from, to, script) => {
    const { exitCode, stdout } = await engine.diff({ from, to, script, exitCode: true, filters });
    return { differs: exitCode !== 0, text: stdout ?? '' };
  };
  return {
    /** Names of the migrations applied just now. */
    apply: async () =>
      (await engine.applyMigrations({ migrationsList: listOf(folder), filters })).appliedMigrationNames,
    forget: (name) => engine.markMigrationRolledBack({ migrationName: name, filters }),
    status: () =>
      engine.diagnoseMigrationHistory({
        migrationsList: listOf(folder),
        optInToShadowDatabase: false,
        filters,
      }),
    /** What the schema files have beyond the migrations, in words or as SQL. */
    ahead: (script) => diff(migrations, schema, script),
    /** What was changed by hand in the database. */
    drift: () => diff(live, schema, false),
  };
}
