// RULES.md read as data, and judged by the tests that carry its ids in their titles.

export interface RulePart {
  /** `R-012a`, or `R-012` for a rule that has no parts. */
  id: string;
  words: string;
}

export interface Rule {
  /** `R-012` */
  id: string;
  words: string;
  parts: RulePart[];
}

export interface TestOutcome {
  /** With the titles of the blocks around it. */
  title: string;
  file: string;
  passed: boolean;
}

export type RuleState = 'proven' | 'failing' | 'open';

export interface JudgedRule extends Rule {
  state: RuleState;
  passing: TestOutcome[];
  failing: TestOutcome[];
  /** Ids of parts without a passing test. */
  missing: string[];
}

const ROW = /^\|\s*(R-\d{3})\s*\|([^|]*)\|([^|]*)\|\s*$/;
const PART = /^(a?[a-z])\s+(\S.*)$/;
const ID = /\bR-\d{3}(?:a?[a-z])?\b/g;

/** The ids of rules and parts that a title carries. */
export const idsIn = (title: string): string[] => [...new Set(title.match(ID) ?? [])];

/** The rules of the tables in RULES.md: `| R-012 | words | a words · b words |`; no parts: the rule is one. */
export function readRules(markdown: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of markdown.split('\n')) {
    const [, id, words = '', parts = ''] = ROW.exec(line) ?? [];
    if (id === undefined) continue;
    if (rules.some((rule) => rule.id === id)) throw new Error(`RULES.md has ${id} twice`);
    rules.push({ id, words: words.trim(), parts: readParts(id, words.trim(), parts.trim()) });
  }
  return rules;
}

function readParts(id: string, words: string, cell: string): RulePart[] {
  if (cell === '') return [{ id, words }];
  return cell.split(' · ').map((text, index) => {
    const [, letter, part = ''] = PART.exec(text.trim()) ?? [];
    const expected = letterOf(index);
    if (letter !== expected)
      throw new Error(`RULES.md: part ${index + 1} of ${id} must begin with "${expected} "`);
    return { id: id + letter, words: part };
  });
}

/** a to z, then aa to az. */
const letterOf = (index: number) => (index < 26 ? '' : 'a') + String.fromCharCode(97 + (index % 26));

/** Ids in test titles that the book does not have: a proof of nothing. */
export function unknownIds(
  rules: readonly Rule[],
  tests: readonly TestOutcome[],
  ids: (title: string) => string[] = idsIn,
): string[] {
  const known = new Set(rules.flatMap((rule) => [rule.id, ...rule.parts.map((part) => part.id)]));
  return [...new Set(tests.flatMap((test) => ids(test.title)))].filter((id) => !known.has(id)).sort();
}

/** Proven: each part has a passing test and no test of the rule fails. */
export function judgeRules(
  rules: readonly Rule[],
  tests: readonly TestOutcome[],
  ids: (title: string) => string[] = idsIn,
): JudgedRule[] {
  const byId = new Map<string, TestOutcome[]>();
  for (const test of tests) {
    for (const id of ids(test.title)) byId.set(id, [...(byId.get(id) ?? []), test]);
  }
  return rules.map((rule) => {
    const named = [...new Set([rule.id, ...rule.parts.map((part) => part.id)])];
    const own = [...new Set(named.flatMap((id) => byId.get(id) ?? []))];
    const failing = own.filter((test) => !test.passed);
    const missing = rule.parts
      .map((part) => part.id)
      .filter((id) => !byId.get(id)?.some((test) => test.passed));
    const state = failing.length > 0 ? 'failing' : missing.length > 0 ? 'open' : 'proven';
    return { ...rule, state, passing: own.filter((test) => test.passed), failing, missing };
  });
}
