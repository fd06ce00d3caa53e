import 'server-only';
import type { NextRequest } from 'next/server';
import type { Pool } from '@/lib/db/pool';
import type { AuthResponse } from './auth-response';
import { canonicalOrigin } from './configuration';
import type { IdentityProvider } from './identity-provider';
import { providerMetadata } from './provider-metadata';
import type { ProviderSettings } from './provider-settings.mjs';
import { actorOfSecret } from './session';
import { PROVIDER_COOKIES } from './session-cookie';
import type { SignInOrigin } from './sign-in';
import { recordProviderFailure } from './sign-in-by-provider';

interface Passing {
  request: NextRequest;
  pool: Pool;
  origin: SignInOrigin;
  settings: ProviderSettings;
  answer: AuthResponse;
  /** Lets next-auth answer; `more` goes on to the provider with the way there. */
  ask: (provider: IdentityProvider, more?: Record<string, unknown>) => Promise<void>;
}

/** The way to the provider and back. Whatever goes wrong ends on a page that says it in words. */
export async function throughProvider(passing: Passing): Promise<void> {
  const { request, pool, origin, settings, answer, ask } = passing;
  const present = await actorOfSecret(pool, origin.previousSecret);
  // Where somebody is signed in, the login page would only lead on: then it is said on the page for showing it again.
  const tell = (problem: string) =>
    answer.leadTo(
      `${canonicalOrigin()}${present === null ? '/login?error=' : '/login/again?problem='}${problem}`,
    );
  const metadata = await providerMetadata(settings).catch(() => null);
  if (request.method === 'GET') answer.status(302).setHeader('Location', canonicalOrigin());
  if (metadata === null) return tell('ProviderUnreachable');
  if (request.method === 'POST') {
    const again = request.nextUrl.searchParams.get('again') !== null;
    const hint = present === null ? {} : { login_hint: present.email };
    return ask({ settings, metadata }, again ? { prompt: 'login', max_age: '0', ...hint } : {});
  }
  // Without the state that we gave, nobody of ours is on the way back: nothing is asked and nothing kept.
  if (!request.cookies.has(PROVIDER_COOKIES.state)) return tell('ProviderFailed');
  if (request.nextUrl.searchParams.has('error')) {
    await recordProviderFailure(pool, settings.issuer, origin);
    return tell('ProviderDenied');
  }
  await ask({ settings, metadata });
  const problem = problemOf(answer);
  if (problem === 'ProviderFailed') await recordProviderFailure(pool, settings.issuer, origin);
  if (problem !== null) tell(problem);
}

/** Why next-auth leads to its own pages instead of into the product, as our pages tell it; null: it does not. */
function problemOf(answer: AuthResponse): string | null {
  const location = String(answer.getHeader('location'));
  if (location === `${canonicalOrigin()}/api/auth/signin`) return 'ProviderFailed';
  const code = new RegExp(`^${canonicalOrigin()}/api/auth/error\\?error=([A-Za-z]+)$`).exec(location)?.[1];
  if (code === undefined) return null;
  return OF_NEXT_AUTH.includes(code) ? 'ProviderFailed' : code;
}

/** Its words for an answer that does not hold: state, PKCE, nonce, signature, issuer, audience, times. */
const OF_NEXT_AUTH = ['OAuthCallback', 'Callback', 'OAuthSignin'];
