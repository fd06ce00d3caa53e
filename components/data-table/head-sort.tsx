'use client';

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { classNames } from '../ui/class-names';

interface HeadSortProps {
  title: string;
  bare: boolean;
  sorted: false | 'asc' | 'desc';
  /** Absent where the list has no order by this column. */
  onToggle?: () => void;
  className?: string | undefined;
}

/** A column's head; a button where the list can be ordered by it. */
export function HeadSort({ title, bare, sorted, onToggle, className }: HeadSortProps) {
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={
        sorted === 'asc'
          ? 'ascending'
          : sorted === 'desc'
            ? 'descending'
            : onToggle === undefined
              ? undefined
              : 'none'
      }
      className={classNames(
        'sticky top-0 z-10 h-9 border-b border-line bg-surface px-2 weak:text-left text-xs font-medium whitespace-nowrap text-ink-muted first:pl-6 last:pr-6',
        className,
      )}
    >
      {onToggle === undefined ? (
        <span className={classNames(bare && 'sr-only')}>{title}</span>
      ) : (
        <button
          type="button"
          onClick={onToggle}
          className={classNames(
            '-mx-1 inline-flex items-center gap-1 rounded-xs px-1 py-0.5 hover:text-ink',
            sorted !== false && 'text-ink',
          )}
        >
          {title}
          <Icon aria-hidden className={classNames('size-3', sorted === false && 'text-ink-faint')} />
        </button>
      )}
    </th>
  );
}
