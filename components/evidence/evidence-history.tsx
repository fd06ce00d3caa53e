import { useTranslations } from 'next-intl';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { VerdictBadge } from '../exception/verdict-badge';
import { Instant } from '../time/instant';
import { isTooEarly } from '@/lib/domain/decision-evidence';
import { Comparison } from './comparison';
import { OutcomeText } from './outcome-text';
import { LookupMeta } from './lookup-meta';

/** The looks before the newest one, each to be opened. */
export function EvidenceHistory({ lookups }: { lookups: readonly EvidenceView[] }) {
  const t = useTranslations('lookup');
  if (lookups.length === 0) return <span />;
  return (
    <details className="min-w-0 open:w-full">
      <summary className="w-fit text-xs font-medium text-ink-muted hover:text-ink">
        {t('historyCount', { count: lookups.length })}
      </summary>
      <ol aria-label={t('history')} className="mt-2 flex flex-col">
        {lookups.map((lookup) => (
          <li key={lookup.lookupId} className="border-t border-line first:border-t-0">
            <details>
              <summary className="py-1.5 text-sm">
                <span className="inline-grid w-[calc(100%-1.25rem)] grid-cols-1 items-center gap-x-3 gap-y-0.5 align-top sm:grid-cols-[10.5rem_minmax(0,1fr)_auto]">
                  <span className="text-xs text-ink-muted">
                    <Instant at={lookup.checkedAt} look="full" />
                  </span>
                  <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                    <OutcomeText lookup={lookup} />
                    {!lookup.current && <span className="text-xs text-ink-faint">{t('aboutEarlier')}</span>}
                  </span>
                  {!isTooEarly(lookup) && <VerdictBadge verdict={lookup.verdict} />}
                </span>
              </summary>
              <div className="flex flex-col gap-3 pt-1 pb-3">
                <LookupMeta lookup={lookup} watch={false} />
                <Comparison lines={lookup.comparison} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </details>
  );
}
