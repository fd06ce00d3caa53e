import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpConnectorSchema } from './connector-http';
import { buildHttpQuestion, type QuestionSubject } from './connector-question';
import { quoted, QUOTINGS, searchPhrase, type Quoting } from './search-phrase';

const accepts = (phrase: string) => searchPhrase.safeParse({ phrase, quoting: 'double' }).success;

/** How the documentation of each language says that a text is read; written from there, not from the product. */
const READERS: Record<Quoting, (text: string) => [value: string, rest: string] | null> = {
  double: (text) => plain(text, '"'),
  single: (text) => plain(text, "'"),
  'double-backslash': (text) => escaped(text, '"'),
  'single-backslash': (text) => escaped(text, "'"),
  'single-doubled': (text) => {
    let value = '';
    for (let at = 1; text[0] === "'" && at < text.length; at += 1) {
      if (text[at] !== "'") value += text[at];
      else if (text[at + 1] === "'") value += text[(at += 1)];
      else return [value, text.slice(at + 1)];
    }
    return null;
  },
};

function plain(text: string, mark: string): [string, string] | null {
  const end = text.indexOf(mark, 1);
  return text[0] === mark && end > 0 ? [text.slice(1, end), text.slice(end + 1)] : null;
}

function escaped(text: string, mark: string): [string, string] | null {
  let value = '';
  for (let at = 1; text[0] === mark && at < text.length; at += 1) {
    if (text[at] === '\\') value += text[(at += 1)] ?? '';
    else if (text[at] === mark) return [value, text.slice(at + 1)];
    else value += text[at];
  }
  return null;
}

describe('searchPhrase', () => {
  it('R-058u takes whole placeholders in its own text, outside of its own quotation marks', () => {
    for (const phrase of [
      'repo:acme/orders is:issue in:body {key}',
      'metadata["onceover"]:{key}',
      "status='done' AND reference = {key} AND owner = {display:/owner}",
      '({key})',
    ])
      expect(accepts(phrase), phrase).toBe(true);
  });

  it.each([
    'status:open',
    'title:"{key}"',
    'title:"a {key} b"',
    "x = '{key}'",
    '"{key}',
    'a {key} "b',
    'x:{key}"',
    'pre{key}',
    '{key}post',
    '{key}{account}',
    '{unknown} {key}',
    '{key',
    'a\\ {key}',
    'ref:{key} ${secret:TOKEN}',
    'ref:\u201c {key}',
    `${'x'.repeat(500)} {key}`,
    '',
  ])('R-058u refuses %j', (phrase) => {
    expect(accepts(phrase)).toBe(false);
  });
});

describe('quoted', () => {
  it.each<[Quoting, string, string | null]>([
    ['double', 'ORDER-1', '"ORDER-1"'],
    ['double', 'a" OR key:"b', null],
    ['double', 'a\\', null],
    ['double', 'a\u201d OR \u201cb', null],
    ['double', 'a\uff02b', null],
    ['single', "o'clock", null],
    ['double-backslash', 'a" OR key = "b\\', '"a\\" OR key = \\"b\\\\"'],
    ['single-backslash', "x' OR 'y'='y", "'x\\' OR \\'y\\'=\\'y'"],
    ['single-doubled', "O'Brien", "'O''Brien'"],
    ['single-doubled', "' or 1 eq 1 or '", "''' or 1 eq 1 or '''"],
    ['double-backslash', 'a\nb', null],
    ['single-doubled', 'a\u2028b', null],
  ])('R-058u by %s writes %j as %j', (quoting, value, text) => {
    expect(quoted(value, quoting)).toBe(text);
  });

  it('R-058u no value at all ends its text early, in any of the languages', () => {
    const marks = fc.constantFrom(
      '"',
      "'",
      '\\',
      '\\"',
      "''",
      '" OR "',
      "' or '",
      '\u201d',
      '`',
      ' ',
      'a',
      '{key}',
      '%22',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.array(marks, { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
    );
    let written = 0;
    fc.assert(
      fc.property(value, fc.constantFrom(...QUOTINGS), (text, quoting) => {
        const literal = quoted(text, quoting);
        if (literal === null) return true;
        written += 1;
        const read = READERS[quoting](`${literal} AND more`);
        return read !== null && read[0] === text && read[1] === ' AND more';
      }),
      { numRuns: 5_000 },
    );
    expect(written).toBeGreaterThan(500);
  });
});

describe('a question with a phrase', () => {
  const connector = httpConnectorSchema.parse({
    kind: 'http',
    system: 'tracker',
    baseUrl: 'https://api.example.com',
    path: 'search',
    query: {
      q: { phrase: 'project = {display:/project} AND ref = {key}', quoting: 'double-backslash' },
      max: '50',
    },
    items: '/items',
    fields: { id: '/id' },
    content: [{ expected: '{key}', pointer: '/ref' }],
    notFound: { status404: false, emptyList: true },
    visibilityDelaySeconds: 0,
    queryableSeconds: null,
  });
  const subject = (key: string, project: unknown): QuestionSubject => ({
    system: 'tracker',
    account: null,
    key,
    requestId: null,
    externalRequestKey: null,
    externalJobId: null,
    businessRef: null,
    contentVersion: null,
    resultId: null,
    display: { '/project': project },
  });

  it('R-058u fills each placeholder with one quoted text of one encoded query value', () => {
    const built = buildHttpQuestion(connector, subject('a" OR ref = "b', 'ORD'));
    if (!built.ok) throw new Error(built.fault);
    const url = new URL(built.question.url);
    expect([...url.searchParams]).toEqual([
      ['q', 'project = "ORD" AND ref = "a\\" OR ref = \\"b"'],
      ['max', '50'],
    ]);
  });

  it('R-058u asks nothing when a value is missing, cannot be quoted or makes the phrase too long', () => {
    expect(buildHttpQuestion(connector, subject('k', undefined))).toEqual({
      ok: false,
      fault: 'VALUE_MISSING',
    });
    expect(buildHttpQuestion(connector, subject('a\u2019b', 'ORD'))).toEqual({
      ok: false,
      fault: 'VALUE_REFUSED',
    });
    expect(buildHttpQuestion(connector, subject('k'.repeat(501), 'ORD'))).toEqual({
      ok: false,
      fault: 'VALUE_REFUSED',
    });
  });
});
