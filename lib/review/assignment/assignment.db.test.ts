import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { SWEEP } from '@/lib/testing/sweep-desk';
import { assignException } from '../assign-exception';
import type { LookingContext } from '../desk-context';
import { listAssignmentRules } from './list-rules';
import { setAssignmentRule } from './set-rule';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = await desk.desk({ roles: ['ADMIN'] });
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const NORTH = { tenantId: 'tenant-north', operation: null, authority: null };
const set = (change: object, by = admin) =>
  setAssignmentRule(by, { ...NORTH, assigneeId: null, operationId: randomUUID(), ...change });
const apply = async () => {
  const { rows } = await transaction(db.pool('worker'), SWEEP, (tx) =>
    tx.query<{ given: number }>('select review.apply_assignment_rules() as given'),
  );
  return rows[0]!.given;
};
/** Somebody who is working here at this moment. */
const present = (rights?: Parameters<DeskFixture['desk']>[0]) => desk.desk(rights);
/** Somebody whose last session is over. */
async function away(): Promise<LookingContext> {
  const someone = await desk.desk();
  await changeSessions(`where person_id = '${someone.actor.personId}'`);
  return someone;
}
const changeSessions = (which: string, revokedAt = 'now()') =>
  db.pool('superuser').query(
    `alter table review.sessions disable trigger user;
     update review.sessions set revoked_at = ${revokedAt} ${which};
     alter table review.sessions enable trigger user`,
  );
const ownerOf = async (exceptionId: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ assignee_id: string | null }>(
      'select assignee_id from review.exceptions where exception_id = $1',
      [exceptionId],
    );
  return rows[0]!.assignee_id;
};
const open = async (many: number) => {
  const ids: string[] = [];
  for (let n = 0; n < many; n += 1) ids.push((await desk.unknownPayment()).exceptionId);
  return ids;
};
/** Effects that no execution knows need no execution: as many as are asked for, at once. */
const openDirectly = async (many: number, operation: string, severity: number) => {
  const { rows } = await db.pool('superuser').query<{ id: string }>(
    `insert into review.exceptions (tenant_id, kind, operation, severity, due_at, reason_code, detail, opened_at, updated_at)
       select 'tenant-north', 'ORPHAN_EFFECT', $2, $3, now(), 'IN_PROVIDER_REPORT',
              jsonb_build_object('system', 'bank', 'resultId', gen_random_uuid()), now(), now()
         from generate_series(1, $1) returning exception_id as id`,
    [many, operation, severity],
  );
  return rows.map(({ id }) => id);
};
const eventsOf = async (exceptionId: string, event: string) => {
  const { rows } = await db
    .pool('owner')
    .query('select from review.exception_events where exception_id = $1 and event = $2', [
      exceptionId,
      event,
    ]);
  return rows.length;
};

// Each test has its own people and rules: what earlier ones left is theirs no more.
beforeEach(async () => {
  await db.pool('superuser').query(
    `update review.assignment_rules set ended_at = now() where ended_at is null;
     alter table review.exceptions disable trigger user;
     update review.exceptions set assignee_id = '${operator.actor.personId}' where assignee_id is null;
     alter table review.exceptions enable trigger user;
     update review.sweep_marks set to_assign = false`,
  );
  // All but the administrator's, who is none of those that get work.
  await changeSessions(`where person_id <> '${admin.actor.personId}'`);
});

