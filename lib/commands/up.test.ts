// What `npm run up` refuses before it does anything.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdAlone } from './exclusive.mjs';

const UP = path.join(import.meta.dirname, 'up.mjs');
const SLOW = { timeout: 30_000 };
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'onceover-up-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function up(env: Record<string, string>): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [UP], { env: { ...process.env, DATA_DIR: folder, ...env } });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('close', (code) => resolve({ code, text }));
  });
}

describe('npm run up', () => {
  it('refuses to run twice on one data folder, and tells where the first one is', SLOW, async () => {
    const lock = await holdAlone(`up ${folder}`, (socket) => {
      socket.end(`${JSON.stringify({ pid: 4711, address: 'http://127.0.0.1:3999' })}\n`);
    });
    const { code, text } = await up({});
    expect(code).toBe(1);
    expect(text).toContain('already runs at http://127.0.0.1:3999 (process 4711)');
    expect(readdirSync(folder)).toEqual([]);
    lock?.close();
  });

  it('refuses a PORT that is taken, by its number, and starts nothing', SLOW, async () => {
    const squatter = net.createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as net.AddressInfo;
    const { code, text } = await up({ PORT: String(port) });
    expect(code).toBe(1);
    expect(text).toContain(`Port ${port} is taken`);
    expect(readdirSync(folder)).toEqual([]);
    squatter.close();
  });
});
