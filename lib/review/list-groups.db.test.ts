import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor } from '@/lib/domain/actor';
import { QUEUE_GROUPINGS } from '@/lib/domain/queue-groups';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { manyExceptions } from '@/lib/testing/queue-fixture';
import { ANY_EXCEPTION, type ExceptionFilter } from './exception-filter';
import { listExceptions } from './list-exceptions';
import { listGroups } from './list-groups';

let db: TestDatabase;
const actor: Actor = {
  personId: '00000000-0000-7000-a000-000000000001',
  displayName: 'Operator',
  email: 'groups@demo.local',
  roles: ['OPERATOR'],
  authorities: [],
  tenantIds: ['tenant-north'],
  locale: null,
  sessionId: '00000000-0000-7000-a000-000000000002',
};
const ctx = () => ({ actor, db: db.pool('app') });
const open: ExceptionFilter = { ...ANY_EXCEPTION, states: ['OPEN'] };
const NARROWER = {
  kind: (value: string) => ({ kinds: [value as 'UNCLAIMED'] }),
  operation: (value: string) => ({ operations: [value] }),
  system: (value: string) => ({ systems: [value] }),
  cause: (value: string) => ({ causes: [value] }),
  incident: (value: string) => ({ incident: value }),
};

beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  await manyExceptions(db, { count: 300, openEvery: 3, perInstant: 15 });
  const client = await db.pool('superuser').connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `with outage as (insert into review.incidents (tenant_id, system, since, opened_at) values ('tenant-north', 'system-0', now(), now()) returning incident_id)
       insert into review.incident_members (exception_id, incident_id, joined_at)
       select x.exception_id, o.incident_id, now() from outage o, review.exceptions x
       where x.tenant_id = 'tenant-north' and x.state = 'OPEN' and x.system = 'system-0' and x.kind = 'UNKNOWN_RESULT'`,
    );
  } finally {
    client.release(true);
  }
});
afterAll(() => db.drop());

async function rowsOf(filter: ExceptionFilter) {
  const answer = await listExceptions(ctx(), { filter, sort: 'opened', cursor: null, size: 200 });
  return answer.kind === 'page' ? answer.rows : [];
}

describe('groups of the queue', () => {
  it.each(QUEUE_GROUPINGS)('R-051g by %s: opening a group shows what its head promised', async (by) => {
    for (const filter of [open, { ...open, severities: [1, 3] as const }, { ...open, text: 'key-0001' }]) {
      const answer = await listGroups(ctx(), filter, by);
      const all = await rowsOf(filter);
      expect(answer?.groups.reduce((sum, group) => sum + group.count, 0)).toBe(all.length);
      for (const group of answer?.groups ?? []) {
        if (group.value === null) continue;
        const rows = await rowsOf({ ...filter, ...NARROWER[by](group.value) });
        expect(group, group.value).toMatchObject({
          count: rows.length,
          more: false,
          oldest: rows[0]?.openedAt,
          severity: Math.min(...rows.map((row) => row.severity)),
        });
      }
    }
  });

  it('R-051g R-098c nothing of other tenants is in a group', async () => {
    const answer = await listGroups({ ...ctx(), actor: { ...actor, tenantIds: [] } }, open, 'kind');
    expect(answer).toEqual({ groups: [], partial: false });
  });
});
