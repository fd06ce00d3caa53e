import type { ExecutionRecord } from './execution-view';

/** What a new policy starts with until somebody chooses otherwise. */
export interface PolicyProposal {
  readonly approvalRefRequired: boolean;
}

/** what cannot be undone is proposed to need an approval; everything else is proposed to go without. */
export function proposePolicy(effectClass: ExecutionRecord['effectClass']): PolicyProposal {
  return { approvalRefRequired: effectClass === 'IRREVERSIBLE' };
}
