import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { makePerson, makeTenants } from '@/lib/testing/people';
import { grantForm, personForm, rightsForm, rightsRow } from '@/lib/testing/people-forms';
import { changeRights } from './change-rights';
import { decideGrant } from './decide-grant';
import { getPerson } from './get-person';
import { setDisabled } from './set-disabled';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
const BOTH = ['tenant-north', 'tenant-south'];
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await makeTenants(db, ...BOTH);
});
beforeEach(async () => {
  admin = await desk.desk({ roles: ['ADMIN'], tenants: BOTH });
  second = await desk.desk({ roles: ['ADMIN'], tenants: BOTH });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const person = (roles: ('OPERATOR' | 'APPROVER' | 'ADMIN')[], authorities: string[] = []) =>
  makePerson(db, {
    email: `p-${randomUUID()}@demo.local`,
    roles,
    authorities,
    tenantIds: ['tenant-north'],
  });
const extend = async (personId: string) =>
  changeRights(admin, await rightsForm(db, personId, { tenantIds: BOTH }));
const turn = async (personId: string, disabled: boolean) =>
  setDisabled(admin, { ...(await personForm(db, personId)), disabled });

describe('a further tenant', () => {
  it.each([
    ['an approver', () => person(['APPROVER'])],
    ['an administrator', () => person(['ADMIN'])],
    ['an authority', () => person(['OPERATOR'], ['money'])],
  ])('AZ-15 R-078k waits for a second administrator where it is for %s', async (_, make) => {
    const personId = await make();
    expect(await extend(personId)).toMatchObject({ outcome: 'done' });
    expect((await rightsRow(db, personId)).tenant_ids).toEqual(['tenant-north']);
    const seen = await getPerson({ actor: second.actor, db: db.pool('app') }, personId);
    expect(seen?.grant).toMatchObject({ tenants: [{ tenantId: 'tenant-south' }], confirmRefusal: null });
    expect(await decideGrant(admin, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      code: 'SELF_APPROVAL',
    });
    const near = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-north'] });
    expect(await decideGrant(near, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      code: 'TENANT_NOT_GRANTED',
    });
    expect(await decideGrant(second, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      outcome: 'done',
    });
    expect([...(await rightsRow(db, personId)).tenant_ids].sort()).toEqual(BOTH);
  });

  it('R-078k counts at once for an operator', async () => {
    const personId = await person(['OPERATOR']);
    await extend(personId);
    expect([...(await rightsRow(db, personId)).tenant_ids].sort()).toEqual(BOTH);
  });

  it.each([`tenant_ids = '{tenant-north,tenant-south}'`, 'disabled_at = null'])(
    'AZ-15 R-078k the database holds it against whoever writes as a person: %s',
    async (set) => {
      const personId = await person(['APPROVER'], ['money']);
      if (set.startsWith('disabled')) await turn(personId, true);
      const written = transaction(db.pool('owner'), admin.context, (tx) =>
        tx.query(`update review.people set ${set} where person_id = $1`, [personId]),
      );
      await expect(written).rejects.toMatchObject({ code: 'OA014' });
    },
  );
});

describe('enabling again', () => {
  it('AN-07 AZ-15 R-078k leaves what takes two behind until a second administrator gives it, as a new right', async () => {
    const personId = await person(['OPERATOR', 'APPROVER'], ['money']);
    const since = () =>
      db
        .pool('owner')
        .query(`select since from review.person_rights where person_id = $1 and name = 'APPROVER'`, [
          personId,
        ]);
    const before = (await since()).rows[0] as { since: Date };
    await turn(personId, true);
    expect(await turn(personId, false)).toMatchObject({ outcome: 'done' });
    expect(await rightsRow(db, personId)).toMatchObject({
      roles: ['OPERATOR'],
      authorities: [],
      disabled: false,
    });
    expect(await decideGrant(second, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      outcome: 'done',
    });
    const after = await rightsRow(db, personId);
    expect([[...after.roles].sort(), after.authorities]).toEqual([['APPROVER', 'OPERATOR'], ['money']]);
    expect(((await since()).rows[0] as { since: Date }).since.getTime()).toBeGreaterThan(
      before.since.getTime(),
    );
  });
});
