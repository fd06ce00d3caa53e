// What the signer keeps on its own disk. Every write is on the disk before the next step is taken.
import fs from 'node:fs';
import path from 'node:path';
import {
  checkpointLine,
  parseCheckpoint,
  type CheckpointRecord,
  type SealedRange,
} from '../verifier/checkpoint.mjs';

/** What the signer remembers; the checkpoint file and this one are compared before anything is signed. */
export interface SignerState {
  readonly last: CheckpointRecord | null;
  /** A line that is to be, or has just been, appended: after a crash the same one is completed, never another made. */
  readonly pending: string | null;
  /** Lines that the database has not taken yet. */
  readonly unpublished: readonly string[];
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

  /** Throws when the published file does not end with the last record. */
  checkEnd({ last }: SignerState): void {
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
    completeLine(this.checkpoints, line);
    const { sealed, unpublished } = state;
    const after = {
      last: record,
      pending: null,
      unpublished: [...unpublished, line],
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
