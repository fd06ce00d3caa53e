import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeReissue } from '@/lib/review/execute-reissue';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import { breakGlass } from './break-glass';

let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const waiting = async () => {
  const { rowCount } = await db
    .pool('superuser')
    .query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rowCount;
};

it('R-082d R-078a FE-14 of whoever broke the glass a demotion that comes first wins over the making of the key', async () => {
  const alone = await desk.desk({ authorities: ['money', 'break-glass'] });
  const { requestId, digest } = await doubtFixture(desk, await desk.desk()).requested();
  const reason = 'The customer stands at the counter and no approver answers.';
  const act = { requestId, digest, reason, operationId: randomUUID() };
  expect(await breakGlass(alone, act)).toMatchObject({ outcome: 'done' });
  const demote = `update review.people set authorities = '{money}' where person_id = $1`;
  const { making } = await asActor(
    db.pool('owner'),
    { kind: 'system', id: 'system:test' },
    async (demoting) => {
      await demoting.query(demote, [alone.actor.personId]);
      const key = executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
      await expect.poll(waiting, { interval: 10, timeout: 10_000 }).toBe(1);
      return { making: key };
    },
  );
  expect(await making).toMatchObject({ done: 'ENDED', state: 'VOID' });
  const { rows } = await db
    .pool('owner')
    .query('select void_reason from review.approval_requests where request_id = $1', [requestId]);
  expect(rows).toEqual([{ void_reason: 'BREAK_GLASS_OVER' }]);
});
