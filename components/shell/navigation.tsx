'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { classNames } from '../ui/class-names';
import { isPlace, placesFor } from './nav-places';

/** Figures beside a place's name; null when they could not be read, which shows as nothing rather than as zero. */
export interface NavCounts {
  queue: string | null;
  approvals: string | null;
}

interface NavigationProps {
  roles: readonly string[];
  counts: NavCounts;
  /** `side` is the column of a desk screen, `bottom` the bar under a thumb. */
  where: 'side' | 'bottom';
}

/** The way to every place; the present one is marked for eyes and for screen readers. */
export function Navigation({ roles, counts, where }: NavigationProps) {
  const t = useTranslations('common.nav');
  const pathname = usePathname();
  const places = placesFor(roles);
  return (
    <nav aria-label={t('label')}>
      <ul className={where === 'side' ? 'flex flex-col gap-0.5' : 'grid auto-cols-fr grid-flow-col'}>
        {places.map((place) => {
          const { href, name, icon: Icon } = place;
          const present = isPlace(pathname, place);
          const count = name === 'queue' || name === 'approvals' ? counts[name] : null;
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={present ? 'page' : undefined}
                className={classNames(
                  'relative flex items-center hover:text-ink',
                  where === 'side'
                    ? 'h-8 gap-2.5 rounded-md px-2 text-sm max-lg:justify-center'
                    : 'h-14 flex-col justify-center gap-0.5 text-2xs',
                  present && 'font-medium',
                  present
                    ? where === 'side'
                      ? 'bg-raised text-ink shadow-sm ring-1 ring-line ring-inset'
                      : 'text-accent'
                    : where === 'side'
                      ? 'text-ink-muted hover:bg-hover'
                      : 'text-ink-muted',
                )}
              >
                <Icon
                  aria-hidden
                  strokeWidth={present ? 2.2 : 1.8}
                  className={classNames(
                    'shrink-0',
                    where === 'side' ? 'size-4' : 'size-5',
                    present && 'text-accent',
                  )}
                />
                <span className={where === 'side' ? 'max-lg:sr-only' : undefined}>{t(name)}</span>
                {count !== null && count !== '0' && (
                  <span
                    className={classNames(
                      'tabular',
                      where === 'side'
                        ? 'ml-auto text-xs text-ink-muted max-lg:sr-only'
                        : 'absolute top-1 left-[calc(50%+0.6rem)] rounded-full bg-accent-strong px-1 text-2xs leading-4 text-on-accent',
                    )}
                  >
                    <span aria-hidden>{count}</span>
                    <span className="sr-only">{t('queueCount', { count })}</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
