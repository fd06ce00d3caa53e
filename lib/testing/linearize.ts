// Whether the calls of one scope can be put in an order that explains every answer and keeps the order in time
// (linearizability; the search of Wing and Gong with Lowe's memory of what was tried).
import type { HistoryEvent } from './history-event';
import { after, isUncertain, NOTHING, type RecordState } from './record-model';

/** Steps of the search; real histories of a scope need some hundreds. */
const MOST_STEPS = 2_000_000;

export type Order = 'POSSIBLE' | 'IMPOSSIBLE' | 'TOO_MANY';

interface Node {
  /** Indexes of calls that have been placed. */
  readonly placed: ReadonlySet<number>;
  readonly state: RecordState;
}

/** Calls without an answer may be placed anywhere after their start, or nowhere. */
export function orderOf(events: readonly HistoryEvent[]): Order {
  const certain = events.flatMap((event, index) => (isUncertain(event) ? [] : [index]));
  const tried = new Set<string>();
  const open: Node[] = [{ placed: new Set(), state: NOTHING }];
  for (let steps = 0; open.length > 0; steps += 1) {
    if (steps > MOST_STEPS) return 'TOO_MANY';
    const { placed, state } = open.pop()!;
    const left = certain.filter((index) => !placed.has(index));
    if (left.length === 0) return 'POSSIBLE';
    const firstReturn = Math.min(...left.map((index) => events[index]!.returnedAt!));
    events.forEach((event, index) => {
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
