import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectorSchema } from '@/lib/domain/connector';
import { installConnector, RECIPE } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import type { ReadContext } from '../read-context';
import { startConnector } from './start-connector';

const NOTHING = { from: null, of: null, settings: {} };

let db: TestDatabase;
let desk: DeskFixture;
let admin: ReadContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = {
    actor: (await desk.desk({ roles: ['ADMIN'], authorities: [], tenants: ['tenant-north'] })).actor,
    db: db.pool('app'),
  };
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

describe('what a new connector begins with', () => {
  it('R-063v an empty form, where nothing or nothing known is asked for', async () => {
    for (const asked of [NOTHING, { ...NOTHING, from: 'guess' }, { ...NOTHING, from: 'copy', of: 'nobody' }])
      expect(await startConnector(admin, asked)).toEqual({ from: 'empty' });
  });

  it('R-063v the recipes that come along, each with its source and what is to fill in', async () => {
    const start = await startConnector(admin, { ...NOTHING, from: 'shipped' });
    if (!('recipes' in start)) throw new Error(JSON.stringify(start));
    expect(start.recipes.length).toBeGreaterThan(5);
    for (const { source, settings } of start.recipes) {
      expect(source).toMatch(/^@?[a-z/-]+@\d+\.\d+\.\d+, [a-z./]+\.json$/);
      expect(settings.some((each) => each.default === null || each.name === 'secret')).toBe(true);
    }
  });

  it('R-063v a recipe is filled with what was given, once all of it has its form', async () => {
    const of = { from: 'shipped', of: 'stripe-refund' };
    const recipeFor = async (settings: Record<string, string>) => {
      const start = await startConnector(admin, { ...of, settings });
      if (!('shipped' in start)) throw new Error(JSON.stringify(start));
      expect(start.shipped.name).toBe('stripe-refund');
      return start.recipe;
    };
    expect(await recipeFor({})).toBeNull();
    expect(await recipeFor({ account: 'acct 1' })).toBeNull();
    expect(await recipeFor({ secret: 'STRIPE_EU' })).toBeNull();
    expect(await recipeFor({ account: 'acct_1', again: '1' })).toBeNull();
    const recipe = await recipeFor({ account: 'acct_1', secret: 'STRIPE_EU', cursor: 'of the address' });
    expect(connectorSchema.parse(recipe)).toMatchObject({
      fixedAccount: 'acct_1',
      headers: { authorization: 'Bearer ${secret:STRIPE_EU}' },
    });
  });

  it("R-063v a copy of a connector that the reader sees, and of nobody else's", async () => {
    const own = `own-${randomUUID()}`;
    const foreign = `foreign-${randomUUID()}`;
    await installConnector(db, { connectorId: own, tenantId: 'tenant-north', recipe: RECIPE });
    await installConnector(db, { connectorId: foreign, tenantId: 'tenant-south', recipe: RECIPE });
    const list = await startConnector(admin, { ...NOTHING, from: 'copy' });
    if (!('connectors' in list)) throw new Error(JSON.stringify(list));
    const names = list.connectors.map(({ connectorId }) => connectorId);
    expect(names).toContain(own);
    expect(names).not.toContain(foreign);
    const copy = { ...NOTHING, from: 'copy' };
    expect(await startConnector(admin, { ...copy, of: own })).toMatchObject({ of: own, recipe: RECIPE });
    expect(await startConnector(admin, { ...copy, of: foreign })).toEqual({ from: 'empty' });
    const operator = await desk.desk({ roles: ['OPERATOR'], authorities: [] });
    expect(await startConnector({ ...admin, actor: operator.actor }, { ...copy, of: own })).toEqual({
      from: 'empty',
    });
  });
});
