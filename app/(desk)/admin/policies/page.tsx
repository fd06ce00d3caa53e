import { Scale } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { NewPolicy } from '@/components/admin/new-policy';
import { type PolicyActions } from '@/components/admin/policy-actions';
import { PolicyPanel } from '@/components/admin/policy-panel';
import { AddressRefusal } from '@/components/data-table/address-refusal';
import { Pager } from '@/components/data-table/pager';
import { TableAddress } from '@/components/data-table/table-address';
import { ScrollPage } from '@/components/shell/scroll-page';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { PAGE_SIZE } from '@/lib/review/keyset';
import { listTenants } from '@/lib/review/list-tenants';
import { listAuthorities } from '@/lib/review/people/get-person';
import { listPolicies } from '@/lib/review/policies/list-policies';
import { readContext } from '@/lib/review/read-context';
import { decidePolicyAction, proposePolicyAction, settlePolicyAction } from './actions';
import { loadPolicyAddress } from './search-params';

const ACTIONS: PolicyActions = {
  propose: proposePolicyAction,
  decide: decidePolicyAction,
  settle: settlePolicyAction,
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.policies'))('title') };
}

export default async function PoliciesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const { cursor } = await loadPolicyAddress(searchParams);
  const ctx = readContext(actor);
  const answer = await listPolicies(ctx, { cursor, size: PAGE_SIZE });
  const t = await getTranslations('admin.policies');
  if (answer.kind === 'cursor-refused')
    return <AddressRefusal title={t('title')} restart="/admin/policies" />;
  const [authorities, tenants] = await Promise.all([listAuthorities(ctx), listTenants(ctx)]);
  return (
    <TableAddress>
      <ScrollPage>
        <PageHeader
          back={<Link href="/approvals">← {t('back')}</Link>}
          title={t('title')}
          lead={t(answer.mayChange ? 'lead' : 'leadRead')}
          actions={
            answer.mayChange && <NewPolicy tenants={tenants} authorities={authorities} actions={ACTIONS} />
          }
        />
        <div className="flex flex-1 flex-col gap-4 border-t border-line bg-canvas px-4 py-4 md:px-6">
          {answer.rows.length === 0 && <EmptyState icon={Scale} title={t('none')} body={t('noneBody')} />}
          {answer.rows.map((row) => (
            <PolicyPanel
              key={`${row.tenantId} ${row.operation}`}
              row={row}
              me={actor.personId}
              mayChange={answer.mayChange}
              authorities={authorities}
              actions={ACTIONS}
            />
          ))}
        </div>
        <Pager shown={answer.rows.length} next={answer.next} previous={answer.previous} />
      </ScrollPage>
    </TableAddress>
  );
}
