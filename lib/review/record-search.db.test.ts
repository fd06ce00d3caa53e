import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import { countHiddenSearches } from './count-hidden-searches';
import { listAuditEvents } from './list-audit-events';
import { recordSearch } from './record-search';

let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const events = async (actorId: string) =>
  (
    await db
      .pool('app')
      .query(
        `select event, body, source_address from review.audit_events where actor_id = $1 order by number`,
        [actorId],
      )
  ).rows;

describe('a search', () => {
  it('AU-17 is on record once, with its list and without what was looked for', async () => {
    const reader = await desk.desk();
    for (let page = 0; page < 3; page += 1) await recordSearch(reader, 'executions', 'CANARY-4711');
    await recordSearch(reader, 'audit', 'CANARY-4711');
    await recordSearch(reader, 'queue', '');
    const found = await events(reader.actor.personId);
    expect(found).toEqual([
      {
        event: 'search.made',
        body: '{"list": "executions", "authoritiesThen": ["money"]}',
        source_address: '192.0.2.9',
      },
      {
        event: 'search.made',
        body: '{"list": "audit", "authoritiesThen": ["money"]}',
        source_address: '192.0.2.9',
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('CANARY');
  });

  it('AU-17 is another one ten minutes later, for another text, and for another person', async () => {
    const [one, other] = [await desk.desk(), await desk.desk()];
    await recordSearch(one, 'queue', 'a');
    await recordSearch(one, 'queue', 'b');
    await recordSearch(other, 'queue', 'a');
    const later = performance.now() + 600_001;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    await recordSearch(one, 'queue', 'a');
    expect(await events(one.actor.personId)).toHaveLength(3);
    expect(await events(other.actor.personId)).toHaveLength(1);
  });

  it('AU-17 is not made when it cannot be recorded', async () => {
    const reader = await desk.desk();
    const mend = await desk.breakAudit();
    await expect(recordSearch(reader, 'queue', 'c')).rejects.toThrow();
    await mend();
    await recordSearch(reader, 'queue', 'c');
    expect(await events(reader.actor.personId)).toHaveLength(1);
  });
});

describe('the audit’s own searches', () => {
  it('R-088k are left out of the list, counted, and shown where they are asked for', async () => {
    const reader = await desk.desk();
    for (const text of ['d', 'e', 'f']) await recordSearch(reader, 'audit', text);
    const ctx = { actor: reader.actor, db: db.pool('app') };
    const list = async (narrowed: Partial<AuditFilter>) => {
      const filter: AuditFilter = { ...ANY_AUDIT_EVENT, actorId: reader.actor.personId, ...narrowed };
      const answer = await listAuditEvents(ctx, { filter, sort: '-number', cursor: null, size: 50 });
      if (answer.kind !== 'page') throw new Error('bug: no cursor was given');
      return { rows: answer.rows.length, hidden: await countHiddenSearches(ctx, filter) };
    };
    expect(await list({ hidden: 'searches' })).toEqual({ rows: 0, hidden: 3 });
    expect(await list({ hidden: null })).toEqual({ rows: 3, hidden: 0 });
    expect(await list({ hidden: 'searches', events: ['search.made'] })).toEqual({ rows: 3, hidden: 0 });
    expect(await list({ hidden: 'searches', operations: ['create-payment'] })).toEqual({
      rows: 0,
      hidden: 0,
    });
    const other = await desk.desk();
    const unseen = { ...ANY_AUDIT_EVENT, actorId: reader.actor.personId, hidden: 'searches' as const };
    expect(await countHiddenSearches({ ...ctx, actor: other.actor }, unseen)).toBe(0);
  });
});
