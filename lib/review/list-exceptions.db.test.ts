import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor } from '@/lib/domain/actor';
import { EXCEPTION_SORTS, type ExceptionSort } from '@/lib/domain/exception-sorts';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { manyExceptions } from '@/lib/testing/queue-fixture';
import { countExceptions } from './count-exceptions';
import { ANY_EXCEPTION, type ExceptionFilter } from './exception-filter';
import { listExceptions } from './list-exceptions';
import { listOperations } from './list-operations';
import { type ReadContext } from './read-context';

let db: TestDatabase;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  await manyExceptions(db, { count: 240, openEvery: 2, perInstant: 15 });
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
const north = () => as(['tenant-north']);
const open: ExceptionFilter = { ...ANY_EXCEPTION, states: ['OPEN'] };

async function page(
  ctx: ReadContext,
  filter: ExceptionFilter,
  sort: ExceptionSort,
  size: number,
  cursor: string | null = null,
) {
  const answer = await listExceptions(ctx, { filter, sort, cursor, size });
  if (answer.kind !== 'page') throw new Error('the cursor was refused');
  return answer;
}

async function walk(
  ctx: ReadContext,
  filter: ExceptionFilter,
  sort: ExceptionSort,
  size: number,
): Promise<ExceptionRow[]> {
  const seen: ExceptionRow[] = [];
  for (let cursor: string | null = null; ;) {
    const { rows, next } = await page(ctx, filter, sort, size, cursor);
    seen.push(...rows);
    if (next === null) return seen;
    cursor = next;
  }
}

const ids = (rows: readonly ExceptionRow[]) => rows.map((row) => row.exceptionId);

describe('pages of the queue', () => {
  it.each(EXCEPTION_SORTS)(
    'B-104 order %s shows every row once, though fifteen share each microsecond',
    async (sort) => {
      const { rows } = await db
        .pool('owner')
        .query<{ exception_id: string }>(
          `select exception_id from review.exceptions where tenant_id = 'tenant-north' and state = 'OPEN'`,
        );
      const seen = await walk(north(), open, sort, 7);
      expect(new Set(ids(seen)).size).toBe(seen.length);
      expect([...ids(seen)].sort()).toEqual(rows.map((row) => row.exception_id).sort());
    },
  );

  it('B-104 going back shows the pages in the same order, down to the first', async () => {
    const first = await page(north(), open, '-opened', 20);
    const second = await page(north(), open, '-opened', 20, first.next);
    const third = await page(north(), open, '-opened', 20, second.next);
    const back = await page(north(), open, '-opened', 20, third.previous);
    expect(ids(back.rows)).toEqual(ids(second.rows));
    const start = await page(north(), open, '-opened', 20, back.previous);
    expect(ids(start.rows)).toEqual(ids(first.rows));
    expect(start.previous).toBeNull();
    expect(start.next).not.toBeNull();
  });

  it('B-104 a row that is settled between two pages takes no other row with it', async () => {
    const first = await page(north(), open, 'opened', 10);
    const all = await walk(north(), open, 'opened', 200);
    const settled = all[12]!;
    await db
      .pool('superuser')
      .query(
        `update review.exceptions set state = 'CLOSED', closed_at = now(), closed_by = 'system:executor', closing = 'EXECUTOR' where exception_id = $1`,
        [settled.exceptionId],
      );
    const second = await page(north(), open, 'opened', 10, first.next);
    expect(ids(second.rows)).toEqual(ids(all.slice(10, 21)).filter((each) => each !== settled.exceptionId));
  });

  it('puts the most severe and then the first due at the top', async () => {
    const rows = await walk(as(['tenant-north', 'tenant-south']), open, 'severity', 9);
    const keys = rows.map((row) => `${row.severity} ${row.dueAt} ${row.exceptionId}`);
    expect(keys).toEqual([...keys].sort());
  });

  it('BI-10 never reads more than 200 rows, and at least one', async () => {
    const everything = { ...ANY_EXCEPTION };
    expect((await page(north(), everything, 'opened', 1_000_000)).rows).toHaveLength(200);
    expect((await page(north(), everything, 'opened', -3)).rows).toHaveLength(1);
  });

  it.each([
    ['changed by one letter', (cursor: string) => `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`],
    ['cut', (cursor: string) => cursor.slice(0, -2)],
    ['empty', () => ''],
    ['made up', () => Buffer.from('["on","1","2026-01-01T00:00:00Z","x"]').toString('base64url')],
    ['a number', () => '1'],
  ])('BI-10 a cursor that is %s is refused', async (_name, change) => {
    const { next } = await page(north(), open, 'severity', 5);
    const answer = await listExceptions(north(), {
      filter: open,
      sort: 'severity',
      cursor: change(next!),
      size: 5,
    });
    expect(answer).toEqual({ kind: 'cursor-refused' });
  });

  it('BI-10 R-098b a cursor holds for its order, its filters and its reader’s tenants alone', async () => {
    const { next } = await page(north(), open, 'severity', 5);
    const elsewhere: [ReadContext, ExceptionFilter, ExceptionSort][] = [
      [north(), open, 'due'],
      [north(), { ...open, severities: [1] }, 'severity'],
      [as(['tenant-north', 'tenant-south']), open, 'severity'],
      [as(['tenant-south']), open, 'severity'],
    ];
    for (const [ctx, filter, sort] of elsewhere) {
      expect(await listExceptions(ctx, { filter, sort, cursor: next, size: 5 })).toEqual({
        kind: 'cursor-refused',
      });
    }
  });
});

