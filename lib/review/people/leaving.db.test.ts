import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actorOfSecret } from '@/lib/access/session';
import { transaction } from '@/lib/db/transaction';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { makePerson, makeTenants, secretOf, testContext } from '@/lib/testing/people';
import { grantForm, personForm, REASON, rightsForm, rightsRow } from '@/lib/testing/people-forms';
import { changeRights } from './change-rights';
import { decideGrant } from './decide-grant';
import { endSessions } from './end-sessions';
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

/** Statements that wait for a lock. */
async function waiting({ pool, name }: TestDatabase): Promise<number> {
  const { rows } = await pool('superuser').query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
    [name],
  );
  return rows[0]!.n;
}

const operator = () => makePerson(db, { email: `o-${randomUUID()}@demo.local`, tenantIds: ['tenant-north'] });

const openedSession = (personId: string) => secretOf(db, personId);

describe('the last administrator', () => {
  it('LC-13 R-078g of two administrators who take each other’s role away at once, one stays', async () => {
    const own = await testDatabase();
    const there = await deskFixture(own);
    try {
      const [one, other] = [await there.desk({ roles: ['ADMIN'] }), await there.desk({ roles: ['ADMIN'] })];
      const disable = (by: LookingContext, whom: LookingContext) =>
        setDisabled(by, {
          personId: whom.actor.personId,
          version: '1',
          reason: REASON,
          operationId: randomUUID(),
          disabled: true,
        });
      const answers = await Promise.all([disable(one, other), disable(other, one)]);
      expect(answers.map((answer) => answer.outcome).sort()).toEqual(['done', 'refused']);
      const { rows } = await own
        .pool('owner')
        .query(`select from review.people where 'ADMIN' = any(roles) and disabled_at is null`);
      expect(rows).toHaveLength(1);
    } finally {
      await there.close();
      await own.drop();
    }
  });

  it('LC-13 R-078g a second demotion waits for the first one’s end, and is refused then', async () => {
    const own = await testDatabase();
    const there = await deskFixture(own);
    const demote = (personId: string, meanwhile: () => Promise<void>) =>
      transaction(own.pool('owner'), testContext, async (tx) => {
        await tx.query(`update review.people set roles = '{MANAGER}' where person_id = $1`, [personId]);
        await meanwhile();
      });
    try {
      const [one, other] = [await there.desk({ roles: ['ADMIN'] }), await there.desk({ roles: ['ADMIN'] })];
      let later: Promise<void> = Promise.resolve();
      await demote(one.actor.personId, async () => {
        later = demote(other.actor.personId, () => Promise.resolve());
        later.catch(() => undefined);
        await expect.poll(() => waiting(own)).toBe(1);
      });
      await expect(later).rejects.toMatchObject({ code: 'OA012' });
    } finally {
      await there.close();
      await own.drop();
    }
  });
});

describe('disabling, resetting, signing out', () => {
  it('R-078a AN-07 disabling ends every session at once, and an act under way waits for nothing more', async () => {
    const personId = await operator();
    const secret = await openedSession(personId);
    expect(await actorOfSecret(db.pool('app'), secret)).not.toBeNull();
    const form = { ...(await personForm(db, personId)), disabled: true };
    expect(await setDisabled(admin, form)).toMatchObject({ outcome: 'done' });
    expect(await actorOfSecret(db.pool('app'), secret)).toBeNull();
    expect(await setDisabled(admin, { ...(await personForm(db, personId)), disabled: false })).toMatchObject({
      outcome: 'done',
    });
    expect(await actorOfSecret(db.pool('app'), secret)).toBeNull();
    expect((await rightsRow(db, personId)).disabled).toBe(false);
  });

  it('R-078a FE-07 a demotion waits for a decision that holds the rights, and counts for the next one', async () => {
    const personId = await operator();
    const person = { ...testContext, actor: { kind: 'person' as const, id: personId } };
    const form = await rightsForm(db, personId, { roles: ['MANAGER'] });
    let demotion: Promise<unknown> = Promise.resolve();
    let over = false;
    await transaction(db.pool('app'), person, async (tx) => {
      await tx.query('select * from review.held_actor()');
      demotion = changeRights(admin, form).then(() => (over = true));
      await expect.poll(() => waiting(db)).toBe(1);
      expect(over).toBe(false);
    });
    await demotion;
    const held = await transaction(db.pool('app'), person, (tx) =>
      tx.query('select roles from review.held_actor()'),
    );
    expect(held.rows).toEqual([{ roles: ['MANAGER'] }]);
  });

  it('AZ-15 R-078f a reset replaces password and sessions, and what two administrators gave waits for two again', async () => {
    const personId = await makePerson(db, {
      email: `r-${randomUUID()}@demo.local`,
      roles: ['OPERATOR', 'APPROVER'],
      authorities: ['money'],
      tenantIds: ['tenant-north'],
    });
    const secret = await openedSession(personId);
    const answer = await resetPerson(admin, await personForm(db, personId));
    expect(answer).toMatchObject({ outcome: 'done', shownOnce: expect.any(String) as string });
    expect(await actorOfSecret(db.pool('app'), secret)).toBeNull();
    expect(await rightsRow(db, personId)).toMatchObject({ roles: ['OPERATOR'], authorities: [] });
    const { rows } = await db
      .pool('owner')
      .query('select password_hash from review.people where person_id = $1', [personId]);
    expect(rows).toEqual([{ password_hash: null }]);
    expect(await decideGrant(second, await grantForm(db, personId, 'CONFIRM'))).toMatchObject({
      outcome: 'done',
    });
    expect([...(await rightsRow(db, personId)).roles].sort()).toEqual(['APPROVER', 'OPERATOR']);
  });

  it('AN-06 one’s own other sessions end, the present one stays; nobody ends another’s', async () => {
    const person = await desk.desk();
    const { personId } = person.actor;
    const elsewhere = await openedSession(personId);
    const all = { personId, sessionId: null, operationId: randomUUID() };
    expect(await endSessions(person, all)).toMatchObject({ outcome: 'done' });
    expect(await actorOfSecret(db.pool('app'), elsewhere)).toBeNull();
    const { rows } = await db
      .pool('owner')
      .query('select session_id from review.sessions where person_id = $1 and revoked_at is null', [
        personId,
      ]);
    expect(rows).toEqual([{ session_id: person.context.sessionId }]);
    expect(await endSessions(person, { ...all, operationId: randomUUID() })).toMatchObject({
      code: 'SESSION_OVER',
    });
    const colleague = await desk.desk();
    expect(
      await endSessions(person, { ...all, personId: colleague.actor.personId, operationId: randomUUID() }),
    ).toMatchObject({ code: 'ROLE_MISSING' });
    expect(
      await endSessions(admin, {
        personId: colleague.actor.personId,
        sessionId: colleague.context.sessionId,
        operationId: randomUUID(),
      }),
    ).toMatchObject({ outcome: 'done' });
  });
});
