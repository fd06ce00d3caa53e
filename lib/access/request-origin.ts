import 'server-only';
import { isSameOrigin } from '@/lib/domain/same-origin';
import { REQUEST_HEADERS } from '@/lib/domain/request-headers';
import { sourceAddress } from '@/lib/domain/source-address';
import { canonicalOrigin } from './configuration';

/** Which request this is and where it comes from, for audit events and the throttle. */
export interface RequestOrigin {
  requestId: string;
  sourceAddress: string | null;
}

interface ReadableHeaders {
  get(name: string): string | null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function requestOrigin(headers: ReadableHeaders): RequestOrigin {
  const given = headers.get(REQUEST_HEADERS.requestId);
  return {
    // The proxy writes it; a route outside the proxy's reach gets one of its own.
    requestId: given !== null && UUID.test(given) ? given : crypto.randomUUID(),
    sourceAddress: sourceAddress(
      headers.get(REQUEST_HEADERS.peer),
      headers.get('x-forwarded-for'),
      process.env['TRUSTED_PROXIES'],
    ),
  };
}

/** Whether a browser vouches that one of our own pages sent this request. */
export function comesFromOurPages(headers: ReadableHeaders): boolean {
  return isSameOrigin(
    { origin: headers.get('origin'), secFetchSite: headers.get('sec-fetch-site') },
    canonicalOrigin(),
  );
}
