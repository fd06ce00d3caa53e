import 'server-only';
import NextAuth from 'next-auth';
import type { NextApiRequest, NextApiResponse } from 'next';
import type { NextRequest } from 'next/server';
import type { Pool } from '@/lib/db/pool';
import { returnPath } from '@/lib/domain/return-path';
import { readAuthBody, type AuthBody } from './auth-body';
import { authOptions } from './auth-options';
import { canonicalOrigin } from './configuration';
import { recordDenied } from './record-denied';
import { comesFromOurPages, requestOrigin } from './request-origin';
import { actorOfSecret } from './session';
import { CALLBACK_COOKIE, CSRF_COOKIE, secretOfCookie, SESSION_COOKIE } from './session-cookie';
import type { SignInOrigin } from './sign-in';
import { signOut } from './sign-out';

// Closed by default: next-auth knows more addresses than a login needs (client logs, OAuth, e-mail).
const OPEN: Record<string, readonly string[]> = {
  GET: ['csrf', 'session', 'providers', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'callback/link', 'signout', 'session'],
};

/**
 * Everything under `/api/auth`. Checks where the request comes from and its form before next-auth sees it, and hands on
 * only what the login needs: no host or forwarded header, no foreign cookie, no address to return to that is not ours.
 */
export async function handleAuth(
  request: NextRequest,
  segments: readonly string[],
  pool: Pool,
): Promise<Response> {
  const path = segments.join('/');
  if (!OPEN[request.method]?.includes(path)) return plain(404);
  const origin: SignInOrigin = {
    ...requestOrigin(request.headers),
    userAgent: request.headers.get('user-agent'),
    previousSecret: await secretOfCookie(request.cookies.get(SESSION_COOKIE)?.value),
  };
  let body: AuthBody = {};
  if (request.method === 'POST') {
    if (!comesFromOurPages(request.headers)) return plain(403);
    const read = await readAuthBody(request);
    if (typeof read === 'number') return plain(read);
    body = read;
    if (path === 'signout') await signOut(pool, origin.previousSecret, origin);
    if (path === 'session') body = await withoutSessionData(pool, origin, body);
  }
  const [action = '', provider] = segments;
  const recorder = new ResponseRecorder();
  const inner = {
    method: request.method,
    query: safeQuery(request, action, provider),
    body: safeCallback(body),
    cookies: ownCookies(request),
    headers: {},
  };
  await NextAuth(
    inner as unknown as NextApiRequest,
    recorder as unknown as NextApiResponse,
    authOptions(pool, origin),
  );
  return recorder.toResponse();
}

function plain(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'private, no-store' } });
}

/** What a client sends to write into its session is never used; that it was sent is kept. */
async function withoutSessionData(pool: Pool, origin: SignInOrigin, body: AuthBody): Promise<AuthBody> {
  const { data, ...rest } = body;
  const actor = data === undefined ? null : await actorOfSecret(pool, origin.previousSecret);
  if (actor) {
    const { requestId, sourceAddress } = origin;
    await recordDenied(
      pool,
      { actor: { kind: 'person', id: actor.personId }, requestId, sourceAddress },
      { act: 'session.update', reason: 'NOT_ALLOWED' },
    );
  }
  return rest;
}

function safeQuery(
  request: NextRequest,
  action: string,
  provider: string | undefined,
): Record<string, unknown> {
  const { searchParams } = request.nextUrl;
  const query: Record<string, unknown> = { nextauth: provider === undefined ? [action] : [action, provider] };
  const callbackUrl = searchParams.get('callbackUrl');
  if (callbackUrl !== null)
    query['callbackUrl'] = canonicalOrigin() + returnPath(callbackUrl, canonicalOrigin());
  const error = searchParams.get('error');
  if (error !== null) query['error'] = /^[A-Za-z]{1,32}(?:_\d{1,4})?$/.test(error) ? error : 'Default';
  return query;
}

function safeCallback(body: AuthBody): AuthBody {
  if (!('callbackUrl' in body)) return body;
  const { callbackUrl, ...rest } = body;
  const wanted = typeof callbackUrl === 'string' ? callbackUrl : null;
  return { ...rest, callbackUrl: canonicalOrigin() + returnPath(wanted, canonicalOrigin()) };
}

function ownCookies(request: NextRequest): Record<string, string> {
  const own: Record<string, string> = {};
  for (const name of [SESSION_COOKIE, CSRF_COOKIE]) {
    const value = request.cookies.get(name)?.value;
    if (value !== undefined) own[name] = value;
  }
  const callback = request.cookies.get(CALLBACK_COOKIE)?.value;
  if (callback !== undefined)
    own[CALLBACK_COOKIE] = canonicalOrigin() + returnPath(callback, canonicalOrigin());
  return own;
}

/** The few calls that next-auth makes on a Node response, kept and turned into a web response. */
class ResponseRecorder {
  private code = 200;
  private content: BodyInit | null = null;
  private readonly kept = new Map<string, string | string[]>();

  status(code: number): this {
    this.code = code;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.kept.get(name.toLowerCase());
  }

  setHeader(name: string, value: string | string[]): this {
    this.kept.set(name.toLowerCase(), value);
    return this;
  }

  json(value: unknown): void {
    this.kept.set('content-type', 'application/json');
    this.content = JSON.stringify(value);
  }

  send(value: unknown): void {
    if (typeof value === 'string') this.content = value;
    else if (value !== undefined && value !== null) this.json(value);
  }

  end(): void {
    this.content = null;
  }

  toResponse(): Response {
    const headers = new Headers();
    for (const [name, value] of this.kept) {
      for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
    }
    headers.set('cache-control', 'private, no-store');
    return new Response(this.content, { status: this.code, headers });
  }
}
