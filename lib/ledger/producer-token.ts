import { createHash, randomBytes } from 'node:crypto';

/** Recognisable in leaked text, so that scanners can find it. */
const MARK = 'oo_live_';
/** Characters that lists show; 4 of the 43 random ones, so 232 bits stay secret. */
const PREFIX_LENGTH = MARK.length + 4;

/** SHA-256 of the token's text: what the database keeps. The token has 256 random bits, so no slow hash is needed. */
export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Whether the text can be a token at all; anything else is not looked up. */
export function isProducerToken(value: unknown): value is string {
  return typeof value === 'string' && /^oo_live_[A-Za-z0-9_-]{43}$/.test(value);
}

/** A new bearer token of the producer API. It is shown once; `prefix` and `digest` are what may be stored. */
export function makeProducerToken(): { token: string; prefix: string; digest: Buffer } {
  const token = MARK + randomBytes(32).toString('base64url');
  return { token, prefix: token.slice(0, PREFIX_LENGTH), digest: digestOfToken(token) };
}
