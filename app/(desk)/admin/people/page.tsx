import { Users } from 'lucide-react';
import { type Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { InviteDialog } from '@/components/admin/invite-dialog';
import { PeopleTable } from '@/components/admin/people-table';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { PERSON_STATES } from '@/lib/domain/person-row';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listTenants } from '@/lib/review/list-tenants';
import { listAuthorities } from '@/lib/review/people/get-person';
import { listPeople } from '@/lib/review/people/list-people';
import { readContext } from '@/lib/review/read-context';
import { invitePersonAction, settlePeopleAction } from './actions';
import { readPeopleAddress, peopleAddress } from './search-params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.people'))('title') };
}

export default async function PeoplePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const t = await getTranslations('admin');
  const tConnectors = await getTranslations('connectors');
  const tPolicies = await getTranslations('policies.list');
  const read = readPeopleAddress(await searchParams);
  if (read.kind === 'misread')
    return <AddressRefusal title={t('people.title')} names={read.names} restart="/admin/people" />;
  const { address } = read;
  const ctx = readContext(actor);
  const answer = await listPeople(ctx, { states: address.state, cursor: address.cursor, size: PAGE_SIZE });
  if (answer.kind === 'forbidden') notFound();
  if (answer.kind === 'cursor-refused')
    return (
      <AddressRefusal
        title={t('people.title')}
        restart={`/admin/people${peopleAddress({ ...address, cursor: null })}`}
      />
    );
  const [authorities, tenants] = await Promise.all([listAuthorities(ctx), listTenants(ctx)]);
  const narrowed = address.state.length > 0;
  return (
    <TableAddress>
      <PageHeader
        title={t('people.title')}
        lead={t('people.lead')}
        actions={
          <>
            <LinkButton href="/admin/connectors">{tConnectors('title')}</LinkButton>
            <LinkButton href="/admin/policies">{tPolicies('title')}</LinkButton>
            <LinkButton href="/admin/tokens">{t('tokens.title')}</LinkButton>
            <LinkButton href="/admin/assignment">{t('assignment.title')}</LinkButton>
            <InviteDialog
              authorities={authorities}
              tenants={tenants}
              invite={invitePersonAction}
              settle={settlePeopleAction}
            />
          </>
        }
      />
      <div className="flex flex-wrap gap-2 px-4 pb-3 md:px-6">
        <FilterMenu
          name="state"
          label={t('people.column.state')}
          multiple
          choices={PERSON_STATES.map((value) => ({ value, label: t(`personState.${value}`) }))}
        />
        <ClearFilters names={['state']} />
      </div>
      <PeopleTable
        rows={answer.rows}
        me={actor.personId}
        empty={
          <EmptyState
            icon={Users}
            title={t(narrowed ? 'empty.filtered' : 'people.none')}
            body={t(narrowed ? 'empty.filteredBody' : 'people.noneBody')}
            {...(narrowed
              ? {
                  action: (
                    <LinkButton href="/admin/people">
                      {(await getTranslations('common.table'))('clear')}
                    </LinkButton>
                  ),
                }
              : {})}
          />
        }
      />
      <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
    </TableAddress>
  );
}
