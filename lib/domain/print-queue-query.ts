import {
  QUERY_FIELDS,
  wordsOf,
  type QueryParameter,
  type QueryVocabulary,
  type QueueQuery,
} from './queue-query';

/** A letter-like word right before a colon is read as the name of a filter. */
export const LOOKS_LIKE_FILTER = /^-?\p{L}[\p{L}\d_-]*:/u;

const BARE_VALUE = /^[^\s",]+$/;
const BARE_TEXT = /^[^\s"]+$/;

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

export const printValue = (word: string): string => (BARE_VALUE.test(word) ? word : quoted(word));

/** The address' filters in the words of the search box; the opposite of `parseQueueQuery`. */
export function printQueueQuery(query: QueueQuery, vocabulary: QueryVocabulary): string {
  const terms: string[] = [];
  for (const { name, parameter } of QUERY_FIELDS) {
    const given = query[parameter];
    if (given === null) continue;
    const values = typeof given === 'string' ? [given] : given;
    terms.push(
      `${name}:${values.map((value) => printValue(wordFor(parameter, value, vocabulary))).join(',')}`,
    );
  }
  if (query.q !== null)
    terms.push(BARE_TEXT.test(query.q) && !LOOKS_LIKE_FILTER.test(query.q) ? query.q : quoted(query.q));
  return terms.join(' ');
}

function wordFor(parameter: QueryParameter, value: string, vocabulary: QueryVocabulary): string {
  if (parameter === 'age') return value.startsWith('<') ? value : `>${value}`;
  return wordsOf(parameter, vocabulary).words.find((each) => each.value === value)?.word ?? value;
}
