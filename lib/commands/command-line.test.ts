import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './toolchain.mjs';

const MANIFEST = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** As npm runs it, but without npm around it. */
function run(script: string, ...words: string[]) {
  const [, program = '', ...given] = (MANIFEST.scripts[script] ?? '').split(' ');
  expect(program).toBe('node');
  const env = {
    ...process.env,
    DATABASE_URL: undefined,
    DATABASE_OWNER_URL: 'postgresql://nobody@127.0.0.1:1/none',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...given, ...words], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the command line', () => {
  // Those of the tools (eslint, vitest, …) have their own help.
  const own = Object.entries(MANIFEST.scripts).flatMap(([script, line]) =>
    line.includes('lib/commands/') ? [script] : [],
  );

  it.each(own)(
    '%s --help says how it is called, and does nothing else',
    (script) => {
      const { status, stdout, stderr } = run(script, '--help');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^usage: /);
    },
    30_000,
  );

  it.each([
    ['token', '--tennant'],
    ['db:url', '--rolle'],
  ] as const)(
    '%s names a word that it does not know, and how it is called',
    (script, word) => {
      const { status, stdout, stderr } = run(script, word);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(word);
      expect(stderr).toContain('usage: ');
    },
    30_000,
  );
});
