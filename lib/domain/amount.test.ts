import { describe, expect, it } from 'vitest';
import { amountOf } from './amount';

describe('the amount at stake', () => {
  it('reads the policy’s value field with every digit', () => {
    expect(amountOf({ '/amount': '9912140633506421.10' }, '/amount', 'KRW')).toEqual({
      value: '9912140633506421.10',
      currency: 'KRW',
    });
    expect(amountOf({ '/amount': 12000 }, '/amount', null)).toEqual({ value: '12000', currency: null });
  });

  it.each([
    ['no policy field', { '/amount': 1 }, null],
    ['a field that was not kept', { '/name': 'x' }, '/amount'],
    ['words', { '/amount': '12,000원' }, '/amount'],
    ['an exponent', { '/amount': 1e30 }, '/amount'],
    ['an object', { '/amount': { value: 1 } }, '/amount'],
    ['an inherited member', {}, '/toString'],
  ])('says nothing for %s', (_name, fields, field) => {
    expect(amountOf(fields, field, 'KRW')).toBeNull();
  });

  it('drops a currency that is none', () => {
    expect(amountOf({ '/amount': '1' }, '/amount', 'won')).toEqual({ value: '1', currency: null });
  });
});
