const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;
/** Hours; the widest offset that any place on earth uses. */
const WIDEST_OFFSET = 14;

/**
 * Reads an RFC 3339 instant and writes it in UTC with the shortest fraction, so that equal instants are equal texts.
 * Null for anything else: no date without a time or zone, no leap second (clocks here have none), no epoch numbers,
 * and only years 0001 to 9999, before and after the shift to UTC.
 */
export function normalizeInstant(text: string): string | null {
  const parts = FORM.exec(text);
  if (parts === null) return null;
  const number = (index: number) => Number(parts[index] ?? '0');
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHour, offsetMinute] = [number(9), number(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetMinute > 59) return null;
  if (offsetHour * 60 + offsetMinute > WIDEST_OFFSET * 60) return null;

  // Date.UTC reads years below 100 as 19xx, hence the setter.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  if (moment.getUTCFullYear() !== year || moment.getUTCMonth() !== month - 1 || moment.getUTCDate() !== day)
    return null;
  const sign = parts[8] === '-' ? -1 : 1;
  moment.setUTCHours(hour, minute - sign * (offsetHour * 60 + offsetMinute), second, 0);
  if (year < 1 || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return null;

  const fraction = (parts[7] ?? '').replace(/0+$/, '');
  return `${moment.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}
