import fs from 'node:fs';
import path from 'node:path';
import { openJournal, type Journal } from '../journal';
import { workEntrySchema, type Intent, type Payload, type WorkEntry } from './intent';

export interface Work {
  intent: Intent;
  /** Contents that were sent under this key, the intent's own first. */
  contents: { contentVersion: string; payload: Payload }[];
  settled: boolean;
}

export interface DangerousRun {
  at: Date;
  scenario: string;
  workflowId: string;
}

/** The automations' own memory: each intent with its input, what became of it, and the dangerous runs. */
export class WorkBook {
  private readonly works = new Map<string, Work>();
  readonly runs: DangerousRun[] = [];

  apply(entry: WorkEntry): void {
    switch (entry.type) {
      case 'intent': {
        const { contentVersion, payload } = entry;
        this.works.set(nameOf(entry), {
          intent: entry,
          contents: [{ contentVersion, payload }],
          settled: false,
        });
        return;
      }
      case 'variant':
        this.find(entry.operation, entry.key)?.contents.push({
          contentVersion: entry.contentVersion,
          payload: entry.payload,
        });
        return;
      case 'settled': {
        const work = this.find(entry.operation, entry.key);
        if (work !== undefined) work.settled = true;
        return;
      }
      case 'run':
        this.runs.push({ at: new Date(entry.at), scenario: entry.scenario, workflowId: entry.workflowId });
        return;
      default: {
        const impossible: never = entry;
        throw new Error(`bug: unknown work entry ${JSON.stringify(impossible)}`);
      }
    }
  }

  find(operation: string, key: string): Work | undefined {
    return this.works.get(nameOf({ operation, key }));
  }

  list(): Work[] {
    return [...this.works.values()];
  }

  intentsOf(workflowId: string): Work[] {
    return this.list().filter((work) => work.intent.workflowId === workflowId);
  }
}

function nameOf(scope: { operation: string; key: string }): string {
  return `${scope.operation} ${scope.key}`;
}

function workFile(dataDir: string): string {
  return path.join(dataDir, 'sandbox', 'work.jsonl');
}

/** Opens the book for writing; the supervisor is its only writer. */
export function openWorkBook(dataDir: string): { book: WorkBook; journal: Journal<WorkEntry> } {
  const book = new WorkBook();
  const journal = openJournal<WorkEntry>({
    file: workFile(dataDir),
    parse: (value) => workEntrySchema.parse(value),
    replay: (entry) => book.apply(entry),
  });
  return { book, journal };
}

/** Follows the book in a process that does not write it; each look reads only what is new. */
export class WorkBookReader {
  private readonly book = new WorkBook();
  private offset = 0;

  constructor(private readonly dataDir: string) {}

  read(): WorkBook {
    const file = workFile(this.dataDir);
    if (!fs.existsSync(file)) return this.book;
    const descriptor = fs.openSync(file, 'r');
    try {
      const size = fs.fstatSync(descriptor).size;
      const added = Buffer.alloc(Math.max(0, size - this.offset));
      fs.readSync(descriptor, added, 0, added.length, this.offset);
      const whole = added.subarray(0, added.lastIndexOf('\n') + 1);
      this.offset += whole.length;
      for (const line of whole.toString('utf8').split('\n')) {
        if (line !== '') this.book.apply(workEntrySchema.parse(JSON.parse(line)));
      }
    } finally {
      fs.closeSync(descriptor);
    }
    return this.book;
  }
}

/** The book as it is now. */
export function readWorkBook(dataDir: string): WorkBook {
  return new WorkBookReader(dataDir).read();
}
