import { useTranslations } from 'next-intl';
import { Skeleton } from '@/components/ui/skeleton';

/** The page's shape while it is read. */
export default function Loading() {
  const t = useTranslations('exception');
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-4 px-4 pt-6 md:px-6">
      <Skeleton className="h-6 w-56" />
      <Skeleton className="w-80" />
      <Skeleton className="w-[32rem] max-w-full" />
      <div className="mt-4 grid gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex flex-col gap-4">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-32 w-full" />
        </div>
        <div className="flex flex-col gap-4 max-xl:hidden">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-40 w-full" />
        </div>
      </div>
    </div>
  );
}
