import type { SheetColumn, SheetRow } from './sheet-columns';
import { judgementOf, stateOf, type SheetJudgement } from './sheet-words';
import { isBlank } from './visible-text';

/** Why a row is judged so; each has a sentence and a next step (messages, `sheet`). */
export const SHEET_REASONS = {
  NO_KEY: 'KEY_MISSING',
  NO_STATE: 'NEW_WAITING',
  VERSION_MISSING: 'RECONCILE_REQUIRED',
  VERSIONS_DIFFER: 'CONTENT_CONFLICT',
  SEVERAL_NEW_VERSIONS: 'CONTENT_CONFLICT',
  WITH_RESULT: 'RESULT_REUSED',
  WITHOUT_RESULT: 'RECONCILE_REQUIRED',
  PROCESSING: 'DUPLICATE_HELD',
  NOT_KNOWN: 'RECONCILE_REQUIRED',
  RETRYABLE: 'RETRY_SAME_KEY',
  EXPIRED: 'RECORD_EXPIRED',
} as const satisfies Record<string, SheetJudgement>;
export type SheetReason = keyof typeof SHEET_REASONS;

/** Why a row has no judgement, and which of its columns says so. */
export const ROW_FAULTS = {
  STATE_UNREADABLE: 'existingState',
  RECORD_ID_REPEATED: 'recordId',
} as const satisfies Record<string, SheetColumn>;
export type RowFault = keyof typeof ROW_FAULTS;

export type Judged =
  | { readonly kind: 'judged'; readonly reason: SheetReason; readonly otherRow: number | null }
  | { readonly kind: 'fault'; readonly fault: RowFault; readonly otherRow: number | null };

/** What other rows of the same sheet say against this one: the number of the first such row, or null. */
export interface AcrossRows {
  /** Has the same record id. */
  readonly sameRecordId: number | null;
  /** Has the same key and another new version. */
  readonly otherNewVersion: number | null;
}

/** R-093 The first that fits, by this row alone. Executes nothing and knows nothing but the row. */
export function judgeAlone(row: Omit<SheetRow, 'judgement'>): SheetReason | 'STATE_UNREADABLE' {
  // What shows nothing is missing: to take it for a key, a version or a result would let work go ahead.
  if (isBlank(row.key)) return 'NO_KEY';
  // Only a cell without anything in it says that there is no state: one that merely looks so would start new work.
  if (row.existingState === '') return 'NO_STATE';
  if (isBlank(row.existingVersion) || isBlank(row.newVersion)) return 'VERSION_MISSING';
  if (row.existingVersion !== row.newVersion) return 'VERSIONS_DIFFER';
  const state = stateOf(row.existingState);
  switch (state) {
    case 'SUCCEEDED':
      return isBlank(row.resultId) ? 'WITHOUT_RESULT' : 'WITH_RESULT';
    case 'PROCESSING':
      return 'PROCESSING';
    case 'UNKNOWN':
      return 'NOT_KNOWN';
    case 'FAILED_RETRYABLE':
      return 'RETRYABLE';
    case 'EXPIRED':
      return 'EXPIRED';
    case null:
      return 'STATE_UNREADABLE';
    default: {
      const impossible: never = state;
      throw new Error(`bug: unknown state of a sheet ${String(impossible)}`);
    }
  }
}

/**
 * R-094 The row with what others say: a repeated id leaves no judgement, several new versions of a key are a conflict. A row of
 * the version that was executed keeps its own judgement, since its content is in no question, and names the other row.
 */
export function judgeRow(row: Omit<SheetRow, 'judgement'>, across: AcrossRows): Judged {
  const { sameRecordId, otherNewVersion } = across;
  if (sameRecordId !== null) return { kind: 'fault', fault: 'RECORD_ID_REPEATED', otherRow: sameRecordId };
  const alone = judgeAlone(row);
  if (alone === 'STATE_UNREADABLE') return { kind: 'fault', fault: alone, otherRow: null };
  const conflicts = otherNewVersion !== null && (alone === 'NO_STATE' || alone === 'VERSION_MISSING');
  return {
    kind: 'judged',
    reason: conflicts ? 'SEVERAL_NEW_VERSIONS' : alone,
    otherRow: otherNewVersion,
  };
}

export type GivenComparison = 'NONE_GIVEN' | 'AGREES' | 'DIFFERS' | 'NO_JUDGEMENT';

/** How the sheet's own judgement compares; it is shown beside ours and never overwritten. */
export function compareGiven(given: string, judged: Judged): GivenComparison {
  if (given === '') return 'NONE_GIVEN';
  const named = judgementOf(given);
  if (named === null) return 'NO_JUDGEMENT';
  return judged.kind === 'judged' && SHEET_REASONS[judged.reason] === named ? 'AGREES' : 'DIFFERS';
}