describe('rules of assignment', () => {
  it('R-049m turns are fair, however many workers give at once', async () => {
    await Promise.all([present(), present(), present()]);
    expect(await set({ mode: 'ROUND_ROBIN' })).toMatchObject({ outcome: 'done' });
    const ids = await open(9);
    const given = await Promise.all([apply(), apply(), apply(), apply()]);
    await apply();
    expect(given.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(9);
    const owners = await Promise.all(ids.map(ownerOf));
    const counts = [...new Set(owners)].map((owner) => owners.filter((each) => each === owner).length);
    expect(counts).toEqual([3, 3, 3]);
    expect(await Promise.all(ids.map((id) => eventsOf(id, 'assigned')))).toEqual(ids.map(() => 1));
  });

  it('R-049m passes over whoever is away, disabled, of another tenant or without the authority, and says so', async () => {
    await away();
    const idle = await present();
    await changeSessions(
      `, last_seen_at = now() - interval '11 minutes' where person_id = '${idle.actor.personId}'`,
      'null',
    );
    await present({ authorities: [] });
    await present({ tenants: ['tenant-south'] });
    await present({ roles: ['MANAGER'] });
    const gone = await present();
    await changePerson(db, gone.actor.personId, 'disabled_at = ledger.clock()');
    await set({ mode: 'ROUND_ROBIN' });
    const [id = ''] = await open(1);
    expect(await apply()).toBe(0);
    expect(await apply()).toBe(0);
    expect(await ownerOf(id)).toBeNull();
    expect(await eventsOf(id, 'rule_waits')).toBe(1);
    const rules = await listAssignmentRules({ actor: admin.actor, db: db.pool('app') });
    expect(rules).toMatchObject([{ mode: 'ROUND_ROBIN', waiting: 1, given: 0 }]);
    const here = await present();
    expect(await apply()).toBe(1);
    expect(await ownerOf(id)).toBe(here.actor.personId);
  });

  it('R-049m the narrowest rule counts, and a fixed owner need not be there', async () => {
    const [fixed, here] = [await away(), await present()];
    await set({ mode: 'ROUND_ROBIN' });
    await set({ authority: 'money', mode: 'ROUND_ROBIN' });
    await set({ operation: 'create-payment', mode: 'FIXED', assigneeId: fixed.actor.personId });
    const [first = ''] = await open(1);
    await apply();
    expect(await ownerOf(first)).toBe(fixed.actor.personId);
    await set({ operation: 'create-payment', mode: null });
    const [second = ''] = await open(1);
    await apply();
    expect(await ownerOf(second)).toBe(here.actor.personId);
  });

  it('R-049m what somebody gave back stays with nobody', async () => {
    await present();
    const [id = ''] = await open(1);
    const act = async (assigneeId: string | null) => {
      const { form } = await desk.seen(operator, id);
      const { exceptionVersion } = form;
      return assignException(operator, {
        exceptionId: id,
        exceptionVersion,
        operationId: randomUUID(),
        assigneeId,
      });
    };
    await act(operator.actor.personId);
    await act(null);
    await set({ mode: 'ROUND_ROBIN' });
    expect(await apply()).toBe(0);
    expect(await ownerOf(id)).toBeNull();
  });

  it('R-049n what nobody may take holds up nothing behind it, and each sweep does a bounded part', async () => {
    const here = await present({ authorities: ['general'] });
    await set({ mode: 'ROUND_ROBIN' });
    // Sixty that need an authority which nobody here has, more urgent and older than the one that can be given.
    const many = await openDirectly(60, 'create-payment', 1);
    const [last = ''] = await openDirectly(1, 'send-letter', 4);
    expect(await apply()).toBe(1);
    expect(await ownerOf(last)).toBe(here.actor.personId);
    const said = async () =>
      (await Promise.all(many.map((id) => eventsOf(id, 'rule_waits')))).filter((count) => count > 0).length;
    expect(await said()).toBe(50);
    expect(await apply()).toBe(0);
    expect(await said()).toBe(60);
    const able = await present();
    expect([await apply(), await apply()]).toEqual([50, 10]);
    expect(new Set(await Promise.all(many.map(ownerOf)))).toEqual(new Set([able.actor.personId]));
  });

  it('R-049n one that somebody is at is passed over, and given afterwards', async () => {
    const here = await present();
    await set({ mode: 'ROUND_ROBIN' });
    const [held = '', free = ''] = await openDirectly(2, 'send-letter', 2);
    const holder = await db.pool('owner').connect();
    await holder.query('begin');
    await holder.query('select from review.exceptions where exception_id = $1 for no key update', [held]);
    expect(await apply()).toBe(1);
    expect(await ownerOf(free)).toBe(here.actor.personId);
    await holder.query('rollback');
    holder.release();
    expect(await apply()).toBe(1);
    expect(await ownerOf(held)).toBe(here.actor.personId);
  });

  it('R-049m a rule is an administrator’s of the tenant, on record, and one at a time', async () => {
    const south = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
    const outside = await desk.desk({ tenants: ['tenant-south'] });
    expect(await set({ mode: 'ROUND_ROBIN' }, operator)).toEqual({
      outcome: 'refused',
      code: 'ROLE_MISSING',
    });
    expect(await set({ mode: 'ROUND_ROBIN' }, south)).toEqual({ outcome: 'refused', code: 'NOT_FOUND' });
    expect(await set({ mode: 'FIXED', assigneeId: outside.actor.personId })).toEqual({
      ...{ outcome: 'refused', code: 'ASSIGNEE_NOT_SUITABLE' },
    });
    expect(await set({ mode: null })).toEqual({ outcome: 'refused', code: 'NOTHING_CHANGED' });
    const operationId = randomUUID();
    expect(await set({ mode: 'ROUND_ROBIN', operationId })).toMatchObject({ outcome: 'done' });
    expect(await desk.audit({ operationId })).toMatchObject([
      { event: 'assignment.rule_changed', outcome: 'done', body: { mode: 'ROUND_ROBIN' } },
    ]);
    await Promise.all(Array.from({ length: 5 }, () => set({ mode: 'ROUND_ROBIN' })));
    expect(await listAssignmentRules({ actor: admin.actor, db: db.pool('app') })).toHaveLength(1);
    expect(await listAssignmentRules({ actor: operator.actor, db: db.pool('app') })).toBeNull();
  });
});
