import 'server-only';
import { createHash, type Hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { judgeRow, type AcrossRows, type Judged } from '@/lib/domain/judge-row';
import type { Locale } from '@/lib/domain/messages/locales';
import { type SheetRow } from '@/lib/domain/sheet-columns';
import { SHEET_FAULTS_TOLD, type SheetEncoding, type SheetFault } from '@/lib/domain/sheet-faults';
import { AcrossSheet } from './across-sheet';
import { csvRecords, EndsReading } from './csv-records';
import { readSheet } from './read-sheet';
import { decodeCell, recogniseEncoding } from './sheet-encoding';
import type { SheetSource } from './sheet-source';

export interface JudgedRow {
  readonly row: number;
  readonly values: SheetRow;
  readonly judged: Judged;
  readonly across: AcrossRows;
}

export interface WholeSheet {
  /** Of the file’s own header. */
  readonly locale: Locale;
  readonly encoding: SheetEncoding;
  readonly rows: number;
  /** Every row in its order; once. */
  readonly judged: () => AsyncGenerator<readonly JudgedRow[]>;
}

export type SheetAnswer<T> =
  | { readonly kind: 'refused'; readonly faults: readonly SheetFault[] }
  | { readonly kind: 'judged'; readonly value: T };

/** The file became another one while it was read. */
export class SheetChanged extends Error {
  constructor() {
    super('The file changed while it was being read: nothing that was said about it holds.');
  }
}

/**
 * Judges a whole sheet or refuses it whole: `work` runs only after every byte was read without a fault. Reads
 * the source several times and executes nothing. `confirmed` says that a person saw that the file is CP949.
 */
export async function judgeSheet<T>(
  source: SheetSource,
  confirmed: 'cp949' | null,
  work: (sheet: WholeSheet) => Promise<T>,
): Promise<SheetAnswer<T>> {
  const encoding = await encodingOf(source, confirmed);
  if (typeof encoding !== 'string') return { kind: 'refused', faults: [encoding] };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'onceover-sheet-'));
  try {
    const first = await readWhole(source, encoding, new AcrossSheet(folder));
    if (first.faults.length > 0) return { kind: 'refused', faults: first.faults };
    const { locale, rows, across, digest } = first;
    if (locale === null) throw new Error('bug: a sheet without faults and without a header');
    const judged = () => judgedRows(source, encoding, across, digest);
    return { kind: 'judged', value: await work({ locale, encoding, rows, judged }) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function encodingOf(
  source: SheetSource,
  confirmed: 'cp949' | null,
): Promise<SheetEncoding | SheetFault> {
  const recognised = await recogniseEncoding(source);
  if (recognised === 'cp949')
    return confirmed === 'cp949'
      ? 'cp949'
      : { code: 'CP949_UNCONFIRMED', row: 1, column: null, found: await headerAs(source, 'cp949') };
  if (confirmed === 'cp949' && recognised === 'utf-8')
    return { code: 'NOT_CP949', row: 1, column: null, found: null };
  // Bytes that are neither are refused where they stand.
  return confirmed ?? 'utf-8';
}

/** The first row as it would be read, for a person to judge. */
async function headerAs(source: SheetSource, encoding: SheetEncoding): Promise<string | null> {
  try {
    for await (const [first] of csvRecords(source()))
      if (first !== undefined) return first.cells.map((cell) => decodeCell(cell, encoding) ?? '').join(', ');
  } catch (error) {
    if (!(error instanceof EndsReading)) throw error;
  }
  return null;
}

async function readWhole(source: SheetSource, encoding: SheetEncoding, across: AcrossSheet) {
  const hash = createHash('sha256');
  const faults: SheetFault[] = [];
  let locale: Locale | null = null;
  let rows = 0;
  for await (const items of readSheet(digested(source, hash), encoding)) {
    for (const item of items) {
      if (item.kind === 'header') locale = item.locale;
      else if (item.kind === 'fault') faults.push(item.fault);
      else {
        rows += 1;
        across.note(item.row, item.values);
      }
    }
  }
  const told = faults.slice(0, SHEET_FAULTS_TOLD);
  const nobody: AcrossRows = { sameRecordId: null, otherNewVersion: null };
  return {
    locale,
    rows,
    faults: told,
    across: told.length > 0 ? () => nobody : await across.settle(),
    digest: hash.digest('hex'),
  };
}

async function* judgedRows(
  source: SheetSource,
  encoding: SheetEncoding,
  across: (at: number) => AcrossRows,
  digest: string,
): AsyncGenerator<readonly JudgedRow[]> {
  const hash = createHash('sha256');
  let at = 0;
  for await (const items of readSheet(digested(source, hash), encoding)) {
    const rows: JudgedRow[] = [];
    for (const item of items) {
      if (item.kind === 'fault') throw new SheetChanged();
      if (item.kind === 'header') continue;
      const { row, values } = item;
      const others = across(at);
      rows.push({ row, values, judged: judgeRow(values, others), across: others });
      at += 1;
    }
    yield rows;
  }
  if (hash.digest('hex') !== digest) throw new SheetChanged();
}

async function* digested(source: SheetSource, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source()) {
    hash.update(chunk);
    yield chunk;
  }
}
