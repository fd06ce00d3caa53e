import { constraintOf, isTransient, isUnreachable, SQLSTATE, sqlstateOf } from '@/lib/db/sqlstate';
import { ProblemError } from './problem';

/** Seconds; long enough for a restarted database, short enough for a waiting automation. */
const RETRY_AFTER = 2;
/** Ours, raised by the ledger's functions (see the guards' migration). */
const FOREIGN_PRINCIPAL = 'OO002';
const MOVE_REFUSED = 'OO004';
export const IMPOSSIBLE = 'OO005';
const READ_ONLY = '25006';

/** What a database error means to the caller; null for those that are our mistake. Raw messages never leave (PR-03). */
export function problemOfDatabaseError(error: unknown): ProblemError | null {
  const state = sqlstateOf(error);
  if (isUnreachable(error) || isTransient(error) || isOverload(state)) {
    return new ProblemError(
      'DATABASE_UNAVAILABLE',
      'The ledger cannot be reached or is overloaded. Nothing was executed; repeat the request with the same key.',
      {
        retryAfterSeconds: RETRY_AFTER,
      },
    );
  }
  // The functions ask for known moves alone: what refuses one is a row in a state that another version wrote (R-025).
  if (state === MOVE_REFUSED) {
    return new ProblemError(
      'UNKNOWN_IDEMPOTENCY_STATE',
      'The ledger holds a state that this version does not know. Nothing was executed.',
    );
  }
  if (state === IMPOSSIBLE) return new ProblemError('UNPROCESSABLE', ownMessage(error));
  // The principal was removed after its token was read.
  if (state === FOREIGN_PRINCIPAL)
    return new ProblemError('UNAUTHENTICATED', 'The principal of this token does not exist any more.');
  // Class 22: a value that the database cannot hold. The schemas stop all known ones; none may look like our failure.
  if (state?.startsWith('22') === true || state === SQLSTATE.checkViolation) {
    return new ProblemError(
      'UNPROCESSABLE',
      `A value cannot be stored${constraintOf(error) === undefined ? '' : ` (${constraintOf(error)})`}.`,
    );
  }
  return null;
}

/** Statement timeout, out of memory, disk or connections, and a replica in the place of the primary. */
function isOverload(state: string | undefined): boolean {
  return (
    state !== undefined && (state === SQLSTATE.queryCanceled || state.startsWith('53') || state === READ_ONLY)
  );
}

/** The functions' own text of OO005 names the member and what it must be; it holds no values. */
function ownMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'The request is impossible.';
}
