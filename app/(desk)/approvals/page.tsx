import { Stamp } from 'lucide-react';
import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { OpenReviews } from '@/components/approval/open-reviews';
import { RequestsTable } from '@/components/approval/requests-table';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { REQUEST_KINDS, REQUEST_STATES } from '@/lib/domain/decisions';
import { listOpenReviews } from '@/lib/review/break-glass/read-uses';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listRequests } from '@/lib/review/list-requests';
import { readContext } from '@/lib/review/read-context';
import { APPROVAL_FILTER_NAMES, approvalAddress, readApprovalAddress } from './search-params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('approvals'))('title') };
}

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const t = await getTranslations('approvals');
  const read = readApprovalAddress(await searchParams);
  if (read.kind === 'misread')
    return <AddressRefusal title={t('title')} names={read.names} restart="/approvals" />;
  const { address } = read;
  const answer = await listRequests(readContext(actor), {
    filter: { states: address.state, kinds: address.kind },
    cursor: address.cursor,
    size: PAGE_SIZE,
  });
  const openReviews = await listOpenReviews(readContext(actor));
  const narrowed = address.state.length > 0 || address.kind.length > 0;
  return (
    <TableAddress>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <>
            <LinkButton href="/admin/policies">{t('policies')}</LinkButton>
            <LiveRefresh renderedAt={new Date().toISOString()} />
          </>
        }
      />
      <OpenReviews uses={openReviews} />
      <div className="flex flex-wrap gap-2 px-4 pb-3 md:px-6">
        <FilterMenu
          name="state"
          label={t('filter.state')}
          multiple
          choices={REQUEST_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
        <FilterMenu
          name="kind"
          label={t('filter.kind')}
          multiple
          choices={REQUEST_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <ClearFilters names={APPROVAL_FILTER_NAMES} />
      </div>
      {answer.kind === 'cursor-refused' ? (
        <ErrorState
          title={t('cursorRefused.title')}
          body={t('cursorRefused.body')}
          action={
            <LinkButton href={`/approvals${approvalAddress({ ...address, cursor: null })}`}>
              {t('cursorRefused.first')}
            </LinkButton>
          }
        />
      ) : (
        <>
          <RequestsTable
            rows={answer.rows}
            me={actor.personId}
            empty={
              <EmptyState
                icon={Stamp}
                title={t(narrowed ? 'empty.filtered' : 'empty.none')}
                body={t(narrowed ? 'empty.filteredBody' : 'empty.noneBody')}
                action={
                  <LinkButton href={narrowed ? '/approvals' : '/queue'}>
                    {narrowed ? (await getTranslations('common.table'))('clear') : t('empty.toQueue')}
                  </LinkButton>
                }
              />
            }
          />
          <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
        </>
      )}
    </TableAddress>
  );
}
