import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import admin from './en/admin.json';
import connectors from './en/connectors.json';
import lookup from './en/lookup.json';
import policies from './en/policies.json';

const OPERATIONS = readFileSync(path.join(import.meta.dirname, '../../../OPERATIONS.md'), 'utf8');
const GUIDE = /## Connect a REST system in ten minutes\n([\s\S]*?)\n### /.exec(OPERATIONS)?.[1] ?? '';

/** *Names like this*: one star on either side. */
const named = [...GUIDE.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, name]) =>
  name?.replaceAll(/\s+/g, ' '),
);

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else for (const each of Object.values(value ?? {})) yield* textsOf(each);
}
const SHOWN = new Set([...[admin, connectors, lookup, policies].flatMap((each) => [...textsOf(each)])]);

describe('the guide for newcomers', () => {
  it('R-063x calls everything as the pages do', () => {
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => name !== 'like this' && !SHOWN.has(name ?? ''))).toEqual([]);
  });

  it('R-063x leaves out no part of the form but the limits, and no field without which nothing is asked or linked', () => {
    const { limits: _limits, ...parts } = connectors.section;
    const needed = [
      'system',
      'baseUrl',
      'path',
      'query',
      'headers',
      'items',
      'id',
      'status',
      'done',
      'content',
    ] as const;
    const either = ['account', 'fixedAccount', 'status404', 'emptyList', 'visibilityDelaySeconds'] as const;
    const labels = [...needed, ...either].map((field) => connectors.field[field].label);
    const asked = [...Object.values(parts), ...labels, connectors.form.id, connectors.form.tenant];
    expect(asked.filter((name) => !named.includes(name))).toEqual([]);
  });
});
