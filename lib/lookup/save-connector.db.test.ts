import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { saveConnector, type ConnectorDraft } from './save-connector';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const context: TransactionContext = {
  actor: { kind: 'system', id: 'system:test' },
  requestId: 'r',
  sourceAddress: null,
};
const recipe = {
  system: 'crm',
  baseUrl: 'https://crm.example.com/api',
  path: 'records/{key}',
  fields: { id: '/id' },
  content: [{ expected: '{key}', pointer: '/reference' }],
  notFound: { status404: true, emptyList: false },
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
};
const save = (role: 'app' | 'owner' | 'worker', change: Partial<ConnectorDraft> = {}) =>
  transaction(db.pool(role), context, (tx) =>
    saveConnector(tx, { connectorId: 'crm', tenantId: null, recipe, allowPrivate: false, ...change }),
  );
const row = async (connectorId = 'crm') =>
  (
    await db
      .pool('owner')
      .query(
        'SELECT version, allow_private, updated_by, recipe FROM review.connectors WHERE connector_id = $1',
        [connectorId],
      )
  ).rows[0];

describe('saveConnector', () => {
  it('R-063j keeps a checked recipe and counts its versions', async () => {
    expect(await save('app')).toMatchObject({ outcome: 'done' });
    expect(await row()).toMatchObject({ version: 1, updated_by: 'system:test', allow_private: false });
    await save('app');
    expect(await row()).toMatchObject({ version: 2 });
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://metadata.google.internal/',
    'http://crm.example.com/',
  ])('R-063k SS-01 %s is refused at save', async (baseUrl) => {
    expect(await save('app', { connectorId: 'bad', recipe: { ...recipe, baseUrl } })).toMatchObject({
      outcome: 'refused',
      code: 'ADDRESS_REFUSED',
    });
    expect(await row('bad')).toBeUndefined();
  });

  it('R-063k SS-10 another method, a body or a method header is refused at save, and by the table', async () => {
    for (const change of [
      { method: 'POST' },
      { body: '{}' },
      { headers: { 'x-http-method-override': 'DELETE' } },
    ]) {
      expect(await save('app', { connectorId: 'bad', recipe: { ...recipe, ...change } })).toMatchObject({
        outcome: 'refused',
        code: 'RECIPE_INVALID',
      });
    }
    for (const change of [{ method: 'DELETE' }, { body: 'x' }]) {
      await expect(
        transaction(db.pool('app'), context, (tx) =>
          tx.query('INSERT INTO review.connectors (connector_id, recipe) VALUES ($1, $2)', [
            'bad',
            { ...recipe, ...change },
          ]),
        ),
      ).rejects.toMatchObject({ code: '23514' });
    }
  });

  it("R-063l only the deployment's bootstrap opens this machine, and a new address closes it again", async () => {
    const local = { ...recipe, baseUrl: 'http://127.0.0.1:4010/' };
    await expect(
      save('app', { connectorId: 'local', recipe: local, allowPrivate: true }),
    ).rejects.toMatchObject({ code: '42501' });
    expect(await save('owner', { connectorId: 'local', recipe: local, allowPrivate: true })).toMatchObject({
      outcome: 'done',
    });
    await expect(
      transaction(db.pool('app'), context, (tx) =>
        tx.query(`UPDATE review.connectors SET allow_private = true WHERE connector_id = 'crm'`),
      ),
    ).rejects.toMatchObject({ code: '42501' });
    await transaction(db.pool('app'), context, (tx) =>
      tx.query(
        `UPDATE review.connectors SET recipe = recipe || '{"attempts": 3}' WHERE connector_id = 'local'`,
      ),
    );
    expect(await row('local')).toMatchObject({ allow_private: true });
    await transaction(db.pool('app'), context, (tx) =>
      tx.query(
        `UPDATE review.connectors SET recipe = recipe || '{"baseUrl": "http://127.0.0.1:22/"}' WHERE connector_id = 'local'`,
      ),
    );
    expect(await row('local')).toMatchObject({ allow_private: false });
  });

  it("R-063l a port that the deployment's environment names is open for whoever saves, and only that one", async () => {
    const at = (port: number) =>
      transaction(db.pool('app'), context, (tx) =>
        saveConnector(
          tx,
          {
            connectorId: 'by-port',
            tenantId: null,
            recipe: { ...recipe, baseUrl: `http://127.0.0.1:${port}/` },
            allowPrivate: false,
          },
          new Set(['4010']),
        ),
      );
    expect(await at(4011)).toMatchObject({ outcome: 'refused', code: 'ADDRESS_REFUSED' });
    expect(await at(4010)).toMatchObject({ outcome: 'done' });
  });

  it('R-058x a database is asked by one connection of the environment, and by a SELECT, whoever writes the row', async () => {
    const { baseUrl: _address, path: _path, notFound: _rule, ...rest } = recipe;
    const sql = {
      ...rest,
      kind: 'postgres',
      connection: '${secret:SHOP}',
      sql: 'select id, reference from orders where reference = $1',
      parameters: ['{key}'],
      notFound: { emptyList: true },
    };
    const insert = (change: object) =>
      transaction(db.pool('app'), context, (tx) =>
        tx.query('INSERT INTO review.connectors (connector_id, recipe) VALUES ($1, $2)', [
          'bad',
          { ...sql, ...change },
        ]),
      );
    expect(await save('owner', { connectorId: 'shop', recipe: sql, allowPrivate: true })).toMatchObject({
      outcome: 'done',
    });
    for (const change of [
      { connection: 'postgres://u:p@db.example.com/shop' },
      { connection: '${secret:A}${secret:B}' },
      { sql: 'delete from orders where id = $1' },
      { sql: 'select 1; delete from orders' },
      { kind: 'mysql' },
      { baseUrl: 'https://crm.example.com/' },
    ]) {
      expect(
        await save('app', { connectorId: 'bad', recipe: { ...sql, ...change } }),
        JSON.stringify(change),
      ).toMatchObject({
        code: 'RECIPE_INVALID',
      });
      await expect(insert(change), JSON.stringify(change)).rejects.toMatchObject({ code: '23514' });
    }
    expect(
      await save('app', { connectorId: 'bad', recipe: { ...sql, parameters: ['{key}', '{account}'] } }),
    ).toMatchObject({
      code: 'RECIPE_INVALID',
    });
    const update = (change: object) =>
      transaction(db.pool('app'), context, (tx) =>
        tx.query(`UPDATE review.connectors SET recipe = recipe || $1::jsonb WHERE connector_id = 'shop'`, [
          change,
        ]),
      );
    await update({ attempts: 3 });
    expect(await row('shop')).toMatchObject({ allow_private: true });
    await update({ connection: '${secret:OTHER}' });
    expect(await row('shop')).toMatchObject({ allow_private: false });
  });

  it('R-063m needs an actor, and the worker writes none', async () => {
    await expect(
      transaction(db.pool('app'), null, (tx) =>
        saveConnector(tx, { connectorId: 'x', tenantId: null, recipe, allowPrivate: false }),
      ),
    ).rejects.toMatchObject({ code: 'OA001' });
    await expect(save('worker', { connectorId: 'x' })).rejects.toMatchObject({ code: '42501' });
  });
});
