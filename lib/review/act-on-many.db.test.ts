import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BULK_CAP, tallyOf } from '@/lib/domain/bulk-acts';
import { linkRow, paidPayments, preview, sendBatch } from '@/lib/testing/bulk-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { addManualEvidence } from './add-manual-evidence';
import { commentException } from './comment-exception';
import { assignException } from './assign-exception';
import type { LookingContext } from './desk-context';
import { linkResult } from './link-result';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let colleague: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  colleague = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const versionOf = async (exceptionId: string, by = operator) =>
  (await desk.seen(by, exceptionId)).form.exceptionVersion;

/** What the queue sends of a selected row. */
const rowOf = async (exceptionId: string) => ({
  exceptionId,
  exceptionVersion: await versionOf(exceptionId),
  operationId: randomUUID(),
});

const stateOf = async (exceptionId: string) =>
  (
    await db
      .pool('owner')
      .query<{ state: string; assignee_id: string | null; next_place: string | null }>(
        'select state, assignee_id, next_place from review.exceptions where exception_id = $1',
        [exceptionId],
      )
  ).rows[0]!;

const inAnHour = async () =>
  (
    await db
      .pool('owner')
      .query<{ at: string }>(`select ledger.instant(ledger.clock() + interval '1 hour') as at`)
  ).rows[0]!.at;

describe('linking many results', () => {
  it('R-053a R-053c FE-18 of 50 the one linked and the one changed since are refused by name, all others are linked', async () => {
    const payments = await paidPayments(desk, operator, BULK_CAP);
    const seen = await preview(
      operator,
      payments.map((payment) => payment.exceptionId),
    );
    expect(seen.map((row) => row.leftOut)).toEqual(Array(BULK_CAP).fill(null));
    const rows = seen.map(linkRow);
    const [linked, changed] = [seen[7]!, seen[31]!];
    await linkResult(colleague, { ...linkRow(linked), rationale: '' });
    await assignException(colleague, {
      exceptionId: changed.exceptionId,
      exceptionVersion: changed.exceptionVersion,
      operationId: randomUUID(),
      assigneeId: colleague.actor.personId,
    });

    const answers = await sendBatch(operator, { act: 'link' }, rows);
    expect(answers.size).toBe(BULK_CAP);
    expect(answers.get(linked.exceptionId)).toMatchObject({ outcome: 'refused', code: 'EXCEPTION_CLOSED' });
    expect(answers.get(changed.exceptionId)).toMatchObject({
      outcome: 'refused',
      code: 'CHANGED_SINCE_SEEN',
    });
    expect(tallyOf([...answers.values()])).toEqual({ done: 48, refused: 2, unknown: 0, waiting: 0 });
    for (const { id, key, exceptionId } of payments) {
      const { state, result_id: result } = await desk.ledger.row(id);
      const untouched = exceptionId === changed.exceptionId;
      expect([state, result]).toEqual(untouched ? ['UNKNOWN', null] : ['SUCCEEDED', `PAY-${key}`]);
    }
    for (const row of rows)
      expect(await desk.audit({ operationId: row.operationId })).toMatchObject([
        {
          event: 'decision.result_linked',
          outcome: answers.get(row.exceptionId)?.outcome,
          actor_id: operator.actor.personId,
        },
      ]);
  });

  it('R-053c what only people saw is not linked in bulk, whatever the form says', async () => {
    const { exceptionId, id } = await desk.unknownPayment();
    const { view } = await desk.seen(operator, exceptionId);
    const seenByHand = await addManualEvidence(operator, {
      operationId: randomUUID(),
      exceptionId,
      executionVersion: view.execution!.version,
      place: 'The bank’s console',
      seen: 'It is there.',
      verdict: 'APPLIED',
      checkedAt: view.now,
      resultId: 'PAY-by-hand',
      targetAccount: 'main',
      contentAgrees: true,
    });
    expect(seenByHand).toMatchObject({ outcome: 'done' });
    const [candidate] = await preview(operator, [exceptionId]);
    expect(candidate).toMatchObject({ leftOut: 'NOT_CONCLUSIVE', found: { resultId: 'PAY-by-hand' } });
    const row = linkRow(candidate!);
    const answers = await sendBatch(operator, { act: 'link' }, [row]);
    expect(answers.get(exceptionId)).toEqual({ outcome: 'refused', code: 'NOT_CONCLUSIVE' });
    expect((await desk.ledger.row(id)).state).toBe('UNKNOWN');
    expect(await desk.audit({ operationId: row.operationId })).toMatchObject([
      { event: 'decision.result_linked', outcome: 'refused', refusal_code: 'NOT_CONCLUSIVE' },
    ]);
  });

  it('R-053e a repeated batch decides once and says so', async () => {
    const payments = await paidPayments(desk, operator, 3);
    const rows = (
      await preview(
        operator,
        payments.map((payment) => payment.exceptionId),
      )
    ).map(linkRow);
    const first = await sendBatch(operator, { act: 'link' }, rows);
    const again = await sendBatch(operator, { act: 'link' }, rows);
    for (const { exceptionId } of rows) {
      expect(first.get(exceptionId)).toEqual({ outcome: 'done', repeated: false });
      expect(again.get(exceptionId)).toEqual({ outcome: 'done', repeated: true });
    }
  });
});

