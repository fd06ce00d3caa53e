import { NextResponse, type NextRequest } from 'next/server';
import { contentPolicy } from '@/lib/domain/content-policy';
import { REQUEST_HEADERS } from '@/lib/domain/request-headers';
import { isSameOrigin } from '@/lib/domain/same-origin';

// Only the cookie's presence is looked at: pages, actions and routes ask the database who it is.
const SESSION_COOKIE = '__Host-onceover-session';

const OPEN_PAGES = /^\/(?:login|docs)(?:\/|$)/;
/** Icons and the like at the root, which browsers ask for before anybody signs in. */
const OPEN_FILES = /^\/[\w-]+\.(?:ico|svg|png|txt|webmanifest)$/;

/**
 * Headers and redirects for looks; the data-access layer decides who may see what. It sees every request of a page,
 * prefetches included: a matcher that skips them hands the page out.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const headers = new Headers(request.headers);
  const nonce = btoa(crypto.randomUUID());
  const policy = contentPolicy(nonce, process.env.NODE_ENV === 'development');
  headers.delete('content-security-policy-report-only');
  headers.set('content-security-policy', policy);
  headers.set(REQUEST_HEADERS.nonce, nonce);
  headers.set(REQUEST_HEADERS.requestId, crypto.randomUUID());
  headers.set(REQUEST_HEADERS.path, pathname + search);

  if (pathname.startsWith('/api/')) return NextResponse.next({ request: { headers } });
  if (request.method !== 'GET' && request.method !== 'HEAD' && !comesFromOurPages(request)) {
    return finish(new NextResponse(null, { status: 403 }), policy);
  }
  const open = OPEN_PAGES.test(pathname) || OPEN_FILES.test(pathname);
  if (!open && !request.cookies.has(SESSION_COOKIE)) {
    const login = new URL('/login', canonicalOrigin());
    if (pathname !== '/') login.searchParams.set('callbackUrl', pathname + search);
    return finish(NextResponse.redirect(login), policy);
  }
  return finish(NextResponse.next({ request: { headers } }), policy);
}

function finish(response: NextResponse, policy: string): NextResponse {
  response.headers.set('content-security-policy', policy);
  response.headers.set('cache-control', 'private, no-store');
  return response;
}

function comesFromOurPages(request: NextRequest): boolean {
  return isSameOrigin(
    { origin: request.headers.get('origin'), secFetchSite: request.headers.get('sec-fetch-site') },
    canonicalOrigin(),
  );
}

function canonicalOrigin(): string {
  const configured = process.env['NEXTAUTH_URL'];
  if (!configured) throw new Error('NEXTAUTH_URL is not set: the address under which people open the desk');
  return new URL(configured).origin;
}

export const config = { matcher: ['/((?!api/v1/|_next/static/).*)'] };
