import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openJournal } from './journal';

const entry = z.strictObject({ n: z.number() });
let file = '';

function open(maxLines?: number): number[] {
  const seen: number[] = [];
  openJournal({
    file,
    parse: (value) => entry.parse(value),
    replay: ({ n }) => seen.push(n),
    maxLines,
  }).close();
  return seen;
}

describe('journal', () => {
  beforeEach(() => {
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'journal-')), 'kept.jsonl');
  });

  it('gives back what was appended, in order', () => {
    const journal = openJournal({ file, parse: (value) => entry.parse(value), replay: () => undefined });
    for (const n of [1, 2, 3]) journal.append({ n });
    journal.close();
    expect(open()).toEqual([1, 2, 3]);
  });

  it('cuts off a half-written last line, so that later lines stay readable', () => {
    fs.writeFileSync(file, '{"n":1}\n{"n":');
    expect(open()).toEqual([1]);
    const journal = openJournal({ file, parse: (value) => entry.parse(value), replay: () => undefined });
    journal.append({ n: 2 });
    journal.close();
    expect(open()).toEqual([1, 2]);
  });

  it('takes nothing after its end, when its descriptor may be another file by then', () => {
    const journal = openJournal({ file, parse: (value) => entry.parse(value), replay: () => undefined });
    journal.append({ n: 1 });
    journal.close();
    const other = path.join(path.dirname(file), 'other');
    const descriptor = fs.openSync(other, 'a');
    expect(() => journal.append({ n: 2 })).toThrow('is closed');
    journal.close();
    fs.writeSync(descriptor, 'still open');
    fs.closeSync(descriptor);
    expect(fs.readFileSync(other, 'utf8')).toBe('still open');
    expect(open()).toEqual([1]);
  });

  it('shortens an overlong file to its newest half at opening', () => {
    fs.writeFileSync(file, [1, 2, 3, 4, 5].map((n) => `{"n":${n}}\n`).join(''));
    expect(open(4)).toEqual([4, 5]);
    expect(open(4)).toEqual([4, 5]);
  });
});
