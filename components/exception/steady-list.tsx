'use client';

import { RefreshCw } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { type ExceptionRow } from '@/lib/domain/exception-row';
import { changesOfRows, steadyRows } from '@/lib/domain/steady-rows';
import { Button } from '../ui/button';

interface SteadyListProps {
  rows: readonly ExceptionRow[];
  /** What the list was asked for: another question shows its own rows at once. */
  question: string;
  children: (rows: readonly ExceptionRow[], gone: ReadonlySet<string>) => ReactNode;
}

const idOf = (row: ExceptionRow) => row.exceptionId;

/**
 * Keeps the rows in their places while the list is read anew, and says what waits. While no hand is on it (no pointer over it,
 * no focus in it, nothing selected), the newer rows are taken over at once.
 */
export function SteadyList({ rows, question, children }: SteadyListProps) {
  const t = useTranslations('queue.live');
  const list = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState({ question, rows });
  if (held.question !== question) setHeld({ question, rows });
  const shown = held.question === question ? held.rows : rows;
  const changes = changesOfRows(shown, rows, idOf);
  useEffect(() => {
    if (changes.moves && list.current !== null && !isUnderHand(list.current)) setHeld({ question, rows });
  }, [changes.moves, question, rows]);
  const show = () => {
    const links = linksIn(list.current);
    const place = links.findIndex((link) => link === document.activeElement);
    setHeld({ question, rows });
    // The row that had the focus may have gone, and so has the button.
    requestAnimationFrame(() => {
      const left = linksIn(list.current);
      if (document.activeElement === document.body)
        left[Math.min(Math.max(place, 0), left.length - 1)]?.focus();
    });
  };
  return (
    <div ref={list} data-frame className="relative flex min-h-0 flex-1 flex-col">
      <div role="status" className="pointer-events-none absolute inset-x-0 top-10 z-20 flex justify-center">
        {changes.moves && (
          <Button
            size="sm"
            look="primary"
            data-show-changes
            aria-keyshortcuts="."
            onClick={show}
            className="pointer-events-auto shadow-md"
          >
            <RefreshCw aria-hidden />
            {t('waiting', { added: changes.added, changed: changes.changed })}
          </Button>
        )}
      </div>
      {children(steadyRows(shown, rows, idOf), changes.gone)}
    </div>
  );
}

const linksIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('[data-row-link]') ?? []),
];

const isUnderHand = (list: HTMLElement) =>
  list.matches(':hover') || list.contains(document.activeElement) || list.querySelector(':checked') !== null;
