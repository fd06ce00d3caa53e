// What a person saw against the outside system's "not there": in sight down to the second person's decision.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { standingOf } from '@/lib/domain/evidence-standing';
import { contraryScenes } from '@/lib/testing/contrary-scenes';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { failFinally } from './fail-finally';
import { getRequest } from './get-request';
import { linkResult } from './link-result';
import { requestReissue } from './request-reissue';

let db: TestDatabase;
let desk: DeskFixture;
let first: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  first = await desk.desk();
  second = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const { doubt, systemShows, saw } = contraryScenes(() => ({ desk, first, second }));

const pageOf = async (exceptionId: string) => {
  const { view, form } = await desk.seen(first, exceptionId);
  const offer = (decision: string) => view.offers.find((each) => each.decision === decision)!;
  const send = (decision: string) => ({ ...form, evidenceId: offer(decision).evidenceId!, lookAgain: false });
  return { view, form, offer, send, standing: standingOf(view.evidence, view.execution!, true) };
};

/** Seen by the first person; the outside system, asked later, has nothing. */
async function contradicted() {
  const of = await doubt();
  await saw(first, of);
  await systemShows(of);
  return of;
}

async function asked(of: { exceptionId: string }) {
  const { send } = await pageOf(of.exceptionId);
  const answer = await confirmNotApplied(first, send('CONFIRM_NOT_APPLIED'));
  if (answer.outcome !== 'requested') throw new Error(JSON.stringify(answer));
  const request = (await getRequest(second, answer.requestId))!;
  const approve = () =>
    decideRequest(second, {
      requestId: request.requestId,
      digest: request.digest,
      operationId: randomUUID(),
      verdict: 'APPROVE',
      rationale: 'I know what was seen; it was another one.',
      lookAgain: false,
    });
  return { request, approve };
}

describe('one person saw it, and the outside system has nothing', () => {
  it('R-060i both are told, and nothing is recommended but another pair of eyes', async () => {
    const { exceptionId } = await contradicted();
    const { view, offer, standing } = await pageOf(exceptionId);
    expect(standing).toMatchObject({
      standing: 'SEEN_OTHERWISE',
      lookup: { byPerson: false, verdict: 'NOT_APPLIED' },
      beside: { byPerson: true, verdict: 'APPLIED' },
    });
    expect(view.nextStep).toBe('ASK_A_COLLEAGUE');
    expect(view.offers.some((each) => each.recommended)).toBe(false);
    expect(offer('LINK_RESULT').refusal).toBe('EVIDENCE_SHOWS_OTHERWISE');
  });

  it('R-060i "not applied" waits for a second person, whatever the effect is', async () => {
    const of = await contradicted();
    const { offer } = await pageOf(of.exceptionId);
    expect(offer('CONFIRM_NOT_APPLIED')).toMatchObject({ refusal: null, secondPerson: true });
    const { approve } = await asked(of);
    expect(await desk.ledger.row(of.id)).toMatchObject({ state: 'UNKNOWN' });
    expect(await approve()).toMatchObject({ outcome: 'done' });
    expect(await desk.ledger.row(of.id)).toMatchObject({ state: 'FAILED_RETRYABLE' });
  });

  it('R-060i it is not ended for good', async () => {
    const of = await contradicted();
    const { form, offer } = await pageOf(of.exceptionId);
    expect(offer('FINAL_FAILURE').refusal).toBe('EVIDENCE_CONTRADICTED');
    expect(await failFinally(first, form)).toMatchObject({ code: 'EVIDENCE_CONTRADICTED' });
  });

  it('R-060i until a person says otherwise', async () => {
    const of = await contradicted();
    await saw(second, of, { verdict: 'NOT_APPLIED', resultId: undefined });
    await systemShows(of);
    const { offer, send } = await pageOf(of.exceptionId);
    expect(offer('CONFIRM_NOT_APPLIED')).toMatchObject({ recommended: true, secondPerson: false });
    expect(await confirmNotApplied(first, send('CONFIRM_NOT_APPLIED'))).toMatchObject({ outcome: 'done' });
  });
});

