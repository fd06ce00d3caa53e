import 'server-only';
import { plainCell } from '@/lib/domain/csv';
import { CSV_CONTROL } from '@/lib/domain/csv-dialect';
import type { Locale } from '@/lib/domain/messages/locales';
import { readHeader, rowOf, SHEET_COLUMNS, type SheetRow } from '@/lib/domain/sheet-columns';
import { SHEET_FAULTS_TOLD, type SheetEncoding, type SheetFault } from '@/lib/domain/sheet-faults';
import { csvRecords, EndsReading, type CsvRecord } from './csv-records';
import { decodeCell } from './sheet-encoding';

export type SheetItem =
  | { readonly kind: 'header'; readonly locale: Locale }
  | { readonly kind: 'row'; readonly row: number; readonly values: SheetRow }
  | { readonly kind: 'fault'; readonly fault: SheetFault };

/** Header, rows and every fault of a file, in its order; who meets a fault refuses the file, whatever else it holds. */
export async function* readSheet(
  chunks: AsyncIterable<Uint8Array>,
  encoding: SheetEncoding,
): AsyncGenerator<readonly SheetItem[]> {
  const seen = { records: 0, headers: 0, faults: 0 };
  try {
    for await (const records of csvRecords(chunks)) {
      const items = records.flatMap((record) => {
        seen.records += 1;
        return seen.records === 1 ? headerItems(record, encoding) : rowItems(record, encoding);
      });
      seen.headers += items.filter(({ kind }) => kind === 'header').length;
      seen.faults += items.filter(({ kind }) => kind === 'fault').length;
      if (seen.records > 0 && seen.headers === 0) {
        // Under another header no row means anything.
        yield items.slice(0, 1);
        return;
      }
      yield items;
      if (seen.faults >= SHEET_FAULTS_TOLD) return;
    }
  } catch (error) {
    if (!(error instanceof EndsReading)) throw error;
    yield [{ kind: 'fault', fault: error.fault }];
    return;
  }
  if (seen.records < 2) yield [faultAt('EMPTY', 1 + seen.records)];
}

const faultAt = (
  code: SheetFault['code'],
  row: number,
  column: number | null = null,
  found: string | null = null,
): SheetItem => ({ kind: 'fault', fault: { code, row, column, found } });

function headerItems(record: CsvRecord, encoding: SheetEncoding): readonly SheetItem[] {
  const cells = cellsOf(record, encoding);
  if (cells.kind === 'faults') return cells.faults;
  const header = readHeader(cells.values);
  if (header.ok) return [{ kind: 'header', locale: header.locale }];
  return [faultAt('HEADER_UNKNOWN', record.row, header.column, cells.values[header.column - 1] ?? '')];
}

function rowItems(record: CsvRecord, encoding: SheetEncoding): readonly SheetItem[] {
  const { length } = record.cells;
  const wanted = SHEET_COLUMNS.length;
  if (length !== wanted)
    return [faultAt('COLUMN_COUNT', record.row, Math.min(length, wanted) + 1, String(length))];
  const cells = cellsOf(record, encoding);
  if (cells.kind === 'faults') return cells.faults;
  return [{ kind: 'row', row: record.row, values: rowOf(cells.values.map(plainCell)) }];
}

/** Decoded, or what is wrong with each cell that cannot be. */
function cellsOf(
  { row, cells }: CsvRecord,
  encoding: SheetEncoding,
):
  | { readonly kind: 'faults'; readonly faults: readonly SheetItem[] }
  | { readonly kind: 'values'; readonly values: readonly string[] } {
  const values: string[] = [];
  const faults: SheetItem[] = [];
  cells.forEach((bytes, at) => {
    const text = decodeCell(bytes, encoding);
    if (text === null) faults.push(faultAt('BAD_ENCODING', row, at + 1));
    else if (CSV_CONTROL.test(text)) faults.push(faultAt('CONTROL_CHARACTER', row, at + 1));
    else values.push(text);
  });
  return faults.length > 0 ? { kind: 'faults', faults } : { kind: 'values', values };
}
