import { describe, expect, it } from 'vitest';
import { combine, compareField } from './compare-content';

const exact = { kind: 'exact' } as const;
const within = (tolerance: string) => ({ kind: 'numeric', tolerance }) as const;
const agrees = (rule: Parameters<typeof compareField>[1], expected: unknown, found: unknown) =>
  compareField('amount', rule, expected, found).agrees;

describe('compareField', () => {
  it('R-061a compares exactly: no case folding, no trimming, no Unicode folding', () => {
    expect(agrees(exact, 'A-1', 'A-1')).toBe(true);
    expect(agrees(exact, 'A-1', 'a-1')).toBe(false);
    expect(agrees(exact, 'A-1', 'A-1 ')).toBe(false);
    expect(agrees(exact, '가', '\u1100\u1161')).toBe(false);
    expect(agrees(exact, '007', '7')).toBe(false);
    expect(agrees(exact, 100, '100')).toBe(true);
  });

  it('R-061b compares numbers by value, within the tolerance and not a hair beyond', () => {
    expect(agrees(within('0'), '100.00', 100)).toBe(true);
    expect(agrees(within('0'), '100.00', '100.01')).toBe(false);
    expect(agrees(within('0.01'), '100.00', '100.01')).toBe(true);
    expect(agrees(within('0.01'), '100.00', '100.010000000000000001')).toBe(false);
    expect(agrees(within('0.3'), '0.1', '0.4')).toBe(true);
    expect(agrees(within('5'), '-2', '3')).toBe(true);
    expect(agrees(within('0'), '99999999999999999999', '99999999999999999998')).toBe(false);
  });

  it('R-061c what is missing, no scalar, or no longer exact is not compared, and never agrees', () => {
    for (const gone of [null, undefined, {}, [], Number.NaN, 9_007_199_254_740_993, 1e300]) {
      expect(agrees(exact, 'x', gone)).toBeNull();
      expect(agrees(exact, gone, 'x')).toBeNull();
    }
    expect(agrees(within('1'), 'ten', '10')).toBeNull();
    expect(agrees(within('1'), '1e2', '100')).toBeNull();
    expect(agrees(exact, null, null)).toBeNull();
  });

  it('R-059a keeps at most 200 characters of either side', () => {
    const line = compareField('note', exact, 'a'.repeat(5_000), 'b'.repeat(5_000));
    expect(line.expected).toHaveLength(201);
    expect(line.found).toHaveLength(201);
    expect(line.agrees).toBe(false);
  });
});

it('R-061d one disagreement decides; one missing comparison withholds agreement', () => {
  const line = (agreement: boolean | null) => ({
    field: 'x',
    expected: null,
    found: null,
    agrees: agreement,
  });
  expect(combine([line(true), line(true)])).toBe(true);
  expect(combine([line(true), line(null)])).toBeNull();
  expect(combine([line(null), line(false)])).toBe(false);
});
