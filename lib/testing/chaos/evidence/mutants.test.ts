import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '@/lib/commands/toolchain.mjs';
import { breakTree, EVIDENCE_MUTANT_NAMES, EVIDENCE_MUTANTS, isEvidenceMutant } from './mutants';

test('each way of being wrong fits its file in one place and changes it', () => {
  const bad = EVIDENCE_MUTANT_NAMES.filter((name) => {
    const { file, find, replace } = EVIDENCE_MUTANTS[name];
    const parts = readFileSync(path.join(ROOT, file), 'utf8').split(find).length;
    return parts !== 2 || String(find) === String(replace);
  });
  expect(bad).toEqual([]);
  expect(isEvidenceMutant('zero-horizon')).toBe(true);
  expect(isEvidenceMutant('toString')).toBe(false);
});

test('the broken tree is a copy: the checkout stays as it is', () => {
  const { file, replace } = EVIDENCE_MUTANTS['zero-horizon'];
  const folder = breakTree('zero-horizon');
  try {
    expect(readFileSync(path.join(folder, file), 'utf8')).toContain(replace);
    expect(readFileSync(path.join(ROOT, file), 'utf8')).not.toContain(replace);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
