'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { DensityChoice } from './density-choice';
import { useCursorParameter } from './table-address';

interface PagerProps {
  shown: number;
  /** Cursors that the list gave; null where there is no further page. */
  next: string | null;
  previous: string | null;
  /** False where the rows' height is chosen elsewhere. */
  density?: boolean;
}

/** The foot of a list: how many rows, their height, and the way to the pages beside this one. */
export function Pager({ shown, next, previous, density = true }: PagerProps) {
  const t = useTranslations('common.table');
  const [, go] = useCursorParameter();
  return (
    <footer className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line px-4 py-2 md:px-6">
      <p role="status" className="tabular text-xs text-ink-muted">
        {t('shown', { count: shown })}
      </p>
      <div data-screen-only className="ml-auto flex items-center gap-2">
        {density && (
          <div className="max-md:hidden">
            <DensityChoice />
          </div>
        )}
        <Button
          size="sm"
          aria-label={t('previous')}
          disabledReason={previous === null ? t('first') : undefined}
          onClick={() => go(previous)}
        >
          <ChevronLeft aria-hidden />
        </Button>
        <Button
          size="sm"
          aria-label={t('next')}
          disabledReason={next === null ? t('last') : undefined}
          onClick={() => go(next)}
        >
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </footer>
  );
}
