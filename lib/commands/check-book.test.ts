import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkIdsIn, chosenParts, isGood, judgeChecks, PARTS, readChecks } from './check-book';
import { unknownIds, type TestOutcome } from './rule-book';

const BOOK = readChecks(`
| check | says |
| --- | --- |
| AN-01 | the same twice |
| AZ-02 | refused |
| BH-01 | with a pencil |
`);
const test = (title: string, passed = true): TestOutcome => ({ title, file: 'x.test.ts', passed });
const states = (tests: TestOutcome[], parts = chosenParts(undefined)) =>
  Object.fromEntries(judgeChecks(BOOK, tests, parts).map(({ id, state }) => [id, state]));

describe('the list of checks', () => {
  it('finds each id of a title once, beside rules and other numbers', () => {
    expect(checkIdsIn('AN-01 R-012a AZ-02 AN-01 of B-12, HD-012, XAN-03 and LC-1')).toEqual([
      'AN-01',
      'AZ-02',
    ]);
  });

  it('refuses a check that stands twice and a part that does not exist', () => {
    expect(() => readChecks('| AN-01 | x |\n| AN-01 | y |')).toThrow('twice');
    expect(() => readChecks('| QQ-01 | x |')).toThrow('QQ-01');
    expect(() => chosenParts('AN,QQ')).toThrow('There is no part QQ');
  });

  it('proves by a passing test, unless one fails, and leaves the rest open', () => {
    expect(states([])).toEqual({ 'AN-01': 'open', 'AZ-02': 'open', 'BH-01': 'by hand' });
    expect(states([test('AN-01 holds')])).toMatchObject({ 'AN-01': 'proven', 'AZ-02': 'open' });
    expect(states([test('AN-01 holds'), test('AN-01 AZ-02 both', false)])).toMatchObject({
      'AN-01': 'failing',
      'AZ-02': 'failing',
    });
  });

  it('lists the chosen parts alone, in the order of the book', () => {
    expect(chosenParts('AZ, AN')).toEqual(['AN', 'AZ']);
    expect(states([], ['AZ'])).toEqual({ 'AZ-02': 'open' });
  });

  it('is bad when something fails, and when something is open that must not be', () => {
    const of = (tests: TestOutcome[], parts = ['AN', 'BH']) => judgeChecks(BOOK, tests, parts);
    expect(isGood(of([]), false)).toBe(true);
    expect(isGood(of([]), true)).toBe(false);
    expect(isGood(of([test('AN-01 x')]), true)).toBe(true);
    expect(isGood(of([test('AN-01 x', false)]), false)).toBe(false);
  });

  it('names ids that no check has', () => {
    expect(unknownIds(BOOK, [test('AN-01 x'), test('AN-04 y')], checkIdsIn)).toEqual(['AN-04']);
  });
});

describe('CHECKS.md', () => {
  const root = path.join(import.meta.dirname, '../..');
  const checks = readChecks(readFileSync(path.join(root, 'CHECKS.md'), 'utf8'));

  it('has checks of every part, in order, each in words', () => {
    const order = [...new Set(checks.map(({ id }) => id.slice(0, 2)))];
    expect(order).toEqual(PARTS);
    expect(checks.filter(({ words }) => words.length < 15)).toEqual([]);
    const sorted = checks
      .map(({ id }) => id)
      .sort((a, b) => order.indexOf(a.slice(0, 2)) - order.indexOf(b.slice(0, 2)) || a.localeCompare(b));
    expect(checks.map(({ id }) => id)).toEqual(sorted);
  });

  it('leaves three things to hands, and SECURITY.md says how each is done', () => {
    const security = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
    const byHand = judgeChecks(checks, [], ['BH']).map(({ id }) => id);
    expect(byHand).toEqual(['BH-01', 'BH-02', 'BH-03']);
    for (const id of byHand) expect(security).toContain(`**${id},`);
  });
});
