import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { idsIn, judgeRules, readRules, unknownIds, type TestOutcome } from './rule-book';

const BOOK = readRules(`
| rule | says | parts |
| --- | --- | --- |
| R-001 | one thing | |
| R-002 | two things | a the first · b the second |
`);
const test = (title: string, passed = true): TestOutcome => ({ title, file: 'x.test.ts', passed });
const stateOf = (id: string, tests: TestOutcome[]) =>
  judgeRules(BOOK, tests).find((rule) => rule.id === id)?.state;

describe('the rule book', () => {
  it('reads ids, words and parts', () => {
    expect(BOOK.map((rule) => rule.parts.map((part) => part.id))).toEqual([['R-001'], ['R-002a', 'R-002b']]);
    expect(BOOK[1]?.parts[1]?.words).toBe('the second');
  });

  it('refuses parts out of order and rules that stand twice', () => {
    expect(() => readRules('| R-002 | x | b second · a first |')).toThrow('R-002');
    expect(() => readRules('| R-001 | x | |\n| R-001 | y | |')).toThrow('twice');
  });

  it('letters go on with aa after z', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz', 'aa', 'ab'];
    const row = (names: readonly string[]) =>
      `| R-003 | x | ${names.map((name) => `${name} y`).join(' · ')} |`;
    expect(readRules(row(letters))[0]?.parts.map(({ id }) => id)).toEqual(
      letters.map((name) => `R-003${name}`),
    );
    expect(() => readRules(row([...letters.slice(0, 26), 'ab']))).toThrow('aa');
    expect(idsIn('R-003aa R-003z R-003bb')).toEqual(['R-003aa', 'R-003z']);
  });

  it('finds every id of a title once, and no other numbers', () => {
    expect(idsIn('LC-10 R-014e R-045a R-014e of B-12, R-0451 and XR-045')).toEqual(['R-014e', 'R-045a']);
  });

  it('proves a rule of one part by one passing test', () => {
    expect(stateOf('R-001', [])).toBe('open');
    expect(stateOf('R-001', [test('R-001 holds')])).toBe('proven');
  });

  it('proves a rule of several parts only when each has its own passing test', () => {
    expect(stateOf('R-002', [test('R-002 in general'), test('R-002a first')])).toBe('open');
    expect(stateOf('R-002', [test('R-002a R-002b both')])).toBe('proven');
  });

  it('lets one failing test outweigh all passing ones, of a part or of the whole', () => {
    const good = [test('R-002a first'), test('R-002b second')];
    expect(stateOf('R-002', [...good, test('R-002b again', false)])).toBe('failing');
    expect(stateOf('R-002', [...good, test('R-002 in general', false)])).toBe('failing');
  });

  it('names ids that no rule has', () => {
    expect(unknownIds(BOOK, [test('R-002c third'), test('R-001 x'), test('R-099 y')])).toEqual([
      'R-002c',
      'R-099',
    ]);
  });
});

describe('RULES.md', () => {
  it('has every rule of the specification, R-001 to R-098, in order', () => {
    const rules = readRules(readFileSync(path.join(import.meta.dirname, '../../RULES.md'), 'utf8'));
    expect(rules.map((rule) => rule.id)).toEqual(
      Array.from({ length: 98 }, (_, index) => `R-${String(index + 1).padStart(3, '0')}`),
    );
    expect(rules.filter((rule) => rule.words === '' || rule.parts.some((part) => part.words === ''))).toEqual(
      [],
    );
  });
});
