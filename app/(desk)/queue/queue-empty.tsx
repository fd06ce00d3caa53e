import { CircleCheckBig, FilterX, SearchX, ShieldQuestion } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { type Actor } from '@/lib/domain/actor';
import { NO_QUERY, type QueueQuery } from '@/lib/domain/queue-query';
import { TABS, tabOf } from './queue-tab';
import { type QueueAddress } from './search-params';

// Object.keys tells names as plain strings; these are the record's own.
const FILTERS = Object.keys(NO_QUERY) as (keyof QueueQuery)[];

/** Why there is no row, and what to do: nothing waits, this part holds nothing, filters leave nothing, or no tenant is granted. */
export function QueueEmpty({ address, actor }: { address: QueueAddress; actor: Actor }) {
  const t = useTranslations('queue.empty');
  const clear = useTranslations('common.table')('clear');
  if (actor.tenantIds.length === 0)
    return <EmptyState icon={ShieldQuestion} title={t('noTenant')} body={t('noTenantBody')} />;
  const action = <LinkButton href="/queue">{clear}</LinkButton>;
  if (address.q !== null)
    return <EmptyState icon={SearchX} title={t('search')} body={t('searchBody')} action={action} />;
  const tab = tabOf(address);
  if (tab === null || FILTERS.some((name) => !(name in TABS[tab]) && address[name] !== null))
    return <EmptyState icon={FilterX} title={t('filtered')} body={t('filteredBody')} action={action} />;
  if (tab === 'all') return <EmptyState icon={CircleCheckBig} title={t('clear')} body={t('clearBody')} />;
  return (
    <EmptyState
      icon={CircleCheckBig}
      title={t(`tab.${tab}.title`)}
      body={t(`tab.${tab}.body`)}
      action={
        <LinkButton href={tab === 'mine' ? '/queue?assignee=none' : '/queue'}>
          {t(tab === 'mine' ? 'toUnowned' : 'toAll')}
        </LinkButton>
      }
    />
  );
}
