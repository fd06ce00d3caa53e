import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerCells } from '@/lib/domain/sheet-columns';
import { ledgerRecords, scopeFault } from '@/lib/review/sheet/ledger-records';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture, NORTH, OPERATION, type LedgerFixture } from '@/lib/testing/ledger-fixture';
import { ROOT } from './toolchain.mjs';

const SCOPE = `tenant-north/${NORTH}/${OPERATION}`;

let db: TestDatabase;
let ledger: LedgerFixture;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sheet-ledger-'));
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(async () => {
  await db.drop();
  rmSync(folder, { recursive: true });
});

/** The program, reading the ledger with the role of the desk. */
async function judge(lines: readonly string[], scope: string) {
  const file = path.join(folder, 'sheet.csv');
  writeFileSync(file, [headerCells('en').join(), ...lines].join('\n'));
  const program = ['--import', 'tsx', '--conditions=react-server', 'lib/commands/sheet.ts'];
  const child = spawn(process.execPath, [...program, 'judge', file, '--scope', scope, '--lang', 'ko'], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: db.appUrl },
  });
  const ended = once(child, 'exit');
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const rows: string[][] = parse(stdout, { bom: true });
  return { status: status as number, rows: rows.slice(1), stderr };
}

/** Everything that judging could have changed. */
async function everything(): Promise<unknown> {
  const counted = ['ledger.executions', 'ledger.intakes', 'ledger.attempts', 'review.audit_events'].map(
    (table) => `(select count(*) || coalesce(max(t::text), '') from ${table} t)`,
  );
  return (await db.pool('superuser').query(`select ${counted.join(', ')}`)).rows;
}

describe('npm run sheet with a scope', () => {
  it('R-094d holds every row against the ledger, shows both and changes neither', async () => {
    const done = await ledger.started('done', { contentVersion: 'v1' });
    await ledger.report('complete', done.id, { fencingToken: done.token, resultId: 'RES-1' });
    await ledger.started('working', { contentVersion: 'v1' });
    await ledger.register('waiting', { contentVersion: 'v1' });
    await ledger.started('unlabelled');
    const before = await everything();
    const { status, rows, stderr } = await judge(
      [
        '1,,done,v1,v1,완료,RES-1,,',
        '2,,done2,,v1,,,,',
        '3,,done,v1,v1,처리중,,,',
        '4,,working,,v1,,,,',
        '5,,working,v1,v1,처리중,,,',
        '6,,waiting,,v1,,,,',
        '7,,unlabelled,v1,v1,처리중,,,',
        '8,,,,,,,,',
        '9,,DONE,v1,v1,완료,RES-1,,',
      ],
      SCOPE,
    );
    expect(status).toBe(0);
    expect(rows.map((cells) => [cells[4], ...cells.slice(9)])).toEqual([
      ['결과재사용', '완료', 'v1', 'RES-1', '결과재사용', '일치'],
      ['신규대기', '', '', '', '신규대기', '일치'],
      ['중복보류', '완료', 'v1', 'RES-1', '결과재사용', '다름'],
      ['신규대기', '처리 중', 'v1', '', '중복보류', '다름'],
      ['중복보류', '처리 중', 'v1', '', '중복보류', '일치'],
      ['신규대기', '접수됨', 'v1', '', '', '판정 안 함'],
      ['중복보류', '처리 중', '', '', '대조필요', '다름'],
      ['키누락', '', '', '', '키누락', '일치'],
      ['결과재사용', '', '', '', '신규대기', '다름'],
    ]);
    expect(stderr).toContain('4행은 원장에 따른 판정이 다릅니다');
    expect(await everything()).toEqual(before);
  });

  it('R-094e finds each of many keys', async () => {
    await ledger.started('far-away', { contentVersion: 'v1' });
    const many = Array.from({ length: 2_000 }, (_, index) => `${index},,key-${index},,v1,,,,`);
    const { rows } = await judge([...many, 'last,,far-away,,v1,,,,'], SCOPE);
    expect(rows.length).toBe(2_001);
    expect(rows.filter((cells) => cells[13] === '다름').map((cells) => cells[1])).toEqual(['last']);
  });

  it('R-094d R-094e R-094f the scope is taken at its word', async () => {
    const scope = { tenantId: 'tenant-north', principalId: NORTH, operation: OPERATION };
    await ledger.started('found', { contentVersion: 'v1' });
    const keys = ['found', ...Array.from({ length: 1_200 }, (_, index) => `k-${index}`), 'found '];
    const app = db.pool('app');
    for (const asked of [keys, [...keys].reverse()])
      expect([...(await ledgerRecords(app, scope, asked)).keys()]).toEqual(['found']);
    for (const other of [{ tenantId: 'tenant-south' }, { principalId: 'x' }, { operation: 'other' }]) {
      expect((await ledgerRecords(app, { ...scope, ...other }, keys)).size).toBe(0);
      expect(await scopeFault(app, { ...scope, ...other })).not.toBeNull();
    }
    expect(await scopeFault(app, scope)).toBeNull();
  });

  it.each([
    `tenant-south/${NORTH}/${OPERATION}`,
    `tenant-north/nobody/${OPERATION}`,
    `tenant-north/${NORTH}/no-such`,
    'tenant-north',
  ])('R-094f a scope that the ledger does not have is no empty ledger: %s', async (scope) => {
    const before = readdirSync(folder);
    const { status, rows } = await judge(['1,,done,v1,v1,완료,RES-1,,'], scope);
    expect([status, rows]).toEqual([2, []]);
    expect(readdirSync(folder)).toEqual([...new Set([...before, 'sheet.csv'])]);
  });
});
