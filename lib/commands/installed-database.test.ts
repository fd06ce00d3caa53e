// Commands that use an installation, where there is none, a half one and a whole one.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlLine } from './bring-up.mjs';
import { holdDatabase } from './embedded-database.mjs';
import { ROOT } from './toolchain.mjs';

const SLOW = { timeout: 120_000 };
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'onceover-installed-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must enter it
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  text: string;
}

function end(file: string, args: string[], more: Record<string, string | undefined> = {}): Promise<Ended> {
  const { DATABASE_URL: _app, DATABASE_OWNER_URL: _owner, ...env } = process.env;
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: ROOT, env: { ...env, DATA_DIR: folder, ...more } });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('close', (code) => resolve({ code, text }));
  });
}

const command = (script: string, words: string[] = [], more: Record<string, string> = {}) => {
  const [, , ...given] = (scripts[script] ?? '').split(' ');
  return end(process.execPath, [...given, ...words], more);
};

const COMMANDS: [string, string[]][] = [
  ['audit:verify', []],
  ['token', ['create', '--tenant', 't', '--principal', 'p']],
  ['admin:create', ['--email', 'a@example.org']],
  ['api', []],
];

describe('the embedded database of an installation', () => {
  it.each([...COMMANDS, ['db:url', []] as (typeof COMMANDS)[number]])(
    '%s makes nothing where nothing is, and says what to do',
    async (script, words) => {
      const missing = path.join(folder, 'missing');
      for (const DATA_DIR of [folder, missing]) {
        const { code, text } = await command(script, words, { DATA_DIR });
        expect({ code, text }).toMatchObject({ code: 2 });
        expect(text).toContain('There is no embedded database here yet');
        expect(text).toContain('npm run up');
      }
      expect(readdirSync(folder)).toEqual([]);
    },
    30_000,
  );

  it('a first start that was cut short is named by each, and completed by the next one', SLOW, async () => {
    const held = await holdDatabase(folder);
    for (const [script, words] of COMMANDS) {
      const { code, text } = await command(script, words);
      expect({ code, text }).toMatchObject({ code: 2 });
      expect(text).toContain('only half made');
      expect(text).not.toContain('producer API on');
    }
    expect(await end(process.execPath, ['lib/commands/migrate.mjs', 'deploy'])).toMatchObject({ code: 0 });
    expect(await command('audit:verify')).toMatchObject({ code: 0 });
    await held.release();
  });

  it('the API refuses a taken port by its number, lets go of the database and ends', SLOW, async () => {
    const squatter = net.createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as net.AddressInfo;
    const { code, text } = await command('api', [], { API_PORT: String(port) });
    squatter.close();
    expect({ code, text }).toEqual({
      code: 1,
      text: `Port ${port} is taken by another program: set API_PORT.\n`,
    });
  });

  it('the API does not say that it is ready when its role cannot log in', SLOW, async () => {
    const held = await holdDatabase(folder);
    const DATABASE_URL = held.url('onceover_app').replace(/:[^:@]+@/, ':wrong@');
    const { code, text } = await command('api', [], { DATABASE_URL, FIELD_HASH_KEY: 'k', API_PORT: '0' });
    await held.release();
    expect({ code, text }).toMatchObject({ code: 1 });
    expect(text).toContain('password authentication failed');
    expect(text).not.toContain('producer API on');
  });

  it('the printed line for psql is good in a window that knows no DATA_DIR', SLOW, async () => {
    const inner = /^psql "\$\((.*)\)"$/.exec(sqlLine(folder, folder))?.[1] ?? '';
    const { code, text } = await end('sh', ['-c', inner], { DATA_DIR: undefined });
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toMatch(/^postgresql:\/\/north_sql:.*@127\.0\.0\.1:\d+\/onceover$/m);
    expect(sqlLine(folder, undefined)).toBe('psql "$(npm run -s db:url -- --role north_sql)"');
    expect(sqlLine("/it's", 'x')).toContain(`DATA_DIR='/it'\\''s' npm`);
  });
});
