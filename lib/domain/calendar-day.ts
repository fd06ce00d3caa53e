const DAY_MS = 86_400_000;

/**
 * The instant at which a calendar day begins in a zone.
 * @param day `YYYY-MM-DD`
 * @param shift days to add to it
 * @param zone IANA name
 * @returns RFC 3339, UTC; empty when the day does not exist
 */
export function startOfDay(day: string, shift: number, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return '';
  const wall = midnight + shift * DAY_MS;
  // Twice: the first guess may lie on the other side of a change of the clocks.
  const guess = wall - offsetAt(wall, zone);
  return new Date(wall - offsetAt(guess, zone)).toISOString();
}

/** When the day that an instant lies in ends, in a zone. */
export function endOfDay(instant: number, zone: string): string {
  const wall = new Date(instant + offsetAt(instant, zone)).toISOString();
  return startOfDay(wall.slice(0, 10), 1, zone);
}

/** Milliseconds by which the zone's wall clock is ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(instant));
  const take = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const wall = Date.UTC(
    take('year'),
    take('month') - 1,
    take('day'),
    take('hour'),
    take('minute'),
    take('second'),
  );
  return wall - Math.floor(instant / 1_000) * 1_000;
}
