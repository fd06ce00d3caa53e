/** What a provider's report may hold at most. */
export const REPORT_BYTES = 5 * 1024 * 1024;
export const REPORT_ROWS = 20_000;
export const REPORT_COLUMNS = 64;

/** Why a file is refused as a whole; nothing of it is kept then. */
export const REPORT_FAULTS = [
  'TOO_LARGE',
  'EMPTY',
  'NOT_UTF8',
  'CONTROL_CHARACTER',
  'OPEN_QUOTE',
  'MISPLACED_QUOTE',
  'COLUMN_COUNT',
  'TOO_MANY_ROWS',
  'TOO_MANY_COLUMNS',
  'HEADER_EMPTY',
  'HEADER_TWICE',
  'HEADER_UNUSABLE',
  'UNREADABLE',
] as const;
export type ReportFault = (typeof REPORT_FAULTS)[number];
