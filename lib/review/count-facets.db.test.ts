import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor } from '@/lib/domain/actor';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { explaining } from '@/lib/testing/explaining';
import { manyExceptions } from '@/lib/testing/queue-fixture';
import { countFacets, FACET_ROWS, QUEUE_TABS, type QueueTab } from './count-facets';
import { ANY_EXCEPTION, type ExceptionFilter } from './exception-filter';
import { listExceptions } from './list-exceptions';
import { listSystems } from './list-systems';
import { type ReadContext } from './read-context';

let db: TestDatabase;
const PERSON = '00000000-0000-7000-a000-000000000001';
const actor: Actor = {
  personId: PERSON,
  displayName: 'Operator',
  email: 'facets@demo.local',
  roles: ['OPERATOR'],
  authorities: [],
  tenantIds: ['tenant-north'],
  locale: null,
  sessionId: '00000000-0000-7000-a000-000000000002',
};
const open: ExceptionFilter = { ...ANY_EXCEPTION, states: ['OPEN'] };
const north = (reader?: ReadContext['db']): ReadContext => ({ actor, db: reader ?? db.pool('app') });

beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  await manyExceptions(db, { count: 600, openEvery: 3, perInstant: 15 });
  const client = await db.pool('superuser').connect();
  try {
    await client.query(`set session_replication_role = replica`);
    await client.query(
      `update review.exceptions set assignee_id = case when right(exception_id::text, 1) in ('3', '6') then $1::uuid when right(exception_id::text, 1) = '9' then ledger.new_id() end,
         next_place = 'there', deferred_until = case when right(exception_id::text, 1) = '6' then now() + interval '1 hour' when right(exception_id::text, 1) = '3' then now() - interval '1 hour' end,
         due_at = case when right(exception_id::text, 1) in ('0', 'c') then now() + interval '9 days' else due_at end`,
      [PERSON],
    );
    await client.query('analyze review.exceptions');
  } finally {
    client.release(true);
  }
});
afterAll(() => db.drop());

async function walk(filter: ExceptionFilter): Promise<ExceptionRow[]> {
  const seen: ExceptionRow[] = [];
  for (let cursor: string | null = null; ;) {
    const answer = await listExceptions(north(), { filter, sort: 'due', cursor, size: 200 });
    if (answer.kind !== 'page') throw new Error('the cursor was refused');
    seen.push(...answer.rows);
    if (answer.next === null) return seen;
    cursor = answer.next;
  }
}

describe('facets of the queue', () => {
  const filters: ExceptionFilter[] = [
    open,
    { ...open, operations: ['operation-3', 'operation-6'] },
    { ...open, operations: ['operation-0'], systems: ['system-1', 'system-2'] },
    { ...open, severities: [1], systems: ['system-1'], operations: ['operation-0'], assignee: 'me' },
    { ...open, kinds: ['UNKNOWN_RESULT'], held: false, age: '1d' },
    { ...open, text: 'key-0003', due: 'overdue' },
    { ...open, tenants: ['tenant-south'] },
  ];

  it.each(filters)('R-051d each figure is what choosing its value leaves: %j', async (filter) => {
    const counted = await countFacets(north(), filter);
    if (counted === null) throw new Error('the search was refused');
    expect(counted.partial).toBe(false);
    const { facets } = counted;
    const choices: [
      string,
      ReadonlyMap<string, { count: number }>,
      (value: string) => Partial<ExceptionFilter>,
    ][] = [
      ['operation', facets.operation, (value) => ({ operations: [value] })],
      ['system', facets.system, (value) => ({ systems: [value] })],
      ['severity', facets.severity, (value) => ({ severities: [Number(value) as 1] })],
    ];
    for (const [name, figures, choose] of choices)
      for (const value of ['operation-3', 'operation-0', 'system-1', 'system-4', '1', '4'].filter(
        (each) =>
          /^\d/.test(each) === (name === 'severity') && (name === 'severity' || each.startsWith(name)),
      ))
        expect(await walk({ ...filter, ...choose(value) }), `${name} ${value}`).toHaveLength(
          figures.get(value)?.count ?? 0,
        );
  });

  it.each(filters)('R-051d each tab’s figure is its list’s length: %j', async (filter) => {
    const counted = await countFacets(north(), filter);
    for (const tab of Object.keys(QUEUE_TABS) as QueueTab[])
      expect(counted?.tabs[tab], tab).toEqual({
        count: (await walk({ ...filter, ...QUEUE_TABS[tab] })).length,
        more: false,
      });
  });

  it('R-051d mine, unowned, overdue and on hold are what they say', async () => {
    const rows = async (tab: QueueTab) => walk({ ...open, ...QUEUE_TABS[tab] });
    const now = new Date().toISOString();
    expect((await rows('mine')).length).toBeGreaterThan(0);
    expect((await rows('held')).length).toBeGreaterThan(0);
    for (const row of await rows('mine')) expect(row.exceptionId).toMatch(/[36]$/);
    for (const row of await rows('unowned')) expect(row.exceptionId).not.toMatch(/[369]$/);
    for (const row of await rows('overdue')) expect(row.dueAt < now).toBe(true);
    // A deferral that is over holds nothing back.
    for (const row of await rows('held')) expect(row.exceptionId).toMatch(/6$/);
  });

  it('names the systems of the granted tenants', async () => {
    expect(await listSystems(north())).toEqual(['system-0', 'system-1', 'system-2', 'system-3', 'system-4']);
    expect(await listSystems({ ...north(), actor: { ...actor, tenantIds: [] } })).toEqual([]);
  });
});

it('DO-04 R-051d facets read a bounded part of a long queue and say "at least"', async () => {
  const many = await testDatabase();
  try {
    await manyExceptions(many, { count: 10_500, openEvery: 1, perInstant: 15 });
    const { plans, reader } = explaining(many.pool('app'), 'analyze, timing off');
    const counted = await countFacets(north(reader), open);
    expect(counted?.partial).toBe(true);
    expect(counted?.tabs.overdue).toEqual({ count: 999, more: true });
    expect(counted?.tabs.held).toEqual({ count: 0, more: false });
    // Fewer than 999 of each operation were counted, and there may be more.
    expect(counted?.facets.operation.size).toBe(12);
    for (const figure of counted?.facets.operation.values() ?? []) {
      expect(figure.count).toBeLessThan(999);
      expect(figure.more).toBe(true);
    }
    const plan = plans.at(-1) ?? '';
    expect(plan).toContain('exceptions_held');
    expect(plan).toMatch(new RegExp(`CTE base\\s+->  Limit .* rows=${FACET_ROWS + 1}(?:\\.00)? loops=1`));
  } finally {
    await many.drop();
  }
});
