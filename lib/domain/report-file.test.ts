import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReport } from './report-file';
import { REPORT_BYTES, REPORT_COLUMNS, REPORT_ROWS } from './report-limits';

const read = (text: string) => readReport(Buffer.from(text));

describe('a provider’s report', () => {
  it('R-056e reads back what was written, with or without BOM, each row with its line', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '가', '"', ',', '\n', '\r\n', '\t', ' ', "'", '=', '0'),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (rows, bom, end) => {
          const text = stringify([['id', 'amount'], ...rows], { quoted: true, record_delimiter: end });
          const file = read((bom ? '\ufeff' : '') + text);
          expect(file).toMatchObject({ ok: true, columns: ['id', 'amount'] });
          if (!file.ok) return;
          expect(file.rows.map(({ cells }) => cells)).toEqual(rows);
          expect(new Set(file.rows.map(({ line }) => line)).size).toBe(rows.length);
        },
      ),
    );
    expect(read('id\r\n"a\r\nb"\r\n\r\nc')).toMatchObject({ rows: [{ line: 2 }, { line: 5 }] });
  });

  it('R-056e is refused whole, with the line where it goes wrong', () => {
    const refusals: [string, string, number | null][] = [
      ['', 'EMPTY', null],
      ['id,amount\n', 'EMPTY', null],
      ['id,amount\n1,"2', 'OPEN_QUOTE', 2],
      ['id,amount\n1,2\n3,x"y', 'MISPLACED_QUOTE', 3],
      ['id,amount\n1,"2"x', 'MISPLACED_QUOTE', 2],
      ['id,amount\n1', 'COLUMN_COUNT', 2],
      ['id,amount\n1,2\n1,2,3', 'COLUMN_COUNT', 3],
      ['id,id\n1,2', 'HEADER_TWICE', 1],
      ['id, id\n1,2', 'HEADER_TWICE', 1],
      ['id,__proto__\n1,2', 'HEADER_UNUSABLE', 1],
      ['id,constructor\n1,2', 'HEADER_UNUSABLE', 1],
      ['id,\n1,2', 'HEADER_EMPTY', 1],
      ['id,amount\n1,2\n3,\u0000', 'CONTROL_CHARACTER', 3],
      ['id,amount\n1,\u001b[2J', 'CONTROL_CHARACTER', 2],
      ['id,amount\n1,\u0085', 'CONTROL_CHARACTER', 2],
      [Array.from({ length: REPORT_COLUMNS + 1 }, (_, n) => `c${n}`).join(','), 'TOO_MANY_COLUMNS', 1],
      [`id\n${'1\n'.repeat(REPORT_ROWS + 1)}`, 'TOO_MANY_ROWS', REPORT_ROWS + 2],
    ];
    for (const [text, fault, line] of refusals)
      expect([text.slice(0, 40), read(text)]).toEqual([text.slice(0, 40), { ok: false, fault, line }]);
    expect(read(`id\n${'1\n'.repeat(REPORT_ROWS)}`)).toMatchObject({ ok: true });
  });

  it('R-056e takes no other encoding than UTF-8, and no more bytes than the bound', () => {
    const latin = Buffer.concat([Buffer.from('id\n'), Buffer.from([0xe9])]);
    expect(readReport(latin)).toEqual({ ok: false, fault: 'NOT_UTF8', line: null });
    const utf16 = Buffer.from('\ufeffid\n1', 'utf16le');
    expect(readReport(utf16)).toMatchObject({ ok: false, fault: 'NOT_UTF8' });
    expect(readReport(new Uint8Array(REPORT_BYTES + 1))).toMatchObject({ fault: 'TOO_LARGE' });
  });

  it('R-056e never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof readReport(bytes).ok).toBe('boolean');
      }),
    );
    const piece = fc.constantFrom('"', ',', '\n', '\r', 'a', '""', '\t', ' ', '\ufeff');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const file = read(pieces.join(''));
        if (file.ok) for (const { cells } of file.rows) expect(cells).toHaveLength(file.columns.length);
      }),
    );
  });
});
