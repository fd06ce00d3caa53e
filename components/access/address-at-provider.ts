import { getCsrfToken } from 'next-auth/react';

/**
 * The provider's address for signing in there; null when the server does not answer.
 * @param returnTo a path of ours
 * @param again whether the provider has to ask who it is, even if it knows
 */
export async function addressAtProvider(returnTo: string, again: boolean): Promise<string | null> {
  try {
    const csrfToken = (await getCsrfToken()) ?? '';
    const answer = await fetch(`/api/auth/signin/oidc${again ? '?again=1' : ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfToken, callbackUrl: returnTo, json: 'true' }),
    });
    const { url } = (await answer.json()) as { url?: unknown };
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}
