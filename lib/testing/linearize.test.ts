import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from './history-event';
import { orderOf } from './linearize';
import { after, isUncertain, NOTHING, type RecordState } from './record-model';

/** Every order is tried, nothing is left out: slow and plainly right. */
function explained(events: readonly HistoryEvent[], state: RecordState = NOTHING): boolean {
  const certain = events.filter((event) => !isUncertain(event));
  if (certain.length === 0) return true;
  const firstReturn = Math.min(...certain.map((event) => event.returnedAt!));
  return events
    .filter((event) => event.invokedAt <= firstReturn)
    .some((event) =>
      after(state, event).some((next) =>
        explained(
          events.filter((other) => other !== event),
          next,
        ),
      ),
    );
}

const tokens = fc.integer({ min: 1, max: 3 });
const answers = fc.oneof(
  fc.record({
    call: fc.constant('claim' as const),
    disposition: fc.constantFrom('CLAIMED', 'RETRY_SAME_KEY', 'SAME_ATTEMPT', 'RESULT_REUSED'),
    token: tokens,
  }),
  fc.record({
    call: fc.constant('claim' as const),
    code: fc.constantFrom('REQUEST_IN_PROGRESS', 'RECONCILE_REQUIRED', 'EXECUTION_FAILED_FINAL'),
  }),
  fc.record({
    call: fc.constant('effect_started' as const),
    token: tokens,
    state: fc.constant('PROCESSING'),
  }),
  fc.record({
    call: fc.constant('complete' as const),
    token: tokens,
    resultId: fc.constantFrom('R-1', 'R-2'),
    state: fc.constant('SUCCEEDED'),
  }),
  fc.record({
    call: fc.constantFrom('complete' as const, 'fail' as const, 'effect_started' as const),
    token: tokens,
    code: fc.constantFrom('FENCED', 'INVALID_STATE', 'RESULT_CONFLICT'),
  }),
  fc.record({
    call: fc.constant('fail' as const),
    token: tokens,
    state: fc.constantFrom('FAILED_RETRYABLE', 'UNKNOWN'),
  }),
);
const event: fc.Arbitrary<HistoryEvent> = fc
  .tuple(answers, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 6 }), fc.boolean())
  .map(([answer, invokedAt, lasted, lost]) => ({
    ...{ scope: 'K', process: 'a', invokedAt },
    ...(lost ? { call: answer.call, returnedAt: null } : { ...answer, returnedAt: invokedAt + lasted }),
    ...(lost && 'token' in answer && answer.call !== 'claim' ? { token: answer.token } : {}),
  }));

describe('one order of all calls', () => {
  it('LC-14 is found exactly where trying every order finds one', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), (events) => {
        expect(orderOf(events)).toBe(explained(events) ? 'POSSIBLE' : 'IMPOSSIBLE');
      }),
      { numRuns: 3_000 },
    );
  });

  it('LC-14 is judged for scores of calls at one time, half of them without an answer', () => {
    const lost = Array.from({ length: 30 }, (_, index): HistoryEvent => {
      return { scope: 'K', process: `p${index}`, call: 'claim', invokedAt: index, returnedAt: null };
    });
    const looks = Array.from({ length: 30 }, (_, index): HistoryEvent => {
      return {
        ...{ scope: 'K', process: `q${index}`, call: 'claim', invokedAt: index, returnedAt: 200 + index },
        code: 'REQUEST_IN_PROGRESS',
      };
    });
    const made: HistoryEvent = {
      ...{ scope: 'K', process: 'last', call: 'claim', invokedAt: 300, returnedAt: 301 },
      ...{ disposition: 'CLAIMED', token: 31 },
    };
    expect(orderOf([...lost, ...looks, made])).toBe('POSSIBLE');
    expect(orderOf([...lost, ...looks, { ...made, token: 32 }])).toBe('IMPOSSIBLE');
  });
});
