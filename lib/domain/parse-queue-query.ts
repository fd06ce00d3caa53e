import { nearestWord } from './nearest-word';
import { LOOKS_LIKE_FILTER } from './print-queue-query';
import {
  isAge,
  LONGEST_QUERY,
  LONGEST_TEXT,
  NO_QUERY,
  QUERY_FIELDS,
  wordsOf,
  type QueryField,
  type QueryVocabulary,
  type QueueQuery,
} from './queue-query';

/** What is not understood, and where: offsets into the text. */
export interface QueryProblem {
  reason: 'unknown-filter' | 'unknown-value' | 'twice' | 'unclosed-quote' | 'no-value' | 'too-long';
  from: number;
  to: number;
  /** The words at fault, as typed. */
  word: string;
  /** The filter that they were given to; null for a filter that does not exist, and for text. */
  field: string | null;
  /** What was most likely meant. */
  suggestion: string | null;
}

export type ParsedQuery = { kind: 'read'; query: QueueQuery } | { kind: 'misread'; problems: QueryProblem[] };

/** Problems named at once; the rest is read when these are mended. */
const MOST = 5;

interface Piece {
  text: string;
  from: number;
  to: number;
  closed: boolean;
}

/**
 * Reads the search box. One word that is not understood changes nothing at all: dropping it would show rows that nobody asked
 * for (B-100). A value may be cut at a hyphen where that leaves one meaning: `kind:unknown`.
 */
export function parseQueueQuery(text: string, vocabulary: QueryVocabulary): ParsedQuery {
  if (text.length > LONGEST_QUERY)
    return {
      kind: 'misread',
      problems: [problem('too-long', { text: '', from: 0, to: text.length }, null, null)],
    };
  const query: QueueQuery = { ...NO_QUERY };
  const problems: QueryProblem[] = [];
  const free: Piece[] = [];
  for (let at = skipBlanks(text, 0); at < text.length && problems.length < MOST; at = skipBlanks(text, at)) {
    const name = LOOKS_LIKE_FILTER.exec(text.slice(at))?.[0].slice(0, -1);
    if (name === undefined) {
      const piece = readPiece(text, at, /\s/);
      if (!piece.closed) problems.push(problem('unclosed-quote', piece, null, null));
      free.push(piece);
      at = piece.to;
      continue;
    }
    const pieces = readValues(text, at + name.length + 1);
    const end = pieces.at(-1)?.to ?? at;
    const field = QUERY_FIELDS.find((each) => each.name === name.toLowerCase());
    if (field === undefined) {
      const near = nearestWord(
        name,
        QUERY_FIELDS.map((each) => each.name),
      );
      problems.push({
        reason: 'unknown-filter',
        from: at,
        to: end,
        word: name,
        field: null,
        suggestion: near,
      });
    } else problems.push(...takeField(query, field, pieces, vocabulary, { from: at, to: end, word: name }));
    at = end;
  }
  if (free.length > 0) {
    query.q = free.map((piece) => piece.text).join(' ');
    const all = { from: free[0]?.from ?? 0, to: free.at(-1)?.to ?? 0, text: query.q };
    if (query.q === '') problems.push(problem('no-value', all, null, null));
    if (query.q.length > LONGEST_TEXT || query.q.includes('\0'))
      problems.push(problem('too-long', all, null, null));
  }
  return problems.length > 0 ? { kind: 'misread', problems } : { kind: 'read', query };
}

const problem = (
  reason: QueryProblem['reason'],
  { from, to, text }: Pick<Piece, 'from' | 'to' | 'text'>,
  field: string | null,
  suggestion: string | null,
): QueryProblem => ({ reason, from, to, word: text, field, suggestion });

