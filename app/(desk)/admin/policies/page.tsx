import { Scale } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { FindOperation } from '@/components/policy/find-operation';
import { PolicyCard } from '@/components/policy/policy-card';
import { ScrollPage } from '@/components/shell/scroll-page';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listTenants } from '@/lib/review/list-tenants';
import { listPolicies } from '@/lib/review/policies/list-policies';
import { readContext } from '@/lib/review/read-context';
import { loadPolicyAddress } from './search-params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('policies.list'))('title') };
}

export default async function PoliciesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const { cursor } = await loadPolicyAddress(searchParams);
  const ctx = readContext(actor);
  const answer = await listPolicies(ctx, { cursor, size: PAGE_SIZE });
  const t = await getTranslations('policies.list');
  if (answer.kind === 'cursor-refused')
    return <AddressRefusal title={t('title')} restart="/admin/policies" />;
  const tenants = await listTenants(ctx);
  return (
    <TableAddress>
      <ScrollPage>
        <PageHeader
          back={<Link href="/approvals">← {t('back')}</Link>}
          title={t('title')}
          lead={t(answer.mayChange ? 'lead' : 'leadRead')}
        />
        <div className="flex flex-1 flex-col gap-4 border-t border-line bg-canvas px-4 py-4 md:px-6">
          {answer.rows.length === 0 && <EmptyState icon={Scale} title={t('none')} body={t('noneBody')} />}
          <ul className="grid gap-4 xl:grid-cols-2">
            {answer.rows.map((row) => (
              <PolicyCard key={`${row.tenantId} ${row.operation}`} row={row} />
            ))}
          </ul>
          <FindOperation tenants={tenants} />
        </div>
        <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
      </ScrollPage>
    </TableAddress>
  );
}
