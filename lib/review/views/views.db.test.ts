import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { actorOf, testContext } from '@/lib/testing/people';
import type { LookingContext } from '../desk-context';
import { keepView, removeView, type ReadAddress } from './keep-view';
import { listViews } from './list-views';
import { chooseQueueColumns, getQueueColumns } from './queue-columns';

let db: TestDatabase;
let desk: DeskFixture;
let olivia: LookingContext;
let ada: LookingContext;
let southern: LookingContext;
let admin: LookingContext;

beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  olivia = await desk.desk({ tenants: ['tenant-north', 'tenant-south'] });
  ada = await desk.desk();
  southern = await desk.desk({ tenants: ['tenant-south'] });
  admin = await desk.desk({ roles: ['ADMIN'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** As the queue's page would: it knows these two parameters. */
const read = (address: string): ReadAddress => {
  const given = [...new URLSearchParams(address)];
  const names = given.flatMap(([name]) => (['kind', 'tenant'].includes(name) ? [] : [name]));
  if (names.length > 0) return { kind: 'misread', names };
  return {
    kind: 'read',
    address,
    tenants: given.flatMap(([name, value]) => (name === 'tenant' ? [value] : [])),
  };
};
const form = (more: object = {}) => ({
  ...{ viewId: randomUUID(), version: null, name: `View ${randomUUID()}` },
  ...{ address: '?kind=UNCLAIMED', tenantIds: [] as string[], ...more },
});
const keep = (ctx: LookingContext, input: unknown) => keepView(ctx, input, read);
const seenBy = ({ actor, pool }: LookingContext) => listViews({ actor, db: pool });
const seen = async (ctx: LookingContext, viewId: string) =>
  (await seenBy(ctx)).find((view) => view.viewId === viewId);
const refused = (code: string) => ({ outcome: 'refused', code });

/** What is on record of tries that were not this person's to make. */
async function deniedOf({ actor }: LookingContext): Promise<number> {
  const { rows } = await db.pool('owner').query<{ count: number }>(
    `select count(*)::integer as count from review.audit_events
     where event = 'access.denied' and actor_id = $1 and body::jsonb->>'act' like 'queue-view.%'`,
    [actor.personId],
  );
  return rows[0]!.count;
}

/** Whatever became of the grant, it has gone; the rules about who takes it away are others'. */
async function without(ctx: LookingContext, tenants: string[]): Promise<LookingContext> {
  const client = await db.pool('superuser').connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query('update review.people set tenant_ids = $2 where person_id = $1', [
      ctx.actor.personId,
      tenants,
    ]);
  } finally {
    client.release(true);
  }
  return { ...ctx, actor: await actorOf(db, ctx.actor.personId) };
}

describe('saved views of the queue', () => {
  it('R-053m a view is its owner’s alone until it is shared, and then of these tenants', async () => {
    const own = form({ name: 'Overdue\u200b  payments ' });
    expect(await keep(olivia, own)).toEqual({ outcome: 'done', repeated: false });
    expect(await seen(olivia, own.viewId)).toMatchObject({
      ...{ name: 'Overdue payments', address: own.address, tenantIds: [], version: 1 },
      owner: { personId: olivia.actor.personId },
    });
    expect(await seen(ada, own.viewId)).toBeUndefined();
    await keep(olivia, { ...own, version: 1, tenantIds: ['tenant-north'] });
    expect(await seen(ada, own.viewId)).toMatchObject({ tenantIds: ['tenant-north'], version: 2 });
    expect(await seen(southern, own.viewId)).toBeUndefined();
    await keep(olivia, { ...own, version: 2, tenantIds: [] });
    expect(await seen(ada, own.viewId)).toBeUndefined();
  });

  it('R-053m a grant that is taken away takes the shared view along', async () => {
    const shared = form({ tenantIds: ['tenant-north'] });
    const bora = await desk.desk();
    await keep(olivia, shared);
    expect(await seen(bora, shared.viewId)).toBeDefined();
    const left = await without(bora, ['tenant-south']);
    expect(await seen(left, shared.viewId)).toBeUndefined();
    // In the act as well, whatever its page has read.
    expect(await removeView(bora, { viewId: shared.viewId, version: 1 })).toEqual(refused('NOT_FOUND'));
    expect(await keep(bora, form({ tenantIds: ['tenant-north'] }))).toEqual(refused('TENANT_NOT_GRANTED'));
  });

  it('R-053m who has lost a tenant says nothing new in it, and learns no name from it', async () => {
    const both = await desk.desk({ tenants: ['tenant-north', 'tenant-south'] });
    const shared = form({ tenantIds: ['tenant-north'] });
    await keep(both, shared);
    await keep(olivia, form({ name: 'Of the north', tenantIds: ['tenant-north'] }));
    const left = await without(both, ['tenant-south']);
    const change = { version: 1, name: 'Of the north', address: '?tenant=tenant-south', tenantIds: [] };
    expect(await keep(left, { ...shared, ...change })).toEqual({ outcome: 'done', repeated: false });
    expect(await seen(ada, shared.viewId)).toBeUndefined();
    expect(await seen(left, shared.viewId)).toMatchObject({ name: 'Of the north' });
  });

  it('R-053n only its owner changes it; a shared one an administrator of its tenants deletes', async () => {
    const own = form();
    const shared = form({ tenantIds: ['tenant-north'] });
    const wide = form({ tenantIds: ['tenant-north', 'tenant-south'] });
    for (const each of [own, shared, wide]) await keep(olivia, each);
    const change = { version: 1, name: 'Mine now' };
    expect(await keep(ada, { ...shared, ...change })).toEqual(refused('NOT_YOUR_VIEW'));
    expect(await keep(admin, { ...shared, ...change })).toEqual(refused('NOT_YOUR_VIEW'));
    expect(await keep(ada, { ...own, ...change })).toEqual(refused('NOT_FOUND'));
    const of = ({ viewId }: { viewId: string }) => ({ viewId, version: 1 });
    const denied = () => deniedOf(ada);
    const before = await denied();
    expect(await removeView(ada, of(shared))).toEqual(refused('NOT_YOUR_VIEW'));
    expect(await denied()).toBe(before + 1);
    expect(await removeView(ada, of(own))).toEqual(refused('NOT_FOUND'));
    expect(await removeView(admin, of(own))).toEqual(refused('NOT_FOUND'));
    expect(await removeView(admin, of(wide))).toEqual(refused('VIEW_OF_OTHER_TENANTS'));
    expect(await removeView(admin, of(shared))).toMatchObject({ outcome: 'done' });
    expect(await removeView(olivia, of(own))).toMatchObject({ outcome: 'done' });
    const left = (await seenBy(olivia)).map(({ viewId }) => viewId);
    expect(left).toContain(wide.viewId);
    expect(left).not.toContain(shared.viewId);
    expect(left).not.toContain(own.viewId);
  });

  it('R-053n of two changes the second is told, and the first stands', async () => {
    const view = form();
    await keep(olivia, view);
    const first = { ...view, version: 1, name: `First ${view.viewId}` };
    expect(await keep(olivia, first)).toEqual({ outcome: 'done', repeated: false });
    expect(await keep(olivia, { ...view, version: 1, name: 'Second' })).toEqual(
      refused('CHANGED_SINCE_SEEN'),
    );
    expect(await removeView(olivia, { viewId: view.viewId, version: 1 })).toEqual(
      refused('CHANGED_SINCE_SEEN'),
    );
    expect(await seen(olivia, view.viewId)).toMatchObject({ name: first.name, version: 2 });
    // Sent again because its answer was lost.
    expect(await keep(olivia, first)).toEqual({ outcome: 'done', repeated: true });
    expect(await keep(olivia, { ...form(), version: 3 })).toEqual(refused('NOT_FOUND'));
  });

  it('R-053m a name is one view of its owner’s and of each tenant, however it is spelled', async () => {
    const view = form({ name: 'Ｍoney first', tenantIds: ['tenant-north'] });
    expect(await keep(olivia, view)).toMatchObject({ outcome: 'done' });
    expect(await keep(olivia, form({ name: 'money\u00a0FIRST' }))).toEqual(refused('VIEW_NAME_TAKEN'));
    expect(await keep(ada, form({ name: 'Money first' }))).toMatchObject({ outcome: 'done' });
    const second = form({ name: 'Money  first', tenantIds: ['tenant-south'] });
    expect(await keep(southern, second)).toMatchObject({ outcome: 'done' });
    const both = await Promise.all(
      [ada, admin].map((ctx) => keep(ctx, form({ name: 'At once', tenantIds: ['tenant-north'] }))),
    );
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['done', 'refused']);
    // Renaming meets the tenant's names as well, and leaves everything as it was.
    const other = form({ tenantIds: ['tenant-north'] });
    await keep(ada, other);
    expect(await keep(ada, { ...other, version: 1, name: 'MONEY FIRST' })).toEqual(
      refused('VIEW_NAME_TAKEN'),
    );
    expect(await seen(ada, other.viewId)).toMatchObject({ name: other.name, version: 1 });
  });

  it.each([
    ['no name', { name: ' \u200b\u3164 ' }],
    ['a name too long', { name: 'x'.repeat(61) }],
    ['a member that no page sends', { ownerId: randomUUID() }],
    ['no version', { version: 0 }],
    ['an address too long', { address: `?kind=${'x'.repeat(4_000)}` }],
  ])('R-053m of what no page sends nothing is kept: %s', async (_what, part) => {
    const input = form(part);
    expect(await keep(olivia, input)).toEqual(refused('INVALID_INPUT'));
    expect(await seen(olivia, input.viewId)).toBeUndefined();
  });

  it('R-053m an address that the queue does not understand is refused by the names at fault', async () => {
    expect(await keep(olivia, form({ address: '?kind=UNCLAIMED&colour=red' }))).toEqual({
      ...refused('INVALID_INPUT'),
      faults: ['colour'],
    });
  });

  it('R-053m nobody reads in a shared view the name of a tenant that it is not shared with', async () => {
    const address = '?tenant=tenant-south';
    const part = { address, tenantIds: ['tenant-north'] };
    expect(await keep(olivia, form(part))).toEqual(refused('VIEW_NAMES_OTHER_TENANT'));
    expect(await keep(olivia, form({ address }))).toMatchObject({ outcome: 'done' });
  });

  it('R-053m the database refuses names that do not show, and writes by anybody but its functions', async () => {
    const insert = `insert into review.queue_views (view_id, owner_id, name, name_key, address)
      select gen_random_uuid(), person_id, $1, lower(normalize($1, NFKC)), $2 from review.people limit 1`;
    const owner = db.pool('owner');
    for (const name of ['', ' x', 'a\u200bb', 'x'.repeat(61)])
      await expect(owner.query(insert, [name, '']), name).rejects.toMatchObject({
        constraint: 'queue_views_name_shows',
      });
    await expect(owner.query(insert, ['x', 'https://elsewhere.example'])).rejects.toMatchObject({
      constraint: 'queue_views_address_is_a_query',
    });
    for (const statement of ['delete from review.queue_views', 'delete from review.queue_columns'])
      await expect(olivia.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('R-053m no more than a hundred of one person', async () => {
    const hoarder = await desk.desk();
    for (let made = 0; made < 100; made += 1) await keep(hoarder, form());
    expect(await keep(hoarder, form())).toEqual(refused('TOO_MANY_VIEWS'));
  });
});

describe('the columns of the queue', () => {
  const columnsOf = ({ actor, pool }: LookingContext) => getQueueColumns({ actor, db: pool });

  it('R-053o are kept for each person, in their order, until the default is asked for', async () => {
    expect(await columnsOf(olivia)).toBeNull();
    const columns = ['kind', 'work', 'due', 'severity'];
    expect(await chooseQueueColumns(olivia, { columns })).toMatchObject({ outcome: 'done' });
    expect(await columnsOf(olivia)).toEqual(columns);
    expect(await columnsOf(ada)).toBeNull();
    await chooseQueueColumns(olivia, { columns: null });
    expect(await columnsOf(olivia)).toBeNull();
  });

  it.each([[['kind']], [['kind', 'work', 'kind']], [['kind', 'work', 'colour']], ['kind'], [undefined]])(
    'R-053o what a row is about stays, and each column stands once: %j',
    async (columns) => {
      expect(await chooseQueueColumns(ada, { columns })).toEqual(refused('INVALID_INPUT'));
      expect(await columnsOf(ada)).toBeNull();
      if (Array.isArray(columns))
        await expect(
          db
            .pool('owner')
            .query('insert into review.queue_columns values ($1, $2)', [ada.actor.personId, columns]),
        ).rejects.toMatchObject({ constraint: 'queue_columns_are_known' });
    },
  );

  it('R-089k go with their person’s words, as their views do, and nobody else’s', async () => {
    const kim = await desk.desk();
    const [own, others] = [form({ name: 'Mrs Kim’s' }), form()];
    await keep(kim, own);
    await keep(ada, others);
    await chooseQueueColumns(kim, { columns: ['kind', 'work'] });
    await eraseTexts(db.pool('owner'), testContext, { person: kim.actor.personId }, 'DSR-20');
    expect(await seen(kim, own.viewId)).toBeUndefined();
    expect(await columnsOf(kim)).toBeNull();
    expect(await seen(ada, others.viewId)).toBeDefined();
  });
});
