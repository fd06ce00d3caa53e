import { describe, expect, it } from 'vitest';
import { clockFace, DAY, HOUR, MINUTE, SECOND, spanOf } from './spans';

describe('lengths of time', () => {
  it.each([
    [0, { unit: 'seconds', count: 0 }],
    [59_999, { unit: 'seconds', count: 59 }],
    [MINUTE, { unit: 'minutes', count: 1 }],
    [HOUR - 1, { unit: 'minutes', count: 59 }],
    [HOUR, { unit: 'hours', hours: 1, minutes: 0 }],
    [-(5 * HOUR + 7 * MINUTE), { unit: 'hours', hours: 5, minutes: 7 }],
    [DAY - 1, { unit: 'hours', hours: 23, minutes: 59 }],
    [DAY, { unit: 'days', days: 1, hours: 0 }],
    [400 * DAY + 3 * HOUR, { unit: 'days', days: 400, hours: 3 }],
  ])('%d ms is told as %j', (length, span) => {
    expect(spanOf(length)).toEqual(span);
  });

  it.each([
    [0, '0:00'],
    [-5_000, '0:00'],
    [1, '0:01'],
    [4 * MINUTE + 8 * SECOND + 1, '4:09'],
    [HOUR + 2 * MINUTE + 3 * SECOND, '1:02:03'],
  ])('%d ms left shows as %s, and 0:00 only when it is over', (left, face) => {
    expect(clockFace(left)).toBe(face);
  });
});
