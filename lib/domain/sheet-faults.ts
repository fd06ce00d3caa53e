/** Why a sheet is refused as a whole; nothing of it is judged then. */
export const SHEET_FAULTS = [
  'TOO_LARGE',
  'TOO_MANY_ROWS',
  'ROW_TOO_LONG',
  'EMPTY',
  'HEADER_UNKNOWN',
  'COLUMN_COUNT',
  'OPEN_QUOTE',
  'MISPLACED_QUOTE',
  'CONTROL_CHARACTER',
  'BAD_ENCODING',
  'CP949_UNCONFIRMED',
  'NOT_CP949',
  'UNREADABLE',
] as const;
export type SheetFaultCode = (typeof SHEET_FAULTS)[number];

export interface SheetFault {
  readonly code: SheetFaultCode;
  /** As a spreadsheet numbers it: the header is row 1, and empty lines count. */
  readonly row: number;
  /** From 1; null where it is about the row or the file. */
  readonly column: number | null;
  /** What was found: how many columns, or the header as it would be read. */
  readonly found: string | null;
}

export const SHEET_ENCODINGS = ['utf-8', 'cp949'] as const;
export type SheetEncoding = (typeof SHEET_ENCODINGS)[number];

export interface SheetLimits {
  /** Bytes of a file. */
  readonly bytes: number;
  readonly rows: number;
  /** Bytes of one row; a quote that nobody closed would otherwise take the whole file into memory. */
  readonly rowBytes: number;
}

/** Five times the million rows that a sheet is made for. */
export const SHEET_LIMITS: SheetLimits = {
  bytes: 512 * 1024 * 1024,
  rows: 5_000_000,
  rowBytes: 1024 * 1024,
};
/** Faults that are told of one file; after these nothing more is looked for. */
export const SHEET_FAULTS_TOLD = 100;