describe('acts that settle nothing, many at once', () => {
  it('R-053a R-049a assigns, defers and looks up row by row, each with its version', async () => {
    const payments = await paidPayments(desk, operator, 3);
    const [, stale] = payments;
    const rows = await Promise.all(payments.map(({ exceptionId }) => rowOf(exceptionId)));
    const note = { exceptionId: stale!.exceptionId, text: 'Asked the shop.', operationId: randomUUID() };
    await commentException(colleague, { ...note, exceptionVersion: rows[1]!.exceptionVersion });
    const me = operator.actor.personId;
    await assignException(colleague, {
      exceptionId: stale!.exceptionId,
      exceptionVersion: await versionOf(stale!.exceptionId),
      operationId: randomUUID(),
      assigneeId: colleague.actor.personId,
    });
    const assigned = await sendBatch(operator, { act: 'assign', assigneeId: me }, rows);
    expect(payments.map(({ exceptionId }) => assigned.get(exceptionId)?.outcome)).toEqual([
      'done',
      'refused',
      'done',
    ]);
    expect(assigned.get(stale!.exceptionId)).toMatchObject({ code: 'CHANGED_SINCE_SEEN' });

    const later = await Promise.all(payments.map(({ exceptionId }) => rowOf(exceptionId)));
    const deferral = { act: 'defer', until: await inAnHour(), place: 'The bank’s console', reason: '' };
    expect(tallyOf([...(await sendBatch(operator, deferral, later)).values()])).toMatchObject({ done: 3 });
    const looked = await Promise.all(payments.map(({ exceptionId }) => rowOf(exceptionId)));
    expect(tallyOf([...(await sendBatch(operator, { act: 'look-up' }, looked)).values()])).toMatchObject({
      done: 3,
    });
    for (const { exceptionId, id } of payments) {
      expect(await stateOf(exceptionId)).toMatchObject({ state: 'OPEN', next_place: deferral.place });
      expect(await desk.lookups(id)).toHaveLength(2);
    }
  });

  it('R-053a R-053e a fault in one row is that row’s: not known, and the others go on', async () => {
    const payments = await paidPayments(desk, operator, 2);
    const rows = await Promise.all(payments.map(({ exceptionId }) => rowOf(exceptionId)));
    const owner = db.pool('owner');
    await owner.query(
      `alter table review.exceptions add constraint fault check (exception_id <> '${rows[0]!.exceptionId}' or assignee_id is null) not valid`,
    );
    const act = { act: 'assign', assigneeId: operator.actor.personId };
    const answers = await sendBatch(operator, act, rows);
    await owner.query('alter table review.exceptions drop constraint fault');
    expect(rows.map((row) => answers.get(row.exceptionId))).toEqual([
      { outcome: 'unknown' },
      { outcome: 'done', repeated: false },
    ]);
    // Checked again under the same operation ids: what was done is not done twice, what was not is done now.
    const again = await sendBatch(operator, act, rows);
    expect(rows.map((row) => again.get(row.exceptionId))).toEqual([
      { outcome: 'done', repeated: false },
      { outcome: 'done', repeated: true },
    ]);
  });
});
