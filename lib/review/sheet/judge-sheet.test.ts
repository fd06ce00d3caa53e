import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { csvRows, CSV_START } from '@/lib/domain/csv';
import { SHEET_REASONS } from '@/lib/domain/judge-row';
import { cellsOf, headerCells, rowOf } from '@/lib/domain/sheet-columns';
import {
  SHEET_FAULTS_TOLD,
  SHEET_LIMITS,
  type SheetFault,
  type SheetLimits,
} from '@/lib/domain/sheet-faults';
import { sheetRows, sheetStart } from './export-sheet';
import { csvRecords, EndsReading } from './csv-records';
import { judgeSheet, SheetChanged, type JudgedRow } from './judge-sheet';

const HEADER = headerCells('ko').join();

/** A file given in pieces of so many bytes. */
const inPieces = (bytes: Uint8Array, size = 65_536) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

const read = (bytes: Uint8Array, options: { confirmed?: 'cp949'; size?: number } = {}) =>
  judgeSheet(inPieces(bytes, options.size), options.confirmed ?? null, async (sheet) => {
    const rows: JudgedRow[] = [];
    for await (const batch of sheet.judged()) rows.push(...batch);
    const exported = sheetStart(sheet.locale) + sheetRows(rows.map(({ values }) => values));
    return { ...sheet, judgedRows: rows, exported };
  });

async function whole(text: string | Uint8Array, options: Parameters<typeof read>[1] = {}) {
  const answer = await read(typeof text === 'string' ? Buffer.from(text) : text, options);
  if (answer.kind === 'refused') throw new Error(JSON.stringify(answer.faults));
  return answer.value;
}

async function faultsOf(text: string | Uint8Array, options: Parameters<typeof read>[1] = {}) {
  const answer = await read(typeof text === 'string' ? Buffer.from(text) : text, options);
  return answer.kind === 'refused' ? answer.faults : [];
}

const at = (code: SheetFault['code'], row: number, column: number | null, found: string | null = null) => ({
  code,
  row,
  column,
  found,
});

const value = fc.oneof(
  fc.constantFrom('', ' ', '00123', '9912140633506421', '2026-12-01T09:00:00+09:00', '1E5', '완료', '똠방'),
  fc.string({
    unit: fc.constantFrom('가', 'a', '0', '=', '-', "'", '"', ',', '\n', '\r', '\t', ' ', '＝', '\ufeff'),
    maxLength: 6,
  }),
);
const line = fc.array(value, { minLength: 9, maxLength: 9 });
const lines = fc.array(line, { minLength: 1, maxLength: 12 });

