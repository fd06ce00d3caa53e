import 'server-only';
import type { AuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import pino from 'pino';
import type { Pool } from '@/lib/db/pool';
import { isUnreachable, sqlstateOf } from '@/lib/db/sqlstate';
import { returnPath } from '@/lib/domain/return-path';
import { canonicalOrigin, sessionKey } from './configuration';
import {
  admitByProvider,
  providerConfig,
  ProviderRefusal,
  type IdentityProvider,
  type VouchedProfile,
} from './identity-provider';
import { PasswordQueueFullError } from './password';
import { ABSOLUTE_SECONDS, actorOfSecret } from './session';
import { CALLBACK_COOKIE, CSRF_COOKIE, PROVIDER_COOKIES, SESSION_COOKIE } from './session-cookie';
import { signIn, type SignInAnswer, type SignInOrigin } from './sign-in';
import { signInByLink } from './sign-in-link';

const log = pino({ name: 'login', level: process.env['LOG_LEVEL'] ?? 'info', base: null });

const COOKIE = { httpOnly: true, sameSite: 'lax', path: '/', secure: true } as const;

/**
 * next-auth as the login only, made for one request. Its token carries a random session secret and nothing else; who that
 * is and what they may do is read from the database each time.
 */
export function authOptions(
  pool: Pool,
  origin: SignInOrigin,
  provider: IdentityProvider | null,
): AuthOptions {
  return {
    secret: sessionKey(),
    session: { strategy: 'jwt', maxAge: ABSOLUTE_SECONDS },
    useSecureCookies: true,
    cookies: {
      sessionToken: { name: SESSION_COOKIE, options: COOKIE },
      csrfToken: { name: CSRF_COOKIE, options: COOKIE },
      callbackUrl: { name: CALLBACK_COOKIE, options: COOKIE },
      pkceCodeVerifier: { name: PROVIDER_COOKIES.pkceCodeVerifier, options: COOKIE },
      state: { name: PROVIDER_COOKIES.state, options: COOKIE },
      nonce: { name: PROVIDER_COOKIES.nonce, options: COOKIE },
    },
    pages: { signIn: '/login', signOut: '/login', error: '/login' },
    providers: [
      CredentialsProvider({
        id: 'credentials',
        credentials: {},
        authorize: (typed) => authorize(() => signIn(pool, typed, origin)),
      }),
      CredentialsProvider({
        id: 'link',
        credentials: {},
        authorize: (typed) =>
          authorize(() =>
            signInByLink(pool, (typed as Record<string, unknown> | undefined)?.['token'], origin),
          ),
      }),
      ...(provider === null ? [] : [providerConfig(provider)]),
    ],
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (account?.type !== 'oauth' || provider === null) return true;
        const { claims } = profile as VouchedProfile;
        user.secret = await orUnreachable(() => admitByProvider(pool, provider, claims, origin));
        return true;
      },
      redirect: ({ url }) => canonicalOrigin() + returnPath(url, canonicalOrigin()),
      jwt: async ({ token, user }) => {
        // `user` is there only at sign-in. On an update, `session` holds what the client sent: nobody reads it.
        const secret = user ? user.secret : token['sid'];
        if (!user && (await actorOfSecret(pool, secret)) === null)
          throw new SessionOverError('the session is over');
        return { sid: secret };
      },
      session: async ({ session, token }) => {
        const actor = await actorOfSecret(pool, token['sid']);
        if (actor === null) throw new SessionOverError('the session is over');
        return { expires: session.expires, user: { name: actor.displayName } };
      },
    },
    logger: {
      // Ordinary: an old cookie came back. Everything else is a fault of ours or of the set-up; no metadata, it holds tokens.
      error: (code) => {
        if (code !== 'JWT_SESSION_ERROR') log.error({ event: 'login_error', code });
      },
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

class SessionOverError extends Error {
  override readonly name = 'SessionOverError';
}

/** Maps the answer to next-auth's way: a user, null for a plain refusal, a throw whose message becomes the error's code. */
async function authorize(
  attempt: () => Promise<SignInAnswer>,
): Promise<{ id: string; secret: string } | null> {
  const answer = await orUnreachable(attempt);
  switch (answer.kind) {
    case 'signed-in':
      return { id: answer.personId, secret: answer.secret };
    case 'throttled':
      throw new Error(`Throttled_${answer.retryAfterSeconds}`);
    case 'refused':
      return null;
    default:
      return answer satisfies never;
  }
}

/** A refusal keeps its code; every other fault is told in one general word and logged. */
async function orUnreachable<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof ProviderRefusal) throw error;
    if (!(error instanceof PasswordQueueFullError) && !isUnreachable(error)) {
      log.error({
        event: 'login_failed',
        error: error instanceof Error ? error.name : 'unknown',
        sqlstate: sqlstateOf(error),
      });
    }
    throw new Error('Unreachable', { cause: error });
  }
}

declare module 'next-auth' {
  interface User {
    secret: string;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    sid?: unknown;
  }
}
