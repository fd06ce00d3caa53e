'use client';

import { SlidersHorizontal } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ActiveFilters } from './active-filters';
import { QueueDisplay } from './queue-display';
import { type FilterPanelProps } from './queue-filter-panel';
import { QueueSearch } from './queue-search';
import { QueueTabs } from './queue-tabs';
import { useActiveFilters } from './use-active-filters';

const load = () => import('./queue-filter-panel');
const QueueFilterPanel = dynamic(async () => (await load()).QueueFilterPanel, { ssr: false });

interface QueueFiltersProps extends Omit<FilterPanelProps, 'id' | 'onClose'> {
  defaultSort: string;
}

/** What narrows the queue; all of it lives in the address. One row of parts, one of words; the rest waits behind two buttons. */
export function QueueFilters({ defaultSort, ...panel }: QueueFiltersProps) {
  const t = useTranslations('common.table');
  const { figures, names } = panel;
  const active = useActiveFilters(names);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const count = active.filters.length;
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-4 pb-3 md:px-6">
      <QueueTabs counts={figures.tabs} />
      <div className="flex flex-wrap items-start gap-2">
        <QueueSearch names={names} />
        <Button
          ref={button}
          aria-expanded={open}
          aria-controls={id}
          onPointerEnter={() => void load()}
          onFocus={() => void load()}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden className="text-ink-muted" />
          {t('filters')}
          {count > 0 && (
            <>
              <span aria-hidden className="tabular rounded-full bg-accent-soft px-1.5 text-xs text-accent">
                {count}
              </span>
              <span className="sr-only">, {t('activeFilters', { count })}</span>
            </>
          )}
        </Button>
        <QueueDisplay defaultSort={defaultSort} />
      </div>
      {open && (
        <QueueFilterPanel
          {...panel}
          id={id}
          onClose={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      )}
      <ActiveFilters {...active} onNoneLeft={() => button.current?.focus()} />
    </div>
  );
}
