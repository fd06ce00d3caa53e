import { describe, expect, it } from 'vitest';
import { digestOfToken, isProducerToken, makeProducerToken } from './producer-token';

describe('producer tokens', () => {
  it('are recognised by their form alone', () => {
    const { token, prefix, digest } = makeProducerToken();
    expect(isProducerToken(token)).toBe(true);
    expect(token.startsWith(prefix)).toBe(true);
    expect(prefix.length).toBe(12);
    expect(digestOfToken(token).equals(digest)).toBe(true);
    for (const other of [`${token} `, token.slice(1), token.replace('oo_live', 'oo_test'), '', null, 1]) {
      expect(isProducerToken(other)).toBe(false);
    }
  });

  it('differ each time', () => {
    const made = new Set(Array.from({ length: 100 }, () => makeProducerToken().token));
    expect(made.size).toBe(100);
  });
});
