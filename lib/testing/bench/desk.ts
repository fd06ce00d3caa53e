// What only a browser can measure, at the real product: the browser tests that carry lines for the bench.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TOOLS } from '@/lib/commands/toolchain.mjs';
import type { Line } from './measurements';

const run = promisify(execFile);

interface Suite {
  suites?: Suite[];
  specs?: {
    title: string;
    ok: boolean;
    tests: { annotations: { type: string; description?: string }[] }[];
  }[];
}

/** Presses and delays at the desk, by `e2e`'s tests of the tag `@bench`. Throws where one of them fails. */
export async function desk(): Promise<Line[]> {
  const args = [
    TOOLS.playwright,
    'test',
    '--grep',
    '@bench',
    '--no-deps',
    '--workers',
    '1',
    '--reporter',
    'json',
  ];
  const { stdout } = await run(process.execPath, args, {
    env: { ...process.env, E2E_FULL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  // Playwright's own report; its form is its documented one.
  return linesOf(JSON.parse(stdout.slice(stdout.indexOf('{'))) as Suite);
}

function linesOf(suite: Suite): Line[] {
  const own = (suite.specs ?? []).flatMap(({ tests }) =>
    tests
      .flatMap(({ annotations }) => annotations)
      .filter(({ type }) => type === 'bench')
      // Written by e2e/bench-line.ts.
      .map(({ description }) => JSON.parse(description ?? '') as Line),
  );
  return [...own, ...(suite.suites ?? []).flatMap(linesOf)];
}
