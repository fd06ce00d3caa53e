import { describe, expect, it } from 'vitest';
import { faultsOf, faultsOfAnswer, isWritten, type EvidenceFields } from './evidence-form';

const good: EvidenceFields = {
  place: 'payment console',
  seen: 'It is listed there.',
  verdict: 'APPLIED',
  checkedAt: '',
  account: 'main',
  resultId: 'PAY-1',
  resultUrl: 'https://pay.example.com/PAY-1',
  contentAgrees: true,
};
const about = { proof: 'PRESENCE', account: 'main' } as const;

describe('what a person writes down', () => {
  it.each([
    [{}, {}],
    [{ place: ' \u200b' }, { place: 'MISSING' }],
    [{ seen: '' }, { seen: 'MISSING' }],
    [{ verdict: null }, { verdict: 'MISSING' }],
    [{ seen: 'password: hunter22!' }, { seen: 'HOLDS_SECRET' }],
    [{ account: 'password: hunter22!' }, { account: 'HOLDS_SECRET' }],
    [{ resultUrl: 'javascript:alert(1)' }, { resultUrl: 'NOT_AN_ADDRESS' }],
    [{ resultUrl: 'pay.example.com' }, { resultUrl: 'NOT_AN_ADDRESS' }],
    [{ resultUrl: 'ftp://pay.example.com/1' }, { resultUrl: 'NOT_AN_ADDRESS' }],
    [{ resultUrl: 'https://ann:pw@pay.example.com/1' }, { resultUrl: 'HOLDS_SECRET' }],
    [{ resultUrl: 'https://ann@pay.example.com/1' }, { resultUrl: 'NOT_AN_ADDRESS' }],
    [{ resultUrl: '' }, {}],
    [{ account: 'other' }, { account: 'ACCOUNT_DIFFERS' }],
    [{ account: '' }, { account: 'ACCOUNT_DIFFERS' }],
    [{ contentAgrees: false }, { contentAgrees: 'NOT_COMPARED' }],
    [{ verdict: 'NOT_APPLIED', account: '', contentAgrees: false }, {}],
    [{ verdict: 'UNCLEAR', account: '', contentAgrees: false }, {}],
    [{ verdict: 'UNDER_WAY', contentAgrees: false }, { contentAgrees: 'NOT_COMPARED' }],
  ] as const)('R-062o R-059h %j is told at its field: %j', (change, faults) => {
    expect(faultsOf({ ...good, ...change }, about)).toEqual(faults);
  });

  it('R-062o a request without an account asks for none, a deletion seen gone compares nothing', () => {
    expect(faultsOf({ ...good, account: '' }, { ...about, account: null })).toEqual({});
    const gone = { ...good, account: '', contentAgrees: false };
    expect(faultsOf(gone, { proof: 'ABSENCE', account: 'main' })).toEqual({});
  });
});

describe('what has been written', () => {
  const blank = { ...good, place: '', seen: '', resultId: '', resultUrl: '' };
  it('R-063w is lost only when somebody has said so', () => {
    expect(isWritten({ ...blank, place: ' \u200b' })).toBe(false);
    for (const name of ['place', 'seen', 'resultId', 'resultUrl'] as const)
      expect(isWritten({ ...blank, [name]: 'x' }), name).toBe(true);
  });
});

describe('what the desk refuses', () => {
  it.each([
    ['CHECKED_IN_THE_FUTURE', undefined, { checkedAt: 'IN_THE_FUTURE' }],
    ['CHECKED_BEFORE_THE_EXECUTION', undefined, { checkedAt: 'BEFORE_THE_EXECUTION' }],
    ['ACCOUNT_DIFFERS', undefined, { account: 'ACCOUNT_DIFFERS' }],
    ['CONTENT_NOT_CONFIRMED', undefined, { contentAgrees: 'NOT_COMPARED' }],
    ['INVALID_INPUT', ['targetAccount', 'resultId'], { account: 'INVALID', resultId: 'INVALID' }],
    ['INVALID_INPUT', ['executionVersion', ''], {}],
    ['EXCEPTION_CLOSED', undefined, {}],
  ] as const)('R-062o R-059i %s about %j is told at %j', (code, named, faults) => {
    expect(faultsOfAnswer({ outcome: 'refused', code, ...(named && { faults: named }) })).toEqual(faults);
  });

  it('R-062o an answer that refuses nothing names no field', () => {
    expect(faultsOfAnswer({ outcome: 'unknown' })).toEqual({});
  });
});
