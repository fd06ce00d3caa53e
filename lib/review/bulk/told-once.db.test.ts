import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { messageWords } from '@/lib/outbox/message-words';
import type { OutboundMessage } from '@/lib/outbox/outbound-message';
import { planDeliveries } from '@/lib/outbox/plan-deliveries';
import { bulkJobFixture, type BulkJobFixture } from '@/lib/testing/bulk-job-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { SWEEP } from '@/lib/testing/sweep-desk';
import type { LookingContext } from '../desk-context';
import { listNotifications } from '../notifications/list-notifications';

let db: TestDatabase;
let desk: DeskFixture;
let bulk: BulkJobFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  bulk = bulkJobFixture(desk);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const inbox = async (ctx: LookingContext) => {
  const reader = { actor: ctx.actor, db: db.pool('app') };
  const answer = await listNotifications(reader, { unreadOnly: false, cursor: null, size: 200 });
  if (answer.kind !== 'page') throw new Error(answer.kind);
  return answer.rows;
};
const payments = async (count: number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await desk.unknownPayment()).exceptionId);
  return ids;
};
const planned = () => planDeliveries(db.pool('worker'), SWEEP, ['MAIL']);

it('R-053k R-049b whoever gets many by one job hears of it once, with the job and how many', async () => {
  const receiver = await desk.desk();
  const act = { act: 'assign', assigneeId: receiver.actor.personId };
  const jobId = await bulk.started(operator, act, await payments(5), 2);
  await bulk.run(jobId);
  const told = { reason: 'ASSIGNED', jobId, exceptionId: null, actor: { personId: operator.actor.personId } };
  expect(await inbox(receiver)).toMatchObject([{ ...told, jobRows: 2 }]);
  await bulk.steer(operator, jobId, 'resume');
  // While it runs no mail goes out that would tell a part of it.
  expect(await planned()).toBe(0);
  await bulk.run(jobId);
  expect(await inbox(receiver)).toMatchObject([{ ...told, jobRows: 5 }]);
  expect(await planned()).toBe(1);
  const message = await transaction(db.pool('owner'), SWEEP, async (tx) => {
    const { rows } = await tx.query<{ told: OutboundMessage }>(
      `select review.begin_message(message_id) as told from review.outbox_messages where person_id = $1`,
      [receiver.actor.personId],
    );
    return rows[0]!.told;
  });
  expect(message.items).toMatchObject([{ reason: 'ASSIGNED', jobRows: 5 }]);
  const words = messageWords(message, 'https://desk.example');
  expect(words.lines[1]).toEqual({
    text: expect.stringContaining('5 exceptions were given to you in one bulk job'),
    address: 'https://desk.example/queue?tenant=tenant-north&assignee=me',
  });
});

it('R-053k one that is given by hand, and what one takes oneself, is told as before', async () => {
  const jobId = await bulk.started(
    operator,
    { act: 'assign', assigneeId: operator.actor.personId },
    await payments(2),
  );
  await bulk.run(jobId);
  expect((await inbox(operator)).filter((row) => row.reason === 'ASSIGNED')).toEqual([]);
});

it('R-053k a request that calls itself a job is none', async () => {
  const receiver = await desk.desk();
  const other = await desk.desk();
  const act = { act: 'assign', assigneeId: other.actor.personId };
  const jobId = await bulk.prepared(operator, act, await payments(1));
  const [exceptionId = ''] = await payments(1);
  const { form } = await desk.seen(operator, exceptionId);
  const context = { ...operator.context, requestId: `bulk-job:${jobId}:1` };
  await transaction(db.pool('app'), context, (tx) =>
    tx.query('select review.assign_exception($1::jsonb)', [
      JSON.stringify({
        ...{ exceptionId, exceptionVersion: form.exceptionVersion, operationId: crypto.randomUUID() },
        assigneeId: receiver.actor.personId,
      }),
    ]),
  );
  expect(await inbox(receiver)).toMatchObject([
    { reason: 'ASSIGNED', jobId: null, exceptionId, jobRows: null },
  ]);
});
