import { EXCEPTION_KINDS, type ExceptionKind } from './exception-kinds';
import { DAY, HOUR, MINUTE } from './spans';

export const DUE_TIMES = ['overdue', 'today', 'later'] as const;

export type DueTime = (typeof DUE_TIMES)[number];

/** What narrows the queue, as its address holds it; the search box writes the same in words. Null does not narrow. */
export interface QueueQuery {
  kind: ExceptionKind[] | null;
  /** Null: open. */
  state: 'closed' | 'any' | null;
  severity: ('1' | '2' | '3' | '4')[] | null;
  operation: string[] | null;
  system: string[] | null;
  /** What went wrong and where: `TIMEOUT @ crm`. */
  cause: string[] | null;
  /** `me`, `none`, or a person's id. */
  assignee: string | null;
  due: DueTime | null;
  hold: 'yes' | 'no' | null;
  /** `2h`: opened longer ago; `<2h`: since then. */
  age: string | null;
  authority: string[] | null;
  tenant: string[] | null;
  incident: string | null;
  /** The beginning of a key, request id, result id or business reference. */
  q: string | null;
}

export type QueryParameter = Exclude<keyof QueueQuery, 'q'>;

export const NO_QUERY: QueueQuery = {
  kind: null,
  state: null,
  severity: null,
  operation: null,
  system: null,
  cause: null,
  assignee: null,
  due: null,
  hold: null,
  age: null,
  authority: null,
  tenant: null,
  incident: null,
  q: null,
};

/** Characters; no key, id or name is longer. */
export const LONGEST_TEXT = 300;

/** Characters of the whole search box; what an address can carry. */
export const LONGEST_QUERY = 2_000;

const AGE = /^(<?)([1-9]\d{0,3})([mhd])$/;
const UNIT = { m: MINUTE, h: HOUR, d: DAY } as const;

export const isAge = (text: string): boolean => AGE.test(text);

/** The length of time that an age names. */
export function spanOfAge(age: string): { younger: boolean; seconds: number } {
  const [, less, count, unit] = AGE.exec(age) ?? [];
  if (count === undefined) throw new Error(`bug: no age: ${age}`);
  return { younger: less === '<', seconds: (Number(count) * UNIT[unit as keyof typeof UNIT]) / 1_000 };
}

/** One value of a filter and the word that stands for it in the search box. */
export interface QueryWord {
  value: string;
  word: string;
}

export interface QueryField {
  /** As it is typed before the colon; the same in every language, since keyboards switch slowly. */
  name: string;
  parameter: QueryParameter;
  many: boolean;
}

/** In the order in which the search box writes them. */
export const QUERY_FIELDS = [
  { name: 'kind', parameter: 'kind', many: true },
  { name: 'severity', parameter: 'severity', many: true },
  { name: 'op', parameter: 'operation', many: true },
  { name: 'system', parameter: 'system', many: true },
  { name: 'cause', parameter: 'cause', many: true },
  { name: 'owner', parameter: 'assignee', many: false },
  { name: 'due', parameter: 'due', many: false },
  { name: 'hold', parameter: 'hold', many: false },
  { name: 'age', parameter: 'age', many: false },
  { name: 'authority', parameter: 'authority', many: true },
  { name: 'state', parameter: 'state', many: false },
  { name: 'tenant', parameter: 'tenant', many: true },
  { name: 'incident', parameter: 'incident', many: false },
] as const satisfies readonly QueryField[];

export type FieldName = (typeof QUERY_FIELDS)[number]['name'];

const same = (words: readonly string[]): QueryWord[] => words.map((word) => ({ value: word, word }));

const FIXED = {
  kind: EXCEPTION_KINDS.map((kind) => ({ value: kind, word: kind.toLowerCase().replaceAll('_', '-') })),
  severity: ['critical', 'high', 'medium', 'low'].map((word, index) => ({ value: String(index + 1), word })),
  due: same(DUE_TIMES),
  hold: same(['yes', 'no']),
  age: ['>1h', '>4h', '>1d', '>7d', '<1h'].map((word) => ({ value: word.replace('>', ''), word })),
  state: [
    { value: 'closed', word: 'settled' },
    { value: 'any', word: 'any' },
  ],
} as const satisfies Partial<Record<QueryParameter, readonly QueryWord[]>>;

/** The installation's own words. A list that does not hold every value (`complete: false`) leaves others to the database. */
export interface QueryVocabulary {
  operation: { words: readonly QueryWord[]; complete: boolean };
  system: { words: readonly QueryWord[]; complete: boolean };
  cause: { words: readonly QueryWord[]; complete: boolean };
  assignee: { words: readonly QueryWord[]; complete: boolean };
  authority: { words: readonly QueryWord[]; complete: boolean };
  tenant: { words: readonly QueryWord[]; complete: boolean };
  incident: { words: readonly QueryWord[]; complete: boolean };
}

/** What may stand after a filter's colon. */
export function wordsOf(
  parameter: QueryParameter,
  vocabulary: QueryVocabulary,
): { words: readonly QueryWord[]; complete: boolean } {
  return parameter in FIXED
    ? { words: FIXED[parameter as keyof typeof FIXED], complete: true }
    : vocabulary[parameter as keyof QueryVocabulary];
}

/** Words for values that have a name: the name where nothing else has it, the value itself otherwise. */
export function namedWords(
  named: readonly { value: string; name: string }[],
  taken: readonly QueryWord[] = [],
): QueryWord[] {
  const folded = (text: string) => text.toLowerCase();
  const names = new Map<string, number>();
  for (const { word } of taken) names.set(folded(word), 1);
  for (const { name } of named) names.set(folded(name), (names.get(folded(name)) ?? 0) + 1);
  return [
    ...taken,
    ...named.map(({ value, name }) => ({
      value,
      word: name !== '' && names.get(folded(name)) === 1 ? name : value,
    })),
  ];
}
