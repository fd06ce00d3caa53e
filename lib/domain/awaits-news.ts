import type { ExceptionView } from './exception-view';

/** Milliseconds before and after a planned moment in which its news is expected: a sweep every 15 s, a slow answer. */
const AHEAD = 60_000;
const BEHIND = 45_000;
/** Milliseconds after opening for which a first automatic look is expected. */
const FIRST_LOOK = 90_000;

/** True while something is on its way that would change the page: a look, a lease's end, or an approved request. */
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
  const present = Date.parse(now);
  const near = (at: string | null) =>
    at !== null && Date.parse(at) - present < AHEAD && present - Date.parse(at) < BEHIND;
  if (execution.state === 'PROCESSING' && near(execution.leaseExpiresAt)) return true;
  const newest = evidence.find((lookup) => lookup.current);
  if (newest !== undefined) return near(newest.nextCheckAt);
  const began = Math.max(Date.parse(exception.openedAt), Date.parse(execution.stateSince));
  return policy.hasConnector && present - began < FIRST_LOOK;
}
