import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

/** Where a program writes: text by text, and at the end all of it or nothing. */
export interface Outlet {
  write(text: string): Promise<void>;
  /** What was written stands. */
  keep(): Promise<void>;
  /** Nothing of it stands. */
  drop(): Promise<void>;
}

/** A file that appears under its name when it is whole; until then it lies beside it. */
export function fileOutlet(file: string): Outlet {
  const draft = `${file}.${process.pid}.part`;
  // Records of a business: for whoever started the program alone.
  const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error as Error));
  // Told to whoever writes next; nobody else waits for it.
  failed.catch(() => undefined);
  return {
    write: (text) =>
      stream.write(text)
        ? Promise.resolve()
        : Promise.race([once(stream, 'drain').then(() => undefined), failed]),
    keep: async () => {
      stream.end();
      await finished(stream);
      await rename(draft, file);
    },
    drop: async () => {
      stream.destroy();
      await rm(draft, { force: true });
    },
  };
}

/** The program's own output, which cannot be taken back; whoever uses it writes nothing before all is known. */
export const outputOutlet = (): Outlet => ({
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  keep: async () => undefined,
  drop: async () => undefined,
});
