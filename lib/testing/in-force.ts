import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './mutant';

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDER = 'prisma/migrations/';

/** The migrations' SQL by path, in the order in which they run. */
function readMigrations(): ReadonlyMap<string, string> {
  const folders = readdirSync(path.join(ROOT, FOLDER), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const files = folders.map(({ name }) => `${FOLDER}${name}/migration.sql`).sort();
  return new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
}

const MIGRATIONS = readMigrations();

/** Name and parameters of the SQL function in whose definition the text stands; null where it stands in none. */
function functionAround(sql: string, text: string): { name: string; parameters: string } | null {
  const before = sql.slice(0, sql.indexOf(text));
  const last = [...before.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION ([a-z_.]+)\(([^)\n]*)/gm)].at(-1);
  if (last?.[1] === undefined || before.slice(last.index).includes('$$;')) return null;
  return { name: last[1], parameters: last[2] ?? '' };
}

/**
 * The mutant in the definition that is in force: a migration replaces a function as a whole, so that breaking an older one
 * would break nothing. The text must still stand in the newer definition; a test says when it does not.
 */
export function inForce(mutant: Mutant): Mutant {
  const sql = MIGRATIONS.get(mutant.file);
  const name = sql === undefined ? undefined : functionAround(sql, mutant.find)?.name;
  if (name === undefined) return mutant;
  const file = [...MIGRATIONS].findLast(
    ([each, text]) => each > mutant.file && text.includes(`CREATE OR REPLACE FUNCTION ${name}(`),
  )?.[0];
  return file === undefined ? mutant : { ...mutant, file };
}

/** The later migration that drops the function which a mutant breaks, so that breaking it breaks nothing; null for none. */
export function droppedIn({ file, find }: Mutant): string | null {
  const sql = MIGRATIONS.get(file);
  const broken = sql === undefined ? null : functionAround(sql, find);
  if (broken === null) return null;
  const types = broken.parameters
    .split(', ')
    .map((each) => each.replace(/ DEFAULT .*/, '').replace(/^\S+ /, ''))
    .join(', ');
  const drop = `DROP FUNCTION ${broken.name}(${types})`;
  return [...MIGRATIONS].find(([each, text]) => each > file && text.includes(drop))?.[0] ?? null;
}
