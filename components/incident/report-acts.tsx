'use client';

import { useTranslations } from 'next-intl';
import { type ReportView } from '@/lib/domain/incident-view';
import { ActDialog } from '../admin/act-dialog';
import { useRefusalText } from '../decision/refusal-text';
import { type IncidentActions } from './incident-actions';

interface ReportActsProps {
  report: ReportView;
  me: string;
  actions: IncidentActions;
}

/** What can be done with the report as it stands: send it on, confirm it, or end it. */
export function ReportActs({ report, me, actions }: ReportActsProps) {
  const t = useTranslations('incidents.act');
  const about = { roles: ['OPERATOR', 'APPROVER'], authority: report.authority };
  const refusalText = useRefusalText(about);
  const { reportId, state, verdicts, proposeRefusal, confirmRefusal, endRefusal } = report;
  if (state !== 'JUDGED' && state !== 'PROPOSED') return null;
  const figures = { links: verdicts.LINK ?? 0, orphans: verdicts.ORPHAN ?? 0 };
  const ending = [report.judgedBy.personId, report.proposedBy?.personId].includes(me) ? 'withdraw' : 'reject';
  const why = (refusal: ReportView['endRefusal']) => (refusal === null ? undefined : refusalText(refusal));
  const common = { about, settle: actions.settle };
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'JUDGED' ? (
        <ActDialog
          {...common}
          look="primary"
          label={t('propose')}
          title={t('propose')}
          lead={t('proposeLead', figures)}
          submit={t('propose')}
          asksReason={false}
          disabledReason={why(proposeRefusal)}
          act={actions.propose}
          input={() => ({ reportId })}
        />
      ) : (
        <ActDialog
          {...common}
          look="primary"
          label={t('confirm')}
          title={t('confirm')}
          lead={t('confirmLead', figures)}
          submit={t('confirm')}
          disabledReason={why(confirmRefusal)}
          act={actions.decide}
          input={() => ({ reportId, verdict: 'CONFIRM' })}
        />
      )}
      <ActDialog
        {...common}
        label={t(ending)}
        title={t(ending)}
        lead={t('endLead')}
        submit={t(ending)}
        disabledReason={why(endRefusal)}
        act={actions.decide}
        input={() => ({ reportId, verdict: 'REJECT' })}
      />
    </div>
  );
}
