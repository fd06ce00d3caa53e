import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Children } from './children.mjs';

const SLOW = { timeout: 30_000 };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'onceover-children-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, text: string): string {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, text);
  return file;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(what: string, is: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline;) {
    if (is()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not within 15 s: ${what}`);
}

function family() {
  const said: string[] = [];
  const fatal: string[] = [];
  const children = new Children({
    tell: (line: string) => said.push(line),
    onFatal: (why: string) => fatal.push(why),
  });
  return { said, fatal, children };
}

const plan = (name: string, file: string, restart: boolean) => ({
  name,
  args: [file],
  env: process.env,
  logFile: path.join(folder, `${name}.log`),
  restart,
});

describe('the processes of an installation', () => {
  it('are started again when they crash, each time later', SLOW, async () => {
    const { said, fatal, children } = family();
    const marks = path.join(folder, 'marks');
    const text = `import fs from 'node:fs'; fs.appendFileSync('${marks}', 'x'); process.exit(3);`;
    children.start(plan('crasher', program('crasher', text), true));
    await until('three starts', () => existsSync(marks) && readFileSync(marks, 'utf8').length >= 3);
    await children.stop();
    const starts = readFileSync(marks, 'utf8').length;
    expect(said[0]).toMatch(/crasher ended \(exit code 3\); starting it again in 0\.5 s/);
    expect(said[1]).toContain('in 1 s');
    expect(fatal).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(readFileSync(marks, 'utf8').length).toBe(starts);
  });

  it('end the whole start with their last words when they must not crash', SLOW, async () => {
    const { fatal, children } = family();
    children.start(plan('server', program('server', `console.error('the reason'); process.exit(1);`), false));
    await until('the end', () => fatal.length > 0);
    expect(fatal[0]).toContain('The server ended (exit code 1)');
    expect(fatal[0]).toContain('the reason');
  });

  it('stop together, the deaf one by force', SLOW, async () => {
    const { children, fatal } = family();
    const pids = path.join(folder, 'pids');
    const text = `import fs from 'node:fs'; process.on('SIGTERM', () => {}); fs.writeFileSync('${pids}', String(process.pid)); setInterval(() => {}, 1000);`;
    children.start(plan('deaf', program('deaf', text), true));
    children.start(plan('polite', program('polite', 'setInterval(() => {}, 1000);'), true));
    await until('the deaf one runs', () => existsSync(pids) && readFileSync(pids, 'utf8') !== '');
    const pid = Number(readFileSync(pids, 'utf8'));
    await children.stop();
    await until('it is gone', () => !isAlive(pid));
    expect(fatal).toEqual([]);
  });

  it('die with a parent that was killed', SLOW, async () => {
    const pidFile = path.join(folder, 'orphan.pid');
    const child = program(
      'orphan',
      `import fs from 'node:fs'; fs.writeFileSync('${pidFile}', String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const children = new URL('./children.mjs', import.meta.url).href;
    const parent = program(
      'parent',
      `import { Children } from '${children}';
       new Children({ tell() {}, onFatal() {} }).start({ name: 'orphan', args: ['${child}'], env: process.env, restart: true });
       setInterval(() => {}, 1000);`,
    );
    const started = spawn(process.execPath, [parent], { stdio: 'ignore' });
    await until('the child runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    started.kill('SIGKILL');
    await until('the child is gone', () => !isAlive(pid));
  });
});
