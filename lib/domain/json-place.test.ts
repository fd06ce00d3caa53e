import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonListPlace, jsonPlace, readList, readPlace } from './json-place';

const accepts = (text: string) => jsonPlace.safeParse(text).success;
const ticket = {
  id: 7,
  custom_fields: [
    { id: 1, value: 'other' },
    { id: 36, value: 'ORDER-1' },
  ],
  twice: [{ id: 36 }, { id: 36 }],
};

describe('jsonPlace', () => {
  it('R-058v takes pointers, and JSONPaths of bounded work', () => {
    for (const text of [
      '',
      '/a/b~1c',
      '$',
      '$.a.b',
      "$['a b'][0]",
      '$.custom_fields[?@.id == 36].value',
      "$.refunds.data[?@.status == 'succeeded' && @.amount > 0].id",
      '$.a[*].b',
      '$.a[1:3]',
      '$.a[?@.b]',
    ])
      expect(accepts(text), text).toBe(true);
  });

  it.each([
    'a',
    '/a~2',
    '$.',
    '$..id',
    '$.a[?@..b]',
    "$['a','b']",
    '$[*,*][*,*][*,*]',
    "$.a[?match(@.b, '(a+)+$')]",
    "$.a[?search(@.b, '(a|a)*b')]",
    '$.a[?length(@.b) > 1]',
    '$.a[?@.b == $.c]',
    '$.a[?@.b[?@.c]]',
    '$.a[?@.b].c[?@.d]',
    '$.constructor.constructor("return 1")()',
    `/${'a'.repeat(300)}`,
  ])('R-058v DO-01 refuses %j', (text) => {
    expect(accepts(text)).toBe(false);
  });

  it('R-058v DO-01 judges any text in bounded time, however it is nested', () => {
    const hostile = [
      'a'.repeat(50_000),
      `$${'.a'.repeat(25_000)}`,
      `$[?${'('.repeat(25_000)}`,
      `$[?${'('.repeat(140)}@.a==1${')'.repeat(140)}]`,
      `$[?${'!('.repeat(90)}@.a${')'.repeat(90)}]`,
      `$[?${'@[?'.repeat(70)}@.a${']'.repeat(70)}]`,
      `/${'~0'.repeat(25_000)}!`,
    ];
    // What took more than the time of this test for one of them would not end for all.
    for (const text of hostile) expect(typeof accepts(text)).toBe('boolean');
  });

  it('R-058v DO-01 what it takes visits a large answer in proportion to its size', () => {
    const large = { list: Array.from({ length: 10_000 }, (_, id) => ({ id, tags: [{ a: 1 }, { a: 2 }] })) };
    expect(readList(large, '$.list[?@.id == 9999 && @.tags[*]]')?.picked).toHaveLength(1);
    expect(readPlace(large, '$.list[9999].tags[?@.a == 2].a')).toBe(2);
    expect(readPlace(large, '$.list[*].tags[*].a')).toBeUndefined();
  });
});

describe('readPlace', () => {
  it('R-058v reads one value, and none where there are several', () => {
    expect(readPlace(ticket, '/id')).toBe(7);
    expect(readPlace(ticket, '$.custom_fields[?@.id == 36].value')).toBe('ORDER-1');
    expect(readPlace(ticket, '$.custom_fields[?@.id == 99].value')).toBeUndefined();
    expect(readPlace(ticket, '$.twice[?@.id == 36].id')).toBeUndefined();
    expect(readPlace(null, '$.a')).toBeUndefined();
    expect(readPlace(ticket, '$.constructor')).toBeUndefined();
  });

  it('R-058v a pointer and the path of the same names lead to the same value', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.array(fc.constantFrom('a', 'b', '', '0', '~', '/', "'", '\\', '가'), { maxLength: 3 }),
        (text, names) => {
          const document: unknown = JSON.parse(text);
          const pointer = names
            .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
            .join('');
          const path = `$${names.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
          const isIndexed = names.includes('0');
          return isIndexed || readPlace(document, path) === readPlace(document, pointer);
        },
      ),
      { numRuns: 500 },
    );
  });
});

const picked = (document: unknown, place: string) => readList(document, place)?.picked ?? null;

describe('readList', () => {
  it('R-058v tells an empty list from none', () => {
    expect(picked({ items: [] }, '/items')).toEqual([]);
    expect(picked({ items: [] }, '$.items[?@.kind == "a"]')).toEqual([]);
    expect(picked({ items: [{ kind: 'a' }, { kind: 'b' }] }, '$.items[?@.kind == "a"]')).toEqual([
      { kind: 'a' },
    ]);
    expect(picked([1, 2], '$[*]')).toEqual([1, 2]);
    for (const answer of [{}, { items: null }, { items: {} }, { items: { a: { kind: 'a' } } }, 'x', null]) {
      expect(picked(answer, '/items')).toBeNull();
      expect(picked(answer, '$.items[*]')).toBeNull();
      expect(picked(answer, '$.items[?@.kind == "a"]')).toBeNull();
    }
  });

  it('R-058v a list is picked from with the last segment only', () => {
    for (const text of ['/items', '$.items', '$.a[0].items[?@.b == 1]', '$[*]'])
      expect(jsonListPlace.safeParse(text).success, text).toBe(true);
    for (const text of [
      '$.items[*].parts',
      '$.items[*].parts[*]',
      '$.items[?@.a].b',
      '$.items[1:2]',
      '$.items[-1].parts[*]',
      '$..a',
    ])
      expect(jsonListPlace.safeParse(text).success, text).toBe(false);
  });
});
