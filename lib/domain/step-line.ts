import type { RelatedExecution } from './exception-view';
import { EXECUTION_STATES, type ExecutionState } from './states';

/** One step, or several in a row of which nobody has to take note. */
export type StepLinePart =
  | { readonly kind: 'step'; readonly step: RelatedExecution }
  | {
      readonly kind: 'folded';
      /** The place of the first of them. */
      readonly place: number;
      readonly count: number;
      /** How many of them were read and are in each state, in the order of the states. */
      readonly states: readonly { readonly state: ExecutionState; readonly count: number }[];
    };

/** Steps that are always drawn at either end, and beside the page's own. */
const ENDS = 3;
const BESIDE = 1;
/** Steps in doubt or failed that are drawn wherever they stand; more are folded like any other. */
const TROUBLED = 24;
/** Fewer in a row are drawn as they are: a fold would take the same room. */
const FOLDED = 3;

const IN_TROUBLE: readonly ExecutionState[] = ['UNKNOWN', 'FAILED_FINAL', 'FAILED_RETRYABLE'];

/**
 * A workflow's steps in their order: the first, the last, the page's own and what went wrong; the rest in folds that say
 * how many there are. Steps that were not read, which their places tell, are folded with them.
 */
export function stepLine(steps: readonly RelatedExecution[]): readonly StepLinePart[] {
  const ordered = steps.toSorted((a, b) => a.place - b.place);
  const own = ordered.find(({ isThis }) => isThis)?.place ?? 0;
  const troubled = ordered
    .filter(({ state, openExceptionId }) => openExceptionId !== null || IN_TROUBLE.includes(state))
    .slice(0, TROUBLED);
  const isDrawn = (step: RelatedExecution) =>
    step.place <= ENDS ||
    step.place > step.of - ENDS ||
    Math.abs(step.place - own) <= BESIDE ||
    troubled.includes(step);
  const parts: StepLinePart[] = [];
  let row: RelatedExecution[] = [];
  let next = 1;
  const fold = (end: number) => {
    const count = end - next;
    if (count > 0 && (count >= FOLDED || row.length < count))
      parts.push({ kind: 'folded', place: next, count, states: statesOf(row) });
    else parts.push(...row.map((step) => ({ kind: 'step' as const, step })));
    row = [];
  };
  for (const step of ordered) {
    if (!isDrawn(step)) {
      row.push(step);
      continue;
    }
    fold(step.place);
    parts.push({ kind: 'step', step });
    next = step.place + 1;
  }
  fold((ordered[0]?.of ?? 0) + 1);
  return parts;
}

function statesOf(steps: readonly RelatedExecution[]) {
  return EXECUTION_STATES.map((state) => ({
    state,
    count: steps.filter((step) => step.state === state).length,
  })).filter(({ count }) => count > 0);
}
