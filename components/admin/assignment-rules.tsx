'use client';

import { useTranslations } from 'next-intl';
import { type AssignmentRuleRow } from '@/lib/domain/assignment-rule';
import { visibleText } from '@/lib/domain/visible-text';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { ActDialog } from './act-dialog';
import { useAuthorityName } from '../decision/authority-name';

export interface AssignmentActions {
  set: CommandAction;
  settle: SettleAction;
}

/** The rules in force, the narrowest of each tenant first, with what they gave and what they wait to give. */
export function AssignmentRules({
  rules,
  actions,
}: {
  rules: readonly AssignmentRuleRow[];
  actions: AssignmentActions;
}) {
  const t = useTranslations('admin.assignment');
  const authorityName = useAuthorityName();
  const partOf = ({ operation, authority }: AssignmentRuleRow) =>
    operation !== null
      ? t('forOperation', { operation: visibleText(operation) })
      : authority !== null
        ? t('forAuthority', { authority: authorityName(authority) })
        : t('forAll');
  return (
    <ul aria-label={t('title')} className="flex flex-col divide-y divide-line border-t border-line">
      {rules.map((rule) => (
        <li
          key={rule.ruleId}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm md:px-6"
        >
          <div className="min-w-0 flex-1 basis-60">
            <p className="[overflow-wrap:anywhere]">
              <VisibleText text={rule.tenantName} /> · <span className="font-medium">{partOf(rule)}</span>{' '}
              {rule.mode === 'FIXED'
                ? t('modeText.FIXED', { who: visibleText(rule.assignee?.displayName ?? '') })
                : t('modeText.ROUND_ROBIN')}
            </p>
            <p className="text-xs text-ink-muted">
              {t('given', { count: rule.given })}
              {' · '}
              {t.rich('madeBy', {
                who: visibleText(rule.madeBy.displayName),
                time: () => <Instant at={rule.madeAt} look="ago" />,
              })}
            </p>
            {rule.waiting > 0 && (
              <p className="text-xs text-caution">{t('waiting', { count: rule.waiting })}</p>
            )}
          </div>
          <ActDialog
            label={t('end')}
            title={t('end')}
            lead={t('endLead')}
            submit={t('end')}
            look="danger"
            asksReason={false}
            act={actions.set}
            settle={actions.settle}
            input={() => ({
              ...{ tenantId: rule.tenantId, operation: rule.operation, authority: rule.authority },
              ...{ mode: null, assigneeId: null },
            })}
          />
        </li>
      ))}
    </ul>
  );
}
