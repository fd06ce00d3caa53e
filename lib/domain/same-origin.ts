/** What a browser tells about where a request comes from. */
export interface OriginHeaders {
  readonly origin: string | null;
  readonly secFetchSite: string | null;
}

/**
 * True only when a browser vouches that the request comes from our own pages: `Origin` present and equal to the configured
 * origin, `Sec-Fetch-Site` absent or `same-origin`. Host and forwarded headers are never asked: a client can write them.
 */
export function isSameOrigin(headers: OriginHeaders, canonicalOrigin: string): boolean {
  if (headers.origin !== canonicalOrigin) return false;
  return headers.secFetchSite === null || headers.secFetchSite === 'same-origin';
}
