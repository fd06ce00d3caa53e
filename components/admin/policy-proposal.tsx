'use client';

import { useTranslations } from 'next-intl';
import { type PolicyContent } from '@/lib/domain/approval-policy';
import { type PolicyProposalView } from '@/lib/domain/policy-row';
import { visibleText } from '@/lib/domain/visible-text';
import { useRefusalText } from '../decision/refusal-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { ActDialog } from './act-dialog';
import { PolicyDifferenceList } from './policy-difference';
import { type PolicyActions } from './policy-actions';

interface PolicyProposalProps {
  inForce: PolicyContent;
  proposal: PolicyProposalView;
  me: string;
  mayChange: boolean;
  actions: PolicyActions;
}

/** A change that waits for a second administrator: what of the policy it changes, by whom and why, and the word on it. */
export function PolicyProposal({ inForce, proposal, me, mayChange, actions }: PolicyProposalProps) {
  const t = useTranslations('admin.policies');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const mine = proposal.requestedBy.personId === me;
  const { proposalId, confirmRefusal } = proposal;
  const ending = t(mine ? 'withdraw' : 'reject');
  return (
    <section
      aria-label={t('waiting')}
      className="flex flex-col gap-2 rounded-md border border-line-strong bg-canvas px-3 py-2.5"
    >
      <h3 className="text-xs font-semibold">{t('waiting')}</h3>
      <p>
        {t('asks', { who: visibleText(proposal.requestedBy.displayName) })}{' '}
        <Instant at={proposal.requestedAt} look="full" className="text-xs text-ink-muted" />
      </p>
      <PolicyDifferenceList before={inForce} after={proposal.content} />
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
          {() => <PolicyDifferenceList before={inForce} after={proposal.content} />}
        </ActDialog>
        <ActDialog
          label={ending}
          title={ending}
          lead={t('rejectLead')}
          submit={ending}
          disabledReason={mayChange ? undefined : refusalText('ROLE_MISSING')}
          act={actions.decide}
          settle={actions.settle}
          input={() => ({ proposalId, verdict: 'REJECT' })}
        />
      </div>
    </section>
  );
}
