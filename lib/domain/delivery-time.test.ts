import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliverAt } from './delivery-time';
import { DEFAULT_SETTINGS, isTimeZone } from './notification-settings';

const MINUTE = 60_000;
const ZONES = [
  'UTC',
  'Asia/Seoul',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];

/** The minute of the day in that zone, by another way than the code's. */
function shown(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeStyle: 'short',
    hourCycle: 'h23',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  return of('hour') * 60 + of('minute');
}
const times = (change: object) => ({ ...DEFAULT_SETTINGS, ...change });
const at = (text: string) => new Date(text);
const berlin = (change: object) => times({ time_zone: 'Europe/Berlin', ...change });

const minute = fc.integer({ min: 0, max: 1_439 });
/** Around the changes of the clocks of 2026 as often as anywhere else. */
const now = fc.oneof(
  fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z'), noInvalidDate: true }),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00:00Z',
        '2026-10-25T01:00:00Z',
        '2026-03-08T07:00:00Z',
        '2026-11-01T06:00:00Z',
        '2026-04-04T15:00:00Z',
        '2026-10-03T15:30:00Z',
      ),
      fc.integer({ min: -1_500 * MINUTE, max: 300 * MINUTE }),
    )
    .map(([change, away]) => new Date(at(change).getTime() + away)),
);

describe('when something goes out', () => {
  it('R-049j without wishes it goes out at once', () => {
    fc.assert(
      fc.property(now, (came) => deliverAt(came, DEFAULT_SETTINGS, false).getTime() === came.getTime()),
    );
  });

  it('R-049j quiet hours hold it back until the first minute in which they are over, whatever the clocks do', () => {
    fc.assert(
      fc.property(now, minute, minute, fc.constantFrom(...ZONES), (came, quiet_from, quiet_to, time_zone) => {
        fc.pre(quiet_from !== quiet_to);
        const isQuiet = (when: number) => {
          const there = shown(new Date(when), time_zone);
          const since = (there - quiet_from + 1_440) % 1_440;
          return since < (quiet_to - quiet_from + 1_440) % 1_440;
        };
        const goes = deliverAt(came, times({ time_zone, quiet_from, quiet_to }), false).getTime();
        expect(goes).toBeGreaterThanOrEqual(came.getTime());
        expect(isQuiet(goes)).toBe(false);
        if (!isQuiet(came.getTime())) expect(goes).toBe(came.getTime());
        else {
          // The minute before is quiet still: nothing waits longer than it must.
          expect(goes % MINUTE).toBe(0);
          expect(isQuiet(goes - 1)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('R-049j a digest goes out at the next full hour, or at the chosen minute of the day', () => {
    fc.assert(
      fc.property(now, minute, fc.constantFrom(...ZONES), (came, daily_from, time_zone) => {
        const hourly = deliverAt(came, times({ time_zone, digest: 'HOURLY' }), false);
        expect(shown(hourly, time_zone) % 60).toBe(0);
        expect(hourly.getTime() - came.getTime()).toBeGreaterThan(0);
        expect(hourly.getTime() - came.getTime()).toBeLessThanOrEqual(90 * MINUTE);
        const daily = deliverAt(came, times({ time_zone, digest: 'DAILY', daily_from }), false);
        expect(daily.getTime()).toBeGreaterThan(came.getTime());
        expect(daily.getTime() - came.getTime()).toBeLessThanOrEqual(25 * 60 * MINUTE);
        const late = (shown(daily, time_zone) - daily_from + 1_440) % 1_440;
        // Later than chosen only where the clock leaves the chosen minute out.
        if (late > 0) expect(late).toBeLessThan(60);
      }),
      { numRuns: 400 },
    );
  });

  it('R-049j the hour that spring leaves out and the one that autumn shows twice', () => {
    const night = { quiet_from: 22 * 60, quiet_to: 2 * 60 + 30 };
    // Spring: 2:30 does not exist on this day; the quiet ends as the clock jumps from 2:00 to 3:00.
    expect(deliverAt(at('2026-03-28T23:10:00Z'), berlin(night), false)).toEqual(at('2026-03-29T01:00:00Z'));
    // Autumn: 2:30 comes twice; the first ends the quiet.
    expect(deliverAt(at('2026-10-24T22:10:00Z'), berlin(night), false)).toEqual(at('2026-10-25T00:30:00Z'));
    // Then the clock shows 2:00 again, which is quiet once more.
    expect(deliverAt(at('2026-10-25T01:10:00Z'), berlin(night), false)).toEqual(at('2026-10-25T01:30:00Z'));
    const daily = { digest: 'DAILY', daily_from: 2 * 60 + 30 };
    expect(deliverAt(at('2026-03-28T12:00:00Z'), berlin(daily), false)).toEqual(at('2026-03-29T01:00:00Z'));
  });

  it('R-049j what is urgent breaks through where its reader lets it, and only there', () => {
    const quiet = { quiet_from: 0, quiet_to: 1_439, digest: 'DAILY' };
    const came = at('2026-11-30T12:00:00Z');
    expect(deliverAt(came, times({ ...quiet, breaks_quiet: true }), true)).toEqual(came);
    expect(deliverAt(came, times({ ...quiet, breaks_quiet: true }), false)).not.toEqual(came);
    expect(deliverAt(came, times(quiet), true)).not.toEqual(came);
  });

  it('R-049j a zone is one of this system, by its name', () => {
    expect(['Asia/Seoul', 'UTC', 'Mars/Olympus', '+09:00', ''].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
