import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { strangersIn } from '@/lib/commands/artefact.mjs';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { findLeaks } from '@/lib/commands/secret-scan';

const ARTEFACT = path.resolve(import.meta.dirname, '../.next/standalone');

/** Of everything that production gets and browsers can ask for. */
function* texts(folder: string): Generator<[string, string]> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(?:[cm]?js|json|html|css|txt|rsc)$/.test(entry.name))
      yield [path.relative(ARTEFACT, file), fs.readFileSync(file, 'utf8')];
  }
}

test('SC-04 production gets what serving needs: no tests, maps, settings or programs of ours', () => {
  expect(fs.existsSync(path.join(ARTEFACT, 'server.js')), 'the build is there').toBe(true);
  expect(strangersIn(ARTEFACT)).toEqual([]);
  expect(strangersIn(path.resolve(ARTEFACT, '../static'))).toEqual([]);
  const mapped = [...texts(path.join(ARTEFACT, '.next'))]
    .filter(([, text]) => /^\/\/# sourceMappingURL=data:/m.test(text))
    .map(([file]) => file);
  expect(mapped, 'maps inside of files').toEqual([]);
});

test('SC-05 the build holds no secret and no account of the demo', () => {
  let files = 0;
  for (const [file, text] of texts(path.join(ARTEFACT, '.next'))) {
    files += 1;
    expect(findLeaks(text), file).toEqual([]);
    for (const account of [demoEmail('operator'), demoEmail('admin'), 'Olivia Operator'])
      expect(text.includes(account), `${account} in ${file}`).toBe(false);
  }
  expect(files).toBeGreaterThan(50);
});
