import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical';
import { differingFields, fieldHashes, MAX_FIELD_HASHES } from './field-hashes';
import {
  countedContent,
  displayFields,
  fingerprintOf,
  WHOLE_PAYLOAD,
  type FingerprintPolicy,
} from './fingerprint';
import { parseStrictJson } from './json-strict';
import type { JsonValue } from './json-value';

const policy = (parts: Partial<FingerprintPolicy>): FingerprintPolicy => ({
  ...WHOLE_PAYLOAD,
  version: 1,
  ...parts,
});

function read(text: string): JsonValue {
  const reading = parseStrictJson(text);
  if (!reading.ok) throw new Error(reading.detail);
  return reading.value;
}

function fingerprint(text: string, rules: FingerprintPolicy = WHOLE_PAYLOAD): string {
  const counted = countedContent(read(text), rules);
  if (!counted.ok) throw new Error(`${counted.pointer}: ${counted.detail}`);
  return fingerprintOf(counted.content);
}

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => parseStrictJson(JSON.stringify(value)).ok);

/** The same value in another spelling: names turned round, blanks added, numbers written with an exponent. */
function respelt(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(respelt).join(' ,\n')} ]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).reverse();
    return `{${members.map(([name, member]) => `\t${JSON.stringify(name)} : ${respelt(member)}`).join(',')}}`;
  }
  return Number.isInteger(value)
    ? `${String(value)}.0e0`.replace('e+', 'e').replace(/^(.*e\d+)\.0e0$/, '$1')
    : JSON.stringify(value);
}

describe('R-006c one meaning, one fingerprint', () => {
  it('R-006c is SHA-256 over RFC 8785 text', () => {
    expect(canonicalJson(read('{"b":[1e0,"€\\u20ac"],"a":-0,"ä":null}'))).toBe(
      '{"a":0,"b":[1,"€€"],"ä":null}',
    );
    expect(fingerprint('{"amount":1}')).toBe(
      'sha256:c2b11e657e12fd177359627ca89412018e2274d0873cfbfcf1fc50f685582e9e',
    );
  });

  it('R-006c B-49 B-50 spelling of blanks, order and numbers does not matter', () => {
    fc.assert(
      fc.property(json, (value) => fingerprint(JSON.stringify(value)) === fingerprint(respelt(value))),
      { numRuns: 500 },
    );
    for (const same of [
      ['1', '1.0', '1e0', '10e-1'],
      ['0', '-0', '0.0'],
      ['1e-7', '0.0000001'],
    ]) {
      expect(new Set(same.map((text) => fingerprint(text))).size).toBe(1);
    }
  });

  it('R-006d two meanings never share a fingerprint', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const equal = canonicalJson(one as JsonValue) === canonicalJson(other as JsonValue);
        expect(fingerprint(JSON.stringify(one)) === fingerprint(JSON.stringify(other))).toBe(equal);
      }),
    );
    const distinct = [
      '{"memo":null}',
      '{}',
      '{"memo":""}',
      '[]',
      '[[]]',
      '{"a":5}',
      '"007"',
      '7',
      '"7"',
      '["a,b"]',
      '["a","b"]',
      '"true"',
      'true',
      '[1,2]',
      '[2,1]',
    ];
    expect(new Set(distinct.map((text) => fingerprint(text))).size).toBe(distinct.length);
  });

  it('R-006d B-55 refuses values that are not JSON instead of changing them', () => {
    for (const value of [
      { fee: NaN },
      { fee: Infinity },
      [undefined],
      { at: new Date(0) },
      { n: 1n },
      '\ud800',
      () => 1,
    ]) {
      expect(() => fingerprintOf(value as unknown as JsonValue)).toThrow(TypeError);
    }
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => fingerprintOf(cycle as JsonValue)).toThrow(/cycle/);
  });

  it('R-006d B-56 composed and decomposed Hangul differ unless the policy says so', () => {
    const [composed, decomposed] = ['각산상회', '각산상회'.normalize('NFD')].map((payee) =>
      JSON.stringify({ payee }),
    );
    expect(fingerprint(composed!)).not.toBe(fingerprint(decomposed!));
    const nfc = policy({ types: { payee: 'nfc' } });
    expect(fingerprint(composed!, nfc)).toBe(fingerprint(decomposed!, nfc));
    expect(fingerprint('{"payee":"１２"}', nfc)).not.toBe(fingerprint('{"payee":"12"}', nfc));
  });
});

