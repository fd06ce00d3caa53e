import 'server-only';
import NextAuth from 'next-auth';
import type { NextApiRequest, NextApiResponse } from 'next';
import type { NextRequest } from 'next/server';
import type { Pool } from '@/lib/db/pool';
import { readAuthBody, type AuthBody } from './auth-body';
import { authOptions } from './auth-options';
import { ownCookies, safeCallback, safeQuery } from './auth-request';
import { AuthResponse } from './auth-response';
import { PROVIDER_ID, type IdentityProvider } from './identity-provider';
import { providerSettings } from './provider-settings.mjs';
import { recordDenied } from './record-denied';
import { comesFromOurPages, requestOrigin } from './request-origin';
import { actorOfSecret } from './session';
import { secretOfCookie, SESSION_COOKIE } from './session-cookie';
import type { SignInOrigin } from './sign-in';
import { signOutEverywhere } from './sign-out';
import { throughProvider } from './through-provider';

// Closed by default: next-auth knows more addresses than a login needs (client logs, e-mail).
const OPEN: Record<string, readonly string[]> = {
  GET: ['csrf', 'session', 'providers', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'callback/link', 'signout', 'session'],
};
const BACK_FROM_PROVIDER = `callback/${PROVIDER_ID}`;
/** Open where a provider is configured. */
const OPEN_WITH_PROVIDER: Record<string, readonly string[]> = {
  GET: [BACK_FROM_PROVIDER],
  POST: [`signin/${PROVIDER_ID}`],
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
  const settings = providerSettings();
  const forProvider = settings !== null && OPEN_WITH_PROVIDER[request.method]?.includes(path) === true;
  if (!forProvider && !OPEN[request.method]?.includes(path)) return plain(404);
  const origin: SignInOrigin = {
    ...requestOrigin(request.headers),
    userAgent: request.headers.get('user-agent'),
    previousSecret: await secretOfCookie(request.cookies.get(SESSION_COOKIE)?.value),
  };
  let body: AuthBody = {};
  let farewell: string | null = null;
  if (request.method === 'POST') {
    if (!comesFromOurPages(request.headers)) return plain(403);
    const read = await readAuthBody(request);
    if (typeof read === 'number') return plain(read);
    body = read;
    if (path === 'signout') farewell = await signOutEverywhere(pool, origin, settings);
    if (path === 'session') body = await withoutSessionData(pool, origin, body);
  }
  const answer = new AuthResponse();
  const ask = async (provider: IdentityProvider | null, more: Record<string, unknown> = {}) => {
    const inner = {
      method: request.method,
      query: { ...safeQuery(request, segments), ...more },
      body: safeCallback(body),
      cookies: ownCookies(request),
      headers: {},
    };
    // It is typed for Node's whole request and response, and uses what these two have: the tests would show another.
    await NextAuth(
      inner as unknown as NextApiRequest,
      answer as unknown as NextApiResponse,
      authOptions(pool, origin, provider),
    );
  };
  if (settings !== null && forProvider)
    await throughProvider({ request, pool, origin, settings, answer, ask });
  else await ask(settings && { settings, metadata: null });
  if (farewell !== null) answer.leadTo(farewell);
  return answer.toWeb();
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