function takeField(
  query: QueueQuery,
  field: QueryField,
  pieces: readonly Piece[],
  vocabulary: QueryVocabulary,
  whole: { from: number; to: number; word: string },
): QueryProblem[] {
  if (!field.many && (query[field.parameter] !== null || pieces.length > 1))
    return [{ reason: 'twice', ...whole, field: field.name, suggestion: null }];
  const problems: QueryProblem[] = [];
  const values: string[] = [...((query[field.parameter] as string[] | null) ?? [])];
  for (const piece of pieces) {
    if (!piece.closed) problems.push(problem('unclosed-quote', piece, field.name, null));
    else if (piece.text === '') problems.push(problem('no-value', piece, field.name, null));
    else {
      const value = valueOf(field, piece.text, vocabulary);
      if (value === null) problems.push(unknownValue(field, piece, vocabulary));
      else if (!values.includes(value)) values.push(value);
    }
  }
  if (problems.length === 0) Object.assign(query, { [field.parameter]: field.many ? values : values[0] });
  // What is open needs no filter: the queue shows that anyway.
  if (field.parameter === 'state' && (query.state as string | null) === 'open') query.state = null;
  return problems;
}

function unknownValue(field: QueryField, piece: Piece, vocabulary: QueryVocabulary): QueryProblem {
  const words = wordsOf(field.parameter, vocabulary).words.map(({ word }) => word);
  // A kind may be called by its first half, and misspelt there.
  if (field.parameter === 'kind') words.push(...words.map((word) => word.replace(/-.*/, '')));
  if (piece.text.length > LONGEST_TEXT) return problem('too-long', piece, field.name, null);
  const near = field.parameter === 'age' ? nearestAge(piece.text) : nearestWord(piece.text, words);
  return problem('unknown-value', piece, field.name, near);
}

const nearestAge = (text: string) => {
  const [, less, count, unit] = /^([<>]?)=?\s*(\d{1,4})\s*([mhd])/i.exec(text) ?? [];
  const meant = `${less === '<' ? '<' : ''}${Number(count)}${unit?.toLowerCase()}`;
  return isAge(meant) ? `${meant.startsWith('<') ? '' : '>'}${meant}` : '>1h';
};

function valueOf(field: QueryField, typed: string, vocabulary: QueryVocabulary): string | null {
  if (field.parameter === 'age') {
    const age = typed.replace(/^>/, '');
    return /^[<>]/.test(typed) && isAge(age) ? age : null;
  }
  if (field.parameter === 'state' && typed.toLowerCase() === 'open') return 'open';
  const { words, complete } = wordsOf(field.parameter, vocabulary);
  const exact = words.find(({ word, value }) => word === typed || value === typed);
  if (exact !== undefined) return exact.value;
  const folded = typed.toLowerCase();
  const [only, ...others] = words.filter(({ word }) => word.toLowerCase() === folded);
  if (only !== undefined && others.length === 0) return only.value;
  if (field.parameter === 'kind') {
    const cut = words.filter(({ word }) => word.startsWith(`${folded}-`));
    if (cut.length === 1) return cut[0]?.value ?? null;
  }
  return complete || typed.length > LONGEST_TEXT || typed.includes('\0') ? null : typed;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** `a,"b c",d` without blanks between them. */
function readValues(text: string, from: number): Piece[] {
  const pieces = [readPiece(text, from, /[\s,]/)];
  for (let at = pieces[0]?.to ?? from; text.charAt(at) === ','; at = pieces.at(-1)?.to ?? at + 1)
    pieces.push(readPiece(text, at + 1, /[\s,]/));
  return pieces;
}

/** Up to a character of `ends`, or whole in quotation marks, inside of which a backslash takes the next one as it is. */
function readPiece(text: string, from: number, ends: RegExp): Piece {
  let at = from;
  if (text.charAt(at) !== '"') {
    while (at < text.length && !ends.test(text.charAt(at))) at += 1;
    return { text: text.slice(from, at), from, to: at, closed: true };
  }
  let read = '';
  for (at += 1; at < text.length && text.charAt(at) !== '"'; at += 1) {
    if (text.charAt(at) === '\\' && at + 1 < text.length) at += 1;
    read += text.charAt(at);
  }
  const closing = at;
  // What touches the closing mark belongs to the same word, and is not understood.
  at = Math.min(closing + 1, text.length);
  while (at < text.length && !ends.test(text.charAt(at))) at += 1;
  return { text: read, from, to: at, closed: closing < text.length && at === closing + 1 };
}
