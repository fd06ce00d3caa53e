/** Runs the act so many times, by so many at once, and answers how many a second that were. */
export async function rateOf(
  times: number,
  atOnce: number,
  act: (n: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let n = next++; n < times; n = next++) await act(n);
    }),
  );
  return (times * 1_000) / (performance.now() - startedAt);
}

/** The middle of an odd number of measurements. */
export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;

/** Two ways by turns, so that a machine that slows down slows both; the median rate of each. */
export async function byTurns(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    rates[0].push(await one());
    rates[1].push(await other());
  }
  return [median(rates[0]), median(rates[1])];
}
