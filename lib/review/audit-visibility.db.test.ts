// Who reads events about people, and what one event that can no longer be read does to the others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { rightsForm } from '@/lib/testing/people-forms';
import { ANY_AUDIT_EVENT } from './audit-filter';
import type { LookingContext } from './desk-context';
import { getAuditEvent } from './get-audit-event';
import { listAuditEvents } from './list-audit-events';
import { changeRights } from './people/change-rights';

let db: TestDatabase;
let desk: DeskFixture;
/** Administrators of both tenants; the readers of one. */
let both: LookingContext;
let second: LookingContext;
let north: LookingContext;
let northAdmin: LookingContext;
let south: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  const rights = { authorities: [], tenants: ['tenant-north', 'tenant-south'] };
  both = await desk.desk({ roles: ['ADMIN'], ...rights });
  second = await desk.desk({ roles: ['MANAGER'], ...rights });
  north = await desk.desk({ roles: ['MANAGER'], authorities: [] });
  northAdmin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  south = await desk.desk({ roles: ['MANAGER'], authorities: [], tenants: ['tenant-south'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function list(actor: Actor) {
  const view = { filter: ANY_AUDIT_EVENT, sort: '-number' as const, cursor: null, size: 100 };
  const answer = await listAuditEvents({ actor, db: db.pool('app') }, view);
  if (answer.kind !== 'page') throw new Error('bug: no cursor was given');
  return answer.rows;
}

/** The rights changes of one person that a reader sees, oldest first. */
const seenBy = async ({ actor }: LookingContext, personId: string) =>
  (await list(actor))
    .filter(({ event, body }) => event === 'people.rights_changed' && body.includes(personId))
    .map(({ number }) => number)
    .reverse();

const numbers = async (personId: string) =>
  (
    await db
      .pool('owner')
      .query<{ number: string }>(
        `select number::text from review.audit_events where event = 'people.rights_changed' and body::jsonb->>'personId' = $1 order by number`,
        [personId],
      )
  ).rows.map(({ number }) => number);

const change = async (personId: string, to: Parameters<typeof rightsForm>[2], reason: string) =>
  expect(await changeRights(both, { ...(await rightsForm(db, personId, to)), reason })).toMatchObject({
    outcome: 'done',
  });

describe('events about a person who came to another tenant', () => {
  it('R-098f show to whom every tenant is granted that they name, as the person had them then', async () => {
    const { personId } = (
      await desk.desk({ roles: ['OPERATOR'], authorities: [], tenants: ['tenant-south'] })
    ).actor;
    await change(personId, { roles: ['MANAGER'] }, 'SOUTH-SECRET reorganisation.');
    await change(personId, { tenantIds: ['tenant-north', 'tenant-south'] }, 'Helps out in the north.');
    await change(personId, { tenantIds: ['tenant-north'] }, 'Stays in the north for good.');
    await change(personId, { roles: ['OPERATOR'] }, 'NORTH-SECRET reorganisation.');
    const [inSouth, came, stayed, inNorth] = await numbers(personId);
    expect(await seenBy(both, personId)).toEqual([inSouth, came, stayed, inNorth]);
    expect(await seenBy(second, personId)).toEqual([inSouth, came, stayed, inNorth]);
    // What happened in the south is the south's to read still, and the north never reads it.
    expect(await seenBy(south, personId)).toEqual([inSouth]);
    expect(await seenBy(north, personId)).toEqual([inNorth]);
    expect(await seenBy(northAdmin, personId)).toEqual([inNorth]);
    const opened = await getAuditEvent({ actor: north.actor, db: db.pool('app') }, BigInt(inSouth!));
    expect(opened).toBeNull();
  });

  it('R-098f that name no tenant show where the person has been since', async () => {
    const coming = await desk.desk({ roles: ['OPERATOR'], authorities: [], tenants: ['tenant-south'] });
    const signedIn = () =>
      transaction(db.pool('owner'), coming.context, (tx) =>
        appendAudit(tx, { event: 'session.signed_in', outcome: 'done' }),
      );
    const before = await signedIn();
    await changePerson(db, coming.actor.personId, `tenant_ids = '{tenant-north,tenant-south}'`);
    const after = await signedIn();
    const seen = async ({ actor }: LookingContext) =>
      (await list(actor)).map(({ number }) => number).filter((each) => [before, after].includes(each));
    expect(await seen(north)).toEqual([after]);
    expect(await seen(south)).toEqual([after, before]);
  });
});

it('R-088a an event that cannot be read hides nothing else, and shows to administrators by its number', async () => {
  const { personId } = (await desk.desk({ roles: ['OPERATOR'], authorities: [] })).actor;
  await change(personId, { roles: ['MANAGER'] }, 'Leads the morning shift.');
  await change(personId, { roles: ['OPERATOR'] }, 'Leads it no more.');
  const [broken, whole] = await numbers(personId);
  await db.pool('superuser').query(
    `alter table review.audit_events disable trigger all;
     update review.audit_events set body = 'z' || substr(body, 2) where number = ${broken};
     alter table review.audit_events enable trigger all`,
  );
  const shown = async (reader: LookingContext) => (await list(reader.actor)).map(({ number }) => number);
  expect(await shown(north)).toContain(whole);
  expect(await shown(north)).not.toContain(broken);
  expect(await shown(northAdmin)).toEqual(expect.arrayContaining([broken, whole]));
  const opened = await getAuditEvent({ actor: northAdmin.actor, db: db.pool('app') }, BigInt(broken!));
  expect(opened?.event.body).toMatch(/^z/);
});
