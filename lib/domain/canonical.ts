import canonicalize from 'canonicalize';
import { notJson, type JsonValue } from './json-value';

/**
 * The canonical JSON text of RFC 8785: no blanks, names in UTF-16 order, numbers as ECMAScript prints them.
 * Two values have the same text exactly when they are the same JSON value; throws for what is not JSON.
 */
export function canonicalJson(value: JsonValue): string {
  const fault = notJson(value);
  if (fault !== null) throw new TypeError(`not JSON at "${fault.path}": ${fault.why}`);
  const text = canonicalize(value);
  if (text === undefined) throw new Error('bug: a JSON value without canonical text');
  return text;
}
