import { expect, it } from 'vitest';
import { ProblemError } from './problem';
import { RateLimiter } from './rate-limit';

function counting(limiter: RateLimiter, principal: string, times: number): number {
  let taken = 0;
  for (let index = 0; index < times; index += 1) {
    try {
      limiter.take(principal);
      taken += 1;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      expect(error.code).toBe('RATE_LIMITED');
      expect(error.extras.retryAfterSeconds).toBeGreaterThan(0);
    }
  }
  return taken;
}

it('DO-05 a principal gets its burst, then its rate, and none of the others pays for it', () => {
  let now = 0;
  const limiter = new RateLimiter({ perSecond: 200, burst: 1000 }, () => now);
  expect(counting(limiter, 'north', 3000)).toBe(1000);
  expect(counting(limiter, 'south', 1000)).toBe(1000);
  now += 1000;
  expect(counting(limiter, 'north', 1000)).toBe(200);
  now += 3_600_000;
  expect(counting(limiter, 'north', 3000)).toBe(1000);
});

it('B-41 a clock that steps back gives nothing and takes nothing', () => {
  let now = 10_000;
  const limiter = new RateLimiter({ perSecond: 10, burst: 10 }, () => now);
  expect(counting(limiter, 'p', 10)).toBe(10);
  now = 0;
  expect(counting(limiter, 'p', 5)).toBe(0);
  now = 100;
  expect(counting(limiter, 'p', 5)).toBe(1);
});
