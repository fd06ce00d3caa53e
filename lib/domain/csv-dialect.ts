import type { CsvError } from 'csv-parse/sync';

/** How a CSV file from outside is read, whole or in pieces: RFC 4180 with any line end; nothing is trimmed or guessed. */
export const CSV_DIALECT = {
  skip_empty_lines: true,
  // Named, so that a file with several kinds reads as one, and none is found out from a first line.
  record_delimiter: ['\r\n', '\n', '\r'],
};

/** Line ends and tabs belong to the form of a file; every other control character hides something. */
export const CSV_CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

export type CsvFault = 'OPEN_QUOTE' | 'MISPLACED_QUOTE' | 'COLUMN_COUNT' | 'UNREADABLE';

const FAULT_OF: Readonly<Record<string, CsvFault>> = {
  CSV_QUOTE_NOT_CLOSED: 'OPEN_QUOTE',
  CSV_INVALID_CLOSING_QUOTE: 'MISPLACED_QUOTE',
  INVALID_OPENING_QUOTE: 'MISPLACED_QUOTE',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'COLUMN_COUNT',
};

/** What the library found, in our words. */
export const csvFaultOf = (error: CsvError): CsvFault => FAULT_OF[error.code] ?? 'UNREADABLE';
