import { describe, expect, it } from 'vitest';
import type { ActivityView, ExceptionView } from './exception-view';
import type { ActorRef } from './person-ref';
import { changedBy, changesSince, isOutdated, seenStateOf } from './seen-changes';

const person = (name: string): ActorRef => ({ kind: 'person', id: name, name });
const act = (eventId: string, at: string, actor: ActorRef): ActivityView => ({
  eventId,
  at,
  event: 'assigned',
  actor,
  detail: {},
});

const FIRST = act('1', '2026-11-29T10:00:00Z', person('Ann'));
const view = (change: object = {}, activity: ActivityView[] = [FIRST]) =>
  ({
    exception: {
      version: '1',
      kind: 'UNKNOWN_RESULT',
      state: 'OPEN',
      assignee: null,
      deferredUntil: null,
      closedBy: null,
      closedAt: null,
      ...change,
    },
    execution: { version: '4', state: 'UNKNOWN', resultId: null },
    activity,
  }) as unknown as ExceptionView;

describe('what changed while somebody was writing', () => {
  const seen = seenStateOf(view());

  it('R-077a nothing: no change, and nobody', () => {
    expect(isOutdated(seen, seenStateOf(view()))).toBe(false);
    expect(changesSince(seen, seenStateOf(view()))).toEqual([]);
    expect(changedBy(seen, view())).toBeNull();
  });

  it('R-077a says what it was and what it is', () => {
    const closed = view({ state: 'CLOSED', version: '2' });
    expect(isOutdated(seen, seenStateOf(closed))).toBe(true);
    expect(changesSince(seen, seenStateOf(closed))).toEqual([
      { member: 'exceptionState', from: 'OPEN', to: 'CLOSED' },
    ]);
  });

  it('R-077a names whoever acted last since then, and when; the ledger’s own moves name nobody', () => {
    const later = act('2', '2026-11-29T10:05:00Z', person('Ben'));
    const sweep = act('3', '2026-11-29T10:06:00Z', { kind: 'system', id: 'system:sweep', name: null });
    expect(changedBy(seen, view({}, [FIRST, later, sweep]))).toEqual({
      who: person('Ben'),
      at: later.at,
    });
    expect(changedBy(seen, view({}, [FIRST, sweep]))).toBeNull();
    const closed = { closedBy: person('Cho'), closedAt: '2026-11-29T10:07:00Z', state: 'CLOSED' };
    expect(changedBy(seen, view(closed, [FIRST, later]))).toEqual({
      who: person('Cho'),
      at: closed.closedAt,
    });
  });
});
