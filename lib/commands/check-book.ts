// CHECKS.md read as data: attacks and faults, judged by the tests that carry their ids in their titles.
import { judgeRules, type JudgedRule, type Rule, type TestOutcome } from './rule-book';

/** In the order of CHECKS.md; `BH` are those by hand. */
export const PARTS: readonly string[] = [
  ...['AN', 'AZ', 'FE', 'AU', 'LC', 'CP', 'DF', 'BI', 'SS', 'XC', 'DO', 'PR', 'SC', 'HD', 'BH'],
];
const BY_HAND = 'BH';

export interface JudgedCheck extends Omit<JudgedRule, 'state'> {
  part: string;
  state: JudgedRule['state'] | 'by hand';
}

const ROW = /^\|\s*([A-Z]{2}-\d{2})\s*\|([^|]*)\|\s*$/;
const ID = new RegExp(`\\b(?:${PARTS.join('|')})-\\d{2}\\b`, 'g');

/** The ids of checks that a title carries. */
export const checkIdsIn = (title: string): string[] => [...new Set(title.match(ID) ?? [])];

const partOf = (id: string) => id.slice(0, 2);

/** The checks of the tables in CHECKS.md: `| AN-01 | words |`. */
export function readChecks(markdown: string): Rule[] {
  const checks: Rule[] = [];
  for (const line of markdown.split('\n')) {
    const [, id, words = ''] = ROW.exec(line) ?? [];
    if (id === undefined) continue;
    if (checks.some((check) => check.id === id)) throw new Error(`CHECKS.md has ${id} twice`);
    if (!PARTS.includes(partOf(id))) throw new Error(`CHECKS.md has a part that nobody knows: ${id}`);
    checks.push({ id, words: words.trim(), parts: [{ id, words: words.trim() }] });
  }
  return checks;
}

/** The parts of `AN,AZ`; all of them where nothing is named. Throws at one that does not exist. */
export function chosenParts(list: string | undefined): string[] {
  if (list === undefined) return [...PARTS];
  const wanted = list.split(',').map((part) => part.trim());
  const strange = wanted.filter((part) => !PARTS.includes(part));
  if (strange.length > 0)
    throw new Error(`There is no part ${strange.join(', ')}; there are ${PARTS.join(', ')}.`);
  return PARTS.filter((part) => wanted.includes(part));
}

/** Proven: some test of it passes and none fails. A check by hand is never proven by a test. */
export function judgeChecks(
  checks: readonly Rule[],
  tests: readonly TestOutcome[],
  parts: readonly string[],
): JudgedCheck[] {
  const chosen = checks.filter((check) => parts.includes(partOf(check.id)));
  return judgeRules(chosen, tests, checkIdsIn).map((judged) => {
    const part = partOf(judged.id);
    return { ...judged, part, state: part === BY_HAND ? 'by hand' : judged.state };
  });
}

/** Whether the listing is good: nothing failed and, where it has to be complete, nothing is open. */
export const isGood = (checks: readonly JudgedCheck[], complete: boolean): boolean =>
  checks.every(({ state }) => state !== 'failing' && !(complete && state === 'open'));
