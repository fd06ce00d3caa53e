import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeQueueQuery } from './complete-queue-query';
import { EXCEPTION_KINDS } from './exception-kinds';
import { parseQueueQuery } from './parse-queue-query';
import { printQueueQuery } from './print-queue-query';
import {
  DUE_TIMES,
  namedWords,
  NO_QUERY,
  spanOfAge,
  type QueueQuery,
  type QueryVocabulary,
} from './queue-query';

const words = (...all: string[]) => ({ words: all.map((word) => ({ value: word, word })), complete: true });
const MINJI = '0195f2a0-0000-7000-8000-0000000000ab';
const VOCABULARY: QueryVocabulary = {
  operation: words('create-order', 'create-payment', 'send,receipt', 'a "b" c\\'),
  system: words('crm', 'mail'),
  cause: { ...words('TIMEOUT @ crm', 'lease-over @ "é", b'), complete: false },
  assignee: {
    words: namedWords(
      [{ value: MINJI, name: 'Minji Kim' }],
      [
        { value: 'me', word: 'me' },
        { value: 'none', word: 'none' },
      ],
    ),
    complete: true,
  },
  authority: words('money', 'general'),
  tenant: words('tenant-north'),
  incident: { words: [], complete: false },
};
const parse = (text: string) => parseQueueQuery(text, VOCABULARY);
const read = (text: string): QueueQuery => {
  const parsed = parse(text);
  if (parsed.kind !== 'read') throw new Error(JSON.stringify(parsed.problems));
  return parsed.query;
};
const problems = (text: string) => {
  const parsed = parse(text);
  return parsed.kind === 'misread' ? parsed.problems : [];
};

const some = (values: readonly string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: null });
const one = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: null });
const queries = fc.record({
  kind: some(EXCEPTION_KINDS),
  state: one(['closed', 'any']),
  severity: some(['1', '2', '3', '4']),
  operation: some(VOCABULARY.operation.words.map(({ value }) => value)),
  system: some(['crm', 'mail']),
  cause: some(VOCABULARY.cause.words.map(({ value }) => value)),
  assignee: one(['me', 'none', MINJI]),
  due: one(DUE_TIMES),
  hold: one(['yes', 'no']),
  age: one(['5m', '2h', '9999d', '<1h']),
  authority: some(['money']),
  tenant: some(['tenant-north']),
  incident: fc.option(fc.uuid(), { nil: null }),
  q: fc.option(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\0')),
      // What reads like a filter, or like quoting, and is none.
      fc.constantFrom('kind:stuck', 'https://shop/1', '-op:x', '"', 'a\\"b', ' x ', '키:값'),
    ),
    { nil: null },
  ),
}) as fc.Arbitrary<QueueQuery>;

