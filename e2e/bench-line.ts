import { type TestInfo } from '@playwright/test';

/** Begins the annotations that `npm run bench` prints. */
export const BENCH_LINE = 'bench';

/** Of the tests that measure: `npm run bench` runs them and prints what they found; nothing passes or fails by it. */
export const BENCH = '@bench';

export function benchLine(info: TestInfo, name: string, value: number, unit: string): void {
  info.annotations.push({ type: BENCH_LINE, description: JSON.stringify({ name, value, unit }) });
}

/** The value below which so many of a hundred lie. */
export function percentile(values: readonly number[], of100: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * of100) / 100) - 1)] ?? Number.NaN;
}
