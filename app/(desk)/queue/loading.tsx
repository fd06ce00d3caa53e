import { useTranslations } from 'next-intl';
import { TableSkeleton } from '@/components/data-table/table-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function QueueLoading() {
  const t = useTranslations('queue');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="h-[5.25rem] border-b border-line" />
      <TableSkeleton />
    </>
  );
}
