import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RelatedExecution } from './exception-view';
import { stepLine, type StepLinePart } from './step-line';
import { EXECUTION_STATES } from './states';

const step = (place: number, of: number, change: object = {}) =>
  ({
    ...{ executionId: `e-${place}`, state: 'SUCCEEDED', isThis: false, openExceptionId: null },
    ...{ place, of, ...change },
    // Only the members that are read are made; the others stay out of the way of what is tried.
  }) as unknown as RelatedExecution;

/** A workflow of which some steps in the middle may not have been read. */
const workflow = fc
  .record({ of: fc.integer({ min: 1, max: 300 }), own: fc.nat(), states: fc.infiniteStream(fc.nat()) })
  .map(({ of, own, states }) => {
    const places = Array.from({ length: of }, (_, at) => at + 1);
    return places
      .filter((place) => place <= 100 || place > of - 99 || place === 1 + (own % of))
      .map((place) => {
        const drawn: number = states.next().value;
        const state = EXECUTION_STATES[drawn % 40] ?? 'SUCCEEDED';
        return step(place, of, { state, isThis: place === 1 + (own % of) });
      });
  });

const placesOf = (parts: readonly StepLinePart[]) =>
  parts.flatMap((part) =>
    part.kind === 'step' ? [part.step.place] : Array.from({ length: part.count }, (_, at) => part.place + at),
  );

describe('the steps of a workflow', () => {
  it('R-047j each of them is drawn or counted in a fold, once and in order', () => {
    fc.assert(
      fc.property(workflow, (steps) => {
        const parts = stepLine(steps);
        expect(placesOf(parts)).toEqual(Array.from({ length: steps[0]!.of }, (_, at) => at + 1));
      }),
    );
  });

  it('R-047j however many there are, the drawing is small; the ends, the page’s own and what went wrong are in it', () => {
    fc.assert(
      fc.property(workflow, (steps) => {
        const parts = stepLine(steps);
        expect(parts.length).toBeLessThanOrEqual(2 * (3 + 3 + 3 + 24) + 60);
        const drawn = parts.flatMap((part) => (part.kind === 'step' ? [part.step] : []));
        expect(drawn.some(({ isThis }) => isThis)).toBe(true);
        expect(drawn[0]?.place).toBe(1);
        expect(drawn.at(-1)?.place).toBe(steps[0]!.of);
        const wrong = steps.filter(({ state }) => state === 'UNKNOWN' || state === 'FAILED_FINAL');
        if (wrong.length <= 8) for (const each of wrong) expect(drawn).toContain(each);
      }),
    );
  });

  it('R-047j what was not read is counted with the fold, and a short one is no fold', () => {
    const of = 300;
    const steps = [1, 2, 3, 4, 298, 299, 300].map((place) => step(place, of, { isThis: place === 1 }));
    expect(stepLine(steps).find(({ kind }) => kind === 'folded')).toEqual({
      ...{ kind: 'folded', place: 4, count: 294, states: [{ state: 'SUCCEEDED', count: 1 }] },
    });
    const short = Array.from({ length: 8 }, (_, at) => step(at + 1, 8, { isThis: at === 0 }));
    expect(stepLine(short).every(({ kind }) => kind === 'step')).toBe(true);
  });
});
