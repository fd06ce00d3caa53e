import { judgeRow, SHEET_REASONS, type AcrossRows, type Judged } from './judge-row';
import type { SheetRow } from './sheet-columns';
import type { ExecutionState } from './states';

/** What the ledger has under a row's key, in the scope that was named. */
export interface LedgerRecord {
  readonly state: ExecutionState;
  readonly contentVersion: string | null;
  readonly resultId: string | null;
  /** A new key has taken its place; no row of a sheet is judged by it. */
  readonly isSuperseded: boolean;
}

export type LedgerComparison = 'AGREES' | 'DIFFERS' | 'NOT_JUDGED';

export interface AgainstLedger {
  readonly record: LedgerRecord | null;
  readonly judged: Judged;
  readonly comparison: LedgerComparison;
}

/** R-094 The row once more, with the ledger's own version, state and result in place of the sheet's. Changes neither. */
export function judgeAgainstLedger(
  row: SheetRow,
  across: AcrossRows,
  judged: Judged,
  record: LedgerRecord | null,
): AgainstLedger {
  const known = {
    existingVersion: record?.contentVersion ?? '',
    // A state that no row is judged by stays unreadable, whatever the versions are.
    existingState: record === null ? '' : record.state,
    resultId: record?.resultId ?? '',
  };
  const byLedger: Judged =
    record !== null && !isJudgedBy(record)
      ? { kind: 'fault', fault: 'STATE_UNREADABLE', otherRow: null }
      : judgeRow({ ...row, ...known }, across);
  return { record, judged: byLedger, comparison: compared(judged, byLedger) };
}

const isJudgedBy = ({ state, isSuperseded }: LedgerRecord) =>
  !isSuperseded && state !== 'RECEIVED' && state !== 'FAILED_FINAL';

function compared(judged: Judged, byLedger: Judged): LedgerComparison {
  if (byLedger.kind === 'fault') return 'NOT_JUDGED';
  if (judged.kind === 'fault') return 'DIFFERS';
  return SHEET_REASONS[judged.reason] === SHEET_REASONS[byLedger.reason] ? 'AGREES' : 'DIFFERS';
}
