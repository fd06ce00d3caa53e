import type { Decision } from './decisions';
import type { ExceptionKind } from './exception-kinds';

/** Kinds that hold their whole lineage while they are open; `review.blocking_exception` is the same in SQL. */
const BLOCKING: readonly ExceptionKind[] = [
  'UNKNOWN_RESULT',
  'RESULT_MISMATCH',
  'DUPLICATE_RESULT',
  'CONTRADICTED_DECISION',
  'EXPIRED_KEY',
];

const BY_THE_RESULT: readonly ExceptionKind[] = [
  'UNKNOWN_RESULT',
  'STUCK_PROCESSING',
  'LONG_RUNNING',
  'MISSING_RESULT_ID',
  'EXPIRED_KEY',
  'RETRY_STALLED',
  'UNCLAIMED',
];

/**
 * Kinds of the same execution that close together with one of `kind`. `review.kinds_settled_by` is the same in
 * SQL, and a test holds the two equal. A requested reissue settles when it is carried out.
 */
export function kindsSettledBy(
  decision: Decision | 'REISSUE',
  kind: ExceptionKind,
): readonly ExceptionKind[] {
  switch (decision) {
    case 'LINK_RESULT':
    case 'CONFIRM_NOT_APPLIED':
    case 'FINAL_FAILURE':
    case 'CONFIRM_KNOWN_RESULT':
      return [...BY_THE_RESULT, kind];
    case 'REISSUE':
      return [...BY_THE_RESULT, 'CONTENT_CONFLICT'];
    case 'SETTLE_EFFECT':
      return [...BLOCKING, 'MISSING_RESULT_ID', kind];
    case 'REQUEST_REISSUE':
    case 'EXTEND':
    case 'DECLARE_UNKNOWN':
    case 'KEEP_ORIGINAL':
    case 'ALLOW_ATTEMPTS':
    case 'RECORD_KEY_RULE':
    case 'ACCEPT_UNPROTECTED':
    case 'RESUME_OPERATION':
      return [kind];
    default: {
      const impossible: never = decision;
      throw new Error(`bug: unknown decision ${String(impossible)}`);
    }
  }
}

/** True when, after the decision, another open exception still holds the lineage. `others` without the decided one. */
export function staysUnderReview(
  decision: Decision,
  kind: ExceptionKind,
  executionId: string,
  others: readonly { readonly kind: ExceptionKind; readonly executionId: string | null }[],
): boolean {
  const settled = kindsSettledBy(decision, kind);
  return others.some(
    (other) =>
      BLOCKING.includes(other.kind) && !(other.executionId === executionId && settled.includes(other.kind)),
  );
}
