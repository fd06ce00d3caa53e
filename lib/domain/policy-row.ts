import type { PolicyContent } from './approval-policy';
import type { EffectClass } from './exposure';
import type { OperationPolicyContent } from './operation-policy';
import type { Protection } from './protection';
import type { RefusalCode } from './refusals';

/** A change that one administrator asked for and another has to confirm. */
export interface PolicyProposalView<Content = PolicyContent> {
  readonly proposalId: string;
  readonly content: Content;
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

/** What a list tells of an operation's own policy. */
export interface OperationPolicySummary extends Protection {
  /** 0: the built-in default holds. */
  readonly version: number;
  readonly effectClass: EffectClass;
  readonly retentionSeconds: number;
  readonly hasGuide: boolean;
  /** A change of it waits for a second administrator. */
  readonly waits: boolean;
}

export interface PolicyListRow extends PolicyRow {
  readonly summary: OperationPolicySummary;
}

/** What a version or an ended proposal can be compared by: `v3`, `v0` for the built-in default, or a proposal's id. */
export type ContentRef = string;

/** One entry of the history, newest first. */
export type PolicyHistoryEntry = {
  readonly ref: ContentRef;
  readonly reason: string | null;
  /** Who asked; null: installed. */
  readonly requestedBy: string | null;
  readonly decidedBy: string | null;
  readonly at: string;
} & (
  | { readonly kind: 'version'; readonly version: number; readonly retiredAt: string | null }
  | { readonly kind: 'proposal'; readonly state: 'PENDING' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' }
);

/** One operation's own policy: what holds, the change that waits, and everything before. */
export interface OperationPolicyView extends Protection {
  readonly version: number;
  /** Null for the built-in default. */
  readonly since: string | null;
  readonly content: OperationPolicyContent;
  readonly proposal: PolicyProposalView<OperationPolicyContent> | null;
  readonly history: readonly PolicyHistoryEntry[];
}
