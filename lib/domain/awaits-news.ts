import type { ExceptionView } from './exception-view';

/** Milliseconds within which a planned look counts as about to happen. */
const SOON = 90_000;
/** Milliseconds after opening for which a first automatic look is expected. */
const FIRST_LOOK = 120_000;

/** True while something is on its way that would change the page: a look, or an approved request being carried out. */
export function awaitsNews({
  exception,
  execution,
  evidence,
  requests,
  policy,
  now,
}: ExceptionView): boolean {
  if (requests.some((request) => request.state === 'APPROVED')) return true;
  if (exception.state === 'CLOSED' || execution === null) return false;
  if (execution.state === 'PROCESSING') return true;
  const present = Date.parse(now);
  const newest = evidence.find((lookup) => lookup.current);
  if (newest === undefined)
    return (
      policy.hasConnector &&
      present - Math.max(Date.parse(exception.openedAt), Date.parse(execution.stateSince)) < FIRST_LOOK
    );
  return newest.nextCheckAt !== null && Date.parse(newest.nextCheckAt) - present < SOON;
}
