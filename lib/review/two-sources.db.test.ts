// What the outside system shows and what a person saw, side by side, down to the decision.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { standingOf } from '@/lib/domain/evidence-standing';
import { timelineOf } from '@/lib/domain/exception-timeline';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { addManualEvidence } from './add-manual-evidence';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { ANY_EXCEPTION } from './exception-filter';
import { failFinally } from './fail-finally';
import { getExecution } from './get-execution';
import { linkResult } from './link-result';
import { listExceptions } from './list-exceptions';
import { requestReissue } from './request-reissue';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  await desk.connectOther('stub-deletions', { absentId: '{display:/recordId}' });
  await desk.ledger.policy('delete-record', { connector_id: 'stub-deletions', proof: 'ABSENCE' });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function saw(exceptionId: string, change: Json = {}) {
  const { view } = await desk.seen(operator, exceptionId);
  return addManualEvidence(operator, {
    operationId: randomUUID(),
    exceptionId,
    executionVersion: view.execution?.version,
    place: 'payment console',
    seen: 'It is listed there.',
    verdict: 'APPLIED',
    targetAccount: 'main',
    contentAgrees: true,
    ...change,
  });
}

const pageOf = async (exceptionId: string) => {
  const { view, form } = await desk.seen(operator, exceptionId);
  const offer = (decision: string) => view.offers.find((each) => each.decision === decision)!;
  return { view, form, offer, standing: standingOf(view.evidence, view.execution!, true) };
};

/** The queue's step and the execution page's step must be the exception page's. */
async function expectOneStep(exceptionId: string, executionId: string, step: string) {
  const { view } = await pageOf(exceptionId);
  expect(view.nextStep).toBe(step);
  const execution = await getExecution({ actor: operator.actor, db: operator.pool }, executionId);
  expect(execution?.nextStep).toBe(step);
  const key = view.execution!.key;
  const listed = await listExceptions(
    { actor: operator.actor, db: operator.pool },
    {
      filter: { ...ANY_EXCEPTION, text: key },
      sort: 'severity',
      cursor: null,
      size: 5,
    },
  );
  if (listed.kind !== 'page') throw new Error(listed.kind);
  expect(listed.rows.find((row) => row.exceptionId === exceptionId)?.nextStep).toBe(step);
}

