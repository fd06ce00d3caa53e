import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { draftOf, recipeDifference, recipeOf } from '@/lib/domain/connector-form';
import { lookUpAutomatically } from '@/lib/lookup/automatic-lookup';
import type { LookingContext } from '@/lib/review/desk-context';
import { lookUpNow } from '@/lib/review/look-up-now';
import { behindLock } from '@/lib/testing/behind-lock';
import {
  connectorForm,
  connectorRow,
  connectorVerdict,
  installConnector,
  RECIPE,
  waitingConnector,
} from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor, type Json } from '@/lib/testing/ledger-fixture';
import { CONNECTOR } from '@/lib/testing/lookup-fixture';
import { sessionOf } from '@/lib/testing/people';
import { decideConnector } from './decide-connector';
import { getConnector } from './get-connector';
import { proposeConnector } from './propose-connector';

const BOTH = ['tenant-north', 'tenant-south'];

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
let id: string;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
});
beforeEach(() => {
  id = `crm-${randomUUID()}`;
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const form = (change: Json = {}) => connectorForm(db, id, change);
const verdict = (change: Json = {}) => connectorVerdict(db, id, change);
const asking = (path: string) => ({ ...RECIPE, path });
const inForce = () => connectorRow(db, id);
const agreed = async (change: Json = {}) => {
  expect(await proposeConnector(admin, await form(change))).toMatchObject({ outcome: 'done' });
  expect(await decideConnector(second, await verdict())).toMatchObject({ outcome: 'done' });
};

describe('two persons', () => {
  it('R-063u a connector may ask a database from then on, and the web again', async () => {
    const { baseUrl: _address, path: _path, ...told } = RECIPE;
    const database = {
      ...{ ...told, kind: 'postgres', connection: '${secret:CRM_DB}', notFound: { emptyList: true } },
      ...{ sql: 'select id, reference from records where reference = $1', parameters: ['{key}'] },
    };
    for (const recipe of [RECIPE, database, RECIPE]) {
      await agreed({ recipe });
      const shown = await getConnector({ actor: admin.actor, db: db.pool('app') }, id);
      expect(recipeOf(draftOf(shown?.recipe))).toMatchObject(recipe);
    }
  });

  it('R-063o one administrator asks, another confirms; nothing holds in between, and both are on record', async () => {
    const asked = await form();
    expect(await proposeConnector(admin, asked)).toEqual({ outcome: 'done', repeated: false });
    expect(await proposeConnector(admin, asked)).toEqual({ outcome: 'done', repeated: true });
    expect(await inForce()).toBeUndefined();
    expect(await decideConnector(admin, await verdict())).toMatchObject({ code: 'SELF_APPROVAL' });
    const said = await verdict();
    expect(await decideConnector(second, said)).toMatchObject({ outcome: 'done' });
    expect(await decideConnector(second, said)).toEqual({ outcome: 'done', repeated: true });
    expect(await inForce()).toMatchObject({ version: 1, tenant_id: 'tenant-north', allow_private: false });
    const [request] = await desk.audit({ operationId: asked.operationId });
    expect(request).toMatchObject({
      event: 'connector.change_requested',
      outcome: 'done',
      actor_id: admin.actor.personId,
      body: { connectorId: id, after: { path: 'records/{key}', queryableSeconds: null } },
    });
    const [change] = await desk.audit({ operationId: said.operationId });
    expect(change).toMatchObject({
      event: 'connector.changed',
      actor_id: second.actor.personId,
      body: { requestedBy: admin.actor.personId, version: 1, after: { path: 'records/{key}' } },
    });
  });

  it('R-063o the database takes a person’s version only as it was confirmed, by somebody else, now', async () => {
    await agreed();
    await proposeConnector(admin, await form({ recipe: asking('orders/{key}') }));
    const proposalId = await waitingConnector(db, id);
    const { rows } = await db
      .pool('owner')
      .query<{ recipe: unknown }>('select recipe from review.connector_proposals where proposal_id = $1', [
        proposalId,
      ]);
    const write = (set: string, recipe: unknown, more = '') =>
      asActor(db.pool('owner'), { kind: 'person', id: second.actor.personId }, async (client) => {
        await client.query(`select set_config('onceover.session_id', $1, true)`, [second.context.sessionId]);
        if (set !== '')
          await client.query(`update review.connector_proposals set ${set} where proposal_id = $1`, [
            proposalId,
          ]);
        await client.query(`update review.connectors set recipe = $2 ${more} where connector_id = $1`, [
          id,
          JSON.stringify(recipe),
        ]);
      });
    const asked = rows[0]!.recipe;
    const confirmed = `state = 'CONFIRMED', decided_by = '${second.actor.personId}'`;
    await expect(write('', asked)).rejects.toMatchObject({ code: 'OA014' });
    await expect(write(`state = 'CONFIRMED', decided_by = requested_by`, asked)).rejects.toMatchObject({
      constraint: 'connector_proposals_two_administrators',
    });
    await expect(write(`recipe = '{}'`, asked)).rejects.toMatchObject({ code: 'OA002' });
    await expect(write(confirmed, asking('other/{key}'))).rejects.toMatchObject({ code: 'OA014' });
    await expect(write(confirmed, asked, ', retired_at = now()')).rejects.toMatchObject({ code: 'OA014' });
    await expect(write(confirmed, asked, `, tenant_id = null`)).rejects.toMatchObject({ code: 'OA014' });
    await write(confirmed, asked);
    expect(await inForce()).toMatchObject({ version: 2, recipe: { path: 'orders/{key}' } });
  });

  it('R-063o R-078d the second word takes a password shown within 15 minutes; rejecting does not', async () => {
    await proposeConnector(admin, await form());
    const sessionId = await sessionOf(db, second.actor.personId, '2020-01-01T00:00:00Z');
    const stale = { ...second, context: { ...second.context, sessionId } };
    expect(await decideConnector(stale, await verdict())).toMatchObject({ code: 'STEP_UP_NEEDED' });
    expect(await decideConnector(stale, await verdict({ verdict: 'REJECT' }))).toMatchObject({
      outcome: 'done',
    });
    expect(await inForce()).toBeUndefined();
  });

  it('R-063o a first word counts no longer than its giver could give it, and the own one can be taken back', async () => {
    const passing = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    await proposeConnector(passing, await form());
    await changePerson(db, passing.actor.personId, `roles = '{OPERATOR}'`);
    expect(await decideConnector(second, await verdict())).toMatchObject({ code: 'REQUESTER_NOT_ENTITLED' });
    await decideConnector(second, await verdict({ verdict: 'REJECT' }));
    await proposeConnector(admin, await form());
    const own = await verdict({ verdict: 'REJECT' });
    expect(await decideConnector(admin, own)).toMatchObject({ outcome: 'done' });
    expect(await desk.audit({ operationId: own.operationId })).toMatchObject([
      { event: 'connector.change_ended' },
    ]);
    const { rows } = await db
      .pool('owner')
      .query('select state from review.connector_proposals where connector_id = $1 order by requested_at', [
        id,
      ]);
    expect(rows).toEqual([{ state: 'REJECTED' }, { state: 'WITHDRAWN' }]);
  });

  it('R-063o R-063l no person opens this machine, and another address closes what the deployment opened', async () => {
    const local = { ...RECIPE, baseUrl: 'http://127.0.0.1:4010/' };
    await installConnector(db, {
      connectorId: id,
      tenantId: 'tenant-north',
      recipe: local,
      allowPrivate: true,
    });
    await agreed({ recipe: { ...local, attempts: 3 } });
    expect(await inForce()).toMatchObject({ allow_private: true, recipe: { attempts: 3 } });
    await agreed({ recipe: RECIPE });
    expect(await inForce()).toMatchObject({ allow_private: false });
    expect(await proposeConnector(admin, await form({ recipe: local }))).toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
  });
});

describe('from one version', () => {
  it('R-063p LC-18 of two administrators from one version the second is refused and told the difference', async () => {
    await agreed();
    const [mine, theirs] = [
      await form({ recipe: asking('orders/{key}') }),
      await form({ recipe: asking('bills/{key}') }),
    ];
    await proposeConnector(admin, mine);
    const beside = await proposeConnector(second, theirs);
    expect(beside).toMatchObject({
      code: 'PROPOSAL_IN_FLIGHT',
      connector: { version: 1, recipe: { path: 'orders/{key}' } },
    });
    await decideConnector(second, await verdict());
    const late = await proposeConnector(second, { ...theirs, operationId: randomUUID() });
    expect(late).toMatchObject({ code: 'CHANGED_SINCE_SEEN', connector: { version: 2, retired: false } });
    if (late.outcome !== 'refused' || late.connector === undefined) throw new Error('nothing told');
    const told = recipeDifference(late.connector.recipe, asking('bills/{key}'));
    expect(told).toContainEqual({ key: 'path', from: 'orders/{key}', to: 'bills/{key}' });
    expect(await inForce()).toMatchObject({ version: 2, recipe: { path: 'orders/{key}' } });
  });

  it('R-063p LC-18 of two who ask at the same moment one is told of the other', async () => {
    const forms = [await form(), await form({ recipe: asking('bills/{key}') })];
    const { rows } = await db
      .pool('owner')
      .query<{ key: string }>(`select hashtextextended('onceover connector ' || $1, 0)::text as key`, [id]);
    const answers = await behindLock(
      db,
      ['select pg_advisory_xact_lock($1::bigint)', [rows[0]!.key]],
      [() => proposeConnector(admin, forms[0]), () => proposeConnector(second, forms[1])],
    );
    expect(answers.map((each) => each.outcome).sort()).toEqual(['done', 'refused']);
    expect(answers.find((each) => each.outcome === 'refused')).toMatchObject({ code: 'PROPOSAL_IN_FLIGHT' });
  });

  it('R-063p LC-18 what was asked from a version that is gone is not confirmed, and ends after a week', async () => {
    await agreed();
    await proposeConnector(admin, await form({ recipe: asking('orders/{key}') }));
    await installConnector(db, { connectorId: id, tenantId: 'tenant-north', recipe: asking('new/{key}') });
    expect(await decideConnector(second, await verdict())).toMatchObject({
      code: 'CHANGED_SINCE_SEEN',
      connector: { version: 2, recipe: { path: 'new/{key}' } },
    });
    const fresh = await form({ recipe: asking('orders/{key}') });
    expect(await proposeConnector(second, fresh)).toMatchObject({ code: 'PROPOSAL_IN_FLIGHT' });
    await db.advanceClock('8 days');
    expect(await proposeConnector(second, { ...fresh, operationId: randomUUID() })).toMatchObject({
      outcome: 'done',
    });
    await db.advanceClock('8 days');
    expect(await decideConnector(admin, await verdict())).toMatchObject({ code: 'REQUEST_EXPIRED' });
  });
});

describe('history', () => {
  it('R-063q a retired connector is asked no more, its evidence and every version stay readable, and it can come back', async () => {
    id = CONNECTOR;
    const { key, exceptionId } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key));
    const operator = await desk.desk();
    expect(await lookUpNow(operator, { exceptionId })).toMatchObject({ outcome: 'done' });
    const all = await desk.desk({ roles: ['ADMIN'], tenants: BOTH });
    const other = await desk.desk({ roles: ['ADMIN'], tenants: BOTH });
    const propose = async (change: Json) => proposeConnector(all, await form({ tenantId: null, ...change }));
    const { view: before } = await desk.seen(operator, exceptionId);
    expect(before.policy).toMatchObject({ hasConnector: true });
    expect(await propose({ retires: true, recipe: null })).toMatchObject({ outcome: 'done' });
    await decideConnector(other, await verdict());
    const present = (await inForce())!.version;
    expect(await inForce()).toMatchObject({ retired: true });
    expect(await propose({ retires: true, recipe: null })).toMatchObject({ code: 'NOTHING_CHANGED' });
    const { view } = await desk.seen(operator, exceptionId);
    expect(view.policy).toMatchObject({ hasConnector: false });
    expect(view.evidence).toMatchObject([{ outcome: 'FOUND', connectorId: CONNECTOR }]);
    const asked = desk.asked.length;
    expect(await lookUpNow(operator, { exceptionId })).toMatchObject({ code: 'NO_CONNECTOR' });
    await lookUpAutomatically(db.pool('worker'), desk.asking, { exceptionId, reason: 'again' }, '1');
    expect(desk.asked).toHaveLength(asked);
    expect((await desk.audit({ exceptionId })).at(-1)).toMatchObject({
      event: 'lookup.requested',
      refusal_code: 'NO_CONNECTOR',
    });
    const shown = await getConnector({ actor: all.actor, db: db.pool('app') }, id);
    expect(shown?.versions.slice(0, 2)).toMatchObject([
      {
        version: 2,
        retired: true,
        proposedBy: { personId: all.actor.personId },
        by: { personId: other.actor.personId },
      },
      { version: present - 1, retired: false, proposedBy: null },
    ]);
    const { recipe } = (await inForce())!;
    expect(await propose({ recipe })).toMatchObject({ outcome: 'done' });
    await decideConnector(other, await verdict());
    expect(await inForce()).toMatchObject({ retired: false, version: present + 1 });
  });

  it('R-063q nobody takes a connector or a version of it away', async () => {
    await agreed();
    for (const gone of [
      'delete from review.connectors',
      'truncate review.connectors cascade',
      `update review.connector_versions set recipe = '{}'`,
      'delete from review.connector_versions',
      'delete from review.connector_proposals',
    ])
      await expect(
        asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) => client.query(gone)),
      ).rejects.toMatchObject({ code: 'OA002' });
  });
});
