'use client';

import { useTranslations } from 'next-intl';
import { type PolicyRow } from '@/lib/domain/policy-row';
import { StepsText } from '../approval/step-text';
import { useRefusalText } from '../decision/refusal-text';
import { useSpan } from '../time/span-words';
import { FactList } from '../ui/fact-list';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { ActDialog } from './act-dialog';
import { type PolicyActions } from './policy-actions';
import { PolicyDialog } from './policy-dialog';
import { PolicyProposal } from './policy-proposal';

interface PolicyPanelProps {
  row: PolicyRow;
  me: string;
  mayChange: boolean;
  authorities: readonly string[];
  actions: PolicyActions;
}

/** Who has to approve what of one operation, the change that waits, and the ways to ask for one. */
export function PolicyPanel({ row, me, mayChange, authorities, actions }: PolicyPanelProps) {
  const t = useTranslations('admin.policies');
  const versions = useTranslations('common.policy');
  const span = useSpan();
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  const { content, version, proposal } = row;
  const blocked = proposal === null ? undefined : refusalText('PROPOSAL_IN_FLIGHT');
  return (
    <Panel id="approval-policy" title={t('panelTitle')} aside={versions('version', { version })}>
      <div className="flex flex-col gap-3 text-sm">
        {content.removes ? (
          <Notice tone="caution">{t('removedNotice')}</Notice>
        ) : (
          <>
            <StepsText steps={content.steps} named />
            <FactList
              absent=""
              className="sm:grid-cols-3 xl:grid-cols-2"
              facts={[
                { term: t('minRationale'), value: t('characters', { count: content.minRationale }) },
                {
                  term: t('approvalTtl'),
                  value: span(content.approvalTtlSeconds * 1_000),
                },
                {
                  term: t('executionTtl'),
                  value: span(content.executionTtlSeconds * 1_000),
                },
              ]}
            />
          </>
        )}
        {proposal !== null && (
          <PolicyProposal
            inForce={content}
            proposal={proposal}
            me={me}
            mayChange={mayChange}
            actions={actions}
          />
        )}
        {mayChange && (
          <div className="flex flex-wrap gap-2">
            <PolicyDialog
              label={t(content.removes ? 'restore' : 'change')}
              row={row}
              authorities={authorities}
              disabledReason={blocked}
              actions={actions}
            />
            <ActDialog
              look="danger"
              label={t('remove')}
              title={t('removeTitle', { operation: row.operation })}
              lead={t('removeLead')}
              submit={t('propose')}
              disabledReason={content.removes ? t('removedAlready') : blocked}
              act={actions.propose}
              settle={actions.settle}
              input={() => ({
                ...content,
                tenantId: row.tenantId,
                operation: row.operation,
                version,
                removes: true,
                steps: [],
              })}
            />
          </div>
        )}
      </div>
    </Panel>
  );
}
