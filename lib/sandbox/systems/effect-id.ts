import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A result id such as `CRM-7K3M9Q2D`: random, so that a wiped sandbox never gives an old id to a new effect. */
export function makeEffectId(prefix: string): string {
  const letters = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}-${letters.join('')}`;
}
