import { describe, expect, it } from 'vitest';
import { effectsNamed } from './named-results';
import { dedupeWindow, exposureOf } from './exposure';

const won = (value: string) => ({ value, currency: 'KRW' });

describe('exposure', () => {
  it.each([
    [0, '12000', '12000', 1],
    [1, '12000', '12000', 1],
    [3, '12000.50', '36001.50', 3],
    [2, '-0.05', '-0.10', 2],
    [2, '99999999999999999999.99', '199999999999999999999.98', 2],
  ])('R-081a %i effects of %s may be %s too much, every digit kept', (effects, amount, worst, doubles) => {
    expect(exposureOf(effects, 0, won(amount))).toEqual({
      effectsPossible: effects,
      doubleEffects: doubles,
      doubleAmount: won(worst),
    });
  });

  it('R-081a counts what a look has found where nobody started so much', () => {
    expect(exposureOf(1, 2, won('10'))).toEqual({
      effectsPossible: 2,
      doubleEffects: 2,
      doubleAmount: won('20'),
    });
    expect(exposureOf(3, 2, null)).toMatchObject({ effectsPossible: 3 });
  });

  it('R-081a without an amount the count says it', () => {
    expect(exposureOf(2, 0, null)).toEqual({ effectsPossible: 2, doubleEffects: 2, doubleAmount: null });
  });
});

describe('the outside system’s own memory of the key', () => {
  const started = '2026-11-29T12:00:00.000001Z';

  it('R-044 counts from the first effect and ends exactly then', () => {
    const at = (instant: string) => dedupeWindow(started, 3_600, new Date(instant));
    expect(at('2026-11-29T12:59:59.999Z')).toEqual({ until: '2026-11-29T13:00:00.000Z', over: false });
    expect(at('2026-11-29T13:00:00.000Z')).toMatchObject({ over: true });
  });

  it('R-044 is not claimed where the policy knows none, or nothing was sent', () => {
    expect(dedupeWindow(started, null, new Date(started))).toBeNull();
    expect(dedupeWindow(null, 3_600, new Date(started))).toBeNull();
  });
});

describe('effects that may exist', () => {
  type Named = Parameters<typeof effectsNamed>[0];
  // Only what is read is given: a whole row of the ledger would hide which members these are.
  const named = (change: object) =>
    effectsNamed({ execution: null, lateReports: [], evidence: [], ...change } as unknown as Named);

  it('R-081a each reported result may be one, however often it was named', () => {
    const execution = { resultId: 'PAY-1', reportedResultId: null };
    expect(named({ execution })).toBe(1);
    expect(named({ execution, lateReports: [{ resultId: 'PAY-2' }, { resultId: 'PAY-2' }] })).toBe(2);
    expect(
      named({ execution: { resultId: null, reportedResultId: 'PAY-3' }, lateReports: [{ resultId: null }] }),
    ).toBe(1);
    expect(named({})).toBe(0);
  });

  it('R-081a so is what a look has found, but not what it found of somebody else', () => {
    const execution = { resultId: 'PAY-1', reportedResultId: null };
    expect(named({ execution, evidence: [{ outcome: 'FOUND', resultId: 'PAY-2' }] })).toBe(2);
    expect(named({ execution, evidence: [{ outcome: 'MISMATCH', resultId: 'PAY-2' }] })).toBe(1);
  });
});
