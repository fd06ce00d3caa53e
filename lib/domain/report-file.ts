import { CsvError, parse } from 'csv-parse/sync';
import { CSV_CONTROL, CSV_DIALECT, csvFaultOf } from './csv-dialect';
import { REPORT_BYTES, REPORT_COLUMNS, REPORT_ROWS, type ReportFault } from './report-limits';

export interface ReportRow {
  /** The line of the file on which it begins; the header is line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type ReportFile =
  | { readonly ok: true; readonly columns: readonly string[]; readonly rows: readonly ReportRow[] }
  | { readonly ok: false; readonly fault: ReportFault; readonly line: number | null };

/** Characters of a column's name. */
const LONGEST_NAME = 100;

/** Names that reach an object's own making; no honest report has them. */
const UNUSABLE = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads a provider's report (RFC 4180, UTF-8 with or without BOM), or says why it cannot be read and where. */
export function readReport(bytes: Uint8Array): ReportFile {
  if (bytes.byteLength > REPORT_BYTES) return refused('TOO_LARGE');
  const text = decoded(bytes);
  if (text === null) return refused('NOT_UTF8');
  const control = CSV_CONTROL.exec(text);
  if (control !== null) return refused('CONTROL_CHARACTER', lineAt(text, control.index));
  const records = recordsOf(text);
  if (!('rows' in records)) return records;
  const [header, ...rows] = records.rows;
  if (header === undefined) return refused('EMPTY');
  const fault = headerFault(header.cells);
  if (fault !== null) return refused(fault, header.line);
  if (rows.length === 0) return refused('EMPTY');
  if (rows.length > REPORT_ROWS) return refused('TOO_MANY_ROWS', rows[REPORT_ROWS]?.line ?? null);
  return { ok: true, columns: header.cells, rows };
}

const refused = (fault: ReportFault, line: number | null = null): Extract<ReportFile, { ok: false }> => ({
  ok: false,
  fault,
  line,
});

/** The BOM is taken off; bytes that are no UTF-8 are never guessed at. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const lineAt = (text: string, index: number) => text.slice(0, index).split(/\r\n|\n|\r/).length;

function recordsOf(text: string): { rows: ReportRow[] } | Extract<ReportFile, { ok: false }> {
  const bytes = new TextEncoder().encode(text);
  const rows: ReportRow[] = [];
  const lines = lineCounter(bytes);
  try {
    parse(bytes, {
      to: REPORT_ROWS + 2,
      ...CSV_DIALECT,
      on_record: (cells: string[], { bytes: end }) => {
        rows.push({ line: lines.next(), cells });
        lines.goTo(end);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refused(csvFaultOf(error), lines.next());
  }
  return { rows };
}

const [LF, CR] = [10, 13];

/** On which line the next record begins. The library counts a CR LF within quotes as two lines. */
function lineCounter(bytes: Uint8Array) {
  let at = 0;
  let line = 1;
  const step = () => {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) line += 1;
    at += 1;
  };
  return {
    /** Empty lines in between belong to no record. */
    next: () => {
      while (bytes[at] === LF || bytes[at] === CR) step();
      return line;
    },
    goTo: (end: number) => {
      while (at < end) step();
    },
  };
}

function headerFault(names: readonly string[]): ReportFault | null {
  if (names.length > REPORT_COLUMNS) return 'TOO_MANY_COLUMNS';
  if (names.some((name) => name.trim() === '')) return 'HEADER_EMPTY';
  if (names.some((name) => UNUSABLE.has(name.trim()) || name.length > LONGEST_NAME)) return 'HEADER_UNUSABLE';
  return new Set(names.map((name) => name.trim())).size < names.length ? 'HEADER_TWICE' : null;
}
