import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { MIGRATIONS_FOLDER, readMigrations } from './migration-engine.mjs';

const PROGRAM = path.join(import.meta.dirname, 'migrate.mjs');
const SLOW = { timeout: 60_000 };

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

function migrate(url: string, args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, DATABASE_OWNER_URL: url, DATABASE_ADMIN_URL: db.superuserUrl };
    const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('close', (code) => resolve({ code, text }));
  });
}

/** An empty database beside the clone. */
async function emptyDatabase(): Promise<string> {
  const name = `${db.name}_${Math.random().toString(36).slice(2, 8)}`;
  await db.pool('superuser').query(`CREATE DATABASE ${name} OWNER onceover_owner TEMPLATE template0`);
  onTestFinished(() => void db.pool('superuser').query(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(db.ownerUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A copy of the migrations that a test may spoil. */
function copyOfMigrations(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
  return folder;
}

const fileOf = (folder: string, name: string) => path.join(folder, name, 'migration.sql');

describe('migrations', () => {
  it('are applied once when three instances start at the same moment', SLOW, async () => {
    const url = await emptyDatabase();
    const answers = await Promise.all([1, 2, 3].map(() => migrate(url, ['deploy'])));
    expect(answers.map((answer) => answer.code)).toEqual([0, 0, 0]);
    expect(answers.filter((answer) => answer.text.startsWith('applied: '))).toHaveLength(1);
    expect(answers.filter((answer) => answer.text.startsWith('no pending migrations'))).toHaveLength(2);
  });

  it('are refused when an applied one was changed afterwards', SLOW, async () => {
    const folder = copyOfMigrations();
    const [first] = readMigrations(folder);
    if (!first) throw new Error('there are no migrations');
    writeFileSync(fileOf(folder, first.name), `${first.sql}\n-- edited`);
    const { code, text } = await migrate(db.ownerUrl, ['deploy', '--migrations', folder]);
    expect(code).toBe(1);
    expect(text).toContain(first.name);
  });

  it('leave nothing behind when one fails half-way, and go on when it is mended', SLOW, async () => {
    const folder = copyOfMigrations();
    const name = '29990101000000_broken';
    mkdirSync(path.join(folder, name));
    writeFileSync(
      fileOf(folder, name),
      `CREATE TABLE review.half ();\nDO $$ BEGIN RAISE 'no; really'; END $$;`,
    );
    const failed = await migrate(db.ownerUrl, ['deploy', '--migrations', folder]);
    expect(failed.code).toBe(1);
    expect(failed.text).toContain('no; really');
    await expect(db.pool('owner').query('SELECT FROM review.half')).rejects.toMatchObject({ code: '42P01' });
    writeFileSync(fileOf(folder, name), 'CREATE TABLE review.half ();');
    expect((await migrate(db.ownerUrl, ['deploy', '--migrations', folder])).text).toContain(
      `applied: ${name}`,
    );
    await db.pool('owner').query('DROP TABLE review.half');
  });

  it('agree with the schema files, and a difference is named', SLOW, async () => {
    expect(await migrate(db.ownerUrl, ['check'])).toMatchObject({ code: 0 });
    const folder = copyOfMigrations();
    const name = '29990101000000_more';
    mkdirSync(path.join(folder, name));
    writeFileSync(fileOf(folder, name), 'ALTER TABLE review.tenants ADD COLUMN forgotten text;');
    const { code, text } = await migrate(db.ownerUrl, ['check', '--migrations', folder]);
    expect(code).toBe(2);
    expect(text).toContain('forgotten');
  });

  it('show what was changed by hand in the database', SLOW, async () => {
    expect(await migrate(db.ownerUrl, ['live'])).toMatchObject({ code: 0 });
    await db.pool('owner').query('ALTER TABLE review.tenants ADD COLUMN by_hand text');
    const { code, text } = await migrate(db.ownerUrl, ['live']);
    expect(code).toBe(2);
    expect(text).toContain('by_hand');
    await db.pool('owner').query('ALTER TABLE review.tenants DROP COLUMN by_hand');
  });

  it('leave no shadow database behind', async () => {
    const { rows } = await db
      .pool('superuser')
      .query(
        `SELECT datname FROM pg_database WHERE datname LIKE 'shadow%' AND pg_stat_get_db_numbackends(oid) = 0`,
      );
    expect(rows).toEqual([]);
  });

  it('never make a role that is more than it needs to be', () => {
    const sql = readMigrations()
      .map((migration) => migration.sql)
      .join('\n');
    expect(sql).not.toMatch(/CREATE ROLE [^;]*\b(SUPERUSER|BYPASSRLS|CREATEDB|REPLICATION)\b/i);
    expect(readFileSync(path.join(MIGRATIONS_FOLDER, 'migration_lock.toml'), 'utf8')).toContain('postgresql');
  });
});
