import { Bell, SlidersHorizontal } from 'lucide-react';
import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { MarkAll } from '@/components/notification/mark-all';
import { NotificationList } from '@/components/notification/notification-list';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listNotifications } from '@/lib/review/notifications/list-notifications';
import { readContext } from '@/lib/review/read-context';
import { markReadAction } from './actions';
import { inboxAddress, readInboxAddress } from './search-params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('notifications'))('title') };
}

export default async function InboxPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const t = await getTranslations('notifications');
  const tAddress = await getTranslations('common.address');
  const read = readInboxAddress(await searchParams);
  if (read.kind === 'misread')
    return <AddressRefusal title={t('title')} names={read.names} restart="/account/inbox" />;
  const { show, cursor } = read.address;
  const unreadOnly = show === 'unread';
  const answer = await listNotifications(readContext(actor), { unreadOnly, cursor, size: PAGE_SIZE });
  const newest =
    answer.kind === 'page' && cursor === null ? answer.rows.find((row) => row.readAt === null) : undefined;
  return (
    <ScrollPage>
      <TableAddress>
        <PageHeader
          title={t('title')}
          lead={t('lead')}
          actions={
            <>
              {newest !== undefined && <MarkAll upTo={newest.madeAt} markRead={markReadAction} />}
              <LinkButton href="/account/notifications">
                <SlidersHorizontal aria-hidden />
                {t('settings')}
              </LinkButton>
              <LiveRefresh renderedAt={new Date().toISOString()} />
            </>
          }
        />
        <div className="flex flex-wrap gap-2 px-4 pb-3 md:px-6">
          <FilterMenu
            name="show"
            label={t('filter.label')}
            choices={[{ value: 'unread', label: t('filter.unread') }]}
          />
        </div>
        {answer.kind === 'cursor-refused' ? (
          <ErrorState
            title={tAddress('cursor')}
            body={tAddress('cursorBody')}
            action={
              <LinkButton href={`/account/inbox${inboxAddress({ show, cursor: null })}`}>
                {tAddress('start')}
              </LinkButton>
            }
          />
        ) : (
          <>
            {answer.rows.length === 0 ? (
              <EmptyState
                icon={Bell}
                title={t(unreadOnly ? 'empty.unreadTitle' : 'empty.title')}
                body={t(unreadOnly ? 'empty.unreadBody' : 'empty.body')}
                action={
                  <LinkButton href={unreadOnly ? '/account/inbox' : '/account/notifications'}>
                    {t(unreadOnly ? 'empty.toAll' : 'empty.toSettings')}
                  </LinkButton>
                }
              />
            ) : (
              <NotificationList rows={answer.rows} markRead={markReadAction} />
            )}
            <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
          </>
        )}
      </TableAddress>
    </ScrollPage>
  );
}
