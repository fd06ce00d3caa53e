import { FilterX, Layers } from 'lucide-react';
import { type Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { Pager } from '@/components/data-table/pager';
import { SearchTooBroad } from '@/components/data-table/search-too-broad';
import { TableAddress } from '@/components/data-table/table-address';
import { ExecutionsTable } from '@/components/execution/executions-table';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireReader } from '@/lib/access/actor';
import { deskContext } from '@/lib/review/desk-context';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listExecutions } from '@/lib/review/list-executions';
import { listOperations } from '@/lib/review/list-operations';
import { listTenants } from '@/lib/review/list-tenants';
import { orNull } from '@/lib/review/or-null';
import { readContext } from '@/lib/review/read-context';
import { recordSearch } from '@/lib/review/record-search';
import { BROADEST_SEARCH } from '@/lib/review/search-scope';
import { ExecutionsFilters } from './executions-filters';
import { readExecutionsAddress, writeExecutionsAddress } from './search-params';

const DEFAULT_SORT = '-created';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('executions'))('title') };
}

export default async function ExecutionsPage({ searchParams }: PageProps<'/executions'>) {
  const reader = await requireReader();
  const { actor } = reader;
  const t = await getTranslations('executions');
  const read = readExecutionsAddress(await searchParams);
  if (read.kind === 'misread')
    return <AddressRefusal title={t('title')} names={read.names} restart="/executions" />;
  const { address, filter } = read;
  const ctx = readContext(actor);
  await recordSearch(deskContext(reader), 'executions', filter.text);
  const [answer, operations, tenants] = await Promise.all([
    listExecutions(ctx, {
      filter,
      sort: address.sort ?? DEFAULT_SORT,
      cursor: address.cursor,
      size: PAGE_SIZE,
    }),
    orNull('operations', listOperations(ctx)),
    orNull('tenants', listTenants(ctx)),
  ]);
  if (answer.kind === 'cursor-refused') {
    return (
      <AddressRefusal
        title={t('title')}
        restart={`/executions${writeExecutionsAddress({ ...address, cursor: null })}`}
      />
    );
  }
  const narrowed =
    filter.text !== '' || [filter.states, filter.operations, filter.tenants].some((each) => each.length > 0);
  return (
    <TableAddress>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={<LiveRefresh renderedAt={new Date().toISOString()} />}
      />
      <ExecutionsFilters operations={operations ?? []} tenants={tenants ?? []} defaultSort={DEFAULT_SORT} />
      {answer.kind === 'page' ? (
        <>
          <ExecutionsTable
            rows={answer.rows}
            defaultSort={DEFAULT_SORT}
            empty={
              narrowed ? (
                <EmptyState
                  icon={FilterX}
                  title={t('empty.filtered')}
                  body={t('empty.filteredBody')}
                  action={
                    <LinkButton href="/executions">
                      {(await getTranslations('common.table'))('clear')}
                    </LinkButton>
                  }
                />
              ) : (
                <EmptyState
                  icon={Layers}
                  title={t('empty.none')}
                  body={t('empty.noneBody')}
                  action={<LinkButton href="/docs">{t('empty.docs')}</LinkButton>}
                />
              )
            }
          />
          <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
        </>
      ) : (
        <SearchTooBroad limit={BROADEST_SEARCH} />
      )}
    </TableAddress>
  );
}
