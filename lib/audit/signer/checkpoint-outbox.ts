import fs from 'node:fs';
import path from 'node:path';
import { FileChangedError, writeDurably, type SignerFiles } from './signer-files';

/** Bytes that one look takes: about seventy records. */
const AT_ONCE = 65_536;

/**
 * The published file as an outbox: what is on the disk there gets delivered, at least once and in order, whenever the
 * process dies. Kept is one number: up to which byte the other side has said yes.
 */
export class CheckpointOutbox {
  private readonly mark: string;

  constructor(private readonly files: SignerFiles) {
    this.mark = path.join(files.folder, 'audit-delivered.json');
  }

  /** Whole lines that are still to be delivered, oldest first; some of them where there are many. */
  waiting(): string[] {
    const from = this.delivered();
    const size = fs.existsSync(this.files.checkpoints) ? fs.statSync(this.files.checkpoints).size : 0;
    if (size < from)
      throw new FileChangedError(`${this.files.checkpoints} is shorter than what was delivered`);
    const text = readPart(this.files.checkpoints, from, Math.min(size - from, AT_ONCE));
    return text.split(/(?<=\n)/).filter((line) => line.endsWith('\n'));
  }

  /** The oldest line that waits has arrived; on the disk before the next one is sent. */
  arrived(line: string): void {
    const delivered = this.delivered() + Buffer.byteLength(line);
    writeDurably(this.mark, `${JSON.stringify({ delivered })}\n`, 0o600);
  }

  private delivered(): number {
    if (!fs.existsSync(this.mark)) return 0;
    return (JSON.parse(fs.readFileSync(this.mark, 'utf8')) as { delivered: number }).delivered;
  }
}

/** Records are ASCII. */
function readPart(file: string, from: number, length: number): string {
  if (length === 0) return '';
  const handle = fs.openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.toString('latin1', 0, fs.readSync(handle, buffer, 0, length, from));
  } finally {
    fs.closeSync(handle);
  }
}
