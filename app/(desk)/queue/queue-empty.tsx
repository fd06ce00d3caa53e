import { CircleCheckBig, FilterX, SearchX, ShieldQuestion } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { type Actor } from '@/lib/domain/actor';
import { type ExceptionFilter } from '@/lib/review/exception-filter';

/** Why there is no row: nothing waits, the filters leave nothing, or no tenant is granted. */
export function QueueEmpty({ filter, actor }: { filter: ExceptionFilter; actor: Actor }) {
  const t = useTranslations('queue.empty');
  const clear = useTranslations('common.table')('clear');
  if (actor.tenantIds.length === 0)
    return <EmptyState icon={ShieldQuestion} title={t('noTenant')} body={t('noTenantBody')} />;
  const action = <LinkButton href="/queue">{clear}</LinkButton>;
  if (filter.text !== '')
    return <EmptyState icon={SearchX} title={t('search')} body={t('searchBody')} action={action} />;
  const { states, ...rest } = filter;
  const narrowed =
    !states.includes('OPEN') ||
    Object.values(rest).some((each) =>
      Array.isArray(each) ? each.length > 0 : each !== null && each !== '',
    );
  return narrowed ? (
    <EmptyState icon={FilterX} title={t('filtered')} body={t('filteredBody')} action={action} />
  ) : (
    <EmptyState icon={CircleCheckBig} title={t('clear')} body={t('clearBody')} />
  );
}
