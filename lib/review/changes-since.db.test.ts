import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor } from '@/lib/domain/actor';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { explaining } from '@/lib/testing/explaining';
import { manyExceptions } from '@/lib/testing/queue-fixture';
import { changeMark, changesSince } from './changes-since';

let db: TestDatabase;
const actor: Actor = {
  personId: '00000000-0000-7000-a000-000000000001',
  displayName: 'Operator',
  email: 'changes@demo.local',
  roles: ['OPERATOR'],
  authorities: [],
  tenantIds: ['tenant-north'],
  locale: null,
  sessionId: '00000000-0000-7000-a000-000000000002',
};
const ctx = () => ({ actor, db: db.pool('app') });
const since = (mark: string, tenantIds = actor.tenantIds) =>
  changesSince({ ...ctx(), actor: { ...actor, tenantIds } }, mark);
const keyless = (requestId: string, principal = 'north') =>
  db
    .pool('app')
    .query('select ledger.keyless_as($1, $2)', [
      principal,
      JSON.stringify({ operation: `op-${requestId}`, requestId }),
    ]);

beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  db = await testDatabase();
  await manyExceptions(db, { count: 2_000, openEvery: 4, perInstant: 10 });
});
afterAll(() => db.drop());

describe('what has changed in the queue', () => {
  it('R-051e an exception that opens or changes is told once to whoever read before it', async () => {
    const before = await changeMark(ctx());
    expect((await since(before)).changed).toBe(false);
    await keyless('first');
    const told = await since(before);
    expect(told.changed).toBe(true);
    expect((await since(told.mark)).changed).toBe(false);
    await db
      .pool('superuser')
      .query(`update review.exceptions set severity = 1 where operation = 'op-first'`);
    expect((await since(told.mark)).changed).toBe(true);
  });

  it('R-051e nothing is missed of a transaction that was under way, however late it commits', async () => {
    const slow = await db.pool('superuser').connect();
    try {
      await slow.query('begin');
      await slow.query(`update review.exceptions set severity = 2 where operation = 'op-first'`);
      await keyless('quick');
      const between = await changeMark(ctx());
      expect((await since(between)).changed).toBe(false);
      await slow.query('commit');
      expect((await since(between)).changed).toBe(true);
    } finally {
      slow.release();
    }
  });

  it('R-051e R-098b only of the tenants that the reader has now', async () => {
    const before = await changeMark(ctx());
    await keyless('theirs', 'south');
    expect((await since(before)).changed).toBe(false);
    expect((await since(before, ['tenant-south'])).changed).toBe(true);
    expect((await since(before, [])).changed).toBe(false);
  });

  it.each([
    '',
    'x',
    '5:1:',
    '1:2:9',
    "1:1:' or true",
    '9'.repeat(9_000),
    '99999999999999999999:99999999999999999999:',
  ])('R-051e a mark that means nothing here has the list read anew: %.20s', async (mark) => {
    const { changed, mark: next } = await since(mark);
    expect(changed).toBe(true);
    expect((await since(next)).changed).toBe(false);
  });

  it('R-051e reads what has changed, not the queue', async () => {
    const before = await changeMark(ctx());
    await keyless('planned');
    const { plans, reader } = explaining(db.pool('app'), 'analyze, timing off');
    await changesSince({ actor, db: reader }, before);
    expect(plans[0]).toContain('exceptions_by_change');
  });
});
