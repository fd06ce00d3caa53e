import { useTranslations } from 'next-intl';
import { TableSkeleton } from '@/components/data-table/table-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function PoliciesLoading() {
  const t = useTranslations('policies.list');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="h-11 border-b border-line" />
      <TableSkeleton />
    </>
  );
}
