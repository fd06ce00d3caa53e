import 'server-only';
import { CsvError, parse, type Parser } from 'csv-parse';
import { CSV_DIALECT, csvFaultOf } from '@/lib/domain/csv-dialect';
import { SHEET_LIMITS, type SheetFault } from '@/lib/domain/sheet-faults';
import { withoutBom } from './sheet-source';

export interface CsvRecord {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  /** Bytes as characters (latin1): what they mean is decided cell by cell. */
  readonly cells: readonly string[];
}

/** Why the reading ends before the file does. */
export class EndsReading extends Error {
  constructor(readonly fault: SheetFault) {
    super(fault.code);
  }
}

const ends = (code: SheetFault['code'], row: number, column: number | null = null) =>
  new EndsReading({ code, row, column, found: null });

/** The records of a file as they come, in the memory of one piece of it; ends with `EndsReading` where none can follow. */
export async function* csvRecords(
  chunks: AsyncIterable<Uint8Array>,
  limits = SHEET_LIMITS,
): AsyncGenerator<readonly CsvRecord[]> {
  let batch: CsvRecord[] = [];
  const read = { bytes: 0, untilRecord: 0, row: 0 };
  const parser = parse({
    ...CSV_DIALECT,
    encoding: 'latin1',
    // Counted by us: every row of the wrong width is told, not only the first.
    relax_column_count: true,
    on_record: (cells: string[], { records, empty_lines, bytes }) => {
      const row = records + empty_lines;
      if (bytes - read.untilRecord > limits.rowBytes) throw ends('ROW_TOO_LONG', row);
      if (records > limits.rows + 1) throw ends('TOO_MANY_ROWS', row);
      read.untilRecord = bytes;
      read.row = row;
      batch.push({ row, cells });
      return null;
    },
  });
  // Each failure comes back to whoever wrote; without a listener the process would end.
  parser.on('error', () => undefined);
  const take = () => {
    const full = batch;
    batch = [];
    return full;
  };
  try {
    for await (const chunk of withoutBom(chunks)) {
      read.bytes += chunk.byteLength;
      if (read.bytes > limits.bytes) throw ends('TOO_LARGE', read.row + 1);
      await write(parser, chunk);
      if (read.bytes - read.untilRecord > limits.rowBytes) throw ends('ROW_TOO_LONG', read.row + 1);
      yield take();
    }
    await write(parser, null);
    yield take();
  } catch (error) {
    const fault = faultOf(error);
    // What was whole before it is told as well.
    yield take();
    throw new EndsReading(fault);
  } finally {
    parser.destroy();
  }
}

function faultOf(error: unknown): SheetFault {
  if (error instanceof EndsReading) return error.fault;
  if (!(error instanceof CsvError)) throw error;
  // The library’s record of where it stood; its types leave these open.
  const { records, empty_lines, column } = error as CsvError & Record<string, unknown>;
  return {
    code: csvFaultOf(error),
    row: Number(records) + Number(empty_lines) + 1,
    column: typeof column === 'number' ? column + 1 : null,
    found: null,
  };
}

const write = (parser: Parser, chunk: Uint8Array | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error == null ? resolve() : reject(error));
    if (chunk === null) parser.end(done);
    else parser.write(chunk, done);
  });
