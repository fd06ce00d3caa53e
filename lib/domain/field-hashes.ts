import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical';
import { pointerToken } from './json-pointer';
import { type JsonValue } from './json-value';

/** Hashes per record at most; beyond it whole branches count as one field, so that a record stays small. */
export const MAX_FIELD_HASHES = 200;
/** Hex digits: 128 bits are plenty to tell two values apart. */
const FIELD_HASH_LENGTH = 32;

/**
 * A keyed hash of each field by JSON pointer: HMAC-SHA-256 over the pointer, a zero byte and the canonical value. Two
 * records can be compared field by field without either value being kept; without the key nothing can be guessed.
 */
export function fieldHashes(content: JsonValue, key: Uint8Array): Record<string, string> {
  const keyed = hmac.create(sha256, key);
  return Object.fromEntries(
    fieldsOf(content).map(([pointer, value]) => {
      const hash = keyed.clone().update(utf8ToBytes(`${pointer}\0${canonicalJson(value)}`));
      return [pointer, bytesToHex(hash.digest()).slice(0, FIELD_HASH_LENGTH)];
    }),
  );
}

type Field = readonly [pointer: string, value: JsonValue];

/** A value's fields by pointer: opens level after level while their number stays within the limit. */
export function fieldsOf(content: JsonValue): readonly Field[] {
  let fields: readonly Field[] = [['', content]];
  while (fields.some(([, value]) => isOpenable(value))) {
    const count = fields.reduce(
      (sum, [, value]) => sum + (isOpenable(value) ? Object.keys(value).length : 1),
      0,
    );
    if (count > MAX_FIELD_HASHES) break;
    fields = fields.flatMap(open);
  }
  return fields;
}

/** An empty container is a value of its own: {} and [] differ, and both differ from absent (B-53). */
function isOpenable(value: JsonValue): value is object & JsonValue {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function open([pointer, value]: Field): readonly Field[] {
  if (!isOpenable(value)) return [[pointer, value]];
  return Object.entries(value).map(([name, member]): Field => [
    pointer + pointerToken(name),
    member as JsonValue,
  ]);
}

/** The pointers whose hashes differ or exist on one side only, in order. */
export function differingFields(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): string[] {
  const pointers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...pointers].filter((pointer) => one[pointer] !== other[pointer]).sort();
}
