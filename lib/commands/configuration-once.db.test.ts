import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture } from '@/lib/testing/ledger-fixture';
import { policySchema } from './configuration';
import { applyConfigurationOnce } from './configuration-once';
import { ROOT } from './toolchain.mjs';

const OPERATIONS = readFileSync(path.join(ROOT, 'OPERATIONS.md'), 'utf8');
const EXAMPLE = /```yaml\n([\s\S]*?)```/.exec(OPERATIONS)?.[1] ?? '';

let folder: string;
let file: string;
let db: TestDatabase;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'onceover-configuration-'));
  file = path.join(folder, 'onceover.yaml');
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  db = await testDatabase();
});
afterEach(() => db.drop());

const apply = (text: string) => {
  writeFileSync(file, text);
  return applyConfigurationOnce(db.pool('owner'), file);
};
const contents = async () => {
  const { rows } = await db.pool('owner').query<{ policies: string[]; connectors: string[] }>(
    `select array(select operation || ' ' || version from ledger.operation_policies where version > 0 order by 1) as policies,
            array(select connector_id || ' ' || (recipe->>'place') from review.connectors order by 1) as connectors`,
  );
  return rows[0];
};
const FILLED = {
  policies: ['acme-order-mail 1'],
  connectors: ['acme-mail Mail console, tab Sent'],
};

describe('ONCEOVER_CONFIG', () => {
  it('the example of OPERATIONS.md fills an empty database, and is not read a second time', async () => {
    expect(await apply(EXAMPLE)).toBe('ONCEOVER_CONFIG was read: tenants 1, connectors 1, policies 1.');
    expect(await contents()).toEqual(FILLED);
    const { rows } = await db
      .pool('owner')
      .query(
        'select conflict_tolerance, authority, lease_seconds from ledger.operation_policies where version > 0',
      );
    expect(rows).toEqual([{ conflict_tolerance: 5, authority: 'sending', lease_seconds: 60 }]);
    const changed = EXAMPLE.replaceAll('acme-order-mail', 'other').replace('Mail console', 'Elsewhere');
    expect(await apply(changed)).toMatch(
      /was not read: this database is in use \(it has policies, connectors, approval policies\)/,
    );
    expect(await apply('not: [even yaml')).toMatch(/was not read/);
    expect(await contents()).toEqual(FILLED);
  });

  it('R-056n sets the limits of outages, in bounds and of tenants that exist', async () => {
    await apply(EXAMPLE);
    const { rows } = await db.pool('owner').query('select * from review.outage_limits');
    expect(rows).toEqual([{ tenant_id: 'tenant-acme', unknown_results: 50, within_seconds: 300 }]);
  });

  it.each([
    ['unknownResults: 50', 'unknownResults: 1'],
    ['withinSeconds: 300', 'withinSeconds: 90000'],
    ['{ tenantId: tenant-acme, unknownResults', '{ tenantId: tenant-nowhere, unknownResults'],
  ])('R-056n refuses %s as %s', async (good, bad) => {
    await expect(apply(EXAMPLE.replace(good, bad))).rejects.toThrow('onceover.yaml');
    expect(await contents()).toEqual({ policies: [], connectors: [] });
  });

  it('a database in which something has arrived is in use, though nobody made a policy', async () => {
    const ledger = await ledgerFixture(db);
    await ledger.claim('order-1');
    expect(await apply(EXAMPLE)).toMatch(/was not read: this database is in use \(it has .*arrivals\)/);
  });

  it('of two starts at once one reads it', async () => {
    writeFileSync(file, EXAMPLE);
    const said = await Promise.all([1, 2].map(() => applyConfigurationOnce(db.pool('owner'), file)));
    expect(said.map((line) => /was not read/.test(line)).toSorted()).toEqual([false, true]);
    expect(await contents()).toEqual(FILLED);
  });

  it.each([
    [
      'a member that it does not know',
      EXAMPLE.replace('conflictTolerance', 'conflict_tolerance'),
      'conflict_tolerance',
    ],
    [
      'a tenant that is nowhere',
      EXAMPLE.replace('- tenantId: tenant-acme', '- tenantId: tenant-b'),
      'tenant-acme',
    ],
    [
      'a connector that is nowhere',
      EXAMPLE.replace('connectorId: acme-mail #', 'connectorId: other #'),
      'acme-mail',
    ],
    ['a bad connector id', EXAMPLE.replaceAll('acme-mail', 'Acme_Mail'), 'lower-case'],
    [
      'what the database refuses',
      EXAMPLE.replace('retentionSeconds: 7776000', 'retentionSeconds: 5'),
      'acme-order-mail',
    ],
    ['no YAML', 'a: [', 'onceover.yaml'],
  ])('%s is named, and nothing is written', async (_what, text, named) => {
    await expect(apply(text)).rejects.toThrow(named);
    await expect(apply(text)).rejects.toThrow(`ONCEOVER_CONFIG ${file}`);
    expect(await contents()).toEqual({ policies: [], connectors: [] });
  });

  it('OPERATIONS.md names every member of a policy', () => {
    const members = Object.keys(policySchema.shape);
    expect(members.filter((name) => !new RegExp(`\\b${name}\\b`).test(OPERATIONS))).toEqual([]);
  });
});
