// What stands behind a decision's outcome: who is fenced, whose an exception stays, which look counts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import { assignException } from './assign-exception';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import { declareUnknown } from './declare-unknown';
import { deferException } from './defer-exception';
import type { LookingContext } from './desk-context';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  await desk.ledger.policy('set-flag', { connector_id: 'stub-payments', effect_class: 'REVERSIBLE' });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

describe('the fencing token', () => {
  it('R-075 grows when a result is declared unknown', async () => {
    const { id, token } = await desk.ledger.started(randomUUID(), { leaseSeconds: 1 });
    await db.advanceClock('2 seconds');
    await desk.ledger.sweep();
    const { form } = await desk.seen(operator, await desk.exceptionOf(id));
    expect(await declareUnknown(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.row(id)).toMatchObject({ fencing_token: String(Number(token) + 1) });
  });

  it('R-067a grows with "not applied": who held the old one is fenced', async () => {
    const { id, form } = await doubts.unpaid({ operation: 'set-flag' });
    const { fencing_token: before } = await desk.ledger.row(id);
    expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.row(id)).toMatchObject({ fencing_token: String(Number(before) + 1) });
    const late = { fencingToken: before, resultId: `R-${id}` };
    expect(await desk.ledger.report('complete', id, late)).toMatchObject({ code: 'FENCED' });
  });
});

describe('the second look', () => {
  it('R-070d has to be younger than the approval', async () => {
    const approver = await desk.desk({ roles: ['APPROVER'] });
    const { form, verdict, requestId } = await doubts.requested();
    await db.advanceClock('1 second');
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    const worker = { kind: 'system', id: 'system:worker' } as const;
    const answer = await asActor(db.pool('worker'), worker, (client) =>
      client.query('SELECT review.execute_reissue($1, $2) AS answer', [requestId, form.evidenceId]),
    );
    expect(answer.rows).toEqual([{ answer: { outcome: 'waiting' } }]);
  });
});

describe('an exception that somebody holds', () => {
  it('R-049a stays theirs when another person defers it', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const holder = await desk.desk();
    const act = async () => {
      const { form } = await desk.seen(operator, exceptionId);
      return { exceptionId, exceptionVersion: form.exceptionVersion, operationId: randomUUID() };
    };
    const assigneeId = holder.actor.personId;
    expect(await assignException(operator, { ...(await act()), assigneeId })).toMatchObject({
      outcome: 'done',
    });
    const { rows } = await db
      .pool('owner')
      .query<{ until: string }>(`SELECT ledger.instant(ledger.clock() + interval '1 hour') AS until`);
    const later = { until: rows[0]!.until, place: 'The bank’s console', reason: 'They answer later.' };
    expect(await deferException(operator, { ...(await act()), ...later })).toMatchObject({ outcome: 'done' });
    const { view } = await desk.seen(operator, exceptionId);
    expect(view.exception).toMatchObject({ state: 'OPEN', assignee: { personId: assigneeId } });
  });
});
