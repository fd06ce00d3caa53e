'use client';

import { useTranslations } from 'next-intl';
import { peopleNeeded } from '@/lib/domain/approval-policy';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { useAuthorityName } from '../decision/authority-name';
import { AmountText } from '../execution/amount-text';
import { ExplainedProtection } from '../execution/protection-text';
import { ReissueExposureFacts } from '../exposure/reissue-exposure';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';

/** What a wrong decision could cost, and what protects against it. */
export function ExposurePanel({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.exposure');
  const common = useTranslations('common');
  const glossary = useTranslations('glossary');
  const authorityName = useAuthorityName();
  const { policy, exposure, dedupe, sinceSettled } = view;
  const worst = exposure.doubleAmount;
  const settled = sinceSettled !== null;
  // With a new key asked for, what stands is told once, below: one effect too many would be another figure beside it.
  const newKey = view.requestedReissue !== null;
  return (
    <Panel title={t(settled ? 'titleSettled' : 'title')}>
      <FactList
        absent={common('state.none')}
        className="sm:grid-cols-2"
        facts={[
          { term: t('effectClass'), value: glossary(`effectClass.${policy.effectClass}`) },
          { term: t('protection'), value: <ExplainedProtection of={policy} /> },
          {
            term: t(newKey ? 'possibleOriginal' : settled ? 'possibleSettled' : 'possible'),
            value: t(settled ? 'possibleThen' : 'possibleCount', { count: exposure.effectsPossible }),
          },
          ...(newKey
            ? []
            : [
                {
                  term: t(settled ? 'worstSettled' : 'worst'),
                  value: (
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
              ]),
          ...(!settled
            ? []
            : [
                {
                  term: t('sinceTitle'),
                  value: sinceSettled.attempts === 0 ? t('sinceNone') : t('since', { ...sinceSettled }),
                },
              ]),
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
                    left: () => (settled ? null : <Countdown until={dedupe.until} named refreshWhenOver />),
                  }),
          },
        ]}
      />
      <WithNewKey view={view} />
    </Panel>
  );
}

/** What stands with the new key that was asked for here, also when the exception is settled by it. */
function WithNewKey({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.exposure');
  const requested = view.requestedReissue;
  if (requested === null) return null;
  return (
    <section className="mt-3 flex flex-col gap-2 border-t border-line pt-3">
      <h3 className="text-sm font-semibold">{t('newKey')}</h3>
      <ReissueExposureFacts
        relation={requested.relation}
        exposure={requested.exposure}
        sameContent={requested.sameContent}
      />
    </section>
  );
}
