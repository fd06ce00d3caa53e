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
    unit: fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      "'",
      '"',
      ',',
      '\r',
      '\n',
      '\t',
      '＝',
      'a',
      ' ',
      '|',
      '\u3000',
      '\0',
    ),
  }),
);

describe('the one CSV encoder', () => {
  it('R-096b XC-06 every text reads back the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cells, cells, cells), { minLength: 1 }), (rows) => {
        expect(parse(csvRows(rows)).map((row) => row.map(plainCell))).toEqual(rows);
      }),
    );
  });

  it('R-096a XC-06 no cell begins as a formula does', () => {
    fc.assert(fc.property(cells, (cell) => !/^(?:[\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])/.test(calmCell(cell))));
    expect(
      csvRows([['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", 'a=1', null, '']]),
    ).toBe(`"'=HYPERLINK(""http://x"")","'+1","'-1","'@SUM(A1)","'\t=1","''=1","a=1",,""\r\n`);
    expect([' =1', '\u3000＝1', '\0a', '＠a', "' =1"].map(calmCell)).toEqual([
      "' =1",
      "'\u3000＝1",
      "'\0a",
      "'＠a",
      "'' =1",
    ]);
    for (const calm of [' a', '12000', "'", "O'Neill", '007']) expect(calmCell(calm)).toBe(calm);
  });
});
