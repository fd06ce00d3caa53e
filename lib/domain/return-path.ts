/** Characters; an honest address of ours is far shorter. */
const MAX_LENGTH = 2_048;

export const DEFAULT_PATH = '/queue';

/**
 * Where to go after signing in: a path on the canonical origin, whatever was asked for.
 * A bad value is replaced by the default page and never echoed.
 * @param wanted a path or an absolute address, from the query, a form or a cookie: all hostile until proven otherwise
 * @param canonicalOrigin `https://host[:port]` of the configuration, never of the request
 */
export function returnPath(wanted: string | null | undefined, canonicalOrigin: string): string {
  if (!wanted || wanted.length > MAX_LENGTH) return DEFAULT_PATH;
  const path = wanted.startsWith(`${canonicalOrigin}/`) ? wanted.slice(canonicalOrigin.length) : wanted;
  if (!path.startsWith('/') || path.startsWith('//')) return DEFAULT_PATH;
  // The parser of browsers: it drops tabs and line breaks and reads a backslash as a slash, and so do we by using it.
  const resolved = resolve(path, canonicalOrigin);
  if (resolved === null || resolved.origin !== canonicalOrigin) return DEFAULT_PATH;
  const { pathname } = resolved;
  // Encoded separators and machine addresses are never a page of ours.
  if (/%2f|%5c/i.test(pathname) || pathname.startsWith('//')) return DEFAULT_PATH;
  if (/^\/(?:api|_next)(?:\/|$)/.test(pathname)) return DEFAULT_PATH;
  return pathname + resolved.search + resolved.hash;
}

function resolve(path: string, origin: string): URL | null {
  try {
    return new URL(path, origin);
  } catch {
    return null;
  }
}
