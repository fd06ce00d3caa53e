import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { ROW_STATES, type RowFilter } from '@/lib/domain/bulk-job';
import { classNames } from '../ui/class-names';

/** Which rows are shown: all, or those of one state. */
export function RowStates({ here, chosen }: { here: string; chosen: RowFilter }) {
  const t = useTranslations('bulk');
  return (
    <nav aria-label={t('rows.filter')} data-screen-only className="mb-3 flex flex-wrap gap-1">
      {([null, ...ROW_STATES] as const).map((state) => (
        <Link
          key={state ?? 'ALL'}
          href={state === null ? here : `${here}?state=${state}`}
          aria-current={state === chosen ? 'true' : undefined}
          className={classNames(
            'inline-flex min-h-8 items-center rounded-md px-2.5 text-sm max-md:min-h-10',
            state === chosen ? 'bg-selected font-medium' : 'text-ink-muted hover:bg-hover',
          )}
        >
          {t(`rowState.${state ?? 'ALL'}`)}
        </Link>
      ))}
    </nav>
  );
}
