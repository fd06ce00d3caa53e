import { describe, expect, it } from 'vitest';
import { endOfDay, startOfDay } from './calendar-day';

describe('the start of a day in a zone', () => {
  it.each([
    ['2026-11-29', 0, 'UTC', '2026-11-29T00:00:00.000Z'],
    ['2026-11-29', 1, 'UTC', '2026-11-30T00:00:00.000Z'],
    ['2026-11-29', 0, 'Asia/Seoul', '2026-11-28T15:00:00.000Z'],
    ['2026-12-31', 1, 'Asia/Seoul', '2026-12-31T15:00:00.000Z'],
    ['2026-03-29', 0, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', 1, 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 1, 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-03-08', 1, 'America/Los_Angeles', '2026-03-09T07:00:00.000Z'],
    ['2026-11-29', 0, 'Asia/Kolkata', '2026-11-28T18:30:00.000Z'],
    ['not a day', 0, 'UTC', ''],
  ])('%s + %i in %s is %s', (day, shift, zone, instant) => {
    expect(startOfDay(day, shift, zone)).toBe(instant);
  });
});

describe('the end of the day of an instant', () => {
  it.each([
    ['2026-11-29T14:59:59Z', 'Asia/Seoul', '2026-11-29T15:00:00.000Z'],
    ['2026-11-29T15:00:00Z', 'Asia/Seoul', '2026-11-30T15:00:00.000Z'],
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-11-29T00:00:00Z', 'UTC', '2026-11-30T00:00:00.000Z'],
  ])('%s in %s is %s', (instant, zone, end) => {
    expect(endOfDay(Date.parse(instant), zone)).toBe(end);
  });
});
