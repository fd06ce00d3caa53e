import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { insertBulk } from '@/lib/testing/bulk-trail';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { explaining } from '@/lib/testing/explaining';
import { actorOf, makePerson, makeTenants } from '@/lib/testing/people';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { getAuditEvent } from './get-audit-event';
import { listAuditEvents } from './list-audit-events';
import type { ReadContext } from './read-context';

async function found(ctx: ReadContext, narrowed: Partial<AuditFilter>): Promise<string[]> {
  const answer = await listAuditEvents(ctx, {
    ...{ filter: { ...ANY_AUDIT_EVENT, ...narrowed }, sort: 'number', cursor: null, size: 200 },
  });
  if (answer.kind !== 'page') throw new Error('bug: no cursor was given');
  return answer.rows.map(({ event }) => event);
}

describe('events of a new key', () => {
  let db: TestDatabase;
  let desk: DeskFixture;
  let doubts: DoubtFixture;
  let approver: LookingContext;
  let manager: ReadContext;
  let made: { executionId: string; key: string };
  beforeAll(async () => {
    process.env['FIELD_HASH_KEY'] = 'a key of the test';
    db = await testDatabase();
    desk = await deskFixture(db);
    doubts = doubtFixture(desk, await desk.desk());
    approver = await desk.desk({ roles: ['APPROVER'] });
    const { actor } = await desk.desk({ roles: ['MANAGER'] });
    manager = { actor, db: db.pool('app') };
    const { requestId, verdict } = await doubts.requested();
    await decideRequest(approver, verdict());
    await executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
    const { rows } = await db
      .pool('owner')
      .query(`select execution_id, idempotency_key from ledger.executions where reissue_of is not null`);
    made = { executionId: rows[0].execution_id, key: rows[0].idempotency_key };
    const target = { system: 'payment', account: 'main' };
    await desk.ledger.claim(made.key, { operation: 'create-payment', target });
    await desk.ledger.report('effect_started', made.executionId, { fencingToken: '1' });
    await desk.ledger.report('complete', made.executionId, {
      fencingToken: '1',
      resultId: 'PAY-ANEW',
      target,
    });
  });
  afterAll(async () => {
    await desk.close();
    await db.drop();
  });

  it('R-088j are found by its id, its key and its result id, as what was asked and agreed for it', async () => {
    const whole = ['reissue.requested', 'reissue.approved', 'reissue.executed'];
    expect(await found(manager, { executionId: made.executionId })).toEqual(whole);
    for (const text of [made.executionId, made.key, 'PAY-ANEW'])
      expect(await found(manager, { text })).toEqual(whole);
    expect(await found(manager, { executionId: randomUUID() })).toEqual([]);
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    expect(await found({ ...manager, actor: south.actor }, { executionId: made.executionId })).toEqual([]);
  });

  it('R-088ad are one story from each of its events: the page, the list and so the file have the very same ones', async () => {
    const { rows } = await db
      .pool('owner')
      .query<{ number: string; event: string; execution: string | null }>(
        `select number::text, event, execution_id::text as execution from review.audit_events
          where tenant_id is not null and (execution_id is not null or exception_id is not null) order by number`,
      );
    const numbers = rows.map(({ number }) => number);
    expect(rows.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        'lookup.recorded',
        'reissue.requested',
        'reissue.approved',
        'reissue.executed',
      ]),
    );
    for (const { number } of rows) {
      const page = await getAuditEvent(manager, BigInt(number));
      expect(page?.story.map((event) => event.number)).toEqual(numbers);
      expect(await found(manager, { storyOf: number })).toEqual(page?.story.map(({ event }) => event));
    }
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    expect(await found({ ...manager, actor: south.actor }, { storyOf: numbers[0] ?? '' })).toEqual([]);
  });

  it('R-088i are found by the words of the list, and by the name of who agreed, though the worker made the key', async () => {
    expect(await found(manager, { text: 'New key made' })).toEqual(['reissue.executed']);
    expect(await found(manager, { text: '새 키 재발급 실행' })).toContain('reissue.executed');
    const name = `Agreeing ${randomUUID()}`;
    const context: TransactionContext = {
      ...{ actor: { kind: 'system', id: 'system:test' }, requestId: 'r', sourceAddress: null },
    };
    const rename = (to: string, personId: string) =>
      transaction(db.pool('owner'), context, (tx) =>
        tx.query('update review.people set display_name = $1 where person_id = $2', [to, personId]),
      );
    await rename(name, approver.actor.personId);
    // By the name of now, whatever it was then; and without a name of theirs nobody's events.
    expect(await found(manager, { text: name })).toEqual(
      expect.arrayContaining(['reissue.approved', 'reissue.executed']),
    );
    const south = await desk.desk({ roles: ['MANAGER'], tenants: ['tenant-south'] });
    expect(await found({ ...manager, actor: south.actor }, { text: name })).toEqual([]);
    // An id that somebody of another tenant has leads nobody here by their name.
    const foreign = `Foreign ${randomUUID()}`;
    await rename(foreign, south.actor.personId);
    const body = { assigneeId: south.actor.personId };
    await transaction(db.pool('owner'), context, (tx) =>
      appendAudit(tx, { event: 'exception.assigned', outcome: 'done', tenantId: 'tenant-north', body }),
    );
    expect(await found(manager, { text: foreign })).toEqual([]);
  });
});

describe('events of an execution in a long log', () => {
  it('R-088j R-088ad are read along the indexes, also of a key that was made for another, and as a story', async () => {
    const db = await testDatabase();
    await makeTenants(db, 'tenant-north');
    const superuser = db.pool('superuser');
    await insertBulk(superuser, 12_000, 1);
    const [one, other] = [randomUUID(), randomUUID()];
    await superuser.query('alter table review.audit_events_1 disable trigger user');
    await superuser.query(
      `update review.audit_events_1 set body = format('{"newExecutionId": "%s"}', case when number = 5000 then $1 else gen_random_uuid()::text end)
       where number % 1000 = 0`,
      [one],
    );
    // As in life, where an exception has few events: planners go by that.
    await superuser.query(`update review.audit_events_1 set exception_id = gen_random_uuid()`);
    await superuser.query(`update review.audit_events_1 set execution_id = $1 where number = 7500`, [other]);
    await superuser.query('analyze review.audit_events');
    const personId = await makePerson(db, {
      email: 'a@demo.local',
      roles: ['MANAGER'],
      tenantIds: ['tenant-north'],
    });
    const { plans, reader } = explaining(db.pool('app'), 'analyze, timing off');
    const actor: Actor = await actorOf(db, personId);
    const ctx = { actor, db: reader };
    for (const id of [one, other])
      for (const narrowed of [{ executionId: id }, { text: id }])
        expect(await found(ctx, narrowed)).toHaveLength(1);
    const story = explaining(db.pool('app'), 'analyze, timing off');
    expect(await found({ actor, db: story.reader }, { storyOf: '7500' })).toHaveLength(1);
    await db.drop();
    expect(story.plans.join()).toContain('audit_events_1_execution_idx');
    expect(story.plans.join()).not.toMatch(/Seq Scan on audit_events/);
    const listing = plans.filter((plan) => plan.includes('audit_events'));
    expect(listing.length).toBeGreaterThanOrEqual(4);
    for (const plan of listing) {
      expect(plan).toContain('audit_events_1_new_execution_of_idx');
      expect(plan).not.toMatch(/Seq Scan on audit_events/);
      // What an index only passes on to a filter was read in vain.
      for (const [, removed] of plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g))
        expect(Number(removed)).toBeLessThan(100);
    }
  }, 240_000);
});
