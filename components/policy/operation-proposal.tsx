'use client';

import { useTranslations } from 'next-intl';
import { type OperationPolicyContent } from '@/lib/domain/operation-policy';
import { type PolicyProposalView } from '@/lib/domain/policy-row';
import { visibleText } from '@/lib/domain/visible-text';
import { ActDialog } from '../admin/act-dialog';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { OperationDifferenceList } from './operation-difference-list';

interface OperationProposalProps {
  inForce: OperationPolicyContent;
  proposal: PolicyProposalView<OperationPolicyContent>;
  me: string;
  mayChange: boolean;
  decide: CommandAction;
  settle: SettleAction;
}

/** A change that waits for a second administrator: what it changes, by whom and why, and the word on it. */
export function OperationProposal({
  inForce,
  proposal,
  me,
  mayChange,
  decide,
  settle,
}: OperationProposalProps) {
  const t = useTranslations('policies.page');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const { proposalId, confirmRefusal } = proposal;
  const ending = t(proposal.requestedBy.personId === me ? 'withdraw' : 'reject');
  return (
    <section
      aria-label={t('waiting')}
      className="flex flex-col gap-2 rounded-md border border-line-strong bg-canvas px-3 py-2.5 text-sm"
    >
      <h3 className="text-xs font-semibold">{t('waiting')}</h3>
      <p>
        {t('asks', { who: visibleText(proposal.requestedBy.displayName) })}{' '}
        <Instant at={proposal.requestedAt} look="full" className="text-xs text-ink-muted" />
      </p>
      <OperationDifferenceList before={inForce} after={proposal.content} />
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
          act={decide}
          settle={settle}
          input={() => ({ proposalId, verdict: 'CONFIRM' })}
        >
          {() => (
            <div className="text-sm">
              <OperationDifferenceList before={inForce} after={proposal.content} />
            </div>
          )}
        </ActDialog>
        <ActDialog
          label={ending}
          title={ending}
          lead={t('rejectLead')}
          submit={ending}
          disabledReason={mayChange ? undefined : refusalText('ROLE_MISSING')}
          act={decide}
          settle={settle}
          input={() => ({ proposalId, verdict: 'REJECT' })}
        />
      </div>
    </section>
  );
}
