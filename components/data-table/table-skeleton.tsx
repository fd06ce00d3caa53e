import { useTranslations } from 'next-intl';
import { Skeleton } from '../ui/skeleton';

/** The shape of a list that is being read for the first time. */
export function TableSkeleton({ rows = 9 }: { rows?: number }) {
  const t = useTranslations('common.table');
  return (
    <div role="status" className="flex-1 px-4 md:px-6">
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: rows }, (_unused, index) => (
        <div key={index} className="flex h-14 items-center gap-6 border-b border-line">
          <Skeleton className="w-16" />
          <Skeleton className="w-32" />
          <Skeleton className="min-w-0 flex-1" />
          <Skeleton className="w-24 max-md:hidden" />
          <Skeleton className="w-20 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
