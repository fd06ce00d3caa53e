// What the signer keeps on its own disk. Every write is on the disk before the next step is taken.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  checkpointDigest,
  checkpointLine,
  FIRST_PREVIOUS,
  parseCheckpoint,
  type CheckpointRecord,
  type SealedRange,
} from '../verifier/checkpoint.mjs';
import { readLines } from '../verifier/read-lines.mjs';

/** What the signer remembers; the checkpoint file and this one are compared before anything is signed. */
export interface SignerState {
  readonly last: CheckpointRecord | null;
  /** A line that is to be, or has just been, appended: after a crash the same one is completed, never another made. */
  readonly pending: string | null;
  /** Lines that the database has not taken yet. */
  readonly unpublished: readonly string[];
  /** Of all lines of the published file, each with what was before it; and the file's last change as the system tells it. */
  readonly digest?: string;
  readonly mark?: string;
  /** The ranges that we let leave; without it, the published file tells them. */
  readonly sealed?: readonly SealedRange[];
}

/** The file does not end as this signer left it. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

const NOTHING: SignerState = { last: null, pending: null, unpublished: [] };

export class SignerFiles {
  /** The published file: one record a line, only ever appended to. */
  readonly checkpoints: string;
  /** The public keys, to be handed to whoever verifies. */
  readonly publicKeys: string;
  private readonly state: string;

  constructor(readonly folder: string) {
    this.checkpoints = path.join(folder, 'audit-checkpoints.jsonl');
    this.publicKeys = path.join(folder, 'audit-keys.json');
    this.state = path.join(folder, 'audit-signer-state.json');
  }

  /** The state as of the last completed step; where it is gone, as the checkpoint file tells it. */
  readState(): SignerState {
    const state = fs.existsSync(this.state)
      ? (JSON.parse(fs.readFileSync(this.state, 'utf8')) as SignerState)
      : this.stateOfFile();
    return state.pending === null ? state : this.settle(state, state.pending);
  }

  /** Appends the record to the published file; whatever stops it, the next start completes exactly this record. */
  append(state: SignerState, record: CheckpointRecord): SignerState {
    const line = checkpointLine(record);
    const announced = { ...state, pending: line };
    this.writeState(announced);
    return this.settle(announced, line);
  }

  /** The database has taken what it had not. */
  published(state: SignerState): SignerState {
    const after = { ...state, unpublished: [] };
    this.writeState(after);
    return after;
  }

  /**
   * Throws when the published file is not what was written to it: at each pass its end and the system's note of its last
   * change, and every line when that note is not the one that we left.
   */
  async check(state: SignerState): Promise<SignerState> {
    this.checkEnd(state);
    if (state.last === null) return state;
    const mark = markOf(this.checkpoints);
    if (state.mark === mark && state.digest !== undefined) return state;
    const digest = await digestOf(this.checkpoints, state.last);
    if (digest === null || (state.digest !== undefined && state.digest !== digest))
      throw new FileChangedError(`${this.checkpoints} holds other lines than were written to it`);
    const checked = { ...state, digest, mark };
    this.writeState(checked);
    return checked;
  }

  private checkEnd({ last }: SignerState): void {
    const line = last === null ? '' : checkpointLine(last);
    const end = readEnd(this.checkpoints, Buffer.byteLength(line));
    if (
      last === null ? fs.existsSync(this.checkpoints) && fs.statSync(this.checkpoints).size > 0 : end !== line
    )
      throw new FileChangedError(`${this.checkpoints} does not end with the last checkpoint`);
  }

  writeState(state: SignerState): void {
    writeDurably(this.state, `${JSON.stringify(state)}\n`, 0o600);
  }

  private settle(state: SignerState, line: string): SignerState {
    const record = parseCheckpoint(line);
    if (record === null) throw new Error('bug: the pending line is no record');
    // Changed since we looked: the next pass looks at every line.
    const isOurs =
      state.last === null || (fs.existsSync(this.checkpoints) && markOf(this.checkpoints) === state.mark);
    completeLine(this.checkpoints, line);
    const { sealed, unpublished } = state;
    const after = {
      last: record,
      pending: null,
      unpublished: [...unpublished, line],
      ...(state.digest === undefined && state.last !== null
        ? {}
        : { digest: nextDigest(state.digest ?? '', line) }),
      ...(isOurs ? { mark: markOf(this.checkpoints) } : {}),
      ...(record.retired || sealed
        ? { sealed: [...(sealed ?? []), ...(record.retired ? [record.retired] : [])] }
        : {}),
    };
    this.writeState(after);
    return after;
  }

  private stateOfFile(): SignerState {
    const line = lastLine(this.checkpoints);
    if (line === null) return NOTHING;
    const last = parseCheckpoint(line);
    if (last === null)
      throw new FileChangedError(`${this.checkpoints} ends with something that is no record`);
    return { ...NOTHING, last };
  }
}

const nextDigest = (before: string, line: string): string =>
  createHash('sha256').update(before).update(line).digest('hex');

/** Over every line; null when one does not follow the line before it, or the last is another record. */
async function digestOf(file: string, last: CheckpointRecord): Promise<string | null> {
  let digest = '';
  let before: CheckpointRecord | null = null;
  for await (const line of readLines(file)) {
    const record = parseCheckpoint(line);
    const previous = before === null ? FIRST_PREVIOUS : checkpointDigest(before);
    if (record === null || record.previous !== previous) return null;
    digest = nextDigest(digest, `${line}\n`);
    before = record;
  }
  return before !== null && checkpointDigest(before) === checkpointDigest(last) ? digest : null;
}

/** Changes with every write, whoever writes, even when size and time of the content are put back. */
function markOf(file: string): string {
  const { size, ino, mtimeNs, ctimeNs } = fs.statSync(file, { bigint: true });
  return [size, ino, mtimeNs, ctimeNs].join(' ');
}

/** Makes the file end with the line, whether all, a part or nothing of it was written before. */
function completeLine(file: string, line: string): void {
  if (readEnd(file, Buffer.byteLength(line)) === line) return;
  const begun = readEnd(file, Buffer.byteLength(line)).split('\n').at(-1) ?? '';
  if (!line.startsWith(begun)) throw new FileChangedError(`${file} ends with a part of another record`);
  const isNew = !fs.existsSync(file);
  const handle = fs.openSync(file, 'a', 0o644);
  try {
    fs.writeSync(handle, line.slice(begun.length));
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  if (isNew) syncFolder(path.dirname(file));
}

/** The last bytes of a file, as text: records are ASCII. */
function readEnd(file: string, bytes: number): string {
  if (!fs.existsSync(file)) return '';
  const handle = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(handle);
    const length = Math.min(size, bytes);
    const buffer = Buffer.alloc(length);
    fs.readSync(handle, buffer, 0, length, size - length);
    return buffer.toString('latin1');
  } finally {
    fs.closeSync(handle);
  }
}

/** Bytes; a record has about 900. */
const LONGEST_RECORD = 4_096;

function lastLine(file: string): string | null {
  const lines = readEnd(file, LONGEST_RECORD).split('\n');
  if (lines.length < 2) return null;
  return lines.at(-1) === '' ? (lines.at(-2) ?? null) : (lines.at(-1) ?? null);
}

/** Writes a file whole or not at all, and to the disk. */
export function writeDurably(file: string, content: string, mode: number): void {
  const draft = `${file}.${process.pid}.tmp`;
  const handle = fs.openSync(draft, 'w', mode);
  try {
    fs.writeSync(handle, content);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(draft, file);
  syncFolder(path.dirname(file));
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
