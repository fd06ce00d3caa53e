'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { type PolicyProposalView } from '@/lib/domain/policy-row';
import { visibleText } from '@/lib/domain/visible-text';
import { ProposalPanel } from '../admin/proposal-panel';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { OperationDifferenceList } from './operation-difference-list';

interface OperationProposalProps {
  inForce: OperationPolicyContent;
  proposal: PolicyProposalView<OperationPolicyContent>;
  me: string;
  mayChange: boolean;
  decide: CommandAction;
  settle: SettleAction;
}

/** A change of an operation policy that waits for a second administrator. */
export function OperationProposal({ inForce, proposal, me, mayChange, ...props }: OperationProposalProps) {
  const t = useTranslations('policies.page');
  const { proposalId } = proposal;
  return (
    <ProposalPanel
      words="policies.page"
      within
      title={t('waiting')}
      asks={t('asks', { who: visibleText(proposal.requestedBy.displayName) })}
      proposal={proposal}
      me={me}
      endRefusal={mayChange ? null : 'ROLE_MISSING'}
      act={props.decide}
      settle={props.settle}
      input={(verdict) => ({ proposalId, verdict })}
    >
      <OperationDifferenceList before={inForce} after={proposal.content} />
    </ProposalPanel>
  );
}
