import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesOf } from '@/lib/domain/lineage';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { fingerprint, NORTH, PROVEN_PROTECTION } from '@/lib/testing/ledger-fixture';
import { commentException } from './comment-exception';
import { getException } from './get-exception';
import { getExecution } from './get-execution';
import { linkResult } from './link-result';
import { lookUpNow } from './look-up-now';

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

describe('what the exception page reads', () => {
  it('R-047a shows what was asked, the scope, arrivals, attempts, lookups, history and what each action will cause', async () => {
    const operator = await desk.desk();
    const { id, key, exceptionId } = await desk.unknownPayment({
      requestId: 'REQ-1',
      workflowId: 'wf-1',
      step: 'payment',
    });
    await desk.ledger.claim(key, { requestId: 'REQ-2' });
    desk.answerItems(desk.payment(key));
    expect(await lookUpNow(operator, { exceptionId })).toEqual({ outcome: 'done', repeated: false });
    const { form } = await desk.seen(operator, exceptionId);
    const { rationale: _rationale, executionVersion: _version, ...act } = form;
    await commentException(operator, { ...act, text: 'Called the shop.' });
    const { view } = await desk.seen(operator, exceptionId);

    expect(view.exception).toMatchObject({
      kind: 'UNKNOWN_RESULT',
      state: 'OPEN',
      reasonCode: 'REPORTED',
      operation: 'create-payment',
    });
    expect(view.execution).toMatchObject({
      executionId: id,
      key,
      requestId: 'REQ-1',
      state: 'UNKNOWN',
      owner: NORTH,
      failureCode: 'TIMEOUT',
      targetSystem: 'payment',
      display: { '/amount': '120.50' },
    });
    expect(view.arrivals).toMatchObject({ total: 2 });
    expect(view.arrivals.shown.map((each) => [each.disposition, each.requestId])).toEqual([
      ['CLAIMED', 'REQ-1'],
      ['RECONCILE_REQUIRED', 'REQ-2'],
    ]);
    expect(view.attempts).toMatchObject([{ attempt: 1, outcome: 'UNKNOWN', failureCode: 'TIMEOUT' }]);
    expect(view.evidence).toMatchObject([
      {
        outcome: 'FOUND',
        verdict: 'APPLIED',
        resultId: `PAY-${key}`,
        externalStatus: 'done',
        current: true,
        accountMatch: true,
      },
    ]);
    expect(view.evidence[0]?.comparison.map((line) => line.field)).toEqual(
      ['account', 'key', '/amount'].map((f) => f.replace('/', '')),
    );
    expect(view.steps.map((step) => [step.step, step.isThis])).toEqual([['payment', true]]);
    expect(nodesOf(view.lineage!.lines).map((each) => each.isPresent)).toEqual([true]);
    expect(view.activity.map((each) => each.event)).toEqual(['opened', 'evidence', 'commented']);
    expect(view.activity.at(-1)).toMatchObject({
      actor: { kind: 'person', name: 'Person' },
      detail: { text: 'Called the shop.' },
    });
    expect(view.offers.map((offer) => [offer.decision, offer.refusal])).toEqual([
      ['LINK_RESULT', null],
      ['REQUEST_REISSUE', null],
      ['CONFIRM_NOT_APPLIED', 'EVIDENCE_SHOWS_OTHERWISE'],
      ['FINAL_FAILURE', 'EVIDENCE_SHOWS_OTHERWISE'],
    ]);
    expect(view.offers[0]).toMatchObject({
      recommended: true,
      nature: 'RECOVER',
      evidenceId: view.evidence[0]?.lookupId,
    });
  });

  it('R-080a tells who sends the key, when last, and what each would receive under each choice', async () => {
    const operator = await desk.desk();
    const { key, exceptionId } = await desk.unknownPayment({ requestId: 'REQ-A' });
    for (const requestId of ['REQ-A', 'REQ-B', 'REQ-A']) await desk.ledger.claim(key, { requestId });
    desk.answerItems(desk.payment(key));
    await lookUpNow(operator, { exceptionId });
    const { view } = await desk.seen(operator, exceptionId);
    expect(view.impact.callers).toMatchObject([
      { requestId: 'REQ-A', arrivals: 3, lastDisposition: 'RECONCILE_REQUIRED' },
      { requestId: 'REQ-B', arrivals: 1, lastDisposition: 'RECONCILE_REQUIRED' },
    ]);
    expect(view.impact.now).toMatchObject({ code: 'RECONCILE_REQUIRED', status: 409 });
    expect(view.impact.after).toEqual({
      LINK_RESULT: { code: 'RESULT_REUSED', status: 200, resultId: `PAY-${key}` },
      CONFIRM_NOT_APPLIED: { code: 'RETRY_SAME_KEY', status: 201, resultId: null },
      FINAL_FAILURE: { code: 'EXECUTION_FAILED_FINAL', status: 409, resultId: null },
      REQUEST_REISSUE: { code: 'IDEMPOTENCY_KEY_SUPERSEDED', status: 409, resultId: null },
    });
  });

  it('R-080b what the page announces is what the caller then gets', async () => {
    const operator = await desk.desk();
    const { key, exceptionId } = await desk.unknownPayment();
    desk.answerItems(desk.payment(key));
    await lookUpNow(operator, { exceptionId });
    const { view, form } = await desk.seen(operator, exceptionId);
    expect((await desk.ledger.claim(key)).code).toBe(view.impact.now?.code);
    await linkResult(operator, { ...form, evidenceId: view.evidence[0]!.lookupId, lookAgain: false });
    const answer = await desk.ledger.claim(key);
    expect(answer.disposition).toBe(view.impact.after.LINK_RESULT?.code);
    expect(answer.execution?.['resultId']).toBe(view.impact.after.LINK_RESULT?.resultId);
  });

  it('R-081a shows effect class, protection, the amount and the worst case in money', async () => {
    await desk.ledger.policy('take-fee', {
      value_field: '/amount',
      value_currency: 'KRW',
      dedupe_window_seconds: 3600,
      protection_class: 'PROVIDER_KEY',
      ...PROVEN_PROTECTION,
    });
    const operator = await desk.desk();
    const { exceptionId } = await desk.unknownPayment({
      operation: 'take-fee',
      displayFields: { '/amount': '12000.50' },
    });
    const { view } = await desk.seen(operator, exceptionId);
    expect(view.policy).toMatchObject({ effectClass: 'IRREVERSIBLE', protectionClass: 'PROVIDER_KEY' });
    expect(view.execution?.amount).toEqual({ value: '12000.50', currency: 'KRW' });
    expect(view.exposure).toEqual({
      effectsPossible: 1,
      doubleEffects: 1,
      doubleAmount: { value: '12000.50', currency: 'KRW' },
    });
    // the provider's own memory of the key, counted from the first effect.
    expect(Date.parse(view.dedupe!.until) - Date.parse(view.attempts[0]!.effectStartedAt!)).toBe(3_600_000);
    expect(view.dedupe?.over).toBe(false);
  });

  it('R-016b shows the protection that counts beside the declared one, on the exception and the execution', async () => {
    const operator = await desk.desk();
    const declared = { dedupe_window_seconds: 3600, protection_class: 'PROVIDER_KEY' };
    await desk.ledger.policy('unproven-fee', declared);
    const { exceptionId, id } = await desk.unknownPayment({ operation: 'unproven-fee' });
    const shown = { declaredProtection: 'PROVIDER_KEY', protectionClass: 'NONE' };
    const { view } = await desk.seen(operator, exceptionId);
    expect(view.policy).toMatchObject(shown);
    expect(view.dedupe).toBeNull();
    const reader = { actor: operator.actor, db: db.pool('app') };
    expect((await getExecution(reader, id))?.record).toMatchObject(shown);
  });

  it('R-008d a conflict shows which fields differ, values only of the fields kept in clear', async () => {
    const operator = await desk.desk();
    const key = randomUUID();
    const hashes = (amount: string) => ({
      '/amount': amount,
      '/secretNote': `${amount}-note`,
      '/currency': 'aa',
    });
    await desk.ledger.claim(key, {
      fieldHashes: hashes('11'),
      displayFields: { '/amount': '100', '/currency': 'KRW' },
      target: { system: 'payment', account: 'main' },
    });
    await desk.ledger.claim(key, {
      fingerprint: fingerprint('other'),
      fieldHashes: hashes('22'),
      displayFields: { '/amount': '900', '/currency': 'KRW' },
      target: { system: 'payment', account: 'other' },
    });
    const { rows } = await db
      .pool('owner')
      .query<{ execution_id: string }>(
        'select execution_id from ledger.executions where idempotency_key = $1',
        [key],
      );
    const { view } = await desk.seen(operator, await desk.exceptionOf(rows[0]!.execution_id));
    expect(view.conflicts).toHaveLength(1);
    expect(view.conflicts[0]?.differences).toEqual([
      { field: '/amount', differs: true, stored: '100', arrived: '900' },
      { field: '/secretNote', differs: true, stored: undefined, arrived: undefined },
      { field: 'target.account', differs: true, stored: 'main', arrived: 'other' },
      { field: '/currency', differs: false, stored: 'KRW', arrived: 'KRW' },
      { field: 'target.system', differs: false, stored: 'payment', arrived: 'payment' },
    ]);
    expect(view.offers.map((offer) => offer.decision)).toEqual(['KEEP_ORIGINAL', 'REQUEST_REISSUE']);
    expect(view.offers[1]?.relations.map((each) => [each.relation, each.refusal])).toEqual([
      ['RETRY_AS_NEW', 'RELATION_NOT_FOR_KIND'],
      ['CORRECTION', 'STATE_NOT_SUITABLE'],
      ['NEW_WORK', null],
    ]);
  });

  it('R-047b an exception without an execution shows its arrivals and what callers get', async () => {
    const operator = await desk.desk();
    await db
      .pool('app')
      .query('select ledger.keyless_as($1, $2)', [NORTH, { operation: 'send-note', requestId: 'REQ-K' }]);
    const { rows } = await db
      .pool('owner')
      .query<{ exception_id: string }>(
        `select exception_id from review.exceptions where kind = 'KEY_MISSING'`,
      );
    const { view } = await desk.seen(operator, rows[0]!.exception_id);
    expect(view.execution).toBeNull();
    expect(view.arrivals).toMatchObject({
      total: 1,
      shown: [{ disposition: 'KEY_MISSING', requestId: 'REQ-K' }],
    });
    expect(view.impact.now?.code).toBe('IDEMPOTENCY_KEY_MISSING');
    expect(view.offers.map((offer) => offer.decision)).toEqual(['RECORD_KEY_RULE', 'ACCEPT_UNPROTECTED']);
    expect(view.lookupRefusal).toBe('NO_EXECUTION');
  });

  it('R-098c a foreign tenant, a missing exception and nonsense are the same answer', async () => {
    const stranger = await desk.desk({ tenants: ['tenant-south'] });
    const { exceptionId } = await desk.unknownPayment();
    expect(await getException(stranger, exceptionId)).toBeNull();
    expect(await getException(stranger, randomUUID())).toBeNull();
    expect(await getException(stranger, "' or 1=1")).toBeNull();
  });
});
