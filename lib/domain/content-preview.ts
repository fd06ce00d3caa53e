import { canonicalJson } from './canonical';
import { fieldsOf } from './field-hashes';
import { fillField, leadsTo, staysAt } from './fields';
import { countedContent, fingerprintOf, type FieldType, type FingerprintPolicy } from './fingerprint';
import { parseStrictJson } from './json-strict';

/** Of a pasted payload at most; more is for no page. In characters. */
export const LARGEST_PREVIEW = 200_000;

export interface PreviewedField {
  readonly pointer: string;
  /** Canonical JSON text. */
  readonly value: string;
  /** `DEFAULT`: absent, and a default stands for it. */
  readonly role: 'COUNTS' | 'OUT' | 'DEFAULT';
  readonly type: FieldType | null;
  /** Kept in clear, and shown to who decides. */
  readonly shown: boolean;
}

export type ContentPreview =
  | { readonly kind: 'empty' | 'too-large' }
  /** Refused as a claim with it would be. */
  | { readonly kind: 'refused'; readonly pointer: string; readonly detail: string }
  | {
      readonly kind: 'read';
      readonly canonical: string;
      readonly fingerprint: string;
      readonly fields: readonly PreviewedField[];
    };

/**
 * What a policy makes of a payload, by the very code that judges arrivals. Pure: the page runs it in the browser, and what
 * was pasted goes nowhere.
 */
export function contentPreview(
  text: string,
  policy: FingerprintPolicy & { readonly displayFields: readonly string[] },
): ContentPreview {
  if (text.trim() === '') return { kind: 'empty' };
  if (text.length > LARGEST_PREVIEW) return { kind: 'too-large' };
  const reading = parseStrictJson(text);
  if (!reading.ok) return { kind: 'refused', pointer: reading.path, detail: reading.detail };
  const counted = countedContent(reading.value, policy);
  if (!counted.ok) return { kind: 'refused', pointer: counted.pointer, detail: counted.detail };

  const present = fieldsOf(reading.value);
  const names = new Set(present.map(([pointer]) => pointer));
  const filled = Object.entries(policy.defaults).reduce(
    (value, [path, fallback]) => fillField(value, path, fallback),
    reading.value,
  );
  const typeAt = (pointer: string) =>
    Object.entries(policy.types).find(([path]) => leadsTo(path, pointer))?.[1] ?? null;
  const shownAt = (pointer: string) => policy.displayFields.some((path) => leadsTo(path, pointer));
  const told = (pointer: string, value: (typeof present)[number][1], role: PreviewedField['role']) => ({
    pointer,
    value: canonicalJson(value),
    role,
    type: role === 'OUT' ? null : typeAt(pointer),
    shown: role !== 'DEFAULT' && shownAt(pointer),
  });
  return {
    kind: 'read',
    canonical: canonicalJson(counted.content),
    fingerprint: fingerprintOf(counted.content),
    fields: [
      ...present.map(([pointer, value]) =>
        told(pointer, value, staysAt(pointer, policy.exclude, policy.include) ? 'COUNTS' : 'OUT'),
      ),
      ...fieldsOf(filled)
        .filter(([pointer]) => !names.has(pointer))
        .map(([pointer, value]) => told(pointer, value, 'DEFAULT')),
    ],
  };
}
