import type { DecisionView, ExceptionView } from './exception-view';

/** When a decision's look was made, seen from the person who decided. */
export type LookMoment = 'SHOWN' | 'ON_DECIDING' | 'AFTER_APPROVAL';

export interface SettledLook {
  readonly lookupId: string;
  readonly moment: LookMoment;
  /** The look that the person had before them, where it is another one; null as well where nobody recorded it. */
  readonly shownId: string | null;
}

/** The look that a closed exception was decided on; null while it is open, or when no look carried the decision. */
export function settledLook({
  exception,
  decisions,
}: Pick<ExceptionView, 'exception' | 'decisions'>): SettledLook | null {
  if (exception.state === 'OPEN') return null;
  const closing = decisions.find(
    (each) => each.decision === exception.closingCode && each.at === exception.closedAt,
  );
  if (closing?.evidenceId == null) return null;
  const { evidenceId, shownEvidenceId } = closing;
  return {
    lookupId: evidenceId,
    moment: momentOf(closing),
    shownId: shownEvidenceId === evidenceId ? null : shownEvidenceId,
  };
}

function momentOf({ decision, evidenceId, shownEvidenceId }: DecisionView): LookMoment {
  // A new key is made after the approval, on a look that the worker makes then: no person had it before them.
  if (decision === 'REISSUE' || decision === 'REISSUE_AS_NEW_WORK') return 'AFTER_APPROVAL';
  return shownEvidenceId === null || shownEvidenceId === evidenceId ? 'SHOWN' : 'ON_DECIDING';
}
