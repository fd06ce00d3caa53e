import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { AcrossRows } from '@/lib/domain/judge-row';
import { NewVersions, RecordIds } from '@/lib/domain/rows-together';
import type { SheetRow } from '@/lib/domain/sheet-columns';
import { isBlank } from '@/lib/domain/visible-text';

/** Files per column: of a million rows some 16,000 lie in each, and only one of them is in memory. */
const PARTS = 64;
/** Characters that wait in memory for one file. */
const WAITING = 32 * 1024;

/** The place of a row in the file, its number in the spreadsheet, what it is compared by, and its new version. */
type Entry = readonly [at: number, row: number, text: string, version: string];

/**
 * Which rows speak about the same record or key, exactly and in little memory: each column is dealt out to files by a
 * digest, so that equal texts meet in one file, and there they are compared as they stand.
 */
export class AcrossSheet {
  private readonly ids: Deal;
  private readonly keys: Deal;
  private rows = 0;

  constructor(folder: string) {
    this.ids = new Deal(path.join(folder, 'ids'));
    this.keys = new Deal(path.join(folder, 'keys'));
  }

  note(row: number, { recordId, key, newVersion }: SheetRow): void {
    if (!isBlank(recordId)) this.ids.add([this.rows, row, recordId, '']);
    if (!isBlank(key)) this.keys.add([this.rows, row, key, newVersion]);
    this.rows += 1;
  }

  /** What the others say of the row at a place, once all are noted. */
  async settle(): Promise<(at: number) => AcrossRows> {
    const sameId = new Uint32Array(this.rows);
    for (const part of this.ids.parts()) {
      const ids = new RecordIds();
      for await (const [, row, id] of part()) ids.see(id, row);
      for await (const [at, row, id] of part()) sameId[at] = ids.otherThan(row, id) ?? 0;
    }
    const otherVersion = new Uint32Array(this.rows);
    for (const part of this.keys.parts()) {
      const versions = new NewVersions();
      for await (const [, row, key, version] of part()) versions.see(key, version, row);
      for await (const [at, , key, version] of part())
        otherVersion[at] = versions.otherThan(version, key) ?? 0;
    }
    // No row of data is number 0.
    const orNull = (row: number | undefined) => (row === undefined || row === 0 ? null : row);
    return (at) => ({ sameRecordId: orNull(sameId[at]), otherNewVersion: orNull(otherVersion[at]) });
  }
}

/** Entries dealt out to files, equal texts to the same one. */
class Deal {
  private readonly waiting = Array.from({ length: PARTS }, () => '');
  /** Nobody who writes a sheet can aim at one file. */
  private readonly salt = randomBytes(16);

  constructor(private readonly place: string) {}

  add(entry: Entry): void {
    const part = (createHash('sha256').update(this.salt).update(entry[2]).digest()[0] ?? 0) % PARTS;
    this.waiting[part] += `${JSON.stringify(entry)}\n`;
    if ((this.waiting[part] ?? '').length > WAITING) this.flush(part);
  }

  /** Each file, as often as it is asked for. */
  *parts(): Generator<() => AsyncGenerator<Entry>> {
    for (let part = 0; part < PARTS; part += 1) {
      this.flush(part);
      if (existsSync(this.file(part))) yield () => entriesOf(this.file(part));
    }
  }

  private flush(part: number): void {
    const text = this.waiting[part] ?? '';
    if (text !== '') appendFileSync(this.file(part), text, { mode: 0o600 });
    this.waiting[part] = '';
  }

  private file = (part: number) => `${this.place}-${part}`;
}

async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const lines = readline.createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  // Written by `Deal` a moment ago.
  for await (const line of lines) yield JSON.parse(line) as Entry;
}
