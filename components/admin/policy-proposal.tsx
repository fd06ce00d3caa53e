'use client';

import { useTranslations } from 'next-intl';
import { type PolicyContent } from '@/lib/domain/approval-policy';
import { type PolicyProposalView } from '@/lib/domain/policy-row';
import { visibleText } from '@/lib/domain/visible-text';
import { PolicyDifferenceList } from './policy-difference';
import { type PolicyActions } from './policy-actions';
import { ProposalPanel } from './proposal-panel';

interface PolicyProposalProps {
  inForce: PolicyContent;
  proposal: PolicyProposalView;
  me: string;
  mayChange: boolean;
  actions: PolicyActions;
}

/** A change of an approval policy that waits for a second administrator. */
export function PolicyProposal({ inForce, proposal, me, mayChange, actions }: PolicyProposalProps) {
  const t = useTranslations('admin.policies');
  const { proposalId } = proposal;
  return (
    <ProposalPanel
      words="admin.policies"
      within
      title={t('waiting')}
      asks={t('asks', { who: visibleText(proposal.requestedBy.displayName) })}
      proposal={proposal}
      me={me}
      endRefusal={mayChange ? null : 'ROLE_MISSING'}
      act={actions.decide}
      settle={actions.settle}
      input={(verdict) => ({ proposalId, verdict })}
    >
      <PolicyDifferenceList before={inForce} after={proposal.content} />
    </ProposalPanel>
  );
}
