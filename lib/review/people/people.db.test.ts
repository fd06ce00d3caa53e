import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signInByLink } from '@/lib/access/sign-in-link';
import { transaction } from '@/lib/db/transaction';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { makePerson, makeTenants } from '@/lib/testing/people';
import {
  grantForm,
  pendingGrant,
  personForm,
  invitationForm,
  REASON,
  rightsForm,
  rightsRow,
} from '@/lib/testing/people-forms';
import { changeRights } from './change-rights';
import { decideGrant } from './decide-grant';
import { endSessions } from './end-sessions';
import { invitePerson } from './invite-person';
import { resetPerson } from './reset-person';
import { setDisabled } from './set-disabled';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await makeTenants(db, 'tenant-north', 'tenant-south');
});
beforeEach(async () => {
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const operator = () => makePerson(db, { email: `o-${randomUUID()}@demo.local`, tenantIds: ['tenant-north'] });

describe('inviting', () => {
  it('R-086b makes a person with a link that is shown once and signs in once', async () => {
    const input = invitationForm();
    const answer = await invitePerson(admin, input);
    expect(answer).toMatchObject({ outcome: 'done', repeated: false });
    const secret = answer.outcome === 'done' ? answer.shownOnce : undefined;
    const origin = { requestId: 'r', sourceAddress: null, userAgent: null, previousSecret: null };
    expect(await signInByLink(db.pool('app'), secret, origin)).toMatchObject({ kind: 'signed-in' });
    expect(await signInByLink(db.pool('app'), secret, origin)).toEqual({ kind: 'refused' });
    // Sent again, the same click makes nobody and shows nothing.
    expect(await invitePerson(admin, input)).toEqual({ outcome: 'done', repeated: true });
    const events = await desk.audit({ operationId: input.operationId });
    expect(events).toMatchObject([
      { event: 'people.created', outcome: 'done', actor_id: admin.actor.personId },
    ]);
    expect(JSON.stringify(events)).not.toContain(input.email);
  });

  it.each([
    [{ tenantIds: ['tenant-south'] }, 'TENANT_NOT_GRANTED'],
    [{ tenantIds: [] }, 'TENANT_MISSING'],
    [{ email: 'аdmin@x.y' }, 'EMAIL_UNUSABLE'],
    [{ displayName: '\u200b' }, 'NAME_MISSING'],
    [{ reason: 'short' }, 'RATIONALE_LENGTH'],
  ])('R-098a is refused for %j', async (change, code) => {
    expect(await invitePerson(admin, invitationForm(change))).toMatchObject({ outcome: 'refused', code });
  });

  it('AZ-15 R-078f gives at once only what needs no second administrator', async () => {
    const email = `approver-${randomUUID()}@demo.local`;
    await invitePerson(
      admin,
      invitationForm({ email, roles: ['OPERATOR', 'APPROVER', 'ADMIN'], authorities: ['money'] }),
    );
    const { rows } = await db
      .pool('owner')
      .query<{ person_id: string; roles: string[]; authorities: string[] }>(
        'select person_id, roles, authorities from review.people where email = $1',
        [email],
      );
    expect(rows[0]).toMatchObject({ roles: ['OPERATOR'], authorities: [] });
    expect(await pendingGrant(db, rows[0]!.person_id)).toBeTruthy();
    expect(await invitePerson(admin, invitationForm({ email }))).toMatchObject({ code: 'EMAIL_TAKEN' });
  });
});

describe('what exists in another tenant', () => {
  it('AZ-05 R-098a is no more told by an invitation than how an address is written', async () => {
    const email = `far-${randomUUID()}@demo.local`;
    await makePerson(db, { email, tenantIds: ['tenant-south'] });
    const ask = {
      displayName: 'Somebody',
      roles: [],
      authorities: [],
      tenantIds: ['tenant-north'],
      reason: REASON,
    };
    const invite = (address: string) =>
      invitePerson(admin, { ...ask, email: address, operationId: randomUUID() });
    const unwritable = await invite('аdmin@x.y');
    expect(await invite(email)).toEqual(unwritable);
    expect(await invite(email.toUpperCase())).toEqual(unwritable);
    const both = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-north', 'tenant-south'] });
    const seen = { ...ask, email, operationId: randomUUID() };
    expect(await invitePerson(both, seen)).toMatchObject({ code: 'EMAIL_TAKEN' });
  });
});

describe('rights', () => {
  it('AZ-15 R-078f the role of an approver waits for a second administrator, and then counts', async () => {
    const personId = await operator();
    const change = { roles: ['OPERATOR', 'MANAGER', 'APPROVER'], authorities: ['money'] };
    expect(await changeRights(admin, await rightsForm(db, personId, change))).toMatchObject({
      outcome: 'done',
    });
    expect(await rightsRow(db, personId)).toMatchObject({ roles: ['MANAGER', 'OPERATOR'], authorities: [] });
    expect(await decideGrant(admin, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      code: 'SELF_APPROVAL',
    });
    expect(await changeRights(second, await rightsForm(db, personId, change))).toMatchObject({
      code: 'GRANT_IN_FLIGHT',
    });
    expect(await decideGrant(second, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      outcome: 'done',
    });
    const after = await rightsRow(db, personId);
    expect([...after.roles].sort()).toEqual(['APPROVER', 'MANAGER', 'OPERATOR']);
    expect(after.authorities).toEqual(['money']);
  });

  it('AZ-15 R-078f a first word counts no longer than its giver is an administrator', async () => {
    const personId = await operator();
    const passing = await desk.desk({ roles: ['ADMIN'] });
    await changeRights(passing, await rightsForm(db, personId, { roles: ['APPROVER'] }));
    expect(
      await setDisabled(admin, { ...(await personForm(db, passing.actor.personId)), disabled: true }),
    ).toMatchObject({
      outcome: 'done',
    });
    expect(await decideGrant(second, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      code: 'REQUESTER_NOT_ENTITLED',
    });
    expect(await decideGrant(second, await grantForm(db, personId, 'REJECT'))).toMatchObject({
      outcome: 'done',
    });
  });

  it('AZ-15 R-078f nobody changes their own rights, nor confirms what they are to get', async () => {
    const own = await rightsForm(db, admin.actor.personId, { roles: ['ADMIN', 'APPROVER'] });
    expect(await changeRights(admin, own)).toMatchObject({ code: 'OWN_RIGHTS' });
    await changeRights(second, await rightsForm(db, admin.actor.personId, { roles: ['ADMIN', 'APPROVER'] }));
    expect(await decideGrant(admin, await grantForm(db, admin.actor.personId, 'CONFIRM'))).toMatchObject({
      code: 'OWN_RIGHTS',
    });
    expect(await resetPerson(admin, await personForm(db, admin.actor.personId))).toMatchObject({
      code: 'OWN_RIGHTS',
    });
  });

  it.each([
    [`roles = roles || '{APPROVER}'`, 'OA014'],
    [`authorities = '{money}'`, 'OA014'],
  ])('AZ-15 R-078f the database holds it against whoever writes as a person: %s', async (set, code) => {
    const personId = await operator();
    const write = (about: string) =>
      transaction(db.pool('owner'), admin.context, (tx) =>
        tx.query(`update review.people set ${set} where person_id = $1`, [about]),
      );
    await expect(write(personId)).rejects.toMatchObject({ code });
    await expect(write(admin.actor.personId)).rejects.toMatchObject({ code: 'OA011' });
  });

  it('R-077a is changed by the version that was seen, and once', async () => {
    const personId = await operator();
    const form = await rightsForm(db, personId, { roles: ['MANAGER'] });
    expect(await changeRights(admin, form)).toMatchObject({ outcome: 'done', repeated: false });
    expect(await changeRights(admin, form)).toMatchObject({ outcome: 'done', repeated: true });
    expect(await changeRights(second, { ...form, operationId: randomUUID() })).toMatchObject({
      code: 'CHANGED_SINCE_SEEN',
    });
    expect(await changeRights(admin, await rightsForm(db, personId, {}))).toMatchObject({
      code: 'NOTHING_CHANGED',
    });
  });

  it('R-078a AN-07 only an administrator of this moment does any of it', async () => {
    const personId = await operator();
    const manager = await desk.desk({ roles: ['MANAGER', 'OPERATOR', 'APPROVER'] });
    const form = await rightsForm(db, personId, { roles: ['MANAGER'] });
    expect(await changeRights(manager, form)).toMatchObject({ code: 'ROLE_MISSING' });
    expect(await setDisabled(manager, { ...(await personForm(db, personId)), disabled: true })).toMatchObject(
      {
        code: 'ROLE_MISSING',
      },
    );
    expect(await resetPerson(manager, await personForm(db, personId))).toMatchObject({
      code: 'ROLE_MISSING',
    });
    const about = { personId, sessionId: null, operationId: randomUUID() };
    expect(await endSessions(manager, about)).toMatchObject({ code: 'ROLE_MISSING' });
    expect((await desk.audit({ operationId: form.operationId }))[0]).toMatchObject({
      event: 'people.rights_changed',
      outcome: 'refused',
      refusal_code: 'ROLE_MISSING',
    });
  });

  it('R-098a shows and gives nothing beyond the administrator’s own tenants', async () => {
    const far = await makePerson(db, { email: `s-${randomUUID()}@demo.local`, tenantIds: ['tenant-south'] });
    const both = await makePerson(db, {
      email: `b-${randomUUID()}@demo.local`,
      tenantIds: ['tenant-north', 'tenant-south'],
    });
    const near = await operator();
    const to = async (personId: string, tenantIds: string[]) =>
      changeRights(admin, await rightsForm(db, personId, { tenantIds }));
    expect(await to(far, ['tenant-north'])).toMatchObject({ code: 'NOT_FOUND' });
    expect(await to(both, ['tenant-north'])).toMatchObject({ code: 'OTHER_TENANTS_TOO' });
    expect(await to(near, ['tenant-north', 'tenant-south'])).toMatchObject({ code: 'TENANT_NOT_GRANTED' });
    const end = { personId: far, sessionId: null, operationId: randomUUID() };
    expect(await endSessions(admin, end)).toMatchObject({ code: 'NOT_FOUND' });
  });
});
