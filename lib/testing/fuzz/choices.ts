/** Small choices made from one number, so that a spelling can be told, shrunk and repeated by that number (mulberry32). */
export interface Choices {
  /** 0 to count - 1. */
  below(count: number): number;
  of<T>(options: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

export function choices(seed: number): Choices {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    of: (options) => options[below(options.length)]!,
    shuffled: (items) => {
      const rest = [...items];
      return items.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
