import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type SandboxSettings } from '@/lib/sandbox/settings';

const PROGRAM = path.resolve('lib/commands/sandbox.ts');
const children: ChildProcess[] = [];

function start(dataDir: string, env: Partial<Record<string, string>> = {}): ChildProcess {
  const child = fork(PROGRAM, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, NODE_ENV: 'test', DATA_DIR: dataDir, SANDBOX_AUTOMATIONS: 'off', ...env },
  });
  children.push(child);
  return child;
}

async function ready(child: ChildProcess): Promise<SandboxSettings> {
  const [message] = (await once(child, 'message')) as [{ ready: SandboxSettings }];
  return message.ready;
}

const makeDataDir = () => fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-program-'));

async function createRecords(settings: SandboxSettings, until: { stopped: boolean }): Promise<string[]> {
  const made: string[] = [];
  for (let count = 0; !until.stopped; count += 1) {
    const body = JSON.stringify({ externalReference: `key-${count}`, account: 'north', name: 'Hana' });
    const answer = await fetch(`http://127.0.0.1:${settings.crm.port}/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.crm.secret}` },
      body,
    }).catch(() => null);
    if (answer === null) break;
    made.push(((await answer.json()) as { id: string }).id);
  }
  return made;
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('sandbox program', () => {
  it('keeps every acknowledged effect when it is killed at work, and its ports', async () => {
    const dataDir = makeDataDir();
    const first = start(dataDir);
    const settings = await ready(first);
    const until = { stopped: false };
    const writing = createRecords(settings, until);
    const file = path.join(dataDir, 'sandbox', 'crm.jsonl');
    await expect
      .poll(() => fs.readFileSync(file, 'utf8').split('\n').length, { timeout: 10_000 })
      .toBeGreaterThan(20);
    first.kill('SIGKILL');
    await once(first, 'exit');
    until.stopped = true;
    const made = await writing;

    const again = await ready(start(dataDir));
    expect(again).toEqual(settings);
    for (const id of made.slice(-30)) {
      const answer = await fetch(`http://127.0.0.1:${again.crm.port}/records/${id}`, {
        headers: { authorization: `Bearer ${again.crm.secret}` },
      });
      expect(answer.status).toBe(200);
    }
  }, 30_000);

  it('ends with its parent', async () => {
    const child = start(makeDataDir());
    await ready(child);
    child.disconnect();
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  }, 20_000);

  it.each([
    { env: { DEMO: 'off' }, words: 'DEMO is off' },
    { env: { NODE_ENV: 'production' }, words: 'production installation' },
  ])(
    'does not run with $env',
    async ({ env, words }) => {
      const dataDir = makeDataDir();
      const child = start(dataDir, env);
      let said = '';
      child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
      await once(child, 'exit');
      expect(child.exitCode).toBe(1);
      expect(said).toContain(words);
      expect(fs.readdirSync(dataDir)).toEqual([]);
    },
    20_000,
  );
});
