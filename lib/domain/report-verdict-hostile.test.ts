// What clumsy exports and attackers put into rows: none of it is ever linked.
import { describe, expect, it } from 'vitest';
import type { NamedRow, ReportReading } from './report-reading';
import { judgeReport, type KnownExecution, type ReportGround } from './report-verdict';

const reading: ReportReading = {
  matchValue: 'key',
  columns: { match: 'reference', resultId: 'id', status: 'status', account: 'account' },
  fixedAccount: null,
  content: [{ expected: '{display:/amount}', column: 'amount', match: 'numeric', decimals: 0 }],
  statuses: { done: ['ok'], pending: [], failed: [], reversed: [] },
};
const known: KnownExecution = {
  executionId: 'execution',
  executionVersion: '3',
  exceptionId: 'exception',
  beganAt: '2026-03-29T01:30:20.500000Z',
  isSettled: false,
  subject: {
    ...{ system: 'payment', account: 'main', key: '00123', requestId: null, externalRequestKey: null },
    ...{ externalJobId: null, businessRef: null, contentVersion: null, resultId: null },
    display: { '/amount': '1000.00' },
  },
};
const judged = (change: Partial<NamedRow>, about: Partial<ReportGround> = {}) => {
  const row = { rowNumber: 2, matchValue: '00123', resultId: 'pay-1', statusWord: 'ok', account: 'main' };
  const [verdict] = judgeReport([{ ...row, content: ['1000'], ...change }], {
    ...{ reading, asOf: '2026-04-01T00:00:00Z', tolerances: new Map(), isKnownResult: () => false },
    known: (value) => (value === known.subject.key ? [known] : []),
    ...about,
  });
  return verdict?.reason ?? verdict?.verdict;
};

describe('a row of a hostile or clumsy report', () => {
  it('is linked when it is neither', () => {
    expect(judged({})).toBe('LINK');
  });

  it.each([
    '1.000,00',
    '1,000.00',
    '1 000',
    '1\u00a0000',
    '１０００',
    '1e3',
    '+1000',
    '1000 ',
    '₩1000',
    '٣',
    'NaN',
    '0x3e8',
  ])('R-056d takes %j for no amount that agrees', (amount) => {
    expect(judged({ content: [amount] })).toBe('NOT_COMPARABLE');
  });

  it.each([
    ['leading zeros are part of an id', '123', 'ORPHAN'],
    ['a look-alike is another text', '0012З', 'ORPHAN'],
    ['full-width digits are other digits', '００１２３', 'ORPHAN'],
    ['nothing unseen stands in an id', '00123\u200b', 'BAD_TEXT'],
    ['nor a sign that turns the direction', '\u202e32100', 'BAD_TEXT'],
    ['nor a blank at its end', '00123 ', 'BAD_TEXT'],
    ['nor one that looks like none', '\u00a000123', 'BAD_TEXT'],
    ['a shortened number names nothing', '1.23457E+15', 'SHORTENED'],
  ])('R-056d %s', (_why, key, said) => {
    expect(judged({ matchValue: key })).toBe(said);
  });

  it.each([
    ['pay-1\u200d', 'BAD_TEXT'],
    [' pay-1', 'BAD_TEXT'],
    ['pay-1\u2028', 'BAD_TEXT'],
    ['9,91214E+15', 'SHORTENED'],
    ['5e12', 'LINK'],
  ])('R-056d B-112 says of the result id %j: %s', (resultId, said) => {
    expect(judged({ resultId })).toBe(said);
  });

  it('R-056d a result that another execution or an orphan has is not linked a second time', () => {
    const asked: unknown[] = [];
    const isKnownResult = (...question: unknown[]) => asked.push(question) > 0;
    expect(judged({}, { isKnownResult })).toBe('MULTIPLE');
    expect(asked).toEqual([['pay-1', 'execution']]);
  });

  it('R-059j a report that was made before the work began says nothing about it; the same minute counts', () => {
    expect(judged({}, { asOf: '2026-03-29T01:29:59Z' })).toBe('BEFORE_IT_BEGAN');
    expect(judged({}, { asOf: '2026-03-29T01:30:00Z' })).toBe('LINK');
    // The hour that clocks skip: the same instant, however it is written.
    expect(judged({}, { asOf: '2026-03-29T03:29:59+02:00' })).toBe('BEFORE_IT_BEGAN');
    expect(judged({}, { asOf: '2026-03-29T03:30:00+02:00' })).toBe('LINK');
  });
});
