import 'server-only';
import type { NextRequest } from 'next/server';
import { returnPath } from '@/lib/domain/return-path';
import type { AuthBody } from './auth-body';
import { canonicalOrigin } from './configuration';
import { PROVIDER_ID } from './identity-provider';
import { CALLBACK_COOKIE, CSRF_COOKIE, PROVIDER_COOKIES, SESSION_COOKIE } from './session-cookie';

/** What a provider sends back in the address, RFC 6749 and 9207; anything else is dropped. */
const PROVIDER_ANSWER = ['code', 'state', 'iss'] as const;
/** Characters of one such value. */
const ANSWER_LENGTH = 4_096;

/** The query that next-auth gets to see: ours, and what the provider may say on the way back. */
export function safeQuery(request: NextRequest, segments: readonly string[]): Record<string, unknown> {
  const { searchParams } = request.nextUrl;
  const query: Record<string, unknown> = { nextauth: segments.slice(0, 2) };
  if (segments.join('/') === `callback/${PROVIDER_ID}`) {
    for (const name of PROVIDER_ANSWER) {
      const [value, ...more] = searchParams.getAll(name);
      if (value !== undefined && more.length === 0 && value.length <= ANSWER_LENGTH) query[name] = value;
    }
    return query;
  }
  // Everything else in the query of this one would go on to the provider.
  if (segments.join('/') === `signin/${PROVIDER_ID}`) return query;
  const callbackUrl = searchParams.get('callbackUrl');
  if (callbackUrl !== null) query['callbackUrl'] = ourAddress(callbackUrl);
  const error = searchParams.get('error');
  if (error !== null) query['error'] = /^[A-Za-z]{1,32}(?:_\d{1,4})?$/.test(error) ? error : 'Default';
  return query;
}

/** The body with an address to return to that is ours. */
export function safeCallback(body: AuthBody): AuthBody {
  if (!('callbackUrl' in body)) return body;
  const { callbackUrl, ...rest } = body;
  return { ...rest, callbackUrl: ourAddress(typeof callbackUrl === 'string' ? callbackUrl : null) };
}

/** The cookies that are the login's own. */
export function ownCookies(request: NextRequest): Record<string, string> {
  const own: Record<string, string> = {};
  for (const name of [SESSION_COOKIE, CSRF_COOKIE, ...Object.values(PROVIDER_COOKIES)]) {
    const value = request.cookies.get(name)?.value;
    if (value !== undefined) own[name] = value;
  }
  const callback = request.cookies.get(CALLBACK_COOKIE)?.value;
  if (callback !== undefined) own[CALLBACK_COOKIE] = ourAddress(callback);
  return own;
}

function ourAddress(wanted: string | null): string {
  return canonicalOrigin() + returnPath(wanted, canonicalOrigin());
}
