import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const IMPORT = /import (?!type )([^;]*?) from '([^']+)'/g;
/** A page, a layout, and what else the router renders on the server by its name. */
const ENTRIES = readdirSync(path.join(ROOT, 'app'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?:page|layout|not-found|loading|template)\.tsx$/.test(file),
);

const isClient = (source: string): boolean => /^(?:\/\/.*\n|\s)*'use client'/.test(source);

function resolve(from: string, name: string): string | null {
  if (!name.startsWith('.') && !name.startsWith('@/')) return null;
  const base = name.startsWith('@/')
    ? path.join(ROOT, name.slice(2))
    : path.resolve(path.dirname(from), name);
  return (
    ['.tsx', '.ts', ''].map((end) => base + end).find((file) => /\.tsx?$/.test(file) && existsSync(file)) ??
    null
  );
}

it('what the server renders calls no hook of a module for browsers alone: such a page would fail when it is asked for', () => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    if (isClient(source)) return;
    for (const [, names = '', from = ''] of source.matchAll(IMPORT)) {
      const target = resolve(file, from);
      if (target === null) continue;
      const hooks = names.match(/\buse[A-Z]\w*/g) ?? [];
      if (hooks.length > 0 && isClient(readFileSync(target, 'utf8'))) {
        wrong.push(`${path.relative(ROOT, file)}: ${hooks.join(', ')} of ${from}`);
      }
      visit(target);
    }
  };
  for (const entry of ENTRIES) visit(path.join(ROOT, 'app', entry));
  expect(seen.size).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});
