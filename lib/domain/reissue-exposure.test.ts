import { describe, expect, it } from 'vitest';
import { RELATIONS } from './decisions';
import {
  choiceOf,
  readExposure,
  standingTogether,
  togetherOf,
  type ExposureFigures,
  type ReissueChoice,
} from './reissue-exposure';

const figures = (change: Partial<ExposureFigures> = {}): ExposureFigures => ({
  originalState: 'SUCCEEDED',
  originalEffect: 'EXISTS',
  originalEffects: 1,
  originalResultId: 'PAY-1',
  originalAmount: '188000',
  originalCurrency: 'KRW',
  newAmount: '218000',
  newCurrency: 'KRW',
  bothAmount: '406000',
  bothCurrency: 'KRW',
  bothEffects: 2,
  ...change,
});
const exposure = (change: Partial<ExposureFigures> = {}) => readExposure(figures(change));

describe('what stands beside the original', () => {
  it.each([
    ['CORRECTION', 'EXISTS', 'BOTH_STAND'],
    ['NEW_WORK', 'EXISTS', 'BOTH_STAND'],
    ['CORRECTION', 'MAY_EXIST', 'BOTH_IF_IT_WORKED'],
    ['NEW_WORK', 'MAY_EXIST', 'BOTH_IF_IT_WORKED'],
    ['CORRECTION', 'NONE_KNOWN', 'BOTH_AFTER_ALL'],
    ['RETRY_AS_NEW', 'MAY_EXIST', 'BOTH_AFTER_ALL'],
    ['RETRY_AS_NEW', 'NONE_KNOWN', 'BOTH_AFTER_ALL'],
  ] as const)('R-081i a %s of an original whose effect %s: %s', (relation, originalEffect, standing) => {
    expect(standingTogether(relation, exposure({ originalEffect }))).toBe(standing);
  });

  it('R-081i is one sum in one currency', () => {
    expect(togetherOf(exposure())).toEqual({ as: 'SUM', sum: { value: '406000', currency: 'KRW' } });
  });

  it('R-081i names two currencies, and adds nothing up', () => {
    const both = exposure({ newAmount: '150', newCurrency: 'USD', bothAmount: null, bothCurrency: null });
    expect(togetherOf(both)).toEqual({
      as: 'TWO_AMOUNTS',
      original: { value: '188000', currency: 'KRW' },
      added: { value: '150', currency: 'USD' },
    });
  });

  it.each([{ originalAmount: null }, { newAmount: null }])(
    'R-081i without an amount on both sides the count says it: %o',
    (unknown) => {
      expect(togetherOf(exposure({ ...unknown, bothAmount: null, bothEffects: 3 }))).toEqual({
        as: 'COUNT',
        effects: 3,
      });
    },
  );
});

it('R-081i a form finds the choice that it describes, by relation and content', () => {
  const choice = (relation: ReissueChoice['relation'], intakeId: string | null): ReissueChoice => ({
    ...{ relation, intakeId, exposure: exposure(), approvals: 1 },
  });
  const choices = [...RELATIONS.map((each) => choice(each, null)), choice('CORRECTION', 'intake-1')];
  expect(choiceOf(choices, 'CORRECTION', 'intake-1')).toBe(choices[3]);
  expect(choiceOf(choices, 'NEW_WORK', null)?.relation).toBe('NEW_WORK');
  expect(choiceOf(choices, 'NEW_WORK', 'intake-1')).toBeNull();
});
