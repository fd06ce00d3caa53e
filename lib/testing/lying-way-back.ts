// The way to the lying provider and back, with whatever token and address a test makes of the right ones.
import { ORIGIN } from './auth-browser';
import type { Lie, LyingProvider } from './lying-provider';
import type { ProviderBrowser } from './provider-browser';

export interface WayBack {
  browser: ProviderBrowser;
  status: number;
  location: string | null;
}

interface Journey {
  browser: ProviderBrowser;
  email: string;
  lie?: (claims: Record<string, unknown>) => Lie;
  /** Changes the address to come back by, or the browser's cookies. */
  onTheWay?: (back: URL, browser: ProviderBrowser) => void;
  again?: boolean;
  returnTo?: string;
}

/** Goes there, and comes back with a token that this lie makes of the right one. */
export async function comeBackFrom(provider: LyingProvider, journey: Journey): Promise<WayBack> {
  const { browser, email, lie = (claims) => ({ claims }), onTheWay, ...leaving } = journey;
  const asked = new URL(await browser.leave(leaving)).searchParams;
  const now = Math.floor(Date.now() / 1000);
  provider.lie = lie({
    iss: provider.issuer,
    sub: 'hana',
    aud: 'onceover',
    iat: now,
    exp: now + 300,
    auth_time: now,
    nonce: asked.get('nonce'),
    email,
    email_verified: true,
  });
  const back = new URL('/api/auth/callback/oidc', ORIGIN);
  back.search = new URLSearchParams({ code: 'a-code', state: String(asked.get('state')) }).toString();
  onTheWay?.(back, browser);
  const answer = await browser.send(back.pathname + back.search);
  return { browser, status: answer.status, location: answer.headers.get('location') };
}
