import { constraintOf, isTransient, isUnreachable, SQLSTATE, sqlstateOf } from '@/lib/db/sqlstate';
import { TransactionTimeoutError } from '@/lib/db/transaction';
import type { Refused } from '../client/types';
import { NotYetReadable, refusal, UnknownState } from './judge-claim';
import type { RunOnceUnavailable } from './types';

/** Something that passes by itself; the same transaction may be run again from its beginning. */
export class Passing extends Error {
  override readonly name = 'Passing';
}

/** The work was run as often as allowed, and no run of it is committed. */
export class NoRunsLeft extends Error {
  override readonly name = 'NoRunsLeft';
}

/** Conflicts, lost connections and rivals that cannot be read yet; a constraint that says no stays a no. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof NotYetReadable || isTransient(error) || isUnreachable(error) || isUnseenRival(error)
  );
}

/**
 * The ledger's own unique constraints. It answers for them itself, unless the rival's row lies outside the transaction's
 * snapshot (REPEATABLE READ): a new one sees it.
 */
const RIVALS: readonly (string | undefined)[] = [
  'executions_scope_is_unique',
  'executions_result_is_linked_once',
  'executions_business_reference_is_unique',
  'executions_single_executor',
];

const isUnseenRival = (error: unknown): boolean =>
  sqlstateOf(error) === SQLSTATE.uniqueViolation && RIVALS.includes(constraintOf(error));

/** The server's own limits, which are set to our deadline. */
const LIMITS: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.queryCanceled,
  SQLSTATE.idleInTransactionTimeout,
  SQLSTATE.transactionTimeout,
]);

export interface End {
  readonly tries: number;
  /** The deadline is over. */
  readonly isOver: boolean;
  /** A COMMIT was sent, and what became of it could not be read. */
  readonly isUnanswered: boolean;
}

/** What the end of all tries means; whatever is not the end of patience is thrown on. */
export function answerToFailure(error: unknown, end: End): RunOnceUnavailable | Refused {
  if (error instanceof UnknownState)
    return refusal('UNKNOWN_IDEMPOTENCY_STATE', { disposition: null, code: 'UNKNOWN_IDEMPOTENCY_STATE' });
  const code = codeOf(error, end);
  if (code === null) throw error;
  const cause = error instanceof Passing ? error.cause : error;
  return { kind: 'UNAVAILABLE', code, tries: end.tries, message: MESSAGES[code], cause };
}

function codeOf(error: unknown, { isOver, isUnanswered }: End): RunOnceUnavailable['code'] | null {
  // Whatever kept us from reading: to throw it would call a request failed that may be done.
  if (isUnanswered) return 'REQUEST_STATUS_UNCONFIRMED';
  const isLate =
    error instanceof TransactionTimeoutError ||
    (isOver && (error instanceof Passing || LIMITS.has(sqlstateOf(error))));
  if (!isLate && !(error instanceof Passing) && !(error instanceof NoRunsLeft)) return null;
  if (error instanceof Passing && error.cause instanceof NotYetReadable) return 'REQUEST_STATUS_UNCONFIRMED';
  return isLate ? 'RETRY_DEADLINE_EXCEEDED' : 'RETRY_LIMIT_REACHED';
}

const MESSAGES: Record<RunOnceUnavailable['code'], string> = {
  RETRY_LIMIT_REACHED: 'Nothing was changed. Repeat the request later with the same key.',
  RETRY_DEADLINE_EXCEEDED: 'Nothing was changed. Repeat the request later with the same key.',
  REQUEST_STATUS_UNCONFIRMED:
    'What became of the request could not be read. Repeat it with the same key: it is answered from the record.',
};
