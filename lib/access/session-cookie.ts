import 'server-only';
import { decode } from 'next-auth/jwt';
import { sessionKey } from './configuration';
import { isSecret } from './session-secret';

// `__Host-`: only this host over https or loopback can have set it, for every path and no other domain.
export const SESSION_COOKIE = '__Host-onceover-session';
export const CSRF_COOKIE = '__Host-onceover-csrf';
export const CALLBACK_COOKIE = '__Host-onceover-callback';
/** What has to come back with the provider's answer; each is encrypted and used once. */
export const PROVIDER_COOKIES = {
  pkceCodeVerifier: '__Host-onceover-pkce',
  state: '__Host-onceover-state',
  nonce: '__Host-onceover-nonce',
} as const;

/** Bytes; ours are a few hundred long and never split over several cookies. */
const MAX_LENGTH = 4_096;

/** The session's secret in this cookie value; null for anything that we did not encrypt. Never throws. */
export async function secretOfCookie(value: string | undefined): Promise<string | null> {
  if (!value || value.length > MAX_LENGTH) return null;
  try {
    const token = await decode({ token: value, secret: sessionKey() });
    const secret = token?.['sid'];
    return isSecret(secret) ? secret : null;
  } catch {
    return null;
  }
}
