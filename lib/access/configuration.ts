import 'server-only';

/** `https://host[:port]` of `NEXTAUTH_URL`: the one origin that this installation answers for, never taken from a request. */
export function canonicalOrigin(): string {
  const configured = process.env['NEXTAUTH_URL'];
  if (!configured) throw new Error('NEXTAUTH_URL is not set: the address under which people open the desk');
  return new URL(configured).origin;
}

/** The secret under which session cookies are encrypted. */
export function sessionKey(): string {
  const secret = process.env['NEXTAUTH_SECRET'];
  if (!secret) throw new Error('NEXTAUTH_SECRET is not set: the secret key of session cookies');
  return secret;
}
