// Whether the calls of one scope can be put in an order that explains every answer and keeps the order in time
// (linearizability; the search of Wing and Gong with Lowe's memory of what was tried).
import type { HistoryEvent } from './history-event';
import { after, isUncertain, NOTHING, onlyLooks, type RecordState } from './record-model';

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
  const twins = earlierTwins(events);
  const tried = new Set<string>();
  const open: Node[] = [{ placed: new Set(), state: NOTHING }];
  for (let steps = 0; open.length > 0; steps += 1) {
    if (steps > MOST_STEPS) return 'TOO_MANY';
    const { placed, state } = open.pop()!;
    const left = certain.filter((index) => !placed.has(index));
    if (left.length === 0) return 'POSSIBLE';
    const firstReturn = Math.min(...left.map((index) => events[index]!.returnedAt!));
    const candidates = likeliestLast.filter((index) => {
      const twin = twins[index];
      const waitsForTwin = twin !== undefined && !placed.has(twin);
      return !placed.has(index) && !waitsForTwin && events[index]!.invokedAt <= firstReturn;
    });
    // What only looks, and is true now, is placed now: no later place could help another call.
    const look = candidates.findLast((index) => onlyLooks(state, events[index]!));
    for (const index of look === undefined ? candidates : [look])
      for (const next of look === undefined ? after(state, events[index]!) : [state]) {
        const node = { placed: new Set(placed).add(index), state: next };
        const mark = `${[...node.placed].sort((one, other) => one - other).join(' ')} ${JSON.stringify(next)}`;
        if (tried.has(mark)) continue;
        tried.add(mark);
        open.push(node);
      }
  }
  return 'IMPOSSIBLE';
}

/**
 * Of each call without an answer the one like it that began before, if any: whatever the later one could have done at some
 * time the earlier one could too, so that they need to be tried in one order only.
 */
function earlierTwins(events: readonly HistoryEvent[]): (number | undefined)[] {
  const last = new Map<string, number>();
  const twins: (number | undefined)[] = events.map(() => undefined);
  const unanswered = events.flatMap((event, index) => (isUncertain(event) ? [index] : []));
  for (const index of unanswered.sort((one, other) => events[one]!.invokedAt - events[other]!.invokedAt)) {
    const { call, token, resultId } = events[index]!;
    const alike = JSON.stringify([call, token ?? null, resultId ?? null]);
    twins[index] = last.get(alike);
    last.set(alike, index);
  }
  return twins;
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