describe('a search text that fits too many records', () => {
  it('R-051a list and figures refuse it alike, and answer the narrower one', async () => {
    const many = await testDatabase();
    try {
      await manyExceptions(many, { count: 5_400, openEvery: 60, perInstant: 4 });
      const ctx: ReadContext = { actor, db: many.pool('app') };
      const broad = { ...open, text: 'key-' };
      expect(await listExceptions(ctx, { filter: broad, sort: 'due', cursor: null, size: 5 })).toEqual({
        kind: 'search-too-broad',
      });
      expect(await countExceptions(ctx, broad)).toBeNull();
      const narrower = { ...open, text: 'key-005' };
      const listed = await walk(ctx, narrower, 'due', 200);
      expect((await countExceptions(ctx, narrower))?.total).toEqual({ count: listed.length, more: false });
      // Of 5,000 to 5,400 every 60th is open, and every other one of those belongs to the other tenant.
      expect(listed.map((row) => row.idempotencyKey)).toEqual(['key-005100', 'key-005220', 'key-005340']);
    } finally {
      await many.drop();
    }
  });
});

describe('filters of the queue', () => {
  it('R-098c shows the granted tenants only, whatever the address names', async () => {
    const seen = await walk(north(), open, 'opened', 100);
    expect(new Set(seen.map((row) => row.tenantId))).toEqual(new Set(['tenant-north']));
    expect(await walk(north(), { ...open, tenants: ['tenant-south'] }, 'opened', 100)).toEqual([]);
    expect(await walk(as([]), open, 'opened', 100)).toEqual([]);
    expect((await countExceptions(north(), { ...open, tenants: ['tenant-south'] }))?.total.count).toBe(0);
  });

  it('R-051a list, figures and badge agree under every filter', async () => {
    const filters: ExceptionFilter[] = [
      open,
      ANY_EXCEPTION,
      { ...ANY_EXCEPTION, states: ['CLOSED'], severities: [1, 2] },
      { ...open, operations: ['operation-3', 'operation-4'] },
      { ...open, assignee: 'none', age: '1d' },
      { ...open, age: '<2h' },
      { ...open, systems: ['system-1', 'system-4'], due: 'overdue' },
      { ...open, due: 'today', dayEnds: '2999-01-01T00:00:00Z' },
      { ...open, due: 'later', held: false },
      { ...open, held: true },
      { ...open, authorities: ['general'] },
      { ...open, authorities: ['money'] },
      { ...open, incident: '00000000-0000-7000-8000-000000000009' },
      { ...open, assignee: 'me' },
      { ...open, assignee: actor.personId },
      { ...open, text: 'key-0001' },
      { ...open, text: 'req-00002' },
      { ...open, text: 'result-12' },
    ];
    for (const filter of filters) {
      const counted = await countExceptions(north(), filter);
      const listed = await walk(north(), filter, 'severity', 50);
      if (counted === null) throw new Error('the search was refused');
      expect(counted.total, JSON.stringify(filter)).toEqual({ count: listed.length, more: false });
      for (const [kind, { count }] of Object.entries(counted.byKind)) {
        expect(
          listed.filter((row) => row.kind === kind),
          kind,
        ).toHaveLength(count);
      }
    }
  });

  it('R-051b choosing kinds narrows the list to what their figures promised', async () => {
    const kinds = ['EXPIRED_KEY', 'LONG_RUNNING'] as const;
    const counted = await countExceptions(north(), { ...open, kinds });
    const listed = await walk(north(), { ...open, kinds }, 'due', 50);
    if (counted === null) throw new Error('the search was refused');
    expect(listed).toHaveLength(counted.byKind.EXPIRED_KEY.count + counted.byKind.LONG_RUNNING.count);
    expect(counted.byKind.UNKNOWN_RESULT.count).toBeGreaterThan(0);
  });

  it('finds by the beginning of a key, request id or result id, letter for letter', async () => {
    const found = async (text: string) =>
      (await walk(north(), { ...ANY_EXCEPTION, text }, 'opened', 50)).map((row) => row.idempotencyKey);
    expect(await found('key-000123')).toEqual(['key-000123']);
    expect(await found('req-000123')).toEqual(['key-000123']);
    expect(await found('result-123')).toEqual(['key-000123']);
    expect(await found('KEY-000123')).toEqual([]);
    expect(await found('000123')).toEqual([]);
    expect(await found('key-00012_')).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect(await found(`key' or '1'='1`)).toEqual([]);
  });

  it('finds a keyless arrival by its request id', async () => {
    await db
      .pool('app')
      .query(
        `select ledger.keyless_as('north', '{"operation": "create-payment", "requestId": "keyless-7"}')`,
      );
    const [row] = await walk(north(), { ...ANY_EXCEPTION, text: 'keyless-7' }, 'opened', 50);
    expect(row).toMatchObject({ kind: 'KEY_MISSING', idempotencyKey: null, execution: null });
  });

  it('names every operation of the tenants once', async () => {
    const names = await listOperations(north());
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toContain('operation-11');
    expect(await listOperations(as([]))).toEqual([]);
  });
});
