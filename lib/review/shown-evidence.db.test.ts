import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correctionFixture, type CorrectionFixture } from '@/lib/testing/correction-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { installPolicy, policyVersion, step } from '@/lib/testing/policy-forms';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { failFinally } from './fail-finally';
import { linkResult } from './link-result';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let corrections: CorrectionFixture;
let operator: LookingContext;
let approver: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, operator);
  corrections = correctionFixture(desk, operator);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const eventOf = async (exceptionId: string, event: string) =>
  (await desk.audit({ exceptionId })).findLast((row) => row.event === event && row.outcome === 'done')!.body;
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');

describe('a look, as it was judged then', () => {
  it('R-086f an event before the horizon tells that it proved nothing, and from when on it would', async () => {
    await db.setClock(null);
    const { exceptionId } = await desk.unknownPayment();
    desk.answerItems();
    const early = await doubts.look(exceptionId);
    const body = await eventOf(exceptionId, 'lookup.recorded');
    expect(body).toMatchObject({ lookupId: early, verdict: 'NOT_APPLIED', conclusive: false });
    expect(String(body['provesFrom']) > String(body['checkedAt'])).toBe(true);
    await db.advanceClock('10 minutes');
    await doubts.look(exceptionId);
    expect(await eventOf(exceptionId, 'lookup.recorded')).toMatchObject({ conclusive: true });
  });

  it('R-086f what was found needs no horizon, and what is not clear proves nothing', async () => {
    const { exceptionId, key } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key));
    await doubts.look(exceptionId);
    expect(await eventOf(exceptionId, 'lookup.recorded')).toMatchObject({
      ...{ verdict: 'APPLIED', conclusive: true, provesFrom: null },
    });
    desk.answerItems({ ...desk.payment(key), status: 'of no known kind' });
    await doubts.look(exceptionId);
    expect(await eventOf(exceptionId, 'lookup.recorded')).toMatchObject({
      ...{ verdict: 'UNCLEAR', conclusive: false },
    });
  });
});

describe('a decision and the look that was shown', () => {
  it('R-086g linking names the look that was shown, and apart from it the one made after the press', async () => {
    const { exceptionId, form } = await doubts.paid();
    expect(await linkResult(operator, { ...form, lookAgain: true })).toMatchObject({ outcome: 'done' });
    const body = await eventOf(exceptionId, 'decision.result_linked');
    expect(body).toMatchObject({ shownEvidenceId: form.evidenceId, authorityNeeded: 'money' });
    expect(body['evidenceId']).not.toBe(form.evidenceId);
    const { view } = await desk.seen(operator, exceptionId);
    expect(view.decisions).toMatchObject([
      { shownEvidenceId: form.evidenceId, evidenceId: body['evidenceId'] },
    ]);
  });

  it('R-086g without another look both are the same, and what is no look at this execution counts as none', async () => {
    const { exceptionId, form } = await doubts.paid();
    await linkResult(operator, form);
    expect(await eventOf(exceptionId, 'decision.result_linked')).toMatchObject({
      ...{ shownEvidenceId: form.evidenceId, evidenceId: form.evidenceId },
    });
    const unpaid = await doubts.unpaid();
    await failFinally(operator, { ...unpaid.form, shownEvidenceId: form.evidenceId });
    expect(await eventOf(unpaid.exceptionId, 'decision.failed_finally')).toMatchObject({
      ...{ shownEvidenceId: null, evidenceId: unpaid.form.evidenceId },
    });
  });

  it('R-086g of "not applied" both people’s looks are told, each with the one made inside the decision', async () => {
    const { id, exceptionId, form } = await doubts.unpaid();
    expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'requested' });
    const asked = await eventOf(exceptionId, 'decision.confirm_not_applied_requested');
    expect(asked).toMatchObject({ shownEvidenceId: form.evidenceId, authorityNeeded: 'money' });
    expect(asked).not.toHaveProperty('exposure');
    const { rows } = await db
      .pool('owner')
      .query('select request_id, digest from review.approval_requests where execution_id = $1', [id]);
    const verdict = {
      ...{ requestId: rows[0].request_id, digest: rows[0].digest, operationId: randomUUID() },
      ...{ verdict: 'APPROVE', rationale: 'Nothing arrived there.', shownEvidenceId: form.evidenceId },
    };
    await decideRequest(approver, { ...verdict, lookAgain: true });
    const body = await eventOf(exceptionId, 'decision.not_applied_confirmed');
    expect(body).toMatchObject({
      ...{ shownEvidenceId: form.evidenceId, authorityNeeded: 'money', approvalSteps: [1] },
    });
    expect(body['evidenceId']).not.toBe(form.evidenceId);
  });

  it('R-086g a new key stands on a look that was made after the approval, and names the one that the approver had', async () => {
    const { exceptionId, requestId, form, verdict } = await doubts.requested();
    await decideRequest(approver, verdict({ shownEvidenceId: form.evidenceId }));
    expect(await carryOut(requestId)).toMatchObject({ done: 'EXECUTED' });
    expect(await eventOf(exceptionId, 'reissue.approved')).toMatchObject({
      ...{ shownEvidenceId: form.evidenceId },
    });
    const body = await eventOf(exceptionId, 'reissue.executed');
    expect(body).toMatchObject({ shownEvidenceId: form.evidenceId, onBehalfOf: approver.actor.personId });
    expect(body['evidenceId']).not.toBe(form.evidenceId);
  });
});

it('R-086h an approval tells what was at stake, the authority, and the policy’s version and steps', async () => {
  await db
    .pool('owner')
    .query(
      `update ledger.operation_policies set value_field = '/amount', value_currency = 'KRW' where operation = 'create-payment' and retired_at is null`,
    );
  await installPolicy(db, { steps: [step({ role: 'MANAGER' }), step(), step({ fromAmount: '999999999' })] });
  const conflict = await corrections.conflict({ original: '188000', other: '218000' });
  const { verdict } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
  const atStake = { originalAmount: '188000', newAmount: '218000', bothAmount: '406000', bothEffects: 2 };
  const version = await policyVersion(db);
  expect(await eventOf(conflict.exceptionId, 'reissue.requested')).toMatchObject({
    ...{ authorityNeeded: 'money', approvalPolicyVersion: version, approvalSteps: [1, 2], exposure: atStake },
  });
  await decideRequest(approver, verdict());
  expect(await eventOf(conflict.exceptionId, 'reissue.approved')).toMatchObject({
    ...{ authorityNeeded: 'money', approvalPolicyVersion: version, approvalSteps: [2], exposure: atStake },
  });
});
