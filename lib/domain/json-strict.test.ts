import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, parseStrictJson, readStrictJson } from './json-strict';

const utf8 = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('R-006a strict JSON refuses what readers understand differently', () => {
  it.each([
    ['{"a":1,"a":2}', 'DUPLICATE_NAME', '/a'],
    ['{"a":1,"\\u0061":2}', 'DUPLICATE_NAME', '/a'],
    ['{"x":{"b":1,"b":1}}', 'DUPLICATE_NAME', '/x/b'],
    ['{"__proto__":1,"__proto__":2}', 'DUPLICATE_NAME', '/__proto__'],
    ['["\\ud800"]', 'LONE_SURROGATE', '/0'],
    ['{"\\udc00":1}', 'LONE_SURROGATE', ''],
    ['{"memo":"a\\u0000b"}', 'NUL_CHARACTER', '/memo'],
    ['{"a":{"\\u0000":1}}', 'NUL_CHARACTER', '/a'],
    ['{"n":[0,9007199254740993]}', 'INEXACT_NUMBER', '/n/1'],
    ['12345678901234567890', 'INEXACT_NUMBER', ''],
    ['1e400', 'INEXACT_NUMBER', ''],
    ['-1e400', 'INEXACT_NUMBER', ''],
    ['1e-400', 'INEXACT_NUMBER', ''],
    ['0.1000000000000000055', 'INEXACT_NUMBER', ''],
    ['NaN', 'NOT_JSON', ''],
    ['Infinity', 'NOT_JSON', ''],
    ['', 'NOT_JSON', ''],
    ['{"a":1,}', 'NOT_JSON', ''],
    ['{"a":1} x', 'NOT_JSON', ''],
    ['// c\n1', 'NOT_JSON', ''],
    ["{'a':1}", 'NOT_JSON', ''],
    ['01', 'NOT_JSON', ''],
    ['"a\nb"', 'NOT_JSON', ''],
  ])('R-006a BI-01 BI-02 BI-03 %s is %s at "%s"', (text, fault, path) => {
    const reading = parseStrictJson(text);
    expect(reading).toMatchObject({ ok: false, fault });
    if (!reading.ok && fault !== 'NOT_JSON') expect(reading.path).toBe(path);
  });

  it('R-006a BI-03 refuses more than 64 levels without using the stack', () => {
    expect(parseStrictJson(nested(MAX_JSON_DEPTH)).ok).toBe(true);
    expect(parseStrictJson(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ ok: false, fault: 'TOO_DEEP' });
    expect(parseStrictJson('['.repeat(500_000))).toMatchObject({ ok: false, fault: 'TOO_DEEP' });
    expect(parseStrictJson('{"a":'.repeat(10_000))).toMatchObject({ ok: false, fault: 'TOO_DEEP' });
  });

  it('R-006a refuses a byte order mark and bytes that are not UTF-8, with their place', () => {
    expect(readStrictJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toMatchObject({ fault: 'BYTE_ORDER_MARK' });
    expect(readStrictJson(Uint8Array.of(0x22, 0x61, 0xff, 0x22))).toMatchObject({
      fault: 'NOT_UTF8',
      position: 2,
    });
    // A surrogate in CESU-8, an overlong slash, a cut-off character, UTF-16.
    for (const bytes of [
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xec, 0x97],
      [0xff, 0xfe, 0x31, 0],
    ]) {
      expect(readStrictJson(Uint8Array.from(bytes)), String(bytes)).toMatchObject({ fault: 'NOT_UTF8' });
    }
    expect(readStrictJson(utf8('"각 \u{1f511} \ufeff"'))).toMatchObject({
      ok: true,
      value: '각 \u{1f511} \ufeff',
    });
  });
});

describe('R-006b strict JSON keeps everything else as it is', () => {
  it.each([
    ['0.1', 0.1],
    ['1.10', 1.1],
    ['1e3', 1000],
    ['-0', 0],
    ['-0.0e10', 0],
    ['9007199254740992', 9007199254740992],
    ['5e-324', 5e-324],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ])('R-006b BI-02 takes the number %s', (text, value) => {
    const reading = parseStrictJson(text);
    expect(reading.ok && Object.is(reading.value, value)).toBe(true);
  });

  it('R-006b reads what JSON.parse reads, for every value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const reading = parseStrictJson(text);
        if (reading.ok)
          expect(JSON.stringify(reading.value)).toBe(
            JSON.stringify(JSON.parse(text)).replace(/(?<=[[,:]|^)-0(?=[\],}]|$)/g, '0'),
          );
        else expect(['LONE_SURROGATE', 'NUL_CHARACTER', 'INEXACT_NUMBER']).toContain(reading.fault);
      }),
      { numRuns: 500 },
    );
  });

  it('R-006b accepts nothing that JSON.parse refuses', () => {
    const noise = fc.tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom(
        '"',
        '\\',
        ',',
        ':',
        '{',
        ']',
        '\n',
        ' ',
        '0',
        '-',
        '.',
        'e',
        't',
        '/',
        '\u00a0',
        '\ufeff',
        '\u2028',
      ),
    );
    fc.assert(
      fc.property(noise, ([text, at, extra]) => {
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + extra + text.slice(place + (at % 2));
        if (parseStrictJson(broken).ok) expect(() => JSON.parse(broken) as unknown, broken).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });

  it('R-006b BI-03 treats __proto__ as a name like any other and leaves prototypes alone', () => {
    const reading = parseStrictJson(
      '{"__proto__":{"canary":1},"constructor":{"prototype":{"canary":1}},"toJSON":2}',
    );
    if (!reading.ok) throw new Error('refused');
    expect(Object.keys(reading.value as object)).toEqual(['__proto__', 'constructor', 'toJSON']);
    expect(({} as Record<string, unknown>)['canary']).toBeUndefined();
    expect(JSON.stringify(reading.value)).toContain('"__proto__":{"canary":1}');
  });

  it('R-006b BI-03 reads 100,000 names and a name of a megabyte in bounded time', () => {
    const started = performance.now();
    const many = `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":0`).join(',')}}`;
    expect(parseStrictJson(many).ok).toBe(true);
    expect(parseStrictJson(`{"${'a'.repeat(1_000_000)}":0}`).ok).toBe(true);
    expect(parseStrictJson(`1${'0'.repeat(1_000_000)}`)).toMatchObject({ fault: 'INEXACT_NUMBER' });
    expect(parseStrictJson(`1${'01'.repeat(500_000)}`)).toMatchObject({ fault: 'INEXACT_NUMBER' });
    expect(performance.now() - started).toBeLessThan(20_000);
  }, 30_000);
});

describe('R-011 exact text of a member', () => {
  it('R-011a gives the source text of the members asked for, to the byte', () => {
    const text = '{ "response" : {"status":200,"body": {"b" :1.0 , "a":[ 1e0 ]} }, "body":7 }';
    const reading = parseStrictJson(text, { slices: ['/response/body'] });
    expect(reading.ok && [...reading.slices]).toEqual([['/response/body', '{"b" :1.0 , "a":[ 1e0 ]}']]);
  });

  it('R-011a gives false, 0, null and "" like any other value', () => {
    for (const body of ['false', '0', 'null', '""', '[]']) {
      const reading = parseStrictJson(`{"response":{"body":${body}}}`, { slices: ['/response/body'] });
      expect(reading.ok && reading.slices.get('/response/body')).toBe(body);
    }
    const absent = parseStrictJson('{"response":{}}', { slices: ['/response/body'] });
    expect(absent.ok && absent.slices.size).toBe(0);
  });
});
