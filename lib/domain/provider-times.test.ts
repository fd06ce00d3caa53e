import { describe, expect, it } from 'vitest';
import { timesCanBeTrue } from './provider-times';

const NOW = 1_796_000_000;
const token = { iat: NOW, auth_time: NOW - 3_600 };

describe('the times of a token', () => {
  it.each([
    {},
    { iat: NOW + 30 },
    { iat: NOW - 600 },
    { auth_time: NOW + 30 },
    { auth_time: NOW - 43_200 },
    { auth_time: undefined },
    { auth_time: null },
  ])('R-078q can be true with %j', (part) => {
    expect(timesCanBeTrue({ ...token, ...part }, NOW)).toBe(true);
  });

  it.each([
    { iat: NOW + 31 },
    { iat: NOW - 601 },
    { iat: undefined },
    { iat: String(NOW) },
    { iat: NOW * 1_000 },
    { auth_time: NOW + 31 },
    { auth_time: NOW * 1_000 },
    { auth_time: String(NOW) },
    { auth_time: -1e308 },
    { auth_time: 1e308 },
    { auth_time: Number.NaN },
    { auth_time: [NOW] },
  ])('R-078q cannot be true with %j', (part) => {
    expect(timesCanBeTrue({ ...token, ...part }, NOW)).toBe(false);
  });
});
