import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor } from '@/lib/domain/actor';
import { type ExecutionRow } from '@/lib/domain/execution-row';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { ledgerFixture, SOUTH, type LedgerFixture } from '@/lib/testing/ledger-fixture';
import { getExecution } from './get-execution';
import { listExecutions, type ExecutionFilter, type ExecutionSort } from './list-executions';
import { type ReadContext } from './read-context';

let db: TestDatabase;
let ledger: LedgerFixture;
let foreign: string;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  // One instant for all of them: only the id tells the rows apart.
  await db.setClock('2026-11-29T08:00:00.123456Z');
  for (let n = 0; n < 23; n += 1) await ledger.claim(`order-${n}`, { requestId: `request-${n}` });
  for (let n = 0; n < 3; n += 1) await ledger.register(`later-${n}`);
  const answer = await ledger.claim('order-of-south', {}, SOUTH);
  foreign = answer.execution!.executionId;
  await db.setClock(null);
});
afterAll(() => db.drop());

const actor: Actor = {
  personId: '00000000-0000-7000-a000-000000000001',
  displayName: 'Operator',
  email: 'operator@demo.local',
  roles: ['OPERATOR'],
  authorities: [],
  tenantIds: ['tenant-north'],
  locale: null,
  sessionId: '00000000-0000-7000-a000-000000000002',
};
const as = (tenantIds: string[]): ReadContext => ({ actor: { ...actor, tenantIds }, db: db.pool('app') });
const everything: ExecutionFilter = { states: [], operations: [], tenants: [], text: '' };

async function walk(
  ctx: ReadContext,
  filter: Partial<ExecutionFilter>,
  sort: ExecutionSort = '-created',
): Promise<ExecutionRow[]> {
  const seen: ExecutionRow[] = [];
  for (let cursor: string | null = null; ;) {
    const answer = await listExecutions(ctx, { filter: { ...everything, ...filter }, sort, cursor, size: 5 });
    if (answer.kind !== 'page') throw new Error('the cursor was refused');
    seen.push(...answer.rows);
    if (answer.next === null) return seen;
    cursor = answer.next;
  }
}

describe('the list of executions', () => {
  it.each(['-created', 'created'] as const)(
    'B-104 order %s shows every row once, though all share one microsecond',
    async (sort) => {
      const ids = (await walk(as(['tenant-north']), {}, sort)).map((row) => row.executionId);
      expect(ids).toHaveLength(26);
      expect(new Set(ids).size).toBe(26);
      expect(ids).toEqual(
        [...ids].sort((a, b) => (sort === 'created' ? a.localeCompare(b) : b.localeCompare(a))),
      );
    },
  );

  it('R-098c shows no row of a tenant that is not granted, whatever the address names', async () => {
    const keys = (await walk(as(['tenant-north']), { tenants: ['tenant-south'] })).map(
      (row) => row.idempotencyKey,
    );
    expect(keys).toEqual([]);
    expect(await walk(as(['tenant-north']), { text: 'order-of-south' })).toEqual([]);
    expect(await walk(as([]), {})).toEqual([]);
    expect(await walk(as(['tenant-south']), {})).toHaveLength(1);
  });

  it('narrows by state, operation and the beginning of a key or request id', async () => {
    const north = as(['tenant-north']);
    expect(await walk(north, { states: ['RECEIVED'] })).toHaveLength(3);
    expect(await walk(north, { states: ['RECEIVED', 'PROCESSING'] })).toHaveLength(26);
    expect(await walk(north, { states: ['SUCCEEDED'] })).toHaveLength(0);
    expect(await walk(north, { operations: ['nothing-like-it'] })).toHaveLength(0);
    expect((await walk(north, { text: 'order-1' })).map((row) => row.idempotencyKey).sort()).toHaveLength(11);
    expect((await walk(north, { text: 'request-22' })).map((row) => row.idempotencyKey)).toEqual([
      'order-22',
    ]);
  });

  it('R-015b tells arrivals and executions apart: a repeat adds an arrival to the same row', async () => {
    await ledger.claim('order-7', { requestId: 'request-7-again' });
    const [row] = await walk(as(['tenant-north']), { text: 'request-7-again' });
    expect(row).toMatchObject({ idempotencyKey: 'order-7', intakes: 2 });
  });

  it('BI-10 refuses a cursor of another list, order or reader', async () => {
    const first = await listExecutions(as(['tenant-north']), {
      filter: everything,
      sort: 'created',
      cursor: null,
      size: 5,
    });
    const cursor = first.kind === 'page' ? first.next : null;
    for (const [ctx, sort] of [
      [as(['tenant-north']), '-created'],
      [as(['tenant-south']), 'created'],
    ] as const) {
      expect(await listExecutions(ctx, { filter: everything, sort, cursor, size: 5 })).toEqual({
        kind: 'cursor-refused',
      });
    }
    expect(
      await listExecutions(as(['tenant-north']), {
        filter: everything,
        sort: 'created',
        cursor: 'x',
        size: 5,
      }),
    ).toEqual({
      kind: 'cursor-refused',
    });
  });
});

describe('one execution', () => {
  it('shows its facts, tries and arrivals', async () => {
    const [row] = await walk(as(['tenant-north']), { text: 'order-3' });
    const view = await getExecution(as(['tenant-north']), row!.executionId);
    expect(view?.record).toMatchObject({
      key: 'order-3',
      state: 'PROCESSING',
      requestId: 'request-3',
      supersededBy: null,
    });
    expect(view?.attempts).toHaveLength(1);
    expect(view?.arrivals).toMatchObject({
      total: 1,
      shown: [{ disposition: 'CLAIMED', requestId: 'request-3' }],
    });
    expect(view?.record).not.toHaveProperty('valueField');
  });

  it('R-030 the page of an execution tells the outside job and how far it is', async () => {
    const { id, token } = await ledger.started('order-at-work');
    const told = { externalJobId: 'JOB-9', progress: { done: 3, of: 7 } };
    await ledger.report('heartbeat', id, { fencingToken: token, ...told });
    expect((await getExecution(as(['tenant-north']), id))?.record).toMatchObject(told);
  });

  it('R-098c a foreign one, a missing one and no id at all are the same answer', async () => {
    expect(await getExecution(as(['tenant-north']), foreign)).toBeNull();
    expect(await getExecution(as(['tenant-south']), foreign)).not.toBeNull();
    expect(await getExecution(as(['tenant-north']), '00000000-0000-7000-8000-000000000000')).toBeNull();
    expect(await getExecution(as(['tenant-north']), "x' or true --")).toBeNull();
  });
});
