import iconv from 'iconv-lite';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'csv-parse/sync';
import { headerCells } from '@/lib/domain/sheet-columns';
import { ROOT } from './toolchain.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sheet-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string) => path.join(folder, name);
const bytesOf = (name: string) => readFileSync(place(name));
const rowsOf = (text: string | Buffer): string[][] => parse(text, { bom: true });

/** The program as `npm run sheet` starts it. */
function sheet(...words: string[]) {
  const args = ['--import', 'tsx', '--conditions=react-server', 'lib/commands/sheet.ts', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const SAMPLES = `${headerCells('ko').join()}
R-1,Q-1,K-1,,v1,,,,
R-2,Q-2,K-2,v1,v1,완료,000417,,
R-3,Q-3,K-3,v1,v1,처리중,,,
R-4,Q-4,K-2,v1,v2,완료,000417,,
R-5,Q-5,,,v1,,,,
R-6,Q-6,K-6,v1,v1,결과미확인,,,
R-7,Q-7,K-7,v1,v1,재시도가능,,,
R-8,Q-8,K-8,v1,v1,기록만료,000398,,
`;

describe('npm run sheet', () => {
  it('R-093f the eight sample rows come to exactly their judgements, in both languages', () => {
    writeFileSync(place('samples.csv'), SAMPLES);
    const judged = (...words: string[]) => {
      const { status, stdout, stderr } = sheet('judge', place('samples.csv'), ...words);
      expect([status, stderr.includes('8')]).toEqual([0, true]);
      return rowsOf(stdout).slice(1);
    };
    expect(judged('--lang', 'ko').map((cells) => cells[4])).toEqual([
      '신규대기',
      '결과재사용',
      '중복보류',
      '내용충돌',
      '키누락',
      '대조필요',
      '동일키재시도',
      '만료보류',
    ]);
    const english = judged();
    expect(english.map((cells) => cells[4])).toEqual([
      'New, waiting',
      'Result reused',
      'Duplicate held',
      'Content conflict',
      'Key missing',
      'Reconcile required',
      'Retry with the same key',
      'Record expired',
    ]);
    for (const cells of english) expect(cells.slice(7).map((each) => each.length > 10)).toEqual([true, true]);
  });

  it.each(['ko', 'en'])(
    'R-093f the template’s rows (%s) agree with the judgements that they give',
    (lang) => {
      expect(sheet('--template', '--lang', lang, '--out', place('template.csv')).status).toBe(0);
      const { status, stdout } = sheet(
        'judge',
        place('template.csv'),
        '--lang',
        lang,
        '--export',
        place('again.csv'),
      );
      expect(status).toBe(0);
      const rows = rowsOf(stdout).slice(1);
      expect(rows.length).toBe(8);
      for (const [, , , , judgement, given, comparison] of rows) {
        expect(judgement).toBe(given);
        expect(comparison).toBe(lang === 'ko' ? '일치' : 'agrees');
      }
      expect(bytesOf('again.csv')).toEqual(bytesOf('template.csv'));
    },
  );

  it('R-096c XC-06 what it exports starts no formula, reads back the same and exports to the same bytes', () => {
    const cells = ['=HYPERLINK("http://x")', '+82-2-000-0000', "'-001", '@v', '007', '', '\t1', ' =1', '＝1'];
    const line = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join();
    writeFileSync(place('hostile.csv'), `${headerCells('en').join()}\n${line}\n`);
    const judge = (from: string, to: string) => sheet('judge', place(from), '--export', place(to)).status;
    expect(judge('hostile.csv', 'first.csv')).toBe(0);
    expect(judge('first.csv', 'second.csv')).toBe(0);
    expect(bytesOf('second.csv')).toEqual(bytesOf('first.csv'));
    const [, exported] = rowsOf(bytesOf('first.csv'));
    expect(exported).toEqual([
      `'=HYPERLINK("http://x")`,
      "'+82-2-000-0000",
      // Given with its guard already: read without it, written with it.
      "'-001",
      "'@v",
      '007',
      '',
      "'\t1",
      "' =1",
      "'＝1",
    ]);
  });

  it('R-095b five bad rows are five errors with row and column, and no other file is made', () => {
    const bad = ['1,2', '2,,k,v1,v1,,,,,extra', '3,,k,\u0007,,,,,', '4,,k\u00e9,,,,,,', '5,x"y,k,,,,,,'];
    const text = [headerCells('en').join(), 'ok,,k,,v1,,,,', ...bad].join('\n');
    writeFileSync(place('bad.csv'), Buffer.from(text, 'latin1'));
    const outs = [
      '--out',
      place('out.csv'),
      '--errors',
      place('errors.csv'),
      '--export',
      place('export.csv'),
    ];
    const { status, stdout, stderr } = sheet('judge', place('bad.csv'), ...outs);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('5 errors');
    const told = rowsOf(bytesOf('errors.csv')).slice(1);
    expect(told.map((cells) => cells.slice(0, 3))).toEqual([
      ['3', '3', 'Execution key'],
      ['4', '10', ''],
      ['5', '4', 'Existing version'],
      ['6', '3', 'Execution key'],
      ['7', '2', 'Request ID'],
    ]);
    expect(readdirSync(folder).sort()).toEqual(['bad.csv', 'errors.csv']);
  });

  it('R-093g a row with an error leaves the others judged, and the exit code says so', () => {
    const rows = ['1,,k,v1,v1,what?,,,', '2,,k2,,v1,,,키누락,', '3,,,,,,,,', '3,,,,,,,,'];
    writeFileSync(place('some.csv'), [headerCells('en').join(), ...rows].join('\n'));
    const { status, stdout, stderr } = sheet('judge', place('some.csv'), '--errors', place('errors.csv'));
    expect(status).toBe(1);
    expect(rowsOf(stdout).map((cells) => cells.slice(4, 7))).toEqual([
      ['Judgement', 'Given judgement', 'Comparison'],
      ['', '', 'none given'],
      ['New, waiting', '키누락', 'differs'],
      ['', '', 'none given'],
      ['', '', 'none given'],
    ]);
    expect(rowsOf(bytesOf('errors.csv')).map((cells) => cells.slice(0, 2))).toEqual([
      ['Row', 'Column'],
      ['2', '6'],
      ['4', '1'],
      ['5', '1'],
    ]);
    expect(stderr).toContain('Row 2, column 6 (Existing state): “what?”');
  });

  it('R-092e asks before it reads CP949, and shows what it would read', () => {
    writeFileSync(place('cp949.csv'), iconv.encode(SAMPLES, 'cp949'));
    const asking = sheet('judge', place('cp949.csv'), '--lang', 'ko');
    expect([asking.status, asking.stdout]).toEqual([2, '']);
    expect(asking.stderr).toContain('기록ID, 요청ID, 실행키');
    const read = sheet('judge', place('cp949.csv'), '--lang', 'ko', '--encoding', 'cp949');
    expect(read.status).toBe(0);
    expect(rowsOf(read.stdout)[2]?.[4]).toBe('결과재사용');
  });

  it('R-095f does nothing when it is called wrongly, has no file, or would write over what it reads', () => {
    writeFileSync(place('samples.csv'), SAMPLES);
    const wrong = [
      [],
      ['judge', place('samples.csv'), '--encoding', 'utf-16'],
      ['judge', place('samples.csv'), '--out', path.join(folder, '.', 'samples.csv')],
      ['judge', place('missing.csv'), '--out', place('out.csv')],
    ];
    for (const words of wrong) expect([words, sheet(...words).status]).toEqual([words, 2]);
    expect(readdirSync(folder)).toEqual(['samples.csv']);
    expect(bytesOf('samples.csv').toString()).toBe(SAMPLES);
  });
});
