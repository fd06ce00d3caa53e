import fs from 'node:fs';
import path from 'node:path';

/** An append-only file of JSON lines that survives `kill -9` of its writer. One process writes one journal. */
export interface Journal<Entry> {
  append(entry: Entry): void;
  close(): void;
}

export interface JournalOptions<Entry> {
  file: string;
  /** Reads one line; throws on anything it does not know. */
  parse: (value: unknown) => Entry;
  /** Called for each kept entry, oldest first, before the journal is open for writing. */
  replay: (entry: Entry) => void;
  /** Beyond this many lines the file is cut to the newest half at opening. Default 40,000 lines (about 20 MB). */
  maxLines?: number;
}

/** Opens the journal: cuts a half-written last line off, shortens an overlong file, replays what is left. */
export function openJournal<Entry>(options: JournalOptions<Entry>): Journal<Entry> {
  const { file, parse, replay, maxLines = 40_000 } = options;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line !== '');
  const kept = lines.length > maxLines ? lines.slice(-Math.floor(maxLines / 2)) : lines;
  if (whole.length !== text.length || kept.length !== lines.length) replaceFile(file, kept);
  for (const line of kept) replay(parse(JSON.parse(line)));

  let descriptor: number | null = fs.openSync(file, 'a', 0o600);
  return {
    append: (entry) => {
      // The system gives a closed number to the next file that is opened: the line would land there.
      if (descriptor === null) throw new Error(`the journal ${file} is closed`);
      // One write per line: what a kill leaves behind is the line or nothing, and the next opening repairs the rest.
      fs.writeSync(descriptor, `${JSON.stringify(entry)}\n`);
    },
    close: () => {
      if (descriptor !== null) fs.closeSync(descriptor);
      descriptor = null;
    },
  };
}

function replaceFile(file: string, lines: readonly string[]): void {
  const temporary = `${file}.new`;
  fs.writeFileSync(temporary, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  fs.renameSync(temporary, file);
}
