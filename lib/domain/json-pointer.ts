/** JSON pointers (RFC 6901): `/customer/id`; "" names the whole value. */

/** True for "" and for tokens that each begin with a slash and escape only `~0` and `~1`. */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^/~]|~[01])*)*$/.test(text);
}

/** A member name or index as it stands in a pointer, with its slash. */
export function pointerToken(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names and indices that a pointer leads through. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer leads to, by own members and array elements only; undefined where there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(found)) {
      found = /^(0|[1-9]\d{0,8})$/.test(token) ? (found as unknown[])[Number(token)] : undefined;
    } else if (typeof found === 'object' && found !== null && Object.hasOwn(found, token)) {
      found = (found as Record<string, unknown>)[token];
    } else {
      return undefined;
    }
  }
  return found;
}
