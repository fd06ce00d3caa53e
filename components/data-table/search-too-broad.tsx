import { TextSearch } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { EmptyState } from '../ui/empty-state';

/** The search text fits more records than anybody could look through: a page of them would hide the rest. */
export function SearchTooBroad({ limit }: { limit: number }) {
  const t = useTranslations('common.address');
  const format = useFormatter();
  return (
    <div role="status" className="flex-1">
      <EmptyState
        icon={TextSearch}
        title={t('broad')}
        body={t('broadBody', { count: format.number(limit) })}
      />
    </div>
  );
}
