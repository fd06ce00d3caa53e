import { describe, expect, it } from 'vitest';
import { webhookSecretFault } from './webhook-secret';

const of = (bytes: readonly number[]) => `whsec_${btoa(String.fromCharCode(...bytes))}`;
const varied = (length: number) => of(Array.from({ length }, (_, n) => (n * 37 + 150) % 256));

describe('the secret of a webhook', () => {
  it.each([24, 32, 64])('PR-09 may have %i random bytes', (length) => {
    expect(webhookSecretFault(varied(length))).toBeNull();
  });

  it.each([
    ['no prefix', varied(32).slice('whsec_'.length)],
    ['another prefix', varied(32).replace('whsec_', 'whpk_')],
    ['a blank at its end', `${varied(32)} `],
    ['base64 for addresses', `whsec_${'-_'.repeat(16)}`],
    ['padding that is missing', varied(32).replace('=', '')],
    ['nothing at all', 'whsec_'],
  ])('PR-09 is refused with %s', (_, secret) => {
    expect(webhookSecretFault(secret)).toBe('FORM');
  });

  it.each([23, 65])('PR-09 is refused with %i bytes', (length) => {
    expect(webhookSecretFault(varied(length))).toBe('LENGTH');
  });

  it.each([
    ['one byte again and again', of(Array.from({ length: 32 }, () => 200))],
    ['few bytes', of(Array.from({ length: 32 }, (_, n) => 150 + (n % 8)))],
    ['typed words', `whsec_${btoa('correct horse battery staple, 4711!')}`],
  ])('PR-09 is refused as weak: %s', (_, secret) => {
    expect(webhookSecretFault(secret)).toBe('WEAK');
  });
});
