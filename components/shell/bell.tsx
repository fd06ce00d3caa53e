'use client';

import { Bell as BellIcon } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { classNames } from '../ui/class-names';

interface BellProps {
  /** Null where it could not be counted, which shows as nothing rather than as zero. */
  unread: string | null;
  /** The bell alone, for the head of a phone. */
  compact?: boolean;
}

/** The way to the inbox, with how much of it is unread. */
export function Bell({ unread, compact = false }: BellProps) {
  const t = useTranslations('notifications');
  const present = usePathname() === '/account/inbox';
  const count = unread === null || unread === '0' ? null : unread;
  return (
    <Link
      href="/account/inbox"
      aria-current={present ? 'page' : undefined}
      className={classNames(
        'relative flex items-center gap-2.5 rounded-md text-sm hover:bg-hover hover:text-ink',
        compact ? 'size-10 justify-center' : 'h-8 px-2 max-lg:justify-center',
        present ? 'font-medium text-ink' : 'text-ink-muted',
      )}
    >
      <BellIcon
        aria-hidden
        className={classNames(compact ? 'size-5' : 'size-4', 'shrink-0', present && 'text-accent')}
      />
      <span className={compact ? 'sr-only' : 'max-lg:sr-only'}>{t('bell')}</span>
      {count !== null && (
        <span
          className={classNames(
            'tabular rounded-full bg-accent-strong px-1 text-2xs leading-4 text-on-accent',
            compact
              ? 'absolute top-1 right-0.5'
              : 'ml-auto max-lg:absolute max-lg:top-0.5 max-lg:right-0.5 max-lg:ml-0',
          )}
        >
          <span aria-hidden>{count}</span>
          <span className="sr-only">{t('bellCount', { count })}</span>
        </span>
      )}
    </Link>
  );
}
