import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readResults } from './test-results.mjs';
import { ROOT } from './toolchain.mjs';

function report(content: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

it('reads Vitest: titles with their blocks, and a file that did not load as a failure', () => {
  const file = report({
    testResults: [
      {
        name: path.join(ROOT, 'lib/a.test.ts'),
        status: 'passed',
        assertionResults: [
          { fullName: 'block R-001 holds', status: 'passed' },
          {
            fullName: 'block R-002 holds',
            status: 'failed',
            failureMessages: ['\u001b[31mexpected 2\u001b[39m\nto be 1', 'more'],
          },
        ],
      },
      {
        name: path.join(ROOT, 'lib/b.test.ts'),
        status: 'failed',
        message: 'no such module\nat x',
        assertionResults: [],
      },
    ],
  });
  expect(readResults('vitest', file)).toEqual([
    { title: 'block R-001 holds', file: 'lib/a.test.ts', passed: true },
    {
      title: 'block R-002 holds',
      file: 'lib/a.test.ts',
      passed: false,
      reason: 'expected 2\nto be 1',
    },
    {
      title: 'lib/b.test.ts runs: no such module',
      file: 'lib/b.test.ts',
      passed: false,
      unloaded: true,
      reason: 'no such module\nat x',
    },
  ]);
});

it('reads Playwright: nested blocks, and errors outside of tests as failures', () => {
  const spec = (title: string, ok: boolean) => ({
    ...{ title, ok, file: 'desk.spec.ts' },
    tests: [{ results: ok ? [{}] : [{}, { error: { message: 'the button did not appear' } }] }],
  });
  const file = report({
    suites: [
      {
        title: 'desk.spec.ts',
        file: 'desk.spec.ts',
        specs: [spec('R-066 links', true)],
        suites: [{ title: 'an approver', file: 'desk.spec.ts', specs: [spec('R-070 approves', false)] }],
      },
    ],
    errors: [{ message: 'the product did not start\nmore' }],
  });
  expect(readResults('playwright', file)).toEqual([
    { title: 'R-066 links', file: 'e2e/desk.spec.ts', passed: true },
    {
      title: 'an approver R-070 approves',
      file: 'e2e/desk.spec.ts',
      passed: false,
      reason: 'the button did not appear',
    },
    {
      title: 'browser tests run: the product did not start',
      file: 'e2e',
      passed: false,
      reason: 'the product did not start\nmore',
    },
  ]);
});
