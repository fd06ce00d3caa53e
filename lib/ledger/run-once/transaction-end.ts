/**
 * The work has ended, or tried to end, the transaction that holds its claim. A statement that was seen is refused before
 * it is sent, and nothing remains of the run; in the other case the message says what may have been left behind.
 */
export class TransactionEnded extends Error {
  override readonly name = 'TransactionEnded';
}

export const refusedEnd = (statement: string): TransactionEnded =>
  new TransactionEnded(
    `the work sent "${statement}", which would end the transaction of its claim; it was not sent, and nothing was changed`,
  );

export const foundEnded = (cause?: unknown): TransactionEnded =>
  new TransactionEnded(
    'the transaction of the claim was ended inside the work: what the work did may be committed without its result, or ' +
      'undone in part; look at the record and at the change before the key is used again',
    { cause },
  );

/** What is no code: comments, quoted text and names, dollar quotes. Source: PostgreSQL manual, 4.1. */
const OPAQUE =
  /--[^\n]*|\/\*|(?<![\w$])[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(?<![\w$])\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/g;

/** The first statement of the text that ends a transaction; null when there is none. `ROLLBACK TO` ends none. */
export function endOfTransaction(sql: string): string | null {
  for (const statement of codeOf(sql).split(';')) {
    const words = statement.toLowerCase().match(/[a-z_]+/g) ?? [];
    const [first, second, third] = words;
    const ends =
      first === 'commit' ||
      first === 'end' ||
      first === 'abort' ||
      (first === 'prepare' && second === 'transaction');
    const isPartial = second === 'to' || ((second === 'work' || second === 'transaction') && third === 'to');
    if (ends || (first === 'rollback' && !isPartial))
      return statement.trim().replace(/\s+/g, ' ').slice(0, 80);
  }
  return null;
}

/** The text with a blank for everything that is no code. */
function codeOf(sql: string): string {
  let code = '';
  let at = 0;
  OPAQUE.lastIndex = 0;
  for (let found = OPAQUE.exec(sql); found !== null; found = OPAQUE.exec(sql)) {
    code += `${sql.slice(at, found.index)} `;
    at = endOf(sql, found[0], OPAQUE.lastIndex);
    OPAQUE.lastIndex = at;
  }
  return code + sql.slice(at);
}

/** Where what begins with `opening` ends; `after` is the place behind it. */
function endOf(sql: string, opening: string, after: number): number {
  if (opening === '/*') return endOfComment(sql, after);
  if (!opening.startsWith('$')) return after;
  const end = sql.indexOf(opening, after);
  return end < 0 ? sql.length : end + opening.length;
}

/** Comments of this kind can hold others. */
function endOfComment(sql: string, after: number): number {
  const edges = /\/\*|\*\//g;
  edges.lastIndex = after;
  for (let depth = 1, edge = edges.exec(sql); edge !== null; edge = edges.exec(sql)) {
    depth += edge[0] === '/*' ? 1 : -1;
    if (depth === 0) return edges.lastIndex;
  }
  return sql.length;
}
