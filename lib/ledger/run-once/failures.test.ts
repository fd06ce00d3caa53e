import { describe, expect, it } from 'vitest';
import { TransactionTimeoutError } from '@/lib/db/transaction';
import { answerToFailure, NoRunsLeft, Passing, type End } from './failures';
import { UnknownState } from './judge-claim';

const END: End = { tries: 2, isOver: false, isUnanswered: false };
const codeOf = (error: unknown, more: Partial<End> = {}) => answerToFailure(error, { ...END, ...more }).code;
const conflict = new Passing('lost', { cause: Object.assign(new Error(), { code: '40001' }) });
const withState = (code: string) => Object.assign(new Error(code), { code });

describe('the end of all tries', () => {
  it('R-024 says whether the number or the time was used up', () => {
    expect(codeOf(conflict)).toBe('RETRY_LIMIT_REACHED');
    expect(codeOf(new NoRunsLeft())).toBe('RETRY_LIMIT_REACHED');
    expect(codeOf(conflict, { isOver: true })).toBe('RETRY_DEADLINE_EXCEEDED');
    expect(codeOf(new TransactionTimeoutError())).toBe('RETRY_DEADLINE_EXCEEDED');
  });

  it('R-024 takes the server’s limits for the deadline only when it is over, since the work may have limits of its own', () => {
    for (const code of ['57014', '25P03', '25P04']) {
      expect(codeOf(withState(code), { isOver: true })).toBe('RETRY_DEADLINE_EXCEEDED');
      expect(() => codeOf(withState(code))).toThrow(code);
    }
    expect(() => codeOf(withState('23505'), { isOver: true })).toThrow('23505');
  });

  it('R-026 an unanswered COMMIT is unconfirmed, whatever kept us from reading', () => {
    for (const error of [conflict, new TransactionTimeoutError(), withState('42501'), new Error('any')])
      expect(codeOf(error, { isUnanswered: true })).toBe('REQUEST_STATUS_UNCONFIRMED');
  });

  it('R-025a an unknown state has its own code and the words of the API', () => {
    expect(answerToFailure(new UnknownState('ARCHIVED'), END)).toMatchObject({
      kind: 'REFUSED',
      code: 'UNKNOWN_IDEMPOTENCY_STATE',
      problem: { status: 500 },
    });
  });
});
