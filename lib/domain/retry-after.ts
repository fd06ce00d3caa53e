/** Seconds; a server may ask for more, but no caller of ours plans further ahead than a day. */
const LONGEST_WAIT = 86_400;

const IMF = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Whole seconds for a `Retry-After` header: at least 1, never a fraction, at most `longest` (R-018, B-41). */
export function retryAfterSeconds(seconds: number, longest: number = LONGEST_WAIT): number {
  if (!Number.isFinite(seconds)) return Math.max(1, Math.floor(longest));
  return Math.max(1, Math.min(Math.ceil(seconds), Math.floor(longest)));
}

/**
 * Reads a `Retry-After` header in either form of RFC 9110: seconds, or an HTTP date relative to `now` (milliseconds
 * since 1970). Answers whole seconds of 0 or more, not bounded above, or null for rubbish, which is to be ignored.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | null {
  const text = (value ?? '').trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const dated = IMF.test(text) || RFC_850.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : null;
  if (dated === null) return null;
  const at = Date.parse(dated);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
