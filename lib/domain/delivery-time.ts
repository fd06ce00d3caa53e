import type { NotificationSettings } from './notification-settings';
import { MINUTE } from './spans';

type Times = Pick<
  NotificationSettings,
  'time_zone' | 'quiet_from' | 'quiet_to' | 'breaks_quiet' | 'digest' | 'daily_from'
>;

/** Minutes; no zone has ever put its clock forward or back by more at once, but for whole days. */
const LARGEST_JUMP = 180;
const DAY_MINUTES = 1_440;

/**
 * When something that came at `now` goes out to a person: at once, at their next digest, and never in their quiet hours,
 * unless it is urgent and they let that through. Instants alone are compared; the clock on their wall only names minutes, so
 * that hours which it leaves out or shows twice cost nothing but that hour.
 */
export function deliverAt(now: Date, times: Times, isUrgent: boolean): Date {
  if (isUrgent && times.breaks_quiet) return now;
  const wall = wallClock(times.time_zone);
  const planned = times.digest === 'NONE' ? now : nextDigest(now, times, wall);
  return afterQuiet(planned, times, wall);
}

/** Minutes of the day that a zone's clock shows. */
function wallClock(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const [hour = 0, minute = 0] = format.format(at).split(':').map(Number);
    return hour * 60 + minute;
  };
}

function nextDigest(now: Date, times: Times, wall: (at: number) => number): Date {
  const isDue = (at: number): boolean => {
    const shown = wall(at);
    if (times.digest === 'HOURLY') return shown % 60 === 0;
    // A minute that the clock leaves out is over with the next one that it shows.
    const since = (shown - times.daily_from + DAY_MINUTES) % DAY_MINUTES;
    const before = (wall(at - MINUTE) - times.daily_from + DAY_MINUTES) % DAY_MINUTES;
    return before - since > DAY_MINUTES / 2;
  };
  const first = ceilMinute(now.getTime() + 1);
  const wait = (times.daily_from - wall(first) + DAY_MINUTES) % DAY_MINUTES;
  const from = times.digest === 'HOURLY' ? first : Math.max(first, first + (wait - LARGEST_JUMP) * MINUTE);
  return new Date(firstMinute(from, isDue));
}

function afterQuiet(at: Date, { quiet_from, quiet_to }: Times, wall: (at: number) => number): Date {
  if (quiet_from === null || quiet_to === null) return at;
  const isQuiet = (minute: number) =>
    quiet_from < quiet_to
      ? minute >= quiet_from && minute < quiet_to
      : minute >= quiet_from || minute < quiet_to;
  if (!isQuiet(wall(at.getTime()))) return at;
  const first = ceilMinute(at.getTime());
  const left = (quiet_to - wall(at.getTime()) + DAY_MINUTES) % DAY_MINUTES;
  const from = Math.max(first, first + (left - LARGEST_JUMP) * MINUTE);
  return new Date(firstMinute(from, (minute) => !isQuiet(wall(minute))));
}

/** The first whole minute from there on for which it holds. */
function firstMinute(from: number, holds: (at: number) => boolean): number {
  for (let at = from, tries = 0; tries <= 2 * DAY_MINUTES; at += MINUTE, tries += 1) {
    if (holds(at)) return at;
  }
  throw new Error(`bug: no such minute within two days of ${new Date(from).toISOString()}`);
}

const ceilMinute = (at: number) => Math.ceil(at / MINUTE) * MINUTE;
