import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentPreview, LARGEST_PREVIEW } from './content-preview';
import { countedContent, displayFields, fingerprintOf, WHOLE_PAYLOAD } from './fingerprint';
import { readPointer } from './json-pointer';
import { parseStrictJson } from './json-strict';
import type { JsonValue } from './json-value';

const POLICY = {
  ...WHOLE_PAYLOAD,
  exclude: ['/trace', '/lines/*/note'],
  include: ['/trace/order'],
  defaults: { '/currency': 'KRW' },
  types: { amount: 'decimal', '/lines/*/at': 'instant', '/trace/id': 'nfc' },
  displayFields: ['/amount', '/customer/name'],
} as const;
const PAYLOAD = {
  amount: '12.50',
  trace: { id: 't-1', order: 7 },
  lines: [{ at: '2026-01-01T09:00:00+09:00', note: 'x' }],
  customer: { name: 'Kim', card: 'none' },
};

function read(payload: unknown, policy = POLICY) {
  const preview = contentPreview(JSON.stringify(payload), policy);
  if (preview.kind !== 'read') throw new Error(JSON.stringify(preview));
  return preview;
}
const fieldAt = (pointer: string) => read(PAYLOAD).fields.find((field) => field.pointer === pointer);

describe('the preview of a payload', () => {
  it('R-006h is what an arrival would get', () => {
    const counted = countedContent(PAYLOAD as unknown as JsonValue, POLICY);
    if (!counted.ok) throw new Error(counted.detail);
    const preview = read(PAYLOAD);
    expect(preview.fingerprint).toBe(fingerprintOf(counted.content));
    expect(preview.canonical).toBe(
      '{"amount":"12.5","currency":"KRW","customer":{"card":"none","name":"Kim"},"lines":[{"at":"2026-01-01T00:00:00Z"}],"trace":{"order":7}}',
    );
  });

  it('R-006h says of each field whether it counts, stands by default, is typed or is shown', () => {
    expect(fieldAt('/trace/id')).toMatchObject({ role: 'OUT', type: null });
    expect(fieldAt('/trace/order')).toMatchObject({ role: 'COUNTS' });
    expect(fieldAt('/lines/0/note')).toMatchObject({ role: 'OUT' });
    expect(fieldAt('/lines/0/at')).toMatchObject({ role: 'COUNTS', type: 'instant' });
    expect(fieldAt('/amount')).toMatchObject({
      role: 'COUNTS',
      type: 'decimal',
      shown: true,
      value: '"12.50"',
    });
    expect(fieldAt('/currency')).toMatchObject({ role: 'DEFAULT', value: '"KRW"' });
    expect(fieldAt('/customer/card')).toMatchObject({ role: 'COUNTS', shown: false });
    const shown = read(PAYLOAD)
      .fields.filter((field) => field.shown)
      .map(({ pointer }) => pointer);
    expect(shown).toEqual(Object.keys(displayFields(PAYLOAD, POLICY.displayFields)));
  });

  it('R-006h a field that is told to count changes the fingerprint, and no other does', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const leaf = fc.constantFrom('1', '2', '3');
    const payload = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { minKeys: 1 })), {
      minKeys: 1,
    });
    const path = fc.array(fc.oneof(name, fc.constant('*')), { minLength: 1, maxLength: 2 });
    const paths = fc.array(
      path.map((tokens) => `/${tokens.join('/')}`),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(payload, paths, paths, (value, exclude, include) => {
        const policy = {
          ...POLICY,
          ...{ exclude, include, defaults: {}, types: {} },
        } as unknown as typeof POLICY;
        const before = read(value, policy);
        for (const { pointer, role } of before.fields) {
          const changed = structuredClone(value);
          const parts = pointer.split('/').slice(1);
          const holder = parts.length === 1 ? changed : readPointer(changed, `/${parts[0]}`);
          (holder as Record<string, unknown>)[parts.at(-1)!] = 'another';
          expect(read(changed, policy).fingerprint !== before.fingerprint).toBe(role === 'COUNTS');
        }
      }),
    );
  });

  it('R-006h refuses what a claim would refuse, and where', () => {
    expect(contentPreview('{"a":1,"a":2}', POLICY)).toMatchObject({ kind: 'refused', pointer: '/a' });
    expect(contentPreview('{"amount":1.5}', POLICY)).toMatchObject({ kind: 'refused', pointer: '/amount' });
    expect(contentPreview('{"a":', POLICY)).toMatchObject({ kind: 'refused' });
    expect(contentPreview(' \n', POLICY)).toEqual({ kind: 'empty' });
    expect(contentPreview(`"${'x'.repeat(LARGEST_PREVIEW)}"`, POLICY)).toEqual({ kind: 'too-large' });
    expect(parseStrictJson('[]').ok && contentPreview('[]', POLICY)).toMatchObject({ kind: 'read' });
  });
});
