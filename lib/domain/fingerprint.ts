import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical';
import { normalizeDecimal } from './exact-number';
import { changeField, fieldPointer, fillField, withoutFields, type FieldPath } from './fields';
import { readPointer } from './json-pointer';
import { isJsonObject, type JsonValue } from './json-value';
import { normalizeInstant } from './time';

/** Stored with each fingerprint; a change of the rules below takes a new name. */
export const FINGERPRINT_ALGORITHM = 'rfc8785-sha256.1';

export type FieldType = 'instant' | 'decimal' | 'nfc';

/** What of an operation's payload counts as its content. */
export interface FingerprintPolicy {
  readonly version: number;
  /** Counts although a parent is excluded. A field in neither list counts. */
  readonly include: readonly FieldPath[];
  readonly exclude: readonly FieldPath[];
  /** Values that absent fields stand for. */
  readonly defaults: Readonly<Record<FieldPath, JsonValue>>;
  readonly types: Readonly<Record<FieldPath, FieldType>>;
}

/** Without a policy the whole payload counts, strictly as RFC 8785 has it. */
export const WHOLE_PAYLOAD: FingerprintPolicy = {
  version: 0,
  include: [],
  exclude: [],
  defaults: {},
  types: {},
};

export interface FieldRefusal {
  readonly ok: false;
  readonly pointer: string;
  readonly detail: string;
}

export type Content = { readonly ok: true; readonly content: JsonValue } | FieldRefusal;

class WrongType extends Error {
  constructor(readonly refusal: FieldRefusal) {
    super(refusal.detail);
  }
}

/** The part of a payload that counts, with defaults filled and typed fields in their one spelling. */
export function countedContent(payload: JsonValue, policy: FingerprintPolicy): Content {
  let content = withoutFields(payload, policy.exclude, policy.include);
  for (const [path, value] of Object.entries(policy.defaults)) content = fillField(content, path, value);
  try {
    for (const [path, type] of Object.entries(policy.types)) {
      content = changeField(content, path, (present, pointer) => typed(present, type, pointer));
    }
  } catch (error) {
    if (error instanceof WrongType) return error.refusal;
    throw error;
  }
  return { ok: true, content };
}

function typed(value: JsonValue, type: FieldType, pointer: string): JsonValue {
  if (value === null) return null;
  switch (type) {
    case 'instant':
      return (
        (typeof value === 'string' ? normalizeInstant(value) : null) ??
        wrong(pointer, 'an RFC 3339 instant as text')
      );
    case 'decimal':
      // Whole numbers are exact; a fraction as a JSON number is where amounts lose their digits (B-50).
      if (typeof value === 'number' && Number.isInteger(value)) return value;
      return (
        (typeof value === 'string' ? normalizeDecimal(value) : null) ??
        wrong(pointer, 'a decimal as text, or whole minor units')
      );
    case 'nfc':
      return composed(value);
    default: {
      const impossible: never = type;
      throw new Error(`bug: unknown field type ${String(impossible)}`);
    }
  }
}

function wrong(pointer: string, expected: string): never {
  throw new WrongType({ ok: false, pointer, detail: `the field must be ${expected}` });
}

/** NFC throughout; nothing is folded by compatibility, so full-width digits stay other digits (B-56). */
function composed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(composed);
  if (!isJsonObject(value)) return value;
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const [name, member] of Object.entries(value)) copy[name] = composed(member);
  return copy;
}

/** "sha256:" and 64 hex digits over the canonical text of the content. It compares; it proves no identity. */
export function fingerprintOf(content: JsonValue): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalJson(content))))}`;
}

/** Values of the fields that the policy allows to be kept in clear, by JSON pointer. */
export function displayFields(payload: JsonValue, paths: readonly FieldPath[]): Record<string, JsonValue> {
  const shown = paths.map(fieldPointer).map((pointer) => [pointer, readPointer(payload, pointer)] as const);
  return Object.fromEntries(shown.filter((field): field is [string, JsonValue] => field[1] !== undefined));
}
