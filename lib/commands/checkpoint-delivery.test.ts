import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliverWaiting } from './checkpoint-delivery';

let folder: string;
let file: string;
const said: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void said.push(line) });
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'onceover-outbox-'));
  file = path.join(folder, 'audit-checkpoints.jsonl');
  said.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One round as a process of its own would do it: nothing but the folder is remembered. */
async function round(answers: (line: string) => boolean, stop = new AbortController()): Promise<string[]> {
  const sent: string[] = [];
  const send = (line: string) => {
    sent.push(line);
    if (line === 'stop\n') stop.abort();
    return answers(line) ? Promise.resolve() : Promise.reject(new Error('status 500'));
  };
  await deliverWaiting({ folder, send, log }, stop.signal);
  return sent;
}

describe('what waits to be delivered', () => {
  it('PR-09 goes in order, and again from the first that did not arrive', async () => {
    expect(await round(() => true)).toEqual([]);
    writeFileSync(file, 'one\ntwo\nthree\n');
    expect(await round((line) => line !== 'two\n')).toEqual(['one\n', 'two\n']);
    expect(said.join('')).toContain('"event":"checkpoint_not_delivered","error":"status 500"');
    expect(await round(() => true)).toEqual(['two\n', 'three\n']);
    appendFileSync(file, 'four\n');
    expect(await round(() => true)).toEqual(['four\n']);
    expect(await round(() => true)).toEqual([]);
  });

  it('PR-09 is whole lines, however many there are', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => `${String(n).padEnd(900, 'x')}\n`);
    writeFileSync(file, `${lines.join('')}half a li`);
    expect(await round(() => true)).toEqual(lines);
    appendFileSync(file, 'ne\n');
    expect(await round(() => true)).toEqual(['half a line\n']);
  });

  it('PR-09 stays for the next start when it is time to stop', async () => {
    writeFileSync(file, 'one\nstop\nthree\n');
    expect(await round(() => true)).toEqual(['one\n', 'stop\n']);
    expect(await round(() => true)).toEqual(['three\n']);
  });

  it('PR-09 is nothing, and the log says so, when the file is shorter than what was delivered', async () => {
    writeFileSync(file, 'one\ntwo\n');
    await round(() => true);
    writeFileSync(file, 'one\n');
    expect(await round(() => true)).toEqual([]);
    expect(said.join('')).toContain('is shorter than what was delivered');
  });

  it('PR-09 is sent by one of two processes that deliver at the same time', async () => {
    writeFileSync(file, 'one\ntwo\n');
    const sent = (await Promise.all([round(() => true), round(() => true)])).flat();
    expect(sent).toEqual(['one\n', 'two\n']);
  });
});
