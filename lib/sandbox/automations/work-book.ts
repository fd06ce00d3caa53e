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

/** Reads the book as it is now, for a process that does not write it. */
export function readWorkBook(dataDir: string): WorkBook {
  const book = new WorkBook();
  const file = workFile(dataDir);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line !== '') book.apply(workEntrySchema.parse(JSON.parse(line)));
  }
  return book;
}