describe('the words of the search box', () => {
  it('R-051c say the address’ filters, and the other way round', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(read(printQueueQuery(query, VOCABULARY))).toEqual(query);
      }),
    );
  });

  it('R-051c are read as people write them', () => {
    expect(
      read(
        `kind:unknown op:create-order age:>2h owner:me system:crm state:any due:overdue severity:high authority:money hold:yes "free  text"`,
      ),
    ).toEqual({
      ...NO_QUERY,
      kind: ['UNKNOWN_RESULT'],
      operation: ['create-order'],
      age: '2h',
      assignee: 'me',
      system: ['crm'],
      state: 'any',
      due: 'overdue',
      severity: ['2'],
      authority: ['money'],
      hold: 'yes',
      q: 'free  text',
    });
    expect(read('  KIND:Unknown-Result,stuck kind:stuck-processing  order-1  x ')).toEqual({
      ...NO_QUERY,
      kind: ['UNKNOWN_RESULT', 'STUCK_PROCESSING'],
      q: 'order-1 x',
    });
    expect(read('owner:"minji kim" op:"send,receipt",create-order state:open')).toEqual({
      ...NO_QUERY,
      assignee: MINJI,
      operation: ['send,receipt', 'create-order'],
    });
    expect(read('"kind:unknown"')).toEqual({ ...NO_QUERY, q: 'kind:unknown' });
    expect(read('')).toEqual(NO_QUERY);
    expect(spanOfAge('<2h')).toEqual({ younger: true, seconds: 7_200 });
  });

  it.each([
    ['kidn:unknown', { reason: 'unknown-filter', from: 0, to: 12, word: 'kidn', suggestion: 'kind' }],
    ['order-1 -kind:stuck', { reason: 'unknown-filter', from: 8, to: 19, word: '-kind', suggestion: 'kind' }],
    ['https://shop/1', { reason: 'unknown-filter', from: 0, to: 14, word: 'https', suggestion: null }],
    ['kind:unknwon', { reason: 'unknown-value', from: 5, to: 12, word: 'unknwon', suggestion: 'unknown' }],
    [
      'kind:stuck,stuck-procesing',
      { reason: 'unknown-value', from: 11, to: 26, suggestion: 'stuck-processing' },
    ],
    ['op:Creat-order', { reason: 'unknown-value', from: 3, to: 14, suggestion: 'create-order' }],
    ['age:2h', { reason: 'unknown-value', from: 4, to: 6, suggestion: '>2h' }],
    ['age:<=30m', { reason: 'unknown-value', from: 4, to: 9, suggestion: '<30m' }],
    ['hold:yes hold:no', { reason: 'twice', from: 9, to: 16, word: 'hold' }],
    ['due:today,later', { reason: 'twice', from: 0, to: 15, word: 'due' }],
    ['kind:', { reason: 'no-value', from: 5, to: 5, field: 'kind' }],
    ['kind:stuck, x', { reason: 'no-value', from: 11, to: 11, field: 'kind' }],
    ['""', { reason: 'no-value', from: 0, to: 2, field: null }],
    ['"order 1', { reason: 'unclosed-quote', from: 0, to: 8 }],
    ['op:"a"b', { reason: 'unclosed-quote', from: 3, to: 7, field: 'op' }],
    ['x'.repeat(301), { reason: 'too-long', from: 0, to: 301 }],
  ])('R-051c what is not understood is named with its place: %s', (text, expected) => {
    expect(problems(text)).toEqual([expect.objectContaining(expected)]);
  });

  it('R-051c one word that is not understood leaves nothing of the rest', () => {
    expect(parse('kind:unknown hodl:yes due:nevr')).toEqual({
      kind: 'misread',
      problems: [
        expect.objectContaining({ word: 'hodl', suggestion: 'hold' }),
        expect.objectContaining({ word: 'nevr' }),
      ],
    });
  });

  it('R-051c a list that does not hold every name takes others as they are', () => {
    const open = { ...VOCABULARY, operation: { ...VOCABULARY.operation, complete: false } };
    expect(parseQueueQuery('op:refund-v2', open)).toMatchObject({ query: { operation: ['refund-v2'] } });
    expect(problems('op:refund-v2')).toHaveLength(1);
  });

  it('two people of one name go by their ids', () => {
    const twins = [
      { value: 'id-1', name: 'Minji Kim' },
      { value: 'id-2', name: 'minji kim' },
      { value: 'id-3', name: 'Me' },
    ];
    expect(namedWords(twins, [{ value: 'me', word: 'me' }]).map(({ word }) => word)).toEqual([
      ...['me', 'id-1', 'id-2', 'id-3'],
    ]);
  });

  it('takes hostile text in a blink', () => {
    for (const text of [
      '"'.repeat(50_000),
      'kind:'.repeat(10_000),
      'kind:,'.repeat(10_000),
      '\\"'.repeat(25_000),
    ])
      expect(parse(text).kind).toBe('misread');
  });
});

describe('completion', () => {
  const offered = (text: string, caret = text.length) =>
    completeQueueQuery(text, caret, VOCABULARY, (field, value) =>
      value === undefined ? (field === 'owner' ? '담당자' : '') : value.value === 'crm' ? '고객 관리' : '',
    );
  const inserts = (text: string, caret?: number) => offered(text, caret).choices.map(({ insert }) => insert);

  it('R-051c offers filters, then the values of the one that was begun', () => {
    expect(inserts('')).toHaveLength(13);
    expect(inserts('ki')).toEqual(['kind:']);
    expect(inserts('order-1 o')).toEqual(['op:', 'owner:']);
    expect(inserts('담당')).toEqual(['owner:']);
    expect(inserts('system:고객')).toEqual(['crm ']);
    expect(inserts('kind:unk')).toEqual(['unknown-result ']);
    expect(offered('kind:stuck,unk')).toMatchObject({ from: 11, to: 14 });
    expect(inserts('owner:"min')).toEqual(['"Minji Kim" ']);
    expect(inserts('op:s')).toEqual(['"send,receipt" ']);
    expect(inserts('order-1')).toEqual([]);
    expect(inserts('what:o')).toEqual([]);
    expect(offered('due:to kind:x', 6)).toMatchObject({ from: 4, to: 6, choices: [{ insert: 'today ' }] });
  });
});
