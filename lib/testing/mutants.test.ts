import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRules } from '../commands/rule-book';
import { droppedIn, inForce } from './in-force';
import { MUTANTS } from './mutants';

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDER = 'prisma/migrations/';
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

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

  it('break the function that is in force, not one that a later migration replaced', () => {
    const first = { rule: 'R-010a', file: `${FOLDER}20261129000500_protocol/migration.sql` };
    const [moved] = [
      { ...first, find: 'v_arrival ledger.executions := ledger.read_claim(p_claim);', replace: '' },
    ].map(inForce);
    expect(moved!.file > first.file).toBe(true);
    expect(read(moved!.file)).toContain('CREATE OR REPLACE FUNCTION ledger.arrive(');
    const lasting = { ...first, find: 'CREATE FUNCTION ledger.is_conflict(', replace: '' };
    expect(inForce(lasting)).toEqual(lasting);
  });

  it('break nothing that a later migration drops', () => {
    const dead = MUTANTS.filter((mutant) => droppedIn(mutant) !== null);
    expect(dead.map(({ rule, file, find }) => `${rule} ${file}: ${find}`)).toEqual([]);
  });

  it('stand once each', () => {
    const keys = MUTANTS.map((mutant) => JSON.stringify(mutant));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
