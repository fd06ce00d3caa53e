import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paidPayments, linkRow, preview, sendBatch } from '@/lib/testing/bulk-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import type { LookingContext } from './desk-context';
import { linkResult } from './link-result';
import { lookUpNow } from './look-up-now';
import { previewLinks } from './preview-links';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const looked = async (...items: object[]) => {
  const { exceptionId, key } = await desk.unknownPayment();
  desk.answerItems(...items.map((item) => ({ ...item, reference: key })));
  await lookUpNow(operator, { exceptionId });
  return exceptionId;
};
const found = (id: string, change: object = {}) => desk.payment('-', { id, ...change });

describe('the preview of a bulk link', () => {
  it('R-053c shows each result with its comparison, and why the others are left out', async () => {
    const conclusive = await looked(found('PAY-1'));
    const otherAccount = await looked(found('PAY-2', { account: 'other' }));
    const pending = await looked(found('PAY-3', { status: 'pending' }));
    const absent = await looked();
    const { exceptionId: notLooked } = await desk.unknownPayment();
    const ids = [conclusive, otherAccount, pending, absent, notLooked];
    const rows = new Map((await preview(operator, ids)).map((row) => [row.exceptionId, row]));
    expect(ids.map((id) => rows.get(id)?.leftOut)).toEqual([
      null,
      'EVIDENCE_SHOWS_OTHERWISE',
      'EVIDENCE_SHOWS_OTHERWISE',
      'EVIDENCE_SHOWS_OTHERWISE',
      'EVIDENCE_MISSING',
    ]);
    expect(rows.get(conclusive)?.found).toMatchObject({
      resultId: 'PAY-1',
      externalStatus: 'done',
      comparison: [
        { field: 'account', expected: 'main', found: 'main', agrees: true },
        { field: 'key', agrees: true },
        { field: 'amount', agrees: true },
      ],
    });
    expect(rows.get(otherAccount)?.found?.comparison).toContainEqual(
      expect.objectContaining({ field: 'account', expected: 'main', found: 'other', agrees: false }),
    );
    expect(rows.get(notLooked)?.found).toBeNull();
  });

  it('R-053c one result for two exceptions is neither’s, and a linked one is nobody else’s', async () => {
    const twice = [await looked(found('PAY-same')), await looked(found('PAY-same'))];
    expect((await preview(operator, twice)).map((row) => row.leftOut)).toEqual([
      'RESULT_SHOWN_TWICE',
      'RESULT_SHOWN_TWICE',
    ]);
    const [first] = await preview(operator, [twice[0]!]);
    expect(first?.leftOut).toBeNull();
    await linkResult(operator, { ...linkRow(first!), rationale: '' });
    const [second, settled] = [
      (await preview(operator, [twice[1]!]))[0],
      (await preview(operator, [twice[0]!]))[0],
    ];
    expect(second?.leftOut).toBe('RESULT_LINKED_ELSEWHERE');
    expect(settled?.leftOut).toBe('EXCEPTION_CLOSED');
  });

  it('R-053c evidence that is too old is looked at again with the link, and a changed answer refuses that row alone', async () => {
    const payments = await paidPayments(desk, operator, 2);
    await db.advanceClock('2 days');
    const rows = await preview(
      operator,
      payments.map(({ exceptionId }) => exceptionId),
    );
    expect(rows.map((row) => [row.leftOut, row.lookAgain])).toEqual(Array(2).fill([null, true]));
    const [kept, gone] = payments;
    desk.answer((request, response) => {
      const items = request.url?.includes(kept!.key) === true ? [desk.payment(kept!.key)] : [];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
    });
    const answers = await sendBatch(operator, { act: 'link' }, rows.map(linkRow));
    expect(answers.get(kept!.exceptionId)).toMatchObject({ outcome: 'done' });
    expect(answers.get(gone!.exceptionId)).toMatchObject({ outcome: 'refused', code: 'EVIDENCE_CHANGED' });
  });

  it('R-053b R-098c is refused with an id of another tenant, and says who may not link', async () => {
    const [payment] = await paidPayments(desk, operator, 1);
    const stranger = await desk.desk({ tenants: ['tenant-south'] });
    const ask = (by: LookingContext, ids: unknown) => previewLinks({ actor: by.actor, db: by.pool }, ids);
    const refused = { outcome: 'refused', code: 'NOT_FOUND' };
    expect(await ask(stranger, [payment!.exceptionId])).toEqual(refused);
    expect(await ask(operator, [payment!.exceptionId, randomUUID()])).toEqual(refused);
    expect(await ask(operator, [])).toMatchObject({ code: 'INVALID_INPUT' });
    const poor = await desk.desk({ authorities: [] });
    const [row] = await preview(poor, [payment!.exceptionId]);
    expect(row?.leftOut).toBe('AUTHORITY_MISSING');
  });
});
