import { pointerToken } from './json-pointer';

/** A value of JSON (RFC 8259). Numbers are finite. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

export type JsonObject = { readonly [name: string]: JsonValue };

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Where a value made by code is not JSON, and why; null when it is. `JSON.stringify` would drop or change such a value
 * in silence: NaN becomes null, undefined vanishes, a Date becomes text (B-55).
 */
export function notJson(
  value: unknown,
  path = '',
  within: readonly object[] = [],
): { path: string; why: string } | null {
  switch (typeof value) {
    case 'string':
      return /\p{Surrogate}/u.test(value) ? { path, why: 'a lone surrogate' } : null;
    case 'number':
      return Number.isFinite(value) ? null : { path, why: String(value) };
    case 'boolean':
      return null;
    case 'object':
      return value === null ? null : notJsonObject(value, path, within);
    default:
      return { path, why: typeof value };
  }
}

function notJsonObject(
  value: object,
  path: string,
  within: readonly object[],
): { path: string; why: string } | null {
  if (within.includes(value)) return { path, why: 'a cycle' };
  const inside = [...within, value];
  if (Array.isArray(value)) {
    // Not `entries()` of the object: a hole in an array has no entry and would print as null.
    for (let index = 0; index < value.length; index += 1) {
      const found = notJson(value[index], `${path}/${index}`, inside);
      if (found !== null) return found;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return { path, why: 'an object of a class' };
  for (const [name, member] of Object.entries(value)) {
    if (/\p{Surrogate}/u.test(name)) return { path, why: 'a lone surrogate in a name' };
    const found = notJson(member, path + pointerToken(name), inside);
    if (found !== null) return found;
  }
  return null;
}
