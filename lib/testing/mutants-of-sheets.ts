// Ways of breaking the record sheet: what a row comes to, how a file is read, refused and written.
import type { Mutant } from './mutant';

const JUDGE = 'lib/domain/judge-row.ts';
const TOGETHER = 'lib/domain/rows-together.ts';
const COLUMNS = 'lib/domain/sheet-columns.ts';
const READING = 'lib/review/sheet/read-sheet.ts';
const RECORDS = 'lib/review/sheet/csv-records.ts';
const ENCODING = 'lib/review/sheet/sheet-encoding.ts';
const SHEET = 'lib/review/sheet/judge-sheet.ts';
const LEDGER = 'lib/review/sheet/ledger-records.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_SHEETS: readonly Mutant[] = [
  mutant('R-092a', COLUMNS, 'names.length !== SHEET_COLUMNS.length', 'names.length < SHEET_COLUMNS.length'),
  mutant('R-092b', COLUMNS, "[existingState = '', resultId = '',", "[resultId = '', existingState = '',"),
  mutant('R-092c', READING, 'rowOf(cells.values.map(plainCell))', 'rowOf(cells.values)'),
  mutant('R-092d', RECORDS, 'const row = records + empty_lines;', 'const row = records;'),
  mutant('R-092e', SHEET, "return confirmed === 'cp949'\n", 'return true\n'),
  mutant('R-093a', JUDGE, "? 'WITHOUT_RESULT' : 'WITH_RESULT'", "? 'WITH_RESULT' : 'WITH_RESULT'"),
  mutant('R-093b', JUDGE, "if (row.existingState === '') return", 'if (isBlank(row.existingState)) return'),
  mutant('R-093b', JUDGE, 'if (isBlank(row.key)) return', "if (row.key === '') return"),
  mutant('R-093c', 'lib/domain/sheet-words.ts', "ko: '만료보류'", "ko: '만료'"),
  mutant('R-093d', 'lib/domain/sheet-told.ts', '{ row: other, value }', "{ row: other, value: '' }"),
  mutant('R-093e', JUDGE, "if (named === null) return 'NO_JUDGEMENT';", ''),
  mutant('R-094a', TOGETHER, 'else known.second ??= row;', ''),
  mutant(
    'R-094b',
    TOGETHER,
    'return known.version === version ? known.other : known.first;',
    'return known.other;',
  ),
  mutant('R-094b', JUDGE, "(alone === 'NO_STATE' || alone === 'VERSION_MISSING')", "alone === 'NO_STATE'"),
  mutant('R-094c', 'lib/review/sheet/across-sheet.ts', 'part < PARTS; part += 1', 'part < 1; part += 1'),
  mutant('R-094d', LEDGER, 'and e.operation = $3 and e.idempotency_key', 'and e.idempotency_key'),
  mutant('R-094e', LEDGER, 'at < distinct.length; at += SLICE', 'at < 1; at += SLICE'),
  mutant('R-094f', LEDGER, 'and p.tenant_id = $1`', "and $1 <> ''`"),
  mutant('R-095a', RECORDS, "typeof column === 'number' ? column + 1 : null", 'null'),
  mutant('R-095b', SHEET, 'if (first.faults.length > 0) return', 'if (first.faults.length > 9) return'),
  mutant('R-095c', RECORDS, 'if (records > limits.rows + 1) throw', 'if (records > limits.rows + 99) throw'),
  mutant('R-095e', SHEET, "if (hash.digest('hex') !== digest) throw new SheetChanged();", ''),
  mutant(
    'R-095a',
    ENCODING,
    "return isUtf8(cell) ? cell.toString('utf8') : null;",
    "return cell.toString('utf8');",
  ),
];
