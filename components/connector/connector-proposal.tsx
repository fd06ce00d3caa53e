'use client';

import { useTranslations } from 'next-intl';
import { type ConnectorContent, type ConnectorProposalView } from '@/lib/domain/connector-view';
import { visibleText } from '@/lib/domain/visible-text';
import { ProposalPanel } from '../admin/proposal-panel';
import { type ConnectorActions } from './connector-actions';
import { RecipeDifferenceTable } from './recipe-difference';

interface ConnectorProposalProps {
  /** Null: nothing is in force yet. */
  inForce: ConnectorContent | null;
  proposal: ConnectorProposalView;
  me: string;
  actions: ConnectorActions;
}

/** A change of a connector that waits for a second administrator. */
export function ConnectorProposal({ inForce, proposal, me, actions }: ConnectorProposalProps) {
  const t = useTranslations('connectors');
  const { proposalId, confirmRefusal } = proposal;
  return (
    <ProposalPanel
      words="connectors"
      title={t('waiting')}
      className="border-line-strong"
      asks={t('proposes', { who: visibleText(proposal.requestedBy.displayName) })}
      proposal={proposal}
      me={me}
      endRefusal={confirmRefusal === 'CONNECTOR_FOR_ALL' ? confirmRefusal : null}
      act={actions.decide}
      settle={actions.settle}
      input={(verdict) => ({ proposalId, verdict })}
    >
      <RecipeDifferenceTable before={inForce} after={proposal.content} />
    </ProposalPanel>
  );
}
