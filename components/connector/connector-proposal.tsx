'use client';

import { useTranslations } from 'next-intl';
import { type ConnectorContent, type ConnectorProposalView } from '@/lib/domain/connector-view';
import { visibleText } from '@/lib/domain/visible-text';
import { ActDialog } from '../admin/act-dialog';
import { useRefusalText } from '../decision/refusal-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { type ConnectorActions } from './connector-actions';
import { RecipeDifferenceTable } from './recipe-difference';

interface ConnectorProposalProps {
  /** Null: nothing is in force yet. */
  inForce: ConnectorContent | null;
  proposal: ConnectorProposalView;
  me: string;
  actions: ConnectorActions;
}

/** A change that waits for a second administrator: what it changes, by whom and why, and the word on it. */
export function ConnectorProposal({ inForce, proposal, me, actions }: ConnectorProposalProps) {
  const t = useTranslations('connectors');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const { proposalId, confirmRefusal } = proposal;
  const ending = t(proposal.requestedBy.personId === me ? 'withdraw' : 'reject');
  const difference = <RecipeDifferenceTable before={inForce} after={proposal.content} />;
  return (
    <Panel title={t('waiting')} className="border-line-strong">
      <div className="flex flex-col gap-3 text-sm">
        <p>
          {t('proposes', { who: visibleText(proposal.requestedBy.displayName) })}{' '}
          <Instant at={proposal.requestedAt} look="full" className="text-xs text-ink-muted" />
        </p>
        {difference}
        <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
          <VisibleText text={proposal.reason} paragraphs />
        </blockquote>
        <p className="text-xs text-ink-muted">
          {t.rich('until', { time: () => <Instant at={proposal.expiresAt} look="full" /> })}
        </p>
        <div className="flex flex-wrap gap-2">
          <ActDialog
            look="primary"
            label={t('confirm')}
            title={t('confirm')}
            lead={t('confirmLead')}
            submit={t('confirm')}
            disabledReason={confirmRefusal === null ? undefined : refusalText(confirmRefusal)}
            act={actions.decide}
            settle={actions.settle}
            input={() => ({ proposalId, verdict: 'CONFIRM' })}
          >
            {() => difference}
          </ActDialog>
          <ActDialog
            label={ending}
            title={ending}
            lead={t('rejectLead')}
            submit={ending}
            disabledReason={confirmRefusal === 'CONNECTOR_FOR_ALL' ? refusalText(confirmRefusal) : undefined}
            act={actions.decide}
            settle={actions.settle}
            input={() => ({ proposalId, verdict: 'REJECT' })}
          />
        </div>
      </div>
    </Panel>
  );
}