describe('a payment that was reversed outside', () => {
  const reversedPayment = async () => {
    const payment = await desk.unknownPayment();
    desk.answerItems(desk.payment(payment.key, { status: 'reversed' }));
    const evidenceId = await doubts.look(payment.exceptionId);
    return { ...payment, evidenceId };
  };

  it('R-060h R-058d a person who saw it done opens no link; both looks stay in sight', async () => {
    const { id, key, exceptionId } = await reversedPayment();
    expect(await saw(exceptionId, { resultId: `PAY-${key}` })).toEqual({ outcome: 'done', repeated: false });
    const { view, form, offer, standing } = await pageOf(exceptionId);
    expect(standing).toMatchObject({
      standing: 'CONTRADICTED',
      lookup: { externalStatus: 'reversed', byPerson: false },
      // Nobody entered a status.
      beside: { externalStatus: null, byPerson: true, verdict: 'APPLIED' },
    });
    expect(offer('LINK_RESULT').refusal).toBe('EVIDENCE_CONTRADICTED');
    await expectOneStep(exceptionId, id, 'LOOK_AGAIN');
    for (const look of view.evidence) {
      const input = { ...form, operationId: randomUUID(), evidenceId: look.lookupId, lookAgain: false };
      expect(await linkResult(operator, input)).toMatchObject({ code: 'EVIDENCE_CONTRADICTED' });
    }
    expect(await desk.ledger.row(id)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-060h asked again, the outside system decides; an answer without a word takes nothing back', async () => {
    const { key, exceptionId } = await reversedPayment();
    await saw(exceptionId, { resultId: `PAY-${key}` });
    desk.answer((_request, response) => response.writeHead(503).end());
    await doubts.look(exceptionId);
    expect((await pageOf(exceptionId)).offer('LINK_RESULT').refusal).toBe('EVIDENCE_CONTRADICTED');
    desk.answerItems(desk.payment(key));
    await doubts.look(exceptionId);
    const { form, offer } = await pageOf(exceptionId);
    const input = { ...form, evidenceId: offer('LINK_RESULT').evidenceId, lookAgain: false };
    expect(await linkResult(operator, input)).toMatchObject({ outcome: 'done' });
  });

  it('R-068 can be ended for good, or asked for anew; never linked, never "not applied"', async () => {
    const { id, exceptionId, evidenceId } = await reversedPayment();
    const { form, offer, standing } = await pageOf(exceptionId);
    expect(standing.standing).toBe('UNDONE');
    expect(offer('FINAL_FAILURE')).toMatchObject({ refusal: null, recommended: true, evidenceId });
    expect(offer('LINK_RESULT').refusal).toBe('EVIDENCE_SHOWS_OTHERWISE');
    expect(offer('CONFIRM_NOT_APPLIED').refusal).toBe('EVIDENCE_SHOWS_OTHERWISE');
    await expectOneStep(exceptionId, id, 'SETTLE_UNDONE');
    expect(await failFinally(operator, form)).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.row(id)).toMatchObject({ state: 'FAILED_FINAL' });
    expect(await desk.audit({ operationId: form.operationId })).toMatchObject([{ body: { evidenceId } }]);

    const second = await reversedPayment();
    const { form: asking } = await pageOf(second.exceptionId);
    const reissue = { relation: 'NEW_WORK', originalFate: 'reversed by the bank', intakeId: null };
    expect(
      await requestReissue(operator, { ...asking, ...reissue, evidenceId: null, lookAgain: false }),
    ).toMatchObject({ outcome: 'requested' });
  });

  it('R-068 R-060f an old look at it ends nothing; it is looked at again first, like every old look', async () => {
    const { exceptionId } = await reversedPayment();
    await db.advanceClock('2 hours');
    const { form, offer } = await pageOf(exceptionId);
    const { evidenceId, refusal, lookAgain } = offer('FINAL_FAILURE');
    expect([refusal, lookAgain]).toEqual([null, true]);
    expect(await failFinally(operator, form)).toMatchObject({ code: 'EVIDENCE_STALE' });
    expect(
      await failFinally(operator, { ...form, operationId: randomUUID(), evidenceId, lookAgain }),
    ).toMatchObject({ outcome: 'done' });
  });

  it('R-060b what is different when asked once more is told with the refusal', async () => {
    const { key, exceptionId, form } = await doubts.paid();
    desk.answerItems(desk.payment(key, { status: 'reversed' }));
    expect(await linkResult(operator, { ...form, lookAgain: true })).toEqual({
      outcome: 'refused',
      code: 'EVIDENCE_CHANGED',
      shows: { outcome: 'FOUND', externalStatus: 'reversed' },
    });
    expect((await pageOf(exceptionId)).view.exception.state).toBe('OPEN');
  });
});

describe('a deletion', () => {
  const deletion = async (recordId: string | null) => {
    const doubt = await desk.unknownPayment({
      operation: 'delete-record',
      displayFields: { '/amount': '120.50', ...(recordId === null ? {} : { '/recordId': recordId }) },
    });
    desk.answerItems();
    await doubts.look(doubt.exceptionId);
    return doubt;
  };

  it('R-058l R-066a links the record that is gone, by its number, as page, queue and database say', async () => {
    const recordId = `CRM-${randomUUID()}`;
    const { id, exceptionId } = await deletion(recordId);
    const { form, offer, standing } = await pageOf(exceptionId);
    expect(standing.standing).toBe('ABSENT_AS_WANTED');
    expect(offer('LINK_RESULT')).toMatchObject({ refusal: null, recommended: true });
    await expectOneStep(exceptionId, id, 'LINK_RESULT');
    const evidenceId = offer('LINK_RESULT').evidenceId;
    expect(await linkResult(operator, { ...form, evidenceId, lookAgain: false })).toMatchObject({
      outcome: 'done',
    });
    expect(await desk.ledger.row(id)).toMatchObject({ state: 'SUCCEEDED', result_id: recordId });
  });

  it('R-058l without the record’s number, or seen by a person who compared nothing, it does not', async () => {
    const unnamed = await deletion(null);
    expect((await pageOf(unnamed.exceptionId)).offer('LINK_RESULT').refusal).not.toBeNull();

    const blind = await desk.unknownPayment({ operation: 'delete-record' });
    await saw(blind.exceptionId, { resultId: 'CRM-9', contentAgrees: false });
    const { form, offer } = await pageOf(blind.exceptionId);
    const { evidenceId, refusal } = offer('LINK_RESULT');
    expect(refusal).toBe('EVIDENCE_DOES_NOT_MATCH');
    expect(await linkResult(operator, { ...form, evidenceId, lookAgain: false })).toMatchObject({
      code: 'EVIDENCE_DOES_NOT_MATCH',
    });
  });
});

