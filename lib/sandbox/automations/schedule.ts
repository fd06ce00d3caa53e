import { type Scenario } from './scenario';
import { type DangerousRun, type WorkBook } from './work-book';

/** Open demo exceptions at most: a day without a person must not bury the desk. */
export const MOST_OPEN = 40;
/** Of one scenario at most, so that the mixture stays. */
export const MOST_OPEN_OF_ONE = 2;
/** What its own automation cannot see settled counts as open for a day. */
const INVISIBLE_HOURS = 24;

/** Runs that are likely to have an open exception. */
export function openRuns(book: WorkBook, scenarios: readonly Scenario[], now: Date): DangerousRun[] {
  return book.runs.filter((run) => {
    const scenario = scenarios.find((candidate) => candidate.name === run.scenario);
    if (scenario === undefined) return false;
    const intents = book.intentsOf(run.workflowId);
    if (scenario.visible && intents.length > 0) return intents.some((work) => !work.settled);
    return now.getTime() - run.at.getTime() < INVISIBLE_HOURS * 3_600_000;
  });
}

/** The scenarios of the first burst: each of which nothing is open, as far as the desk has room. */
export function burst(book: WorkBook, scenarios: readonly Scenario[], now: Date): Scenario[] {
  const open = openRuns(book, scenarios, now);
  const missing = scenarios.filter((scenario) => !open.some((run) => run.scenario === scenario.name));
  return missing.slice(0, Math.max(0, MOST_OPEN - open.length));
}

/** The scenario whose turn it is: the one that ran longest ago and still has room. Null when the desk is full. */
export function nextDangerous(book: WorkBook, scenarios: readonly Scenario[], now: Date): Scenario | null {
  const open = openRuns(book, scenarios, now);
  if (open.length >= MOST_OPEN) return null;
  const lastRun = (scenario: Scenario) =>
    Math.max(0, ...book.runs.filter((run) => run.scenario === scenario.name).map((run) => run.at.getTime()));
  const free = scenarios.filter(
    (scenario) => open.filter((run) => run.scenario === scenario.name).length < MOST_OPEN_OF_ONE,
  );
  return free.toSorted((a, b) => lastRun(a) - lastRun(b))[0] ?? null;
}
