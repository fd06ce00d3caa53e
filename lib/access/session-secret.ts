import 'server-only';
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits: what the cookie carries. Only its digest is stored. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/** The form of `makeSecret`; anything else is not looked up. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);
}
