import { KeyRound } from 'lucide-react';
import { type Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { NewToken } from '@/components/admin/new-token';
import { type TokenActions } from '@/components/admin/token-acts';
import { TokensTable } from '@/components/admin/tokens-table';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { ClearFilters } from '@/components/data-table/clear-filters';
import { FilterMenu } from '@/components/data-table/filter-menu';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { TOKEN_STATES } from '@/lib/domain/token-row';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listTenants } from '@/lib/review/list-tenants';
import { readContext } from '@/lib/review/read-context';
import { listPrincipals, listTokens } from '@/lib/review/tokens/list-tokens';
import { createTokenAction, revokeTokenAction, rotateTokenAction, settleTokenAction } from './actions';
import { readTokenAddress, tokenAddress } from './search-params';

const ACTIONS: TokenActions = {
  rotate: rotateTokenAction,
  revoke: revokeTokenAction,
  settle: settleTokenAction,
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.tokens'))('title') };
}

export default async function TokensPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const t = await getTranslations('admin');
  const read = readTokenAddress(await searchParams);
  if (read.kind === 'misread')
    return <AddressRefusal title={t('tokens.title')} names={read.names} restart="/admin/tokens" />;
  const { address } = read;
  const ctx = readContext(actor);
  const answer = await listTokens(ctx, { states: address.state, cursor: address.cursor, size: PAGE_SIZE });
  if (answer.kind === 'forbidden') notFound();
  if (answer.kind === 'cursor-refused')
    return (
      <AddressRefusal
        title={t('tokens.title')}
        restart={`/admin/tokens${tokenAddress({ ...address, cursor: null })}`}
      />
    );
  const [tenants, principals] = await Promise.all([listTenants(ctx), listPrincipals(ctx)]);
  const narrowed = address.state.length > 0;
  return (
    <TableAddress>
      <PageHeader
        title={t('tokens.title')}
        lead={t('tokens.lead')}
        actions={
          <>
            <LinkButton href="/admin/people">{t('people.title')}</LinkButton>
            <NewToken
              tenants={tenants}
              principals={principals}
              create={createTokenAction}
              settle={settleTokenAction}
            />
          </>
        }
      />
      <div className="flex flex-wrap gap-2 px-4 pb-3 md:px-6">
        <FilterMenu
          name="state"
          label={t('tokens.column.state')}
          multiple
          choices={TOKEN_STATES.map((value) => ({ value, label: t(`tokens.state.${value}`) }))}
        />
        <ClearFilters names={['state']} />
      </div>
      <TokensTable
        rows={answer.rows}
        actions={ACTIONS}
        empty={
          <EmptyState
            icon={KeyRound}
            title={t(narrowed ? 'empty.filtered' : 'tokens.none')}
            body={t(narrowed ? 'empty.filteredBody' : 'tokens.noneBody')}
            {...(narrowed
              ? {
                  action: (
                    <LinkButton href="/admin/tokens">
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
