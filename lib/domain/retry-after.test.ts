import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, retryAfterSeconds } from './retry-after';

const now = Date.parse('2026-11-29T00:00:00Z');

describe('R-034a Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    ['2147484', 2147484],
    [' 7 ', 7],
    ['Sun, 29 Nov 2026 00:01:00 GMT', 60],
    ['Sunday, 29-Nov-26 00:01:00 GMT', 60],
    ['Sun Nov 29 00:01:00 2026', 60],
    ['Sat, 28 Nov 2026 00:00:00 GMT', 0],
    ['Thu, 01 Jan 2099 00:00:00 GMT', (Date.parse('2099-01-01T00:00:00Z') - now) / 1000],
  ])('R-034a reads %s as %s seconds', (value, seconds) => {
    expect(parseRetryAfter(value, now)).toBe(seconds);
  });

  it.each([
    'soon',
    '',
    '-1',
    '1.5',
    '1e3',
    'Sun, 99 Nov 2026 00:00:00 GMT',
    '2026-11-29T00:01:00Z',
    '1'.repeat(400),
    null,
    undefined,
  ])('R-034a ignores %s', (value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });

  it('R-018b B-41 what we send is a whole number from 1 to the longest wait', () => {
    fc.assert(
      fc.property(
        fc.double({ noDefaultInfinity: false }),
        fc.integer({ min: 1, max: 86_400 }),
        (seconds, longest) => {
          const sent = retryAfterSeconds(seconds, longest);
          expect(Number.isInteger(sent) && sent >= 1 && sent <= longest).toBe(true);
        },
      ),
    );
    expect(retryAfterSeconds(0.2)).toBe(1);
    expect(retryAfterSeconds(-600)).toBe(1);
    expect(retryAfterSeconds(59.1)).toBe(60);
  });
});
