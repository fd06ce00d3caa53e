import { useTranslations } from 'next-intl';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { VerdictBadge } from '../exception/verdict-badge';
import { Instant } from '../time/instant';
import { Comparison } from './comparison';
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
              <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
                <span className="w-24 text-xs text-ink-muted">
                  <Instant at={lookup.checkedAt} look="ago" />
                </span>
                <span className="w-32">{t(`outcome.${lookup.outcome}`)}</span>
                <VerdictBadge verdict={lookup.verdict} />
                {lookup.connectorId === null && (
                  <span className="text-xs text-ink-muted">{t('manualTag')}</span>
                )}
                {!lookup.current && <span className="text-xs text-ink-faint">{t('aboutEarlier')}</span>}
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
