/** Something on one lane of a drawing; `from` equals `to` for a moment. */
export interface LaneItem {
  readonly id: string;
  /** What it is: things of one sort look alike, and stand as one where they lie too close. */
  readonly sort: string;
  readonly from: number;
  readonly to: number;
}

export interface LaneGroup<Item extends LaneItem> {
  readonly items: readonly [Item, ...Item[]];
  readonly sort: string;
  readonly from: number;
  readonly to: number;
  /** Counted from the top. */
  readonly row: number;
}

/**
 * Puts what lies on a lane side by side, and what would cover each other into further rows: things of one sort within
 * `room` become one group, so that there are never more rows of moments than sorts. `items` in their order.
 */
export function placeInRows<Item extends LaneItem>(
  items: readonly Item[],
  room: number,
): readonly LaneGroup<Item>[] {
  const groups: { items: [Item, ...Item[]]; sort: string; from: number; to: number }[] = [];
  const lastOf = new Map<string, (typeof groups)[number]>();
  for (const item of items) {
    const last = lastOf.get(item.sort);
    if (last !== undefined && item.from < last.from + room) {
      last.items.push(item);
      last.to = Math.max(last.to, item.to);
      continue;
    }
    const group = { items: [item] as [Item, ...Item[]], sort: item.sort, from: item.from, to: item.to };
    groups.push(group);
    lastOf.set(item.sort, group);
  }
  const ends: number[] = [];
  return groups.map((group) => {
    const free = ends.findIndex((end) => end <= group.from);
    const row = free === -1 ? ends.length : free;
    ends[row] = Math.max(group.to, group.from + room);
    return { ...group, row };
  });
}
