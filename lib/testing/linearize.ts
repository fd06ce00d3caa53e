// Whether the calls of one scope can be put in an order that explains every answer and keeps the order in time
// (linearizability; the search of Wing and Gong with Lowe's memory of what was tried).
import type { HistoryEvent } from './history-event';
import { after, isUncertain, NOTHING, type RecordState } from './record-model';

/** Steps of the search, some milliseconds each hundred; real histories of a scope need few more than they have calls. */
const MOST_STEPS = 50_000;

export type Order = 'POSSIBLE' | 'IMPOSSIBLE' | 'TOO_MANY';

interface Node {
  /** Indexes of calls that have been placed. */
  readonly placed: ReadonlySet<number>;
  readonly state: RecordState;
}

/** Calls without an answer may be placed anywhere after their start, or nowhere. */
export function orderOf(events: readonly HistoryEvent[]): Order {
  const certain = events.flatMap((event, index) => (isUncertain(event) ? [] : [index]));
  const likeliestLast = byLikelihood(events);
  const tried = new Set<string>();
  const open: Node[] = [{ placed: new Set(), state: NOTHING }];
  for (let steps = 0; open.length > 0; steps += 1) {
    if (steps > MOST_STEPS) return 'TOO_MANY';
    const { placed, state } = open.pop()!;
    const left = certain.filter((index) => !placed.has(index));
    if (left.length === 0) return 'POSSIBLE';
    const firstReturn = Math.min(...left.map((index) => events[index]!.returnedAt!));
    likeliestLast.forEach((index) => {
      const event = events[index]!;
      if (placed.has(index) || event.invokedAt > firstReturn) return;
      for (const next of after(state, event)) {
        const node = { placed: new Set(placed).add(index), state: next };
        const mark = `${[...node.placed].sort((one, other) => one - other).join(' ')} ${JSON.stringify(next)}`;
        if (tried.has(mark)) continue;
        tried.add(mark);
        open.push(node);
      }
    });
  }
  return 'IMPOSSIBLE';
}

/** Indexes; the last is tried first: calls in the order of their answers, before those that may never have happened. */
function byLikelihood(events: readonly HistoryEvent[]): number[] {
  const place = (index: number) => {
    const event = events[index]!;
    return isUncertain(event) ? Number.POSITIVE_INFINITY : event.returnedAt!;
  };
  const indexes = events.map((_, index) => index);
  return indexes.sort((one, other) =>
    place(one) === place(other) ? other - one : place(other) > place(one) ? 1 : -1,
  );
}
