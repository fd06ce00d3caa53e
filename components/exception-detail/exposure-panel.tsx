'use client';

import { useTranslations } from 'next-intl';
import { peopleNeeded } from '@/lib/domain/approval-policy';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { useAuthorityName } from '../decision/refusal-text';
import { AmountText } from '../execution/amount-text';
import { ProtectionText } from '../execution/protection-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';

/** What a wrong decision could cost, and what protects against it. */
export function ExposurePanel({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.exposure');
  const common = useTranslations('common');
  const glossary = useTranslations('glossary');
  const authorityName = useAuthorityName();
  const { policy, exposure, dedupe } = view;
  const worst = exposure.doubleAmount;
  return (
    <Panel title={t('title')}>
      <FactList
        absent={common('state.none')}
        className="sm:grid-cols-2"
        facts={[
          { term: t('effectClass'), value: glossary(`effectClass.${policy.effectClass}`) },
          { term: t('protection'), value: <ProtectionText of={policy} /> },
          { term: t('possible'), value: t('possibleCount', { count: exposure.effectsPossible }) },
          {
            term: t('worst'),
            value:
              view.exception.state === 'CLOSED' ? null : (
                <span
                  className={
                    policy.effectClass === 'IRREVERSIBLE' ? 'font-medium text-danger' : 'font-medium'
                  }
                >
                  {worst === null
                    ? t('worstCount', { count: exposure.doubleEffects })
                    : t.rich('worstMoney', { amount: () => <AmountText amount={worst} /> })}
                </span>
              ),
          },
          { term: t('authority'), value: authorityName(policy.authority) },
          {
            term: t('approvals'),
            value:
              policy.approval === null
                ? view.execution && t('approvalsNone')
                : t('approvalsCount', { count: peopleNeeded(policy.approval.steps) }),
          },
          {
            term: t('dedupe'),
            wide: true,
            value:
              dedupe === null
                ? t('dedupeNone')
                : t.rich(dedupe.over ? 'dedupeOver' : 'dedupeLeft', {
                    time: () => <Instant at={dedupe.until} look="full" />,
                  }),
          },
        ]}
      />
    </Panel>
  );
}
