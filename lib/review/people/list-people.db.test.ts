import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { makePerson, makeTenants } from '@/lib/testing/people';
import { getPerson, listAuthorities } from './get-person';
import { listPeople } from './list-people';
import { listSessions } from './list-sessions';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let north: string[];
let far: string;
let both: string;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'a field hash key of the tests, 32 bytes or more';
  db = await testDatabase();
  desk = await deskFixture(db);
  await makeTenants(db, 'tenant-north', 'tenant-south');
  admin = await desk.desk({ roles: ['ADMIN'] });
  const make = (tenantIds: string[], displayName: string) =>
    makePerson(db, { email: `p-${randomUUID()}@demo.local`, displayName, tenantIds });
  north = [];
  // One name for all: only the id tells them apart.
  for (let index = 0; index < 5; index += 1) north.push(await make(['tenant-north'], 'Kim'));
  far = await make(['tenant-south'], 'Lee');
  both = await make(['tenant-north', 'tenant-south'], 'Park');
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const ctxOf = ({ actor }: LookingContext) => ({ actor, db: db.pool('app') });

describe('the people page', () => {
  it('R-098b R-098c shows each person of the own tenants once, over all pages and back', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      const page = await listPeople(ctxOf(admin), { states: [], cursor, size: 2 });
      if (page.kind !== 'page') throw new Error(page.kind);
      seen.push(...page.rows.map((row) => row.personId));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect([...seen].sort()).toEqual([...north, both, admin.actor.personId].sort());
    const other = await desk.desk({ roles: ['ADMIN'], authorities: [], tenants: ['tenant-south'] });
    expect(await listPeople(ctxOf(other), { states: [], cursor, size: 2 })).toEqual({
      kind: 'cursor-refused',
    });
  });

  it('R-098c names no tenant that the reader does not see, and says why such a person cannot be changed', async () => {
    expect(await getPerson(ctxOf(admin), far)).toBeNull();
    expect(await getPerson(ctxOf(admin), both)).toMatchObject({
      tenants: [{ tenantId: 'tenant-north' }],
      refusal: 'OTHER_TENANTS_TOO',
    });
    expect(await getPerson(ctxOf(admin), admin.actor.personId)).toMatchObject({ refusal: 'OWN_RIGHTS' });
    expect(await getPerson(ctxOf(admin), 'not-an-id')).toBeNull();
  });

  it('R-074a is an administrator’s', async () => {
    const manager = await desk.desk({ roles: ['MANAGER', 'OPERATOR', 'APPROVER'] });
    expect(await listPeople(ctxOf(manager), { states: [], cursor: null, size: 5 })).toEqual({
      kind: 'forbidden',
    });
    expect(await getPerson(ctxOf(manager), north[0]!)).toBeNull();
  });

  it('R-098c offers the authorities of the own tenants, and that for emergencies everywhere', async () => {
    expect(await listAuthorities(ctxOf(admin))).toEqual(['break-glass', 'money']);
    const nobody = await desk.desk({ roles: ['ADMIN'], authorities: [], tenants: ['tenant-south'] });
    expect(await listAuthorities(ctxOf(nobody))).toEqual(['break-glass']);
  });

  it('AN-18 lists open sessions only', async () => {
    const person = await desk.desk();
    const open = await listSessions(ctxOf(person), person.actor.personId);
    expect(open.map((row) => row.sessionId)).toEqual([person.context.sessionId]);
    await db.advanceClock('31 minutes');
    expect(await listSessions(ctxOf(person), person.actor.personId)).toEqual([]);
  });
});
