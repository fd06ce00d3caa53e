import 'server-only';
import type { NextRequest } from 'next/server';
import type { Pool } from '@/lib/db/pool';
import type { AuthResponse } from './auth-response';
import { canonicalOrigin } from './configuration';
import type { IdentityProvider } from './identity-provider';
import { providerMetadata, type ProviderMetadata } from './provider-metadata';
import type { ProviderSettings } from './provider-settings.mjs';
import { actorOfSecret } from './session';
import { admitWayBack, beginVisit, stateOf, type WayBack } from './provider-visit';
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
    // Whose session was ended, by somebody or by time, shows the provider who they are before another one opens.
    const over = present === null && origin.previousSecret !== null;
    const again = over || request.nextUrl.searchParams.get('again') !== null;
    const hint = present === null ? {} : { login_hint: present.email };
    await ask({ settings, metadata }, again ? { prompt: 'login', max_age: '0', ...hint } : {});
    return beginVisit(pool, answer, again);
  }
  const problem = await comeBack(passing, metadata);
  if (problem !== null) tell(problem);
}

/** The way back; why it opened no session, null: it did. */
async function comeBack(passing: Passing, metadata: ProviderMetadata): Promise<string | null> {
  const { request, pool, origin, settings, answer, ask } = passing;
  // Without the state that we gave, nobody of ours is on the way back: nothing is asked and nothing kept.
  const state = await stateOf(request);
  if (state === null) return 'ProviderFailed';
  const way = await admitWayBack(pool, state, origin);
  if (way.kind === 'wait') return `Throttled_${way.seconds}`;
  const { visit } = way;
  if (visit === null || !namesIssuer(request, metadata)) {
    return fail(passing, way, 'ProviderFailed');
  }
  if (request.nextUrl.searchParams.has('error')) return fail(passing, way, 'ProviderDenied');
  await ask({ settings, metadata, visit });
  const problem = problemOf(answer);
  if (problem === null) await way.end('SUCCEEDED');
  else if (problem === 'ProviderFailed') return fail(passing, way, problem);
  // The database may be what did not answer; else it is a fault of ours, after the provider's word.
  else if (problem === 'Unreachable') return fail(passing, way, problem).catch(() => problem);
  else await way.end('FAILED');
  return problem;
}

type Admitted = Extract<WayBack, { kind: 'admitted' }>;

async function fail({ pool, settings, origin }: Passing, way: Admitted, problem: string): Promise<string> {
  await way.end('FAILED');
  await recordProviderFailure(pool, settings.issuer, origin);
  return problem;
}

/** RFC 9207: once, and the one that sent the browser there; left out only by a provider that does not promise it. */
function namesIssuer(request: NextRequest, metadata: ProviderMetadata): boolean {
  const named = request.nextUrl.searchParams.getAll('iss');
  if (named.length === 0) return metadata.authorization_response_iss_parameter_supported !== true;
  return named.length === 1 && named[0] === metadata.issuer;
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
