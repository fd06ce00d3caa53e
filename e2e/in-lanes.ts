/** So many at the same time as the machine serves well. */
const LANES = 6;

/** Does one thing for each of many, a few at a time. */
export async function inLanes<T>(all: readonly T[], one: (each: T) => Promise<void>): Promise<void> {
  const queue = [...all];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
