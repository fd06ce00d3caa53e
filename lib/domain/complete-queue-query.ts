import { LOOKS_LIKE_FILTER, printValue } from './print-queue-query';
import { QUERY_FIELDS, wordsOf, type FieldName, type QueryVocabulary, type QueryWord } from './queue-query';

export interface Completion {
  /** The filter that is offered, or whose value is. */
  field: FieldName;
  /** Null: the filter itself. */
  value: QueryWord | null;
  /** What replaces the letters from `from` to `to`. */
  insert: string;
}

export interface Completions {
  from: number;
  to: number;
  choices: Completion[];
}

/** More than these are found by typing on. */
const MOST = 12;

/**
 * What may stand where the caret is: filters by their name or by what the reader's language calls them, after a colon that
 * filter's values.
 * @param called the reader's word for a filter, or for one of its values
 */
export function completeQueueQuery(
  text: string,
  caret: number,
  vocabulary: QueryVocabulary,
  called: (field: FieldName, value?: QueryWord) => string,
): Completions {
  const start = beginningOf(text, caret);
  const typed = text.slice(start, caret);
  const name = LOOKS_LIKE_FILTER.exec(typed)?.[0].slice(0, -1).toLowerCase();
  const field = QUERY_FIELDS.find((each) => each.name === name);
  if (field === undefined) {
    const choices = QUERY_FIELDS.filter(
      (each) => fits(typed, each.name) || (typed !== '' && within(typed, called(each.name))),
    ).map((each) => ({ field: each.name, value: null, insert: `${each.name}:` }));
    return { from: start, to: caret, choices: typed.includes(':') ? [] : choices };
  }
  const { words } = wordsOf(field.parameter, vocabulary);
  const before = typed.slice(field.name.length + 1);
  const from = field.many
    ? start + field.name.length + 2 + before.lastIndexOf(',')
    : start + field.name.length + 1;
  const letters = text.slice(from, caret).replace(/^"/, '');
  const choices = words
    .filter((each) => fits(letters, each.word) || within(letters, called(field.name, each)))
    .slice(0, MOST)
    .map((value) => ({ field: field.name, value, insert: `${printValue(value.word)} ` }));
  return { from, to: caret, choices };
}

const fits = (typed: string, word: string) => word.toLowerCase().startsWith(typed.toLowerCase());
const within = (typed: string, words: string) => words.toLowerCase().includes(typed.toLowerCase());

/** Where the word under the caret begins; blanks in quotation marks are part of it. */
function beginningOf(text: string, caret: number): number {
  let start = 0;
  let open = false;
  for (let at = 0; at < caret; at += 1) {
    const letter = text.charAt(at);
    if (open && letter === '\\') at += 1;
    else if (letter === '"') open = !open;
    else if (!open && /\s/.test(letter)) start = at + 1;
  }
  return start;
}
