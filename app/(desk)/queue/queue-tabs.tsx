'use client';

import { useTranslations } from 'next-intl';
import { classNames } from '@/components/ui/class-names';
import { type QueueTab } from '@/lib/review/count-facets';
import { TABS, tabOf } from './queue-tab';
import { useQueueAddress } from './use-queue-address';

/** Mine, unowned, overdue and on hold apart, each with its figure. */
export function QueueTabs({ counts }: { counts: Readonly<Record<QueueTab, string>> }) {
  const t = useTranslations('queue.tabs');
  const { address, change } = useQueueAddress();
  return (
    <div
      role="group"
      aria-label={t('label')}
      className="relative -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 md:-mx-6 md:px-6"
    >
      {(Object.keys(TABS) as QueueTab[]).map((tab) => {
        const present = tabOf(address) === tab;
        return (
          <button
            key={tab}
            type="button"
            aria-pressed={present}
            onClick={() => change(TABS[tab])}
            className={classNames(
              '-mb-px inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-2 text-sm whitespace-nowrap max-md:h-11',
              present
                ? 'border-accent font-medium text-ink'
                : 'border-transparent text-ink-muted hover:border-line-strong hover:text-ink',
            )}
          >
            {t(tab)}
            <span className={classNames('tabular text-xs', present ? 'text-accent' : 'text-ink-faint')}>
              {counts[tab]}
            </span>
          </button>
        );
      })}
    </div>
  );
}
