import { describe, expect, it } from 'vitest';
import { answerAfter, answerNow, type ImpactSubject } from './caller-impact';
import { DECISIONS } from './decisions';
import { EXECUTION_STATES } from './states';

const subject = (change: Partial<ImpactSubject> = {}): ImpactSubject => ({
  state: 'UNKNOWN',
  superseded: false,
  retentionOver: false,
  underReview: true,
  leaseLive: false,
  effectStarted: true,
  attemptsLeft: true,
  paused: false,
  responseStatus: null,
  resultId: null,
  ...change,
});

describe('what a caller is answered', () => {
  it.each([
    [{ state: 'UNKNOWN' }, 'RECONCILE_REQUIRED', 409],
    [{ state: 'PROCESSING', underReview: false, leaseLive: true }, 'REQUEST_IN_PROGRESS', 409],
    [{ state: 'PROCESSING', underReview: false }, 'RECONCILE_REQUIRED', 409],
    [{ state: 'PROCESSING', underReview: false, effectStarted: false }, 'CLAIMED', 201],
    [{ state: 'PROCESSING', leaseLive: true }, 'RECONCILE_REQUIRED', 409],
    [{ state: 'RECEIVED', underReview: false }, 'CLAIMED', 201],
    [{ state: 'FAILED_RETRYABLE', underReview: false }, 'RETRY_SAME_KEY', 201],
    [{ state: 'FAILED_RETRYABLE', underReview: false, attemptsLeft: false }, 'ATTEMPTS_EXHAUSTED', 409],
    [{ state: 'RECEIVED', underReview: false, paused: true }, 'OPERATION_PAUSED', 503],
    [
      { state: 'FAILED_RETRYABLE', underReview: false, attemptsLeft: false, paused: true },
      'OPERATION_PAUSED',
      503,
    ],
    [
      { state: 'PROCESSING', underReview: false, effectStarted: false, paused: true },
      'OPERATION_PAUSED',
      503,
    ],
    [{ state: 'PROCESSING', underReview: false, paused: true }, 'RECONCILE_REQUIRED', 409],
    [{ state: 'SUCCEEDED', resultId: 'R-1', paused: true }, 'RESULT_REUSED', 200],
    [{ state: 'SUCCEEDED', resultId: 'R-1' }, 'RESULT_REUSED', 200],
    [{ state: 'SUCCEEDED', responseStatus: 201 }, 'STORED_RESPONSE', 201],
    [{ state: 'FAILED_FINAL' }, 'EXECUTION_FAILED_FINAL', 409],
    [{ state: 'FAILED_FINAL', responseStatus: 422 }, 'STORED_RESPONSE', 422],
    [{ state: 'EXPIRED', resultId: 'R-1' }, 'IDEMPOTENCY_KEY_EXPIRED', 410],
    [{ state: 'SUCCEEDED', retentionOver: true, resultId: 'R-1' }, 'IDEMPOTENCY_KEY_EXPIRED', 410],
    [{ state: 'UNKNOWN', retentionOver: true }, 'RECONCILE_REQUIRED', 409],
    [{ state: 'EXPIRED', superseded: true }, 'IDEMPOTENCY_KEY_SUPERSEDED', 409],
  ] as const)('R-080a now, %j: %s', (change, code, status) => {
    expect(answerNow(subject(change))).toMatchObject({ code, status });
  });

  it('R-080a after each decision', () => {
    const found = { resultId: 'R-1' };
    expect(answerAfter('LINK_RESULT', subject(), found)).toMatchObject({
      code: 'RESULT_REUSED',
      resultId: 'R-1',
    });
    expect(answerAfter('CONFIRM_NOT_APPLIED', subject()).code).toBe('RETRY_SAME_KEY');
    expect(answerAfter('FINAL_FAILURE', subject({ responseStatus: 201 })).code).toBe(
      'EXECUTION_FAILED_FINAL',
    );
    expect(answerAfter('DECLARE_UNKNOWN', subject({ state: 'PROCESSING' })).code).toBe('RECONCILE_REQUIRED');
    expect(answerAfter('EXTEND', subject({ state: 'PROCESSING' })).code).toBe('REQUEST_IN_PROGRESS');
    expect(
      answerAfter('ALLOW_ATTEMPTS', subject({ state: 'FAILED_RETRYABLE', attemptsLeft: false })).code,
    ).toBe('RETRY_SAME_KEY');
    expect(answerAfter('REQUEST_REISSUE', subject(), { relation: 'CORRECTION' }).code).toBe(
      'IDEMPOTENCY_KEY_SUPERSEDED',
    );
    expect(answerAfter('REQUEST_REISSUE', subject(), { relation: 'NEW_WORK' }).code).toBe(
      'RECONCILE_REQUIRED',
    );
    expect(answerAfter('SETTLE_EFFECT', subject({ state: 'FAILED_FINAL' }), found).code).toBe(
      'RESULT_REUSED',
    );
    expect(answerAfter('KEEP_ORIGINAL', subject({ state: 'SUCCEEDED', resultId: 'R-0' }))).toMatchObject({
      code: 'RESULT_REUSED',
      resultId: 'R-0',
    });
  });

  it('R-042a an expired key stays expired whatever is settled about it', () => {
    for (const decision of DECISIONS.filter((each) => each !== 'REQUEST_REISSUE'))
      expect(answerAfter(decision, subject({ state: 'EXPIRED' })).code).toBe('IDEMPOTENCY_KEY_EXPIRED');
  });

  it('has an answer for every state under every decision about an execution', () => {
    const keyless = ['RECORD_KEY_RULE', 'ACCEPT_UNPROTECTED'];
    for (const state of EXECUTION_STATES.filter((each) => each !== 'EXPIRED'))
      for (const decision of DECISIONS.filter((each) => !keyless.includes(each)))
        expect(answerAfter(decision, subject({ state })).status).toBeGreaterThan(0);
  });
});
