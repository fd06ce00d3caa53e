import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { strangersIn, tidyArtefact } from './artefact.mjs';

function artefact(...files: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-artefact-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
  return folder;
}

const NEEDED = [
  'server.js',
  '.next/server/app/(desk)/queue/page.js',
  '.next/static/chunks/tests.js',
  '.next/server/app/test/page.js',
  'node_modules/a/latest.js',
];
const STRANGE = [
  ...['.env', '.env.production', '.next/server/app/page.js.map', '.next/static/chunks/a.js.map'],
  ...['e2e/desk.ts', 'lib/testing/people.ts', 'lib/commands/make-demo.ts', 'prisma/schema/access.prisma'],
  ...['node_modules/a/test/end.js', 'node_modules/@b/c/__tests__/x.js', 'app/page.test.js', 'server.key'],
];

it.each(STRANGE)('SC-04 %s does not belong to what serves', (file) => {
  const folder = artefact(...NEEDED, file);
  expect(strangersIn(folder)).toHaveLength(1);
  tidyArtefact(folder);
  expect(strangersIn(folder)).toEqual([]);
});

it('SC-04 what serving needs stays', () => {
  expect(strangersIn(artefact(...NEEDED))).toEqual([]);
});
