import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paidPayments } from '@/lib/testing/bulk-fixture';
import { bulkJobFixture, type BulkJobFixture } from '@/lib/testing/bulk-job-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { assignException } from '../assign-exception';
import type { LookingContext } from '../desk-context';
import { lookUpNow } from '../look-up-now';

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

const LINK = { act: 'link' };
const states = async (jobId: string) =>
  (await bulk.rows(jobId)).map((row) => (row.code === null ? row.state : `${row.state} ${row.code}`));
const idsOf = (payments: readonly { exceptionId: string }[]) =>
  payments.map(({ exceptionId }) => exceptionId);
const execution = async (id: string) => {
  const { rows } = await db
    .pool('owner')
    .query<{ state: string; result_id: string | null }>(
      'select state, result_id from ledger.executions where execution_id = $1',
      [id],
    );
  return rows[0];
};

describe('a stored job that links', () => {
  it('R-053l links what its preview found conclusive, each as its starter’s own decision, and leaves the rest as it is', async () => {
    const payments = await paidPayments(desk, operator, 3);
    const notLooked = await desk.unknownPayment();
    const moved = payments[2]!;
    const jobId = await bulk.prepared(operator, LINK, idsOf([...payments, notLooked]));
    const prepared = await bulk.rows(jobId);
    expect(prepared.slice(0, 3).map((row) => row.foreseen)).toEqual([null, null, null]);
    expect(prepared[3]!.foreseen).not.toBeNull();
    expect(await execution(payments[0]!.id)).toMatchObject({ result_id: null });
    const { form } = await desk.seen(operator, moved.exceptionId);
    const { exceptionVersion } = form;
    await assignException(operator, {
      ...{ exceptionId: moved.exceptionId, exceptionVersion },
      ...{ assigneeId: operator.actor.personId, operationId: randomUUID() },
    });
    await bulk.steer(operator, jobId, 'start', { rate: 200, canary: null });
    expect(await bulk.run(jobId)).toMatchObject({ done: 'STOPPED' });
    expect(await states(jobId)).toEqual([
      ...['DONE', 'DONE', 'REFUSED CHANGED_SINCE_SEEN', `REFUSED ${prepared[3]!.foreseen}`],
    ]);
    expect(await bulk.sums(jobId)).toEqual({ pending: 0, done: 2, refused: 2, failed: 0 });
    expect(await execution(payments[0]!.id)).toMatchObject({ state: 'SUCCEEDED' });
    expect((await execution(payments[0]!.id))?.result_id).not.toBeNull();
    expect(await execution(moved.id)).toMatchObject({ state: 'UNKNOWN', result_id: null });
    const [linked] = (await desk.audit({ exceptionId: payments[0]!.exceptionId })).filter(
      ({ event }) => event === 'decision.result_linked',
    );
    expect(linked).toMatchObject({ outcome: 'done', actor_id: operator.actor.personId });
    // Every row that was refused is on record as the act that it would have been.
    const refused = await desk.audit({ exceptionId: notLooked.exceptionId });
    expect(refused.filter(({ event }) => event === 'decision.result_linked')).toMatchObject([
      { outcome: 'refused', refusal_code: prepared[3]!.foreseen },
    ]);
  });

  it('R-053l a result that its preview showed twice is linked to neither', async () => {
    const twice: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const { exceptionId, key } = await desk.unknownPayment();
      desk.answerItems({ ...desk.payment('-', { id: 'PAY-twice' }), reference: key });
      await lookUpNow(operator, { exceptionId });
      twice.push(exceptionId);
    }
    const jobId = await bulk.prepared(operator, LINK, twice);
    await bulk.steer(operator, jobId, 'start', { rate: 200, canary: null });
    await bulk.run(jobId);
    expect(await states(jobId)).toEqual(Array(2).fill('REFUSED RESULT_SHOWN_TWICE'));
  });

  it('R-053l asks again where the look is too old, and refuses the row alone whose answer is another now', async () => {
    const payments = await paidPayments(desk, operator, 2);
    await db.advanceClock('2 days');
    const jobId = await bulk.prepared(operator, LINK, idsOf(payments));
    expect((await bulk.rows(jobId)).map((row) => row['look_again'])).toEqual([true, true]);
    const [kept] = payments;
    desk.answer((request, response) => {
      const items = request.url?.includes(kept!.key) === true ? [desk.payment(kept!.key)] : [];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
    });
    await bulk.steer(operator, jobId, 'start', { rate: 200, canary: null });
    await bulk.run(jobId);
    expect(await states(jobId)).toEqual(['DONE', 'REFUSED EVIDENCE_CHANGED']);
    expect(await execution(kept!.id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('R-053l each row is its starter’s by the rights of that moment', async () => {
    const leaving = await desk.desk();
    const payments = await paidPayments(desk, leaving, 2);
    const jobId = await bulk.prepared(leaving, LINK, idsOf(payments));
    await bulk.steer(leaving, jobId, 'start', { rate: 200, canary: 1 });
    await bulk.run(jobId);
    expect(await states(jobId)).toEqual(['DONE', 'PENDING']);
    await bulk.steer(leaving, jobId, 'resume');
    await changePerson(db, leaving.actor.personId, `authorities = '{}'`);
    await bulk.run(jobId);
    expect(await states(jobId)).toEqual(['DONE', 'REFUSED AUTHORITY_MISSING']);
    const { rows } = await db.pool('owner').query<{ count: number }>(
      `select count(*)::integer as count from review.decisions where decision = 'LINK_RESULT'
        and execution_id = any($1::uuid[])`,
      [payments.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});
