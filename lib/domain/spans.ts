export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How long, in the words that a message takes. Whole units, rounded down: an age never looks older than it is. */
export type Span =
  | { unit: 'seconds'; count: number }
  | { unit: 'minutes'; count: number }
  | { unit: 'hours'; hours: number; minutes: number }
  | { unit: 'days'; days: number; hours: number };

/** Splits a length in milliseconds; the sign is dropped. */
export function spanOf(milliseconds: number): Span {
  const length = Math.abs(milliseconds);
  if (length < MINUTE) return { unit: 'seconds', count: Math.floor(length / SECOND) };
  if (length < HOUR) return { unit: 'minutes', count: Math.floor(length / MINUTE) };
  if (length < DAY) {
    return { unit: 'hours', hours: Math.floor(length / HOUR), minutes: Math.floor((length % HOUR) / MINUTE) };
  }
  return { unit: 'days', days: Math.floor(length / DAY), hours: Math.floor((length % DAY) / HOUR) };
}

/** What is left until an instant as `4:09` or `1:02:03`; rounded up, so that 0:00 means over. */
export function clockFace(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
