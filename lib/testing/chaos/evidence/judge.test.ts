import { describe, expect, test } from 'vitest';
import { drawCase, FAULT_RATE, type Case } from './cases';
import type { Look } from './claims';
import { judgeEvidence, quantile, WITHIN_MS } from './judge';
import type { Thing } from './truth';

const about: Case = {
  ...{ key: 'k', operation: 'create-crm-record', system: 'crm', account: 'ours' },
  ...{ payload: { amount: 5 }, faults: [], byHand: null },
};
const thing: Thing = {
  ...{ id: 'CRM-1', reference: 'k', account: 'ours', at: 0, visibleAt: 0, amount: 5, method: null },
  ...{ goneAt: null, reversedAt: null },
};
const look: Look = {
  ...{ key: 'k', outcome: 'FOUND', verdict: 'APPLIED', externalStatus: 'done', resultId: 'CRM-1' },
  ...{ errorClass: null, current: true, checkedAt: 1_000, recordedAt: 1_100, horizonAt: 40_000 },
};
const absent: Look = {
  ...look,
  outcome: 'NOT_FOUND',
  verdict: 'NOT_APPLIED',
  externalStatus: null,
  resultId: null,
};
const silent: Look = { ...absent, outcome: 'INACCESSIBLE', verdict: 'UNCLEAR' };
const late = { checkedAt: 50_000, recordedAt: 50_100 };
const judged = (looks: Look[], things: Thing[] = []) =>
  judgeEvidence([{ key: 'k', operation: about.operation, looks }], new Map([['k', about]]), things);

describe('the verdict over evidence', () => {
  test('what was found counts at once, "not there" from its horizon on', () => {
    expect(judged([look], [thing])).toMatchObject({
      inTime: 1,
      early: 1,
      waits: [0],
      wrong: [],
      compared: 1,
    });
    expect(judged([absent])).toMatchObject({
      inTime: 0,
      compared: 0,
      outcomes: { '"not there", too early': 1 },
    });
    expect(judged([absent, { ...absent, ...late }])).toMatchObject({
      ...{ inTime: 1, early: 0, waits: [10_100], outcomes: { 'not applied': 1 } },
    });
  });

  test('a claim that the systems contradict is told with its story', () => {
    const { wrong } = judged([{ ...absent, ...late }], [{ ...thing, at: 70_000, visibleAt: 70_000 }]);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toContain('k says NOT_APPLIED');
    expect(wrong[0]).toContain('CRM-1');
  });

  test('silence, evidence that came too late, and evidence about what the execution was are not conclusive', () => {
    expect(judged([silent])).toMatchObject({ inTime: 0, outcomes: { 'inaccessible only': 1 } });
    const minutesLater = 40_000 + WITHIN_MS;
    const tooLate = { ...absent, checkedAt: minutesLater, recordedAt: minutesLater + 1 };
    expect(judged([tooLate])).toMatchObject({ inTime: 0 });
    expect(judged([{ ...look, current: false }, silent], [thing])).toMatchObject({ inTime: 0, wrong: [] });
    expect(judged([])).toMatchObject({ inTime: 0, outcomes: { 'never asked': 1 } });
  });

  test("another's thing under our reference answers nothing; two of ours do", () => {
    const other = { ...look, outcome: 'MISMATCH' as const, verdict: 'UNCLEAR' as const, ...late };
    expect(judged([other], [{ ...thing, account: 'theirs' }])).toMatchObject({
      inTime: 0,
      wrong: [],
      compared: 1,
    });
    const two = { ...other, outcome: 'MULTIPLE' as const };
    expect(judged([two], [thing, { ...thing, id: 'CRM-2' }])).toMatchObject({ inTime: 1, wrong: [] });
  });

  test('of no numbers there is no median', () => {
    expect(quantile([], 0.5)).toBeNull();
    expect(quantile([1, 2, 3], 0.5)).toBe(2);
    expect(quantile([1, 2, 3], 0.99)).toBe(3);
  });
});

describe('the cases', () => {
  const cases = Array.from({ length: 1_000 }, (_, index) => drawCase(7, index, { late: 20 }, 'CRM-old'));

  test('follow from the seed', () => {
    expect(drawCase(7, 3, { late: 20 }, 'CRM-old')).toEqual(cases[3]);
    expect(drawCase(8, 3, { late: 20 }, 'CRM-old')).not.toEqual(cases[3]);
  });

  test('are spoilt at the rate that is told, in every way, up to the seconds that are told', () => {
    const spoilt = cases.filter(({ faults }) => faults.length > 0).length / cases.length;
    expect(spoilt).toBeGreaterThan(FAULT_RATE - 0.03);
    expect(spoilt).toBeLessThan(FAULT_RATE + 0.08);
    const faults = cases.flatMap((each) => each.faults);
    expect([...new Set(faults.map(({ kind }) => kind))].sort()).toEqual(
      ['delay', 'drop-after-commit', 'duplicate', 'error-after', 'error-before', 'hang', 'hang-before']
        .concat('late-arrival', 'visibility-delay')
        .sort(),
    );
    const longest = Math.max(...faults.map(({ seconds }) => seconds));
    expect(longest).toBeLessThanOrEqual(20);
    expect(longest).toBeGreaterThan(18);
  });

  test('hold deletions, transfers that are pending, refused cards, and what colleagues do by hand', () => {
    expect(new Set(cases.map(({ operation }) => operation)).size).toBe(5);
    expect(new Set(cases.map(({ payload }) => payload.method)).size).toBe(4);
    expect(cases.filter(({ byHand }) => byHand === 'REVERSES_IT').length).toBeGreaterThan(20);
    expect(cases.filter(({ byHand }) => byHand === 'ENTERS_IT_ELSEWHERE').length).toBeGreaterThan(4);
  });
});
