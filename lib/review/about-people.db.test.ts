import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { insertBulk } from '@/lib/testing/bulk-trail';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { explaining } from '@/lib/testing/explaining';
import { testContext } from '@/lib/testing/people';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { listAuditEvents } from './list-audit-events';
import type { ReadContext } from './read-context';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
let manager: ReadContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  // A long log first: what the people here did stands at its end.
  await insertBulk(db.pool('superuser'), 12_000, 1);
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  manager = { actor: (await desk.desk({ roles: ['MANAGER'] })).actor, db: db.pool('app') };
  const { requestId, verdict } = await doubtFixture(desk, operator).requested();
  await decideRequest(approver, verdict());
  await executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
  await db.pool('superuser').query('analyze review.audit_events');
}, 120_000);
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const found = async (ctx: ReadContext, narrowed: Partial<AuditFilter>) => {
  const answer = await listAuditEvents(ctx, {
    ...{ filter: { ...ANY_AUDIT_EVENT, ...narrowed }, sort: 'number', cursor: null, size: 200 },
  });
  if (answer.kind !== 'page') throw new Error('bug: no cursor was given');
  return answer.rows.map(({ event }) => event).filter((event) => event.startsWith('reissue.'));
};

describe('who asked and who decided', () => {
  it('R-088t each finds what the system carried out, by the filter and by the name', async () => {
    const all = ['reissue.requested', 'reissue.approved', 'reissue.executed'];
    // What was asked before they came is not theirs.
    const expected = [
      { personId: operator.actor.personId, name: 'Olivia Asking', events: all },
      { personId: approver.actor.personId, name: 'Ada Deciding', events: all.slice(1) },
    ];
    for (const { personId, name, events } of expected) {
      await transaction(db.pool('owner'), testContext, (tx) =>
        tx.query('update review.people set display_name = $1 where person_id = $2', [name, personId]),
      );
      expect(await found(manager, { actorId: personId })).toEqual(events);
      expect(await found(manager, { text: name })).toEqual(events);
    }
    expect(await found(manager, { actorId: manager.actor.personId })).toEqual([]);
    expect(await found(manager, { actorId: 'system:worker' })).toEqual(['reissue.executed']);
  });

  it('R-088t in a long log along the indexes', async () => {
    const { plans, reader } = explaining(db.pool('app'), 'analyze, timing off');
    for (const { actor } of [operator, approver])
      await found({ ...manager, db: reader }, { actorId: actor.personId });
    const listing = plans.filter((plan) => plan.includes('audit_events'));
    expect(listing).toHaveLength(2);
    for (const plan of listing) {
      expect(plan).toContain('audit_events_1_approval_request_idx');
      expect(plan).not.toMatch(/Seq Scan on audit_events/);
      for (const [, removed] of plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g))
        expect(Number(removed)).toBeLessThan(100);
    }
  });
});
