import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TrialAnswer } from '@/lib/domain/connector-view';
import type { LookingContext } from '@/lib/review/desk-context';
import { installConnector, triesOf } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor, type Json } from '@/lib/testing/ledger-fixture';
import { CONNECTOR, SECRET } from '@/lib/testing/lookup-fixture';
import { tryConnector } from './try-connector';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let recipe: Json;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  const { rows } = await db
    .pool('owner')
    .query<{ recipe: Json }>('select recipe from review.connectors where connector_id = $1', [CONNECTOR]);
  recipe = rows[0]!.recipe;
});
beforeEach(async () => {
  // A person of their own for each test: tries are counted by the second.
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  desk.asked.length = 0;
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const sample = (values: Record<string, string>) => ({ kind: 'sample', values, proof: 'PRESENCE' });
const VALUES = { '{key}': 'K-1', '{display:/amount}': '120.50', '{account}': 'main' };
const form = (change: Json = {}) => ({
  connectorId: CONNECTOR,
  tenantId: null,
  recipe,
  subject: sample(VALUES),
  asks: true,
  ...change,
});
const shown = async (change: Json = {}, ctx = admin) => {
  const answer = await tryConnector(ctx, form(change));
  if (answer.outcome !== 'shown') throw new Error(JSON.stringify(answer));
  return answer;
};
const events = () => triesOf(db, admin.actor.personId);
/** Every row that a lookup, a decision or a change could leave. */
const traces = async () => {
  const { rows } = await db.pool('owner').query<{ traces: unknown }>(
    `select jsonb_build_array((select count(*) from review.lookups), (select count(*) from review.decisions),
       (select count(*) from review.exception_events), (select count(*) from review.connector_proposals),
       (select max(version) from review.connectors), (select sum(version) from ledger.executions)) as traces`,
  );
  return rows[0]!.traces;
};

describe('what is shown', () => {
  it('R-063s a dry run shows the very request, secrets as dots with their names, and asks nobody', async () => {
    const answer = await shown({
      asks: false,
      recipe: { ...recipe, headers: { authorization: 'Bearer ${secret:STUB}' } },
    });
    expect(answer.request).toEqual({
      ...{ method: 'GET', statement: null },
      url: `http://127.0.0.1:${desk.port}/api/payments?reference=K-1`,
      headers: [{ name: 'authorization', value: 'Bearer ••••', secrets: ['STUB'] }],
    });
    expect(answer).toMatchObject({ found: null, missing: [], withheld: [], fault: null });
    expect(desk.asked).toEqual([]);
    expect(await events()).toMatchObject([
      {
        outcome: 'done',
        body: { asks: false, address: `http://127.0.0.1:${desk.port}`, connectorId: CONNECTOR },
      },
    ]);
  });

  it('R-063s asked, it shows what the lookup of the worker would make of the answer, and keeps nothing but that it was tried', async () => {
    const before = await traces();
    desk.answerItems(desk.payment('K-1'));
    const answer = await shown();
    expect(answer.found).toMatchObject({
      verdict: 'APPLIED',
      finding: { outcome: 'FOUND', resultId: 'PAY-K-1', accountMatch: true, contentMatch: true },
    });
    expect(desk.asked).toMatchObject([
      { method: 'GET', url: '/api/payments?reference=K-1', authorization: `Bearer ${SECRET}` },
    ]);
    expect(await traces()).toEqual(before);
    const kept = await events();
    expect(kept).toMatchObject([{ outcome: 'done', body: { asks: true } }]);
    expect(JSON.stringify(kept)).not.toMatch(/K-1|PAY|canary/);
  });

  it('R-063s with the values of an execution that the person may see, whatever it is called by', async () => {
    const { id, key } = await desk.unknownPayment({
      businessRef: `REF-${randomUUID()}`,
      requestId: `REQ-${randomUUID()}`,
    });
    const { rows } = await db
      .pool('owner')
      .query<{ business_ref: string; request_id: string }>(
        'select business_ref, request_id from ledger.executions where execution_id = $1',
        [id],
      );
    const { business_ref, request_id } = rows[0]!;
    for (const reference of [key, business_ref, request_id]) {
      const answer = await shown({ asks: false, subject: { kind: 'execution', reference } });
      expect(answer.execution).toEqual({ executionId: id, operation: 'create-payment', key });
      expect(answer.request?.url).toContain(`reference=${key}`);
    }
    expect(await events()).toMatchObject([{ execution_id: id }, { execution_id: id }, { execution_id: id }]);
  });

  it.each([
    ['another amount', { amount: 7 }, 'MISMATCH'],
    ['another account', { account: 'other' }, 'MISMATCH'],
    ['another reference', { reference: 'K-2' }, 'NOT_FOUND'],
    ['a word that no list holds', { status: 'weird' }, 'FOUND'],
  ])('R-063s %s is told as the lookup would tell it', async (_what, change, outcome) => {
    desk.answerItems(desk.payment('K-1', change));
    const { found } = await shown();
    expect(found?.finding).toMatchObject({ outcome });
  });

  it('R-063s what cannot be asked says why, and asks nobody', async () => {
    expect(await shown({ subject: sample({}) })).toMatchObject({
      request: null,
      fault: 'VALUE_MISSING',
      found: null,
    });
    const traversal = await shown({
      recipe: { ...recipe, path: 'payments/{key}' },
      subject: sample({ ...VALUES, '{key}': '../admin' }),
    });
    expect(traversal).toMatchObject({ request: null, fault: 'VALUE_REFUSED' });
    expect(desk.asked).toEqual([]);
  });
});

describe('what a draft may do', () => {
  it('R-063t SS-06 one administrator alone sends a secret to no other address than two have confirmed', async () => {
    const elsewhere = `http://localhost:${desk.port}/`;
    const asking = { ...admin.asking, loopbackPorts: new Set([String(desk.port)]) };
    const ctx = { ...admin, asking };
    const draft = { ...recipe, baseUrl: elsewhere };
    expect(await shown({ recipe: draft, asks: false }, ctx)).toMatchObject({ withheld: ['STUB'] });
    expect(await tryConnector(ctx, form({ recipe: draft }))).toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
    expect(await tryConnector(ctx, form({ connectorId: null, recipe: draft }))).toMatchObject({
      code: 'SECRET_NOT_CONFIRMED',
    });
    expect(desk.asked).toEqual([]);
    // Where the deployment names the address, its secret may be tried there.
    const secrets = { ...asking.secrets, TRY_SECRET_STUB: `http://localhost:${desk.port}` };
    desk.answerItems();
    const allowed = await shown({ recipe: draft }, { ...admin, asking: { ...asking, secrets } });
    expect(allowed).toMatchObject({ withheld: [], found: { finding: { outcome: 'NOT_FOUND' } } });
  });

  it('R-063t SS-06 nor does one of another tenant, nor one that was retired, confirm it', async () => {
    const headers = { authorization: 'Bearer ${secret:SOUTH}' };
    const connectorId = `south-${randomUUID()}`;
    await installConnector(db, {
      connectorId,
      tenantId: 'tenant-south',
      recipe: { ...recipe, headers },
      allowPrivate: true,
    });
    const draft = { ...recipe, headers };
    expect(await shown({ recipe: draft, asks: false })).toMatchObject({
      withheld: ['SOUTH'],
      missing: ['SOUTH'],
    });
    await installConnector(db, {
      connectorId,
      tenantId: null,
      recipe: { ...recipe, headers },
      allowPrivate: true,
    });
    expect(await shown({ recipe: draft, asks: false })).toMatchObject({ withheld: [], missing: ['SOUTH'] });
    expect(await shown({ recipe: draft })).toMatchObject({
      found: { finding: { errorClass: 'SECRET_MISSING' } },
    });
    await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
      client.query('update review.connectors set retired_at = now() where connector_id = $1', [connectorId]),
    );
    expect(await shown({ recipe: draft, asks: false })).toMatchObject({ withheld: ['SOUTH'] });
    expect(desk.asked).toEqual([]);
  });

  it('R-063t SS-06 a system that repeats the secret does not show it', async () => {
    desk.answer((request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          items: [
            desk.payment('K-1', { id: request.headers.authorization, url: `https://x.example/${SECRET}` }),
          ],
        }),
      ),
    );
    const answer = await shown();
    expect(answer.found?.finding.resultId).toBe('Bearer ••••');
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  it('R-063t SS-09 closed, refused and unresolvable addresses answer the same', async () => {
    const answers: unknown[] = [];
    for (const [port, resolves] of [
      [9, true],
      [desk.port, false],
    ] as const) {
      const ctx = {
        ...(await desk.desk({ roles: ['ADMIN'], authorities: [] })),
        asking: {
          ...admin.asking,
          loopbackPorts: new Set(['9', String(desk.port)]),
          resolve: () =>
            resolves
              ? Promise.reject(new Error('ENOTFOUND'))
              : Promise.resolve([{ address: '10.0.0.1', family: 4 }]),
        },
      };
      const baseUrl = resolves ? `http://127.0.0.1:${port}` : 'https://nowhere.example.com';
      const { found } = await shown({ connectorId: null, recipe: { ...recipe, headers: {}, baseUrl } }, ctx);
      answers.push(found);
    }
    const [first, second] = answers as NonNullable<Extract<TrialAnswer, { outcome: 'shown' }>['found']>[];
    expect({ ...first, usableFrom: '' }).toEqual({ ...second, usableFrom: '' });
    expect(first).toMatchObject({
      durationMs: 250,
      finding: { outcome: 'INACCESSIBLE', errorClass: 'UNREACHABLE' },
    });
    expect(desk.asked).toEqual([]);
  });

  it("R-063t a draft does not take over the deployment's permission for this machine", async () => {
    const draft = { ...recipe, headers: {}, baseUrl: `http://127.0.0.1:${desk.port}/other` };
    expect(await tryConnector(admin, form({ recipe: draft }))).toMatchObject({
      code: 'ADDRESS_REFUSED',
      faults: ['baseUrl'],
    });
    expect(desk.asked).toEqual([]);
  });

  it('R-063t tries are counted: one administrator asks about once a second', async () => {
    desk.answerItems();
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push((await tryConnector(admin, form())).outcome);
    expect(answers).toContain('refused');
    expect(desk.asked.length).toBeLessThan(6);
  });
});

describe('who', () => {
  it.each([['OPERATOR'], ['APPROVER'], ['MANAGER']])('R-063s R-074a a %s tries nothing', async (role) => {
    const other = await desk.desk({ roles: [role] });
    expect(await tryConnector(other, form())).toMatchObject({ code: 'ROLE_MISSING' });
    expect(desk.asked).toEqual([]);
  });

  it('R-063s R-078a a role that is taken away a moment ago counts, on record', async () => {
    await changePerson(db, admin.actor.personId, `roles = '{OPERATOR}'`);
    expect(await tryConnector(admin, form())).toMatchObject({ code: 'ROLE_MISSING' });
    expect(desk.asked).toEqual([]);
    expect(await events()).toMatchObject([{ outcome: 'refused', refusal_code: 'ROLE_MISSING' }]);
  });

  it('R-063s R-098c neither a connector nor an execution of another tenant', async () => {
    const south = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'], authorities: [] });
    const { key } = await desk.unknownPayment();
    const subject = { kind: 'execution', reference: key };
    expect(await tryConnector(south, form({ subject }))).toMatchObject({ code: 'NO_EXECUTION' });
    const connectorId = `north-${randomUUID()}`;
    await installConnector(db, { connectorId, tenantId: 'tenant-north', recipe });
    expect(await tryConnector(south, form({ connectorId }))).toMatchObject({ code: 'NOT_FOUND' });
    const headers = { authorization: '${secret:OTHER}' };
    const probe = form({ connectorId, recipe: { ...recipe, headers } });
    expect(await tryConnector(south, probe)).toMatchObject({ code: 'NOT_FOUND' });
    expect(desk.asked).toEqual([]);
  });

  it('R-063s a recipe that is not whole is refused by member, on record', async () => {
    expect(await tryConnector(admin, form({ recipe: { ...recipe, path: '..' } }))).toEqual({
      outcome: 'refused',
      code: 'INVALID_INPUT',
      faults: ['path'],
    });
    expect(await events()).toMatchObject([{ outcome: 'refused', refusal_code: 'INVALID_INPUT' }]);
  });

  it('R-063s without the audit nothing is asked', async () => {
    const mend = await desk.breakAudit();
    await expect(tryConnector(admin, form())).rejects.toMatchObject({ code: 'XX001' });
    await mend();
    expect(desk.asked).toEqual([]);
  });
});
