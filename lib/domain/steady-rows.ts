/** What a newer reading of a list would do to the rows that are on the screen. */
export interface RowChanges {
  added: number;
  /** Other words in their place, or another place. */
  changed: number;
  /** Ids that the newer reading has no more. */
  gone: ReadonlySet<string>;
  /** True where taking the newer reading over would move or take away a row. */
  moves: boolean;
}

/**
 * The rows on the screen in the places that they have, with what is newly known of each. What was added waits, and what has
 * gone stays until the reader asks: a row must not slip from under the hand.
 */
export function steadyRows<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  idOf: (row: Row) => string,
): Row[] {
  const byId = new Map(fresh.map((row) => [idOf(row), row]));
  return shown.map((row) => byId.get(idOf(row)) ?? row);
}

export function changesOfRows<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  idOf: (row: Row) => string,
): RowChanges {
  const before = new Map(shown.map((row) => [idOf(row), JSON.stringify(row)]));
  const after = new Set(fresh.map(idOf));
  const gone = new Set([...before.keys()].filter((id) => !after.has(id)));
  const moved = movedOf(
    shown.map(idOf).filter((id) => after.has(id)),
    fresh.map(idOf).filter((id) => before.has(id)),
  );
  const reworded = fresh.filter(
    (row) => before.has(idOf(row)) && before.get(idOf(row)) !== JSON.stringify(row),
  );
  const changed = new Set([...gone, ...moved, ...reworded.map(idOf)]);
  const added = fresh.filter((row) => !before.has(idOf(row))).length;
  return { added, changed: changed.size, gone, moves: added > 0 || gone.size > 0 || moved.size > 0 };
}

/** The fewest rows whose moving explains the new order: those outside of the longest run that keeps the old one. */
function movedOf(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(after.map((id, place) => [id, place]));
  const runs: string[][] = [];
  for (const id of before) {
    const place = places.get(id) ?? 0;
    const fitting = runs.filter((run) => (places.get(run.at(-1) ?? '') ?? -1) < place);
    const longest = fitting.reduce<string[]>((best, run) => (run.length > best.length ? run : best), []);
    runs.push([...longest, id]);
  }
  const steady = new Set(runs.reduce<string[]>((best, run) => (run.length > best.length ? run : best), []));
  return new Set(before.filter((id) => !steady.has(id)));
}
