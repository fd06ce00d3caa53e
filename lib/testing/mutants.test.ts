import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRules } from '../commands/rule-book';
import { MUTANTS } from './mutants';

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDER = 'prisma/migrations/';
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const MIGRATIONS = readdirSync(path.join(ROOT, FOLDER), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => `${FOLDER}${entry.name}/migration.sql`);

/** The name of the SQL function in whose definition the text stands; null where it stands in none. */
function functionAround(sql: string, text: string): string | null {
  const before = sql.slice(0, sql.indexOf(text));
  const last = [...before.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION ([a-z_.]+)\(/gm)].at(-1);
  return last?.[1] === undefined || before.slice(last.index).includes('$$;') ? null : last[1];
}

describe('the mutants', () => {
  it('each fit their file in exactly one place and change it', () => {
    const bad = MUTANTS.filter(
      ({ file, find, replace }) => read(file).split(find).length !== 2 || find === replace,
    );
    expect(bad.map(({ rule, file, find }) => `${rule} ${file}: ${find}`)).toEqual([]);
  });

  it('each name a rule or part of RULES.md, or a check that tests carry in their titles', () => {
    const known = new Set(
      readRules(read('RULES.md')).flatMap((rule) => [rule.id, ...rule.parts.map(({ id }) => id)]),
    );
    expect(
      MUTANTS.filter(({ rule }) => !known.has(rule) && !/^(?!R-)[A-Z]{1,2}-\d{2}$/.test(rule)).map(
        ({ rule }) => rule,
      ),
    ).toEqual([]);
  });

  it('change the function that is in force, not one that a later migration replaced', () => {
    const replaced = MUTANTS.filter(({ file, find }) => {
      const name = file.startsWith(FOLDER) ? functionAround(read(file), find) : null;
      return (
        name !== null &&
        MIGRATIONS.some((each) => each > file && read(each).includes(`CREATE OR REPLACE FUNCTION ${name}(`))
      );
    });
    expect(replaced.map(({ rule, file, find }) => `${rule} ${file}: ${find}`)).toEqual([]);
  });

  it('stand once each', () => {
    const keys = MUTANTS.map((mutant) => JSON.stringify(mutant));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