describe('what a person saw', () => {
  it('R-062a is from just now unless another time is given; an older one says that it changes nothing', async () => {
    const { key, exceptionId } = await doubts.paid();
    expect(await saw(exceptionId, { resultId: `PAY-${key}` })).toEqual({ outcome: 'done', repeated: false });
    const { view } = await pageOf(exceptionId);
    expect(view.evidence[0]).toMatchObject({ byPerson: true });
    const checkedAt = view.execution!.createdAt;
    expect(await saw(exceptionId, { checkedAt })).toEqual({
      outcome: 'done',
      repeated: false,
      filedEarlier: true,
    });
  });

  it('R-060h agreeing with the system takes nothing away, with or without the result’s id', async () => {
    const { exceptionId, form } = await doubts.paid();
    await saw(exceptionId);
    const { offer, standing } = await pageOf(exceptionId);
    expect(standing).toMatchObject({ standing: 'MATCH', beside: { byPerson: true } });
    expect(offer('LINK_RESULT')).toMatchObject({ refusal: null, evidenceId: form.evidenceId });
    expect(await linkResult(operator, form)).toMatchObject({ outcome: 'done' });
  });

  it('R-060h decides alone where the system has shown nothing yet', async () => {
    const { key, exceptionId } = await desk.unknownPayment();
    desk.answerItems();
    await doubts.look(exceptionId);
    await saw(exceptionId, { resultId: `PAY-${key}` });
    const { form, offer, standing } = await pageOf(exceptionId);
    // One person's word is called that, whatever they compared.
    expect(standing.standing).toBe('SEEN_BY_ONE');
    const { evidenceId, refusal } = offer('LINK_RESULT');
    expect(refusal).toBeNull();
    expect(await linkResult(operator, { ...form, evidenceId, lookAgain: false })).toMatchObject({
      outcome: 'done',
    });
  });
});

describe('the timeline', () => {
  it('R-047 keeps how an attempt ended, whatever is decided later', async () => {
    const { id, exceptionId, form } = await doubts.paid();
    const before = (await pageOf(exceptionId)).view.attempts;
    expect(before).toMatchObject([{ outcome: 'UNKNOWN', failureCode: 'TIMEOUT' }]);
    await db.advanceClock('3 seconds');
    await linkResult(operator, form);
    expect(await desk.ledger.row(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect((await pageOf(exceptionId)).view.attempts).toEqual(before);
  });

  it('R-083 tells a confirmation’s end once', async () => {
    const second = await desk.desk({ roles: ['APPROVER'] });
    const { id, exceptionId, form } = await doubts.unpaid();
    expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'requested' });
    const { rows } = await db
      .pool('owner')
      .query<{ request_id: string; digest: string }>(
        'SELECT request_id, digest FROM review.approval_requests WHERE execution_id = $1',
        [id],
      );
    await expectOneStep(exceptionId, id, 'WAIT_FOR_SECOND');
    const verdict = { verdict: 'APPROVE', rationale: 'I looked as well.', lookAgain: false };
    const { request_id: requestId, digest } = rows[0]!;
    await decideRequest(second, { requestId, digest, operationId: randomUUID(), ...verdict });
    const ends = timelineOf((await pageOf(exceptionId)).view).flatMap((moment) =>
      moment.type === 'activity' && moment.activity.event === 'request_ended'
        ? [moment.activity.detail['state']]
        : [],
    );
    expect(ends).toEqual(['EXECUTED']);
  });
});
