import type { PolicyContent } from './approval-policy';
import type { RefusalCode } from './refusals';

/** A change that one administrator asked for and another has to confirm. */
export interface PolicyProposalView {
  readonly proposalId: string;
  readonly content: PolicyContent;
  readonly reason: string;
  readonly requestedBy: { readonly personId: string; readonly displayName: string };
  readonly requestedAt: string;
  readonly expiresAt: string;
  /** Why the reader cannot confirm it; null: can. */
  readonly confirmRefusal: RefusalCode | null;
}

/** Who has to approve what of one operation of one tenant. */
export interface PolicyRow {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly operation: string;
  /** The operation's own newest version; 0: the built-in default holds. */
  readonly version: number;
  readonly content: PolicyContent;
  readonly proposal: PolicyProposalView | null;
}
