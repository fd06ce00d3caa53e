'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type MouseEvent } from 'react';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { NO_QUERY } from '@/lib/domain/queue-query';
import { type ActiveFilter } from './use-active-filters';

const FILTERS = Object.keys(NO_QUERY);

interface ActiveFiltersProps {
  filters: readonly ActiveFilter[];
  /** The last one is taken off: the keyboard needs a place to stand. */
  onNoneLeft: () => void;
}

/** What narrows the list now, each removable by one press; absent while nothing does. */
export function ActiveFilters({ filters, onNoneLeft }: ActiveFiltersProps) {
  const t = useTranslations('queue.filter');
  if (filters.length === 0) return null;
  const take = (event: MouseEvent<HTMLButtonElement>, filter: ActiveFilter) => {
    const item = event.currentTarget.closest('li');
    const beside = item?.nextElementSibling ?? item?.previousElementSibling;
    const next = beside?.querySelector('button');
    if (next == null) onNoneLeft();
    else next.focus();
    filter.remove();
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <ul aria-label={t('active')} className="contents">
        {filters.map((filter) => (
          <li key={filter.key} className="min-w-0">
            <button
              type="button"
              aria-label={t('remove', { filter: `${filter.field}: ${filter.value}` })}
              onClick={(event) => take(event, filter)}
              className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border border-accent bg-accent-soft px-2.5 text-xs hover:bg-hover max-md:h-9"
            >
              <span className="text-ink-muted">{filter.field}</span>
              <span className="min-w-0 truncate font-medium">{filter.value}</span>
              <X aria-hidden className="size-3.5 shrink-0 text-ink-muted" />
            </button>
          </li>
        ))}
      </ul>
      <ClearFilters names={FILTERS} />
    </div>
  );
}