describe('a record sheet is read', () => {
  it('R-092c R-096c B-107 to the byte, in pieces of any size, and its export exports again to the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom(1, 7, 65_536), async (cells, size) => {
        const text = CSV_START + csvRows([headerCells('ko'), ...cells]);
        const first = await whole(text, { size });
        expect(first.judgedRows.map(({ values }) => cellsOf(values))).toEqual(cells);
        expect(first.exported).toBe(text);
        expect((await whole(first.exported)).exported).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it('R-092d B-106 with or without BOM, with any line ends, and numbered as a spreadsheet does', async () => {
    const texts = ['\r\n', '\n', '\r'].map((end) =>
      [HEADER, '1,,k,,,,,,', '', '"2\n2",,k,,,,,,', '3,,k,,,,,,'].join(end),
    );
    for (const text of [
      ...texts,
      `${CSV_START}${texts[0]}\n`,
      `${HEADER}\r\n1,,k,,,,,,\n\r"2\n2",,k,,,,,,\r3,,k,,,,,,`,
    ])
      for (const size of [1, 7, 65_536]) {
        const { judgedRows } = await whole(text, { size });
        expect(judgedRows.map(({ row, values }) => [row, values.recordId])).toEqual([
          [2, '1'],
          [4, '2\n2'],
          [5, '3'],
        ]);
      }
  });

  it('R-092e CP949 is recognised and read only when somebody confirmed it', async () => {
    const text = `${HEADER}\n똠-1,요청,키,v1,v1,완료,결과|\\,결과재사용,햏\n`;
    const bytes = iconv.encode(text, 'cp949');
    expect(await faultsOf(bytes)).toEqual([at('CP949_UNCONFIRMED', 1, null, HEADER.replaceAll(',', ', '))]);
    for (const size of [1, 65_536]) {
      const sheet = await whole(bytes, { confirmed: 'cp949', size });
      expect(sheet.encoding).toBe('cp949');
      expect(cellsOf(sheet.judgedRows[0]!.values).join()).toBe(text.split('\n')[1]);
    }
    expect(await faultsOf(text, { confirmed: 'cp949' })).toEqual([at('NOT_CP949', 1, null)]);
    const plain = `${headerCells('en').join()}\n1,,,,,,,,`;
    expect((await whole(plain, { confirmed: 'cp949' })).rows).toBe(1);
  });
});

describe('a bad record sheet is refused whole', () => {
  const good = '1,,k,v1,v1,,,,';

  it('R-095a with the row and column of each fault', async () => {
    const bad: [string | Uint8Array, ReturnType<typeof at>][] = [
      ['', at('EMPTY', 1, null)],
      [`${HEADER}\n\n`, at('EMPTY', 2, null)],
      [`a,b\n${good}`, at('HEADER_UNKNOWN', 1, 1, 'a')],
      [`${HEADER},tenantId\n${good},t`, at('HEADER_UNKNOWN', 1, 10, 'tenantId')],
      [`${HEADER}\n${good}\n1,2`, at('COLUMN_COUNT', 3, 3, '2')],
      [`${HEADER}\n${good},x`, at('COLUMN_COUNT', 2, 10, '10')],
      [`${HEADER}\n${good}\n2,"k,v`, at('OPEN_QUOTE', 3, 2)],
      [`${HEADER}\n${good}\n2,x"y,k,,,,,,`, at('MISPLACED_QUOTE', 3, 2)],
      [`${HEADER}\n2,"x"y,k,,,,,,`, at('MISPLACED_QUOTE', 2, 2)],
      [`${HEADER}\n\n2,,\u0000,,,,,,`, at('CONTROL_CHARACTER', 3, 3)],
      [`${HEADER}\n2,,,,,,\u0085,,`, at('CONTROL_CHARACTER', 2, 7)],
      [Buffer.from(`\ufeff${HEADER}\n${good}`, 'utf16le'), at('BAD_ENCODING', 1, 1)],
      [
        Buffer.concat([Buffer.from(`${HEADER}\n1,,k`), Buffer.from([0xe9]), Buffer.from(',,,,,,')]),
        at('BAD_ENCODING', 2, 3),
      ],
      [`${HEADER}\n"${'x'.repeat(SHEET_LIMITS.rowBytes)}`, at('ROW_TOO_LONG', 2, null)],
      [`${HEADER}\n${','.repeat(SHEET_LIMITS.rowBytes + 8)}\n`, at('ROW_TOO_LONG', 2, null)],
    ];
    for (const [text, fault] of bad) expect((await faultsOf(text))[0]).toEqual(fault);
  });

  it('R-095b five bad rows are five exact errors, and nothing of the others is judged', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEADER}\n${good}\n2,,k\n3,,k,,,,,,,x\n4,,k,`),
      Buffer.from([0xff]),
      Buffer.from(',,,,,\n5,,k,\u0007,,,,,\n6,,k,,,,,,x"y\n7,,k,v1,v1,,,,\n'),
    ]);
    let worked = false;
    const answer = await judgeSheet(inPieces(bytes), null, async () => (worked = true));
    expect(answer).toEqual({
      kind: 'refused',
      faults: [
        at('COLUMN_COUNT', 3, 4, '3'),
        at('COLUMN_COUNT', 4, 10, '10'),
        at('BAD_ENCODING', 5, 4),
        at('CONTROL_CHARACTER', 6, 4),
        at('MISPLACED_QUOTE', 7, 9),
      ],
    });
    expect(worked).toBe(false);
  });

  it('R-095c over a bound it is refused at the row where it goes over, and faults have an end', async () => {
    const bytes = Buffer.from(`${HEADER}\n${`${good}\n`.repeat(20)}`);
    const limited = async (limits: Partial<SheetLimits>) => {
      const rows: number[] = [];
      try {
        const records = csvRecords(inPieces(bytes, 16)(), { ...SHEET_LIMITS, ...limits });
        for await (const batch of records) rows.push(...batch.map(({ row }) => row));
        return rows.length;
      } catch (error) {
        if (!(error instanceof EndsReading)) throw error;
        return error.fault;
      }
    };
    expect(await limited({})).toBe(21);
    expect(await limited({ bytes: bytes.length, rows: 20 })).toBe(21);
    expect(await limited({ rows: 19 })).toEqual(at('TOO_MANY_ROWS', 21, null));
    expect(await limited({ rowBytes: 16 })).toEqual(at('ROW_TOO_LONG', 1, null));
    const over = await limited({ bytes: bytes.length - 1 });
    expect(over).toMatchObject({ code: 'TOO_LARGE' });
    const many = await faultsOf(`${HEADER}\n${'x\n'.repeat(SHEET_FAULTS_TOLD * 2)}`);
    expect(many.length).toBe(SHEET_FAULTS_TOLD);
  });

  it('R-095d no bytes make it throw, and it leaves nothing behind', async () => {
    const mine = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith('onceover-sheet-'));
    const before = mine();
    const piece = fc.constantFrom('"', ',', '\n', '\r', 'a', '""', '\t', ' ', '\ufeff', good, '\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.uint8Array({ maxLength: 20 }),
        async (text, raw) => {
          for (const start of ['', `${HEADER}\n`]) {
            const bytes = Buffer.concat([Buffer.from(start + text.join('')), raw]);
            expect(['judged', 'refused']).toContain((await read(bytes)).kind);
          }
        },
      ),
    );
    expect(mine().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('R-095e a file that becomes another one while it is read is not judged', async () => {
    let opened = 0;
    const source = () => {
      opened += 1;
      return inPieces(Buffer.from(`${HEADER}\n${good}\n${opened > 2 ? '2' : '3'},,k,v1,v1,,,,`))();
    };
    const judging = judgeSheet(source, null, async ({ judged }) => {
      for await (const rows of judged()) expect(rows.length).toBeGreaterThan(0);
    });
    await expect(judging).rejects.toThrow(SheetChanged);
  });
});

describe('rows of a whole sheet', () => {
  it('R-094c are judged together exactly as by hand, wherever they stand', async () => {
    const few = fc.constantFrom('', 'a', 'b', 'A', '01', '1', 'a\n"b');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(few, few, few), { minLength: 1, maxLength: 30 }), async (all) => {
        const cells = all.map(([id, key, version]) => cellsOf(rowOf([id, '', key, '', version])));
        const { judgedRows } = await whole(CSV_START + csvRows([headerCells('en'), ...cells]));
        judgedRows.forEach(({ judged }, index) => {
          const [id, key] = all[index]!;
          const repeated = id !== '' && all.filter(([other]) => other === id).length > 1;
          const versions = new Set(all.flatMap(([, k, v]) => (k === key && v !== '' ? [v] : [])));
          const conflict = key !== '' && versions.size > 1;
          const own = key === '' ? 'NO_KEY' : 'NO_STATE';
          const expected = repeated ? 'RECORD_ID_REPEATED' : conflict ? 'SEVERAL_NEW_VERSIONS' : own;
          expect(judged.kind === 'fault' ? judged.fault : judged.reason).toBe(expected);
        });
      }),
      { numRuns: 40 },
    );
    expect(SHEET_REASONS.SEVERAL_NEW_VERSIONS).toBe('CONTENT_CONFLICT');
  });
});