describe('R-006e what counts is the policy', () => {
  it('R-006e B-58 excluded fields do not count, all others do', () => {
    const rules = policy({ exclude: ['receivedAt', '/meta', '/items/*/trace'], include: ['/meta/currency'] });
    const one =
      '{"amount":1,"receivedAt":"x","meta":{"trace":"t1","currency":"KRW"},"items":[{"id":1,"trace":"a"}]}';
    const two =
      '{"amount":1,"receivedAt":"y","meta":{"trace":"t2","currency":"KRW"},"items":[{"id":1,"trace":"b"}]}';
    expect(fingerprint(one, rules)).toBe(fingerprint(two, rules));
    expect(fingerprint(one, rules)).not.toBe(fingerprint(one.replace('KRW', 'USD'), rules));
    expect(fingerprint(one, rules)).not.toBe(
      fingerprint(one.replace('"amount":1', '"amount":1,"note":2'), rules),
    );
    expect(fingerprint(one, rules)).not.toBe(fingerprint(one.replace('"id":1', '"id":2'), rules));
  });

  it('R-006e defaults stand for absent fields only', () => {
    const rules = policy({ defaults: { currency: 'KRW', '/ship/speed': 'normal' } });
    expect(fingerprint('{"ship":{}}', rules)).toBe(
      fingerprint('{"currency":"KRW","ship":{"speed":"normal"}}', rules),
    );
    expect(fingerprint('{"currency":null}', rules)).not.toBe(fingerprint('{}', rules));
    expect(fingerprint('{}', rules)).not.toBe(fingerprint('{"ship":{}}', rules));
  });

  it('R-006e B-50 typed fields have one spelling, or are refused by name', () => {
    const rules = policy({ types: { amount: 'decimal', at: 'instant', '/lines/*/price': 'decimal' } });
    expect(fingerprint('{"amount":"1.0"}', rules)).toBe(fingerprint('{"amount":"01.00"}', rules));
    expect(fingerprint('{"amount":"1"}', rules)).not.toBe(fingerprint('{"amount":1}', rules));
    expect(fingerprint('{"at":"2026-11-29T09:00:00+09:00"}', rules)).toBe(
      fingerprint('{"at":"2026-11-29T00:00:00.000Z"}', rules),
    );
    expect(countedContent(read('{"amount":1.5}'), rules)).toMatchObject({ ok: false, pointer: '/amount' });
    expect(countedContent(read('{"lines":[{"price":"1"},{"price":"x"}]}'), rules)).toMatchObject({
      pointer: '/lines/1/price',
    });
    expect(countedContent(read('{"at":"2026-02-30T00:00:00Z"}'), rules)).toMatchObject({
      ok: false,
      pointer: '/at',
    });
    expect(countedContent(read('{"amount":null}'), rules)).toMatchObject({ ok: true });
  });

  it('R-006e without a policy the whole payload counts', () => {
    fc.assert(
      fc.property(json, (value) => {
        const counted = countedContent(value as JsonValue, WHOLE_PAYLOAD);
        expect(counted).toEqual({ ok: true, content: value });
      }),
    );
  });

  it('R-006e a policy never touches the payload itself', () => {
    const payload = read('{"a":{"b":[1,{"c":2}]},"d":"x"}');
    const before = JSON.stringify(payload);
    countedContent(payload, policy({ exclude: ['/a/b/*/c'], defaults: { e: 1 }, types: { d: 'nfc' } }));
    expect(JSON.stringify(payload)).toBe(before);
  });

  it('R-006e names like __proto__ are only names', () => {
    const rules = policy({ exclude: ['/x'], defaults: { __proto__name: 1 } });
    expect(fingerprint('{"__proto__":{"a":1}}', rules)).not.toBe(fingerprint('{"__proto__":{"a":2}}', rules));
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});

describe('R-008a keyed hashes of fields', () => {
  const key = new TextEncoder().encode('secret');

  it('R-008a names exactly the fields that differ', () => {
    const one = fieldHashes(
      read('{"amount":100,"to":{"id":"A-7","name":"Kim"},"tags":["x","y"],"gone":1}'),
      key,
    );
    const two = fieldHashes(
      read('{"to":{"name":"Kim","id":"A-8"},"amount":100.0,"tags":["x","z"],"new":1}'),
      key,
    );
    expect(differingFields(one, two)).toEqual(['/gone', '/new', '/tags/1', '/to/id']);
    expect(differingFields(one, one)).toEqual([]);
  });

  it('R-008a keeps no value and cannot be compared without the key', () => {
    const content = read('{"card":"4111111111111111"}');
    const hashes = fieldHashes(content, key);
    expect(JSON.stringify(hashes)).not.toContain('4111');
    expect(fieldHashes(content, new TextEncoder().encode('other'))).not.toEqual(hashes);
    expect(hashes['/card']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('R-008a the same value in two fields has two hashes, and empty containers are values', () => {
    const hashes = fieldHashes(read('{"a":1,"b":1,"c":{},"d":[]}'), key);
    expect(new Set(Object.values(hashes)).size).toBe(4);
    expect(differingFields(fieldHashes(read('{}'), key), fieldHashes(read('{"amount":5}'), key))).toEqual([
      '',
      '/amount',
    ]);
  });

  it('R-008a differs somewhere exactly when the fingerprint differs', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const differs =
          differingFields(fieldHashes(one as JsonValue, key), fieldHashes(other as JsonValue, key)).length >
          0;
        expect(differs).toBe(fingerprintOf(one as JsonValue) !== fingerprintOf(other as JsonValue));
      }),
    );
  });

  it('R-008a stays small for a payload of 20,000 fields', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, index]));
    expect(Object.keys(fieldHashes(wide, key))).toEqual(['']);
    expect(Object.keys(fieldHashes({ wide, small: 1 }, key))).toEqual(['/wide', '/small']);
    expect(MAX_FIELD_HASHES).toBe(200);
  });
});

it('R-008b only listed fields are kept in clear, under their pointers', () => {
  const payload = read('{"amount":100,"to":{"id":"A-7","secret":"s"},"none":null}');
  expect(displayFields(payload, ['amount', '/to/id', 'none', 'absent', '/to/nothing'])).toEqual({
    '/amount': 100,
    '/to/id': 'A-7',
    '/none': null,
  });
  expect(displayFields(payload, [])).toEqual({});
});
