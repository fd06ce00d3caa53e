// The embedded PostgreSQL itself, on folders of its own: started, shared, killed, restarted.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, it, type TestContext } from 'vitest';
import { databaseRecord, holdDatabase } from './embedded-database.mjs';

const MODULE = new URL('./embedded-database.mjs', import.meta.url).href;
const SLOW = { timeout: 60_000 };

function newFolder({ onTestFinished }: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-database-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must enter it
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Another process that holds the database of the folder. */
async function holdElsewhere(folder: string): Promise<{ child: ChildProcess; port: number }> {
  const program = `import { holdDatabase } from '${MODULE}'; console.log((await holdDatabase('${folder}')).port);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (text) => resolve(Number(text))),
  );
  return { child, port };
}

function postmasterPid(folder: string): number | null {
  const file = path.join(databaseRecord(folder).cluster, 'data/postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
}

function killPostmaster(folder: string): number {
  const pid = postmasterPid(folder);
  if (pid === null) throw new Error('the server does not run');
  process.kill(pid, 'SIGKILL');
  return pid;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() !== null));
    socket.once('error', () => resolve(false));
  });

async function until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    if (await is()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not within 20 s: ${what}`);
}

describe.concurrent('the embedded database', () => {
  it(
    'is made once by five first starts at the same moment, and stops with the last of them',
    SLOW,
    async (context) => {
      const { expect } = context;
      const folder = newFolder(context);
      const held = await Promise.all(Array.from({ length: 5 }, () => holdDatabase(folder)));
      const port = held[0]?.port ?? 0;
      expect(new Set(held.map((each) => each.port))).toEqual(new Set([port]));
      for (const each of held.slice(1)) await each.release();
      expect(await answers(port)).toBe(true);
      await held[0]?.release();
      expect(await answers(port)).toBe(false);
    },
  );

  it('keeps its port and data over a restart, and its passwords to its owner', SLOW, async (context) => {
    const { expect } = context;
    const folder = newFolder(context);
    const first = await holdDatabase(folder);
    await query(first.url('postgres', 'postgres'), 'CREATE TABLE kept ()');
    await first.release();
    expect(statSync(path.join(folder, 'database.json')).mode & 0o077).toBe(0);
    const second = await holdDatabase(folder);
    expect(second.port).toBe(first.port);
    expect(await query(second.url('postgres', 'postgres'), 'SELECT FROM kept')).toEqual([]);
    await second.release();
  });

  it('moves to another port when its own is taken', SLOW, async (context) => {
    const { expect } = context;
    const folder = newFolder(context);
    const first = await holdDatabase(folder);
    await first.release();
    const squatter = net.createServer();
    await new Promise<void>((resolve) => squatter.listen(first.port, '127.0.0.1', resolve));
    const second = await holdDatabase(folder);
    expect(second.port).not.toBe(first.port);
    await second.release();
    squatter.close();
  });

  it('stops when its only user is killed', SLOW, async (context) => {
    const { expect } = context;
    const { child, port } = await holdElsewhere(newFolder(context));
    expect(await answers(port)).toBe(true);
    child.kill('SIGKILL');
    await until('the server is gone', async () => !(await answers(port)));
  });

  it('comes back on the same port when its postmaster is killed', SLOW, async (context) => {
    const { expect } = context;
    const folder = newFolder(context);
    const held = await holdDatabase(folder);
    const killed = killPostmaster(folder);
    await until('another postmaster', () => ![killed, null].includes(postmasterPid(folder)));
    // It listens before it has recovered.
    await until('it answers', () =>
      query(held.url('postgres', 'postgres'), 'SELECT 1').then(Boolean, () => false),
    );
    expect(await answers(held.port)).toBe(true);
    await held.release();
  });

  it('starts over the files of a start that was killed together with its server', SLOW, async (context) => {
    const { expect } = context;
    const folder = newFolder(context);
    const { child, port } = await holdElsewhere(folder);
    const killed = killPostmaster(folder);
    child.kill('SIGKILL');
    await until('both are gone', () => child.signalCode !== null && !isAlive(killed));
    const held = await holdDatabase(folder);
    expect(held.port).toBe(port);
    expect(await query(held.url('postgres', 'postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await held.release();
  });

  it('tells its users when it is lost for good', SLOW, async (context) => {
    const { expect } = context;
    const folder = newFolder(context);
    const held = await holdDatabase(folder);
    writeFileSync(path.join(databaseRecord(folder).cluster, 'data/postgresql.conf'), 'no_such_setting = 1\n');
    killPostmaster(folder);
    expect(await held.lost).toContain('no_such_setting');
  });

  it('says what is wrong when the passwords of an existing cluster are gone', SLOW, async (context) => {
    const { expect } = context;
    const folder = newFolder(context);
    await (await holdDatabase(folder)).release();
    rmSync(path.join(folder, 'database.json'));
    await expect(holdDatabase(folder)).rejects.toThrow('passwords');
  });
});
