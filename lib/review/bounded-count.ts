/** Counting stops here per value and tenant: past it, "more than 999" decides as well as a figure and costs nothing. */
export const COUNT_LIMIT = 999;

/** `more` says that there are more than `count`. */
export interface BoundedCount {
  count: number;
  more: boolean;
}

export function bounded(count: number): BoundedCount {
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT };
}
