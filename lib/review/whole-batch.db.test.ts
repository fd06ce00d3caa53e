import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BULK_CAP } from '@/lib/domain/bulk-acts';
import { paidPayments, sendBatch } from '@/lib/testing/bulk-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { SOUTH } from '@/lib/testing/ledger-fixture';
import { actOnMany } from './act-on-many';
import type { LookingContext } from './desk-context';

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

/** What the queue sends of a selected row. */
const rowOf = async (exceptionId: string) => ({
  exceptionId,
  exceptionVersion: (await desk.seen(operator, exceptionId)).form.exceptionVersion,
  operationId: randomUUID(),
});

const inAnHour = async () =>
  (
    await db
      .pool('owner')
      .query<{ at: string }>(`select ledger.instant(ledger.clock() + interval '1 hour') as at`)
  ).rows[0]!.at;

describe('a batch as a whole', () => {
  const acts = async (): Promise<Record<string, Record<string, unknown>>> => ({
    assign: { act: 'assign', assigneeId: operator.actor.personId },
    defer: { act: 'defer', until: await inAnHour(), place: 'The bank’s console', reason: '' },
    'look-up': { act: 'look-up' },
    link: { act: 'link' },
  });

  /** An open exception of the other tenant. */
  async function foreignException(): Promise<string> {
    const key = randomUUID();
    const claimed = await desk.ledger.claim(key, {}, SOUTH);
    const { executionId } = claimed.execution!;
    await desk.ledger.report('effect_started', executionId, { fencingToken: '1' }, SOUTH);
    await desk.ledger.report('report_unknown', executionId, { fencingToken: '1', code: 'TIMEOUT' }, SOUTH);
    return desk.exceptionOf(executionId);
  }

  const formOf = (act: string, exceptionId: string) => ({
    exceptionId,
    exceptionVersion: '1',
    operationId: randomUUID(),
    ...(act === 'link' && { executionVersion: '1', evidenceId: randomUUID(), lookAgain: false }),
  });

  it.each(['assign', 'defer', 'look-up', 'link'])(
    'R-053b AZ-06 %s: one id of another tenant refuses all of it, nothing changes, one denial is kept',
    async (act) => {
      const { exceptionId: own } = await desk.unknownPayment();
      const foreign = await foreignException();
      const batches = [
        [formOf(act, own), formOf(act, foreign)],
        [formOf(act, own), formOf(act, randomUUID())],
        [formOf(act, foreign)],
      ];
      for (const rows of batches) {
        const operationId = randomUUID();
        const input = { ...(await acts())[act], operationId, rows, only: [rows[0]!.operationId] };
        const { 'review.audit_events': chain, ...before } = await desk.everything();
        expect(await actOnMany(operator, input)).toEqual({ outcome: 'refused', code: 'NOT_FOUND' });
        const { 'review.audit_events': longer, ...after } = await desk.everything();
        expect(after).toEqual(before);
        expect((longer as unknown[]).length - (chain as unknown[]).length).toBe(1);
        expect(await desk.audit({ operationId })).toMatchObject([
          { outcome: 'refused', refusal_code: 'NOT_FOUND', body: { selected: rows.length, notFound: 1 } },
        ]);
      }
    },
  );

  it.each([
    ['a reissue', () => ({ act: 'reissue', rows: [formOf('', randomUUID())] })],
    ['a request for one', () => ({ act: 'REQUEST_REISSUE', rows: [formOf('', randomUUID())] })],
    ['a final failure', () => ({ act: 'fail-finally', rows: [formOf('', randomUUID())] })],
    ['no rows', () => ({ act: 'look-up', rows: [] })],
    [
      'more rows than the cap',
      () => ({
        act: 'look-up',
        rows: Array.from({ length: BULK_CAP + 1 }, () => formOf('', randomUUID())),
      }),
    ],
    [
      'a row twice',
      () => {
        const row = formOf('', randomUUID());
        return { act: 'look-up', rows: [row, { ...row, operationId: randomUUID() }] };
      },
    ],
  ])('R-053d %s is no batch', async (_, make) => {
    const { act, rows } = make();
    const input = {
      act,
      rows,
      operationId: randomUUID(),
      only: rows.slice(0, 1).map((row) => row.operationId),
    };
    const before = await desk.everything();
    expect(await actOnMany(operator, input)).toMatchObject({ outcome: 'refused', code: 'INVALID_INPUT' });
    const { 'review.audit_events': chain, ...rest } = before;
    const { 'review.audit_events': longer, ...after } = await desk.everything();
    expect(after).toEqual(rest);
    expect((longer as unknown[]).length - (chain as unknown[]).length).toBe(1);
  });

  it('R-053b R-078b a secret in the shared text refuses the batch once', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const row = await rowOf(exceptionId);
    const input = {
      ...(await acts())['defer'],
      place: 'password: hunter2-Correct',
      operationId: randomUUID(),
    };
    const answer = await actOnMany(operator, { ...input, rows: [row], only: [row.operationId] });
    expect(answer).toMatchObject({ outcome: 'refused', code: 'SECRET_IN_TEXT' });
    expect(await desk.audit({ operationId: row.operationId })).toEqual([]);
  });

  it('R-053a R-078a rights are read for each row at its moment', async () => {
    const [first, second] = await paidPayments(desk, operator, 2);
    const demoted = await desk.desk();
    const rows = [await rowOf(first!.exceptionId), await rowOf(second!.exceptionId)];
    await changePerson(db, demoted.actor.personId, `roles = '{MANAGER}'`);
    const answers = await sendBatch(demoted, { act: 'assign', assigneeId: null }, rows);
    expect([...answers.values()]).toEqual(Array(2).fill({ outcome: 'refused', code: 'ROLE_MISSING' }));
  });
});
