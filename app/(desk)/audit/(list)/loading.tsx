import { useTranslations } from 'next-intl';
import { TableSkeleton } from '@/components/data-table/table-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function AuditLoading() {
  const t = useTranslations('audit');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="h-[9.5rem] border-b border-line" />
      <TableSkeleton />
    </>
  );
}