describe('the request', () => {
  it('R-060j names the contrary look, and the approver’s page shows it', async () => {
    const of = await contradicted();
    const seen = (await pageOf(of.exceptionId)).view.evidence.find((each) => each.byPerson)!;
    const { request, approve } = await asked(of);
    expect(request).toMatchObject({
      params: { contraryLookId: seen.lookupId },
      contrary: { lookupId: seen.lookupId, seen: 'It is listed there.' },
      basisChanged: false,
    });
    await approve();
    const ended = await getRequest(second, request.requestId);
    expect(ended).toMatchObject({ state: 'EXECUTED', contrary: { lookupId: seen.lookupId } });
  });

  it('R-060j is void once a person has seen the effect since', async () => {
    const of = await doubt();
    await systemShows(of);
    const { form, offer } = await pageOf(of.exceptionId);
    const relation = { relation: 'RETRY_AS_NEW', originalFate: 'never happened', intakeId: null };
    const { evidenceId } = offer('REQUEST_REISSUE');
    const answer = await requestReissue(first, { ...form, ...relation, evidenceId, lookAgain: false });
    if (answer.outcome !== 'requested') throw new Error(JSON.stringify(answer));
    await saw(first, of);
    const request = (await getRequest(second, answer.requestId))!;
    expect(request).toMatchObject({ basisChanged: true, contrary: { byPerson: true } });
    const verdict = { verdict: 'APPROVE', rationale: 'Nothing arrived there.', lookAgain: false };
    const { requestId, digest } = request;
    expect(
      await decideRequest(second, { requestId, digest, operationId: randomUUID(), ...verdict }),
    ).toMatchObject({ code: 'REQUEST_VOID', voidReason: 'CONTRARY_LOOK' });
  });

  it('R-060j is void as well when it named an earlier one', async () => {
    const of = await contradicted();
    const { approve } = await asked(of);
    await saw(second, of);
    expect(await approve()).toMatchObject({ code: 'REQUEST_VOID', voidReason: 'CONTRARY_LOOK' });
    expect(await desk.ledger.row(of.id)).toMatchObject({ state: 'UNKNOWN' });
  });
});

describe('two people saw the same', () => {
  it('R-060k the result can be linked, whichever look is the newest', async () => {
    for (const askedLast of [true, false]) {
      const of = await contradicted();
      await saw(second, of);
      if (askedLast) await systemShows(of);
      const { offer, send, standing, view } = await pageOf(of.exceptionId);
      expect(standing).toMatchObject({
        standing: 'SEEN_BY_TWO',
        lookup: { byPerson: true },
        witness: { byPerson: true },
        beside: { byPerson: false },
      });
      expect(view.nextStep).toBe('LINK_RESULT');
      expect(offer('CONFIRM_NOT_APPLIED').refusal).toBe('EVIDENCE_SHOWS_OTHERWISE');
      expect(await linkResult(first, send('LINK_RESULT'))).toMatchObject({ outcome: 'done' });
      expect(await desk.ledger.row(of.id)).toMatchObject({ state: 'SUCCEEDED', result_id: `PAY-${of.key}` });
    }
  });

  it.each([
    ['another result', { id: 'PAY-found' }],
    ['it under way', { status: 'pending' }],
    ['it in another account', { account: 'other' }],
  ])('R-060k what the system found is never outweighed: %s', async (_what, change) => {
    const of = await contradicted();
    await saw(second, of);
    await systemShows(of, desk.payment(of.key, change));
    const { view, form } = await pageOf(of.exceptionId);
    for (const look of view.evidence.filter((each) => each.byPerson)) {
      const input = { ...form, operationId: randomUUID(), evidenceId: look.lookupId, lookAgain: false };
      expect(await linkResult(first, input)).toMatchObject({ code: 'EVIDENCE_CONTRADICTED' });
    }
  });

  it('R-060k their look ages like any other, and asking the system again does not renew it', async () => {
    const of = await contradicted();
    await saw(second, of);
    await db.advanceClock('2 hours');
    const { offer, send } = await pageOf(of.exceptionId);
    expect(offer('LINK_RESULT')).toMatchObject({ refusal: 'EVIDENCE_STALE', lookAgain: false });
    expect(await linkResult(first, send('LINK_RESULT'))).toMatchObject({ code: 'EVIDENCE_STALE' });
  });
});
