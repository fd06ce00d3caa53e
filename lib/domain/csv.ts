import { stringify } from 'csv-stringify/sync';

/**
 * What a spreadsheet takes for a formula: these characters, in their full-width forms as well, first or behind blanks, and a
 * tab, line end or NUL before which it would look further. Apostrophes in front belong to it, so that reading back takes off
 * exactly one.
 */
const STARTS_FORMULA = /^'*(?:[\t\r\n\0]|[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** A cell that no spreadsheet calculates: an apostrophe before what it would take for a formula. */
export const calmCell = (text: string): string => (STARTS_FORMULA.test(text) ? `'${text}` : text);

/** What `calmCell` was given. */
export const plainCell = (text: string): string =>
  text.startsWith("'") && STARTS_FORMULA.test(text.slice(1)) ? text.slice(1) : text;

/** Before the first row: spreadsheets take a file without it for another encoding than UTF-8. */
export const CSV_START = '\ufeff';

/** Rows as CSV (RFC 4180), each cell quoted; null is an empty cell without quotes. */
export function csvRows(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((row) => row.map((cell) => (cell === null ? null : calmCell(cell)))),
    { quoted_string: true, record_delimiter: 'windows' },
  );
}
