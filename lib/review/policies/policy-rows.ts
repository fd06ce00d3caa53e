import type { PolicyProposalView, PolicyRow } from '@/lib/domain/policy-row';

/** A proposal as it is read, before it is said whether the reader may confirm it. */
export type ReadProposal<Content> = Omit<PolicyProposalView<Content>, 'confirmRefusal'>;

export interface ReadPolicy extends Omit<PolicyRow, 'proposal'> {
  proposal: ReadProposal<PolicyRow['content']> | null;
}

/** The change of that kind that waits for operation `k`, as JSON; null where none does. */
export const waitingProposal = (kind: 'APPROVAL' | 'OPERATION'): string => `(
  select jsonb_build_object('proposalId', p.proposal_id, 'content', p.content, 'reason', p.reason,
    'requestedBy', jsonb_build_object('personId', a.person_id, 'displayName', a.display_name),
    'requestedAt', ledger.instant(p.requested_at), 'expiresAt', ledger.instant(p.expires_at))
  from review.policy_proposals p join review.people a on a.person_id = p.requested_by
  where p.tenant_id = k.tenant_id and p.operation = k.operation and p.kind = '${kind}' and p.state = 'PENDING'
    and p.expires_at > ledger.clock())`;

/** Columns of a PolicyRow, of operation `k` of tenant `t`; joins `review.policy_in_force` as `f`. */
export const POLICY_COLUMNS = `k.tenant_id as "tenantId", t.display_name as "tenantName", k.operation, f.version, f.content,
  ${waitingProposal('APPROVAL')} as proposal`;

/** Mirrors review.decide_policy, which judges again. */
export function withRefusal<Content>(
  proposal: ReadProposal<Content> | null,
  mayChange: boolean,
  me: string,
): PolicyProposalView<Content> | null {
  if (proposal === null) return null;
  const own = proposal.requestedBy.personId === me ? 'SELF_APPROVAL' : null;
  return { ...proposal, confirmRefusal: mayChange ? own : 'ROLE_MISSING' };
}
