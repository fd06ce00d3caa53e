import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isInstalled, run } from './toolchain.mjs';

const MODULE = new URL('./toolchain.mjs', import.meta.url).href;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('gives the output of a tool and whether it was content', async () => {
  expect(await run(process.execPath, ['-e', 'console.log("words")'], { quiet: true })).toMatchObject({
    ok: true,
    output: 'words\n',
  });
  expect(await run(process.execPath, ['-e', 'process.exit(3)'], { quiet: true })).toMatchObject({
    ok: false,
  });
  expect(await run('/no/such/program', [], { quiet: true })).toMatchObject({
    ok: false,
    output: expect.stringContaining('ENOENT'),
  });
});

it('knows that the packages are those of the lockfile', () => {
  expect(isInstalled()).toBe(true);
});

it(
  'takes a tool’s helpers along when it is stopped, and starts no other one',
  { timeout: 30_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'onceover-tools-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const pidFile = path.join(folder, 'helper.pid');
    const helper = path.join(folder, 'helper.mjs');
    writeFileSync(
      helper,
      `import fs from 'node:fs'; fs.writeFileSync('${pidFile}', String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const user = path.join(folder, 'user.mjs');
    writeFileSync(
      user,
      `import fs from 'node:fs'; import { run, stopTools } from '${MODULE}';
     const tool = run(process.execPath, ['-e', "require('node:child_process').spawn(process.execPath, ['${helper}']); setInterval(() => {}, 1000);"]);
     while (!fs.existsSync('${pidFile}') || fs.readFileSync('${pidFile}', 'utf8') === '') await new Promise((r) => setTimeout(r, 20));
     await stopTools();
     console.log(JSON.stringify([(await tool).ok, (await run(process.execPath, ['-e', '0'])).ok]));`,
    );
    const child = spawn(process.execPath, [user], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    await new Promise((resolve) => child.once('close', resolve));
    expect(JSON.parse(text)).toEqual([false, false]);
    const helperPid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isAlive(helperPid), { timeout: 10_000 }).toBe(false); // buried late by process 1
  },
);
