import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calmCell, csvRows, plainCell } from './csv';

/** RFC 4180, read by the letter. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  let row: string[] = [];
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, raw = '', end] = match;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
const cells = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', '\r', '\n', '\t', '＝', 'a', ' ', '|'),
  }),
);

describe('the one CSV encoder', () => {
  it('R-096 every text reads back the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cells, cells, cells), { minLength: 1 }), (rows) => {
        expect(parse(csvRows(rows)).map((row) => row.map(plainCell))).toEqual(rows);
      }),
    );
  });

  it('R-096 no cell begins as a formula does', () => {
    fc.assert(fc.property(cells, (cell) => !/^[=+\-@\t\r\n＝＋－＠]/.test(calmCell(cell))));
    expect(
      csvRows([['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", 'a=1', null, '']]),
    ).toBe(`"'=HYPERLINK(""http://x"")","'+1","'-1","'@SUM(A1)","'\t=1","''=1","a=1",,""\r\n`);
  });
});
