import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LookingContext } from '@/lib/review/desk-context';
import { transaction } from '@/lib/db/transaction';
import {
  connectorForm,
  connectorRow,
  connectorVerdict,
  installConnector,
  RECIPE,
  waitingConnector,
} from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor, type Json } from '@/lib/testing/ledger-fixture';
import { decideConnector } from './decide-connector';
import { getConnector } from './get-connector';
import { listConnectors } from './list-connectors';
import { proposeConnector } from './propose-connector';

const BOTH = ['tenant-north', 'tenant-south'];
const MANY = Object.fromEntries([...Array(1_500).keys()].map((n) => [`name-${n}`, 'x']));

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let south: LookingContext;
let all: LookingContext;
let id: string;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'a key of tests alone, for cursors and hashes';
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  south = await desk.desk({ roles: ['ADMIN'], authorities: [], tenants: ['tenant-south'] });
  all = await desk.desk({ roles: ['ADMIN'], authorities: [], tenants: BOTH });
});
beforeEach(() => {
  id = `crm-${randomUUID()}`;
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const form = (change: Json = {}) => connectorForm(db, id, change);
const reader = ({ actor }: LookingContext) => ({ actor, db: db.pool('app') });
const listed = async (ctx: LookingContext) => {
  const answer = await listConnectors(reader(ctx), { cursor: null, size: 200 });
  if (answer.kind !== 'page') throw new Error(answer.kind);
  return answer.rows.map(({ connectorId }) => connectorId);
};

describe('what is refused', () => {
  it.each([
    ['another version', { version: 7 }, 'NOT_FOUND'],
    ['a foreign tenant', { tenantId: 'tenant-south' }, 'NOT_FOUND'],
    ['every tenant, by an administrator of one', { tenantId: null }, 'CONNECTOR_FOR_ALL'],
    ['no reason that is seen', { reason: 'short\u200b\u200b\u200b\u200b\u200b' }, 'RATIONALE_LENGTH'],
    ['an end of what is not there', { retires: true, recipe: null }, 'NOT_FOUND'],
    ['a name with a slash', { connectorId: 'a/b' }, 'INVALID_INPUT'],
  ])('R-063o %s', async (_what, change, code) => {
    expect(await proposeConnector(admin, await form(change))).toMatchObject({ outcome: 'refused', code });
    expect(await waitingConnector(db, id)).toBe('');
  });

  it('R-063o what holds already', async () => {
    await installConnector(db, { connectorId: id, tenantId: 'tenant-north', recipe: RECIPE });
    await proposeConnector(admin, await form());
    const other = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    await decideConnector(other, await connectorVerdict(db, id));
    expect(await proposeConnector(admin, await form())).toMatchObject({ code: 'NOTHING_CHANGED' });
  });

  it.each([
    ['another method', { method: 'POST' }, 'INVALID_INPUT', ['method']],
    ['a body', { body: '{}' }, 'INVALID_INPUT', ['']],
    [
      'a header that turns a GET round',
      { headers: { 'x-http-method-override': 'DELETE' } },
      'INVALID_INPUT',
      ['headers.x-http-method-override'],
    ],
    ['two wrong members', { path: '../x', fields: { id: 'id' } }, 'INVALID_INPUT', ['path', 'fields.id']],
    ['no comparison', { content: [] }, 'INVALID_INPUT', ['content']],
    ['half a character', { place: 'x\ud800' }, 'INVALID_INPUT', []],
    ['more than the table takes', { query: MANY }, 'INVALID_INPUT', []],
  ])('R-063r R-063k SS-10 %s, named by member', async (_what, change, code, faults) => {
    const asked = await form({ recipe: { ...RECIPE, ...change } });
    const answer = await proposeConnector(admin, asked);
    expect(answer).toMatchObject({
      outcome: 'refused',
      code,
      faults: expect.arrayContaining(faults) as unknown,
    });
    expect(await desk.audit({ operationId: asked.operationId })).toMatchObject([
      { event: 'connector.change_requested', refusal_code: code, body: { connectorId: id } },
    ]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://metadata.google.internal/',
    'http://crm.example.com/',
  ])('R-063k SS-01 %s is refused when it is proposed', async (baseUrl) => {
    expect(await proposeConnector(admin, await form({ recipe: { ...RECIPE, baseUrl } }))).toEqual({
      outcome: 'refused',
      code: 'ADDRESS_REFUSED',
      faults: ['baseUrl'],
    });
    expect(await waitingConnector(db, id)).toBe('');
  });

  it('R-063k SS-10 the table takes neither another method nor a body, whoever writes', async () => {
    for (const change of [{ method: 'DELETE' }, { body: 'x' }])
      await expect(
        installConnector(db, { connectorId: id, recipe: { ...RECIPE, ...change } }),
      ).rejects.toMatchObject({ code: '23514' });
  });

  it("R-063l a port that the deployment's environment names is open for whoever proposes, and only that one", async () => {
    const asking = { ...admin.asking, loopbackPorts: new Set(['4010']) };
    const at = async (port: number) =>
      proposeConnector(
        { ...admin, asking },
        await form({ recipe: { ...RECIPE, baseUrl: `http://127.0.0.1:${port}/` } }),
      );
    expect(await at(4011)).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(await at(4010)).toMatchObject({ outcome: 'done' });
  });

  it.each([
    [{ headers: { authorization: 'Bearer abcdefgh12345678' } }, 'CREDENTIAL_WRITTEN'],
    [{ headers: { 'x-api-key': 'plain' } }, 'CREDENTIAL_WRITTEN'],
    [{ query: { api_key: 'abc123def456' } }, 'SECRET_IN_TEXT'],
    [{ place: 'Console, password: hunter22' }, 'SECRET_IN_TEXT'],
  ])('R-063t SS-06 a credential in %j is refused, and kept nowhere', async (change, code) => {
    const asked = await form({ recipe: { ...RECIPE, ...change } });
    expect(await proposeConnector(admin, asked)).toMatchObject({ outcome: 'refused', code });
    const events = await desk.audit({ operationId: asked.operationId });
    expect(JSON.stringify(events)).not.toMatch(/abcdefgh12345678|plain|abc123def456|hunter22/);
    expect(await waitingConnector(db, id)).toBe('');
  });

  it('R-063t a secret by its name is none', async () => {
    const headers = { authorization: 'Bearer ${secret:CRM_TOKEN_2}' };
    expect(await proposeConnector(admin, await form({ recipe: { ...RECIPE, headers } }))).toMatchObject({
      outcome: 'done',
    });
  });
});

describe('whose', () => {
  it('R-063o R-074a only administrators ask and confirm', async () => {
    for (const roles of [['OPERATOR'], ['APPROVER'], ['MANAGER']])
      expect(await proposeConnector(await desk.desk({ roles }), await form())).toMatchObject({
        code: 'ROLE_MISSING',
      });
    await proposeConnector(admin, await form());
    const word = await connectorVerdict(db, id);
    expect(await decideConnector(await desk.desk({ roles: ['APPROVER'] }), word)).toMatchObject({
      code: 'ROLE_MISSING',
    });
    expect(await listConnectors(reader(await desk.desk()), { cursor: null, size: 5 })).toEqual({
      kind: 'forbidden',
    });
    expect(await getConnector(reader(await desk.desk()), id)).toBeNull();
  });

  it('R-063o R-098c of another tenant nothing is told but that a name is taken', async () => {
    await proposeConnector(admin, await form());
    expect(await decideConnector(south, await connectorVerdict(db, id))).toMatchObject({ code: 'NOT_FOUND' });
    const theirs = await form({ tenantId: 'tenant-south' });
    expect(await proposeConnector(south, theirs)).toEqual({ outcome: 'refused', code: 'CONNECTOR_ID_TAKEN' });
    expect(await listed(south)).not.toContain(id);
    expect(await listed(admin)).toContain(id);
    const other = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    await decideConnector(other, await connectorVerdict(db, id));
    const again = { ...theirs, operationId: randomUUID() };
    expect(await proposeConnector(south, again)).toEqual({ outcome: 'refused', code: 'CONNECTOR_ID_TAKEN' });
    expect(await proposeConnector(south, { ...again, version: 1, operationId: randomUUID() })).toEqual({
      outcome: 'refused',
      code: 'NOT_FOUND',
    });
    expect(await getConnector(reader(south), id)).toBeNull();
    expect(await getConnector(reader(admin), id)).toMatchObject({ version: 1, changeRefusal: null });
  });

  it('R-063o what serves every tenant takes administrators of all of them, and everybody sees it', async () => {
    expect(await proposeConnector(all, await form({ tenantId: null }))).toMatchObject({ outcome: 'done' });
    const word = await connectorVerdict(db, id);
    expect(await decideConnector(admin, word)).toMatchObject({ code: 'CONNECTOR_FOR_ALL' });
    expect(await getConnector(reader(admin), id)).toMatchObject({
      tenantId: null,
      changeRefusal: 'CONNECTOR_FOR_ALL',
      proposal: { confirmRefusal: 'CONNECTOR_FOR_ALL' },
    });
    const other = await desk.desk({ roles: ['ADMIN'], authorities: [], tenants: BOTH });
    expect(await decideConnector(other, { ...word, operationId: randomUUID() })).toMatchObject({
      outcome: 'done',
    });
    expect(await listed(south)).toContain(id);
    // A connector keeps the tenants that it began with, whatever a later form says.
    const later = await form({ tenantId: 'tenant-north', recipe: { ...RECIPE, path: 'orders/{key}' } });
    await proposeConnector(all, later);
    await decideConnector(other, await connectorVerdict(db, id));
    expect(await connectorRow(db, id)).toMatchObject({ version: 2, tenant_id: null });
  });

  it('R-063o pages of the list follow each other, and a page opens for no other reader', async () => {
    const names = [1, 2, 3].map((n) => `${id}-${n}`);
    for (const connectorId of names)
      await installConnector(db, { connectorId, tenantId: 'tenant-north', recipe: RECIPE });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listConnectors(reader(admin), { cursor, size: 2 });
      if (page.kind !== 'page') throw new Error(page.kind);
      seen.push(...page.rows.map(({ connectorId }) => connectorId));
      cursor = page.next;
      if (cursor !== null)
        expect(await listConnectors(reader(south), { cursor, size: 2 })).toEqual({ kind: 'cursor-refused' });
    } while (cursor !== null);
    expect(seen.filter((name) => names.includes(name))).toEqual(names);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('R-063o the app writes none, whatever it says who acts', async () => {
    const { rows } = await db.pool('owner').query<{ granted: boolean }>(
      `select has_any_column_privilege('onceover_app', 'review.connectors', 'insert, update') or
           has_table_privilege('onceover_app', 'review.connectors', 'delete') as granted`,
    );
    expect(rows).toEqual([{ granted: false }]);
    const write = `update review.connectors set recipe = '{}' where connector_id = '${id}'`;
    await expect(transaction(db.pool('app'), admin.context, (tx) => tx.query(write))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('R-063m every writer needs an actor, and the worker writes none', async () => {
    const write = `insert into review.connectors (connector_id, recipe) values ('${id}', '${JSON.stringify(RECIPE)}')`;
    await expect(db.pool('owner').query(write)).rejects.toMatchObject({ code: 'OA001' });
    await expect(
      transaction(db.pool('worker'), admin.context, (tx) => tx.query(write)),
    ).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('R-063j versions are counted and kept, by whoever wrote them', async () => {
    await installConnector(db, { connectorId: id, recipe: RECIPE });
    await installConnector(db, { connectorId: id, recipe: { ...RECIPE, attempts: 3 } });
    expect(await connectorRow(db, id)).toMatchObject({ version: 2, updated_by: 'system:test' });
    await asActor(db.pool('owner'), { kind: 'system', id: 'system:later' }, (client) =>
      client.query('update review.connectors set retired_at = now() where connector_id = $1', [id]),
    );
    const shown = await getConnector(reader(all), id);
    expect(shown?.versions.map(({ version, retired, by }) => [version, retired, by.displayName])).toEqual([
      [3, true, 'system:later'],
      [2, false, 'system:test'],
      [1, false, 'system:test'],
    ]);
  });
});
