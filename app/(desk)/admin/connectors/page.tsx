import { Cable } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { ConnectorsTable } from '@/components/connector/connectors-table';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { listConnectors } from '@/lib/review/connectors/list-connectors';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { readContext } from '@/lib/review/read-context';
import { loadConnectorAddress } from './search-params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('connectors'))('title') };
}

export default async function ConnectorsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const { cursor } = await loadConnectorAddress(searchParams);
  const answer = await listConnectors(readContext(actor), { cursor, size: PAGE_SIZE });
  const t = await getTranslations('connectors');
  if (answer.kind === 'forbidden') notFound();
  if (answer.kind === 'cursor-refused')
    return <AddressRefusal title={t('title')} restart="/admin/connectors" />;
  return (
    <TableAddress>
      <PageHeader
        back={<Link href="/admin/people">← {t('back')}</Link>}
        title={t('title')}
        lead={t('lead')}
        actions={
          <LinkButton look="primary" size="sm" href="/admin/new-connector">
            {t('new')}
          </LinkButton>
        }
      />
      <ConnectorsTable
        rows={answer.rows}
        empty={<EmptyState icon={Cable} title={t('none')} body={t('noneBody')} />}
      />
      <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
    </TableAddress>
  );
}
