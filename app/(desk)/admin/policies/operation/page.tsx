import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { type PolicyActions } from '@/components/admin/policy-actions';
import { PolicyPanel } from '@/components/admin/policy-panel';
import { GuidePanel } from '@/components/exception-detail/guide-panel';
import { OperationPolicyPanel } from '@/components/policy/operation-policy-panel';
import { guideForm } from '@/components/policy/policy-address';
import { PolicyHistory } from '@/components/policy/policy-history';
import { ScrollPage } from '@/components/shell/scroll-page';
import { VisibleText } from '@/components/text/visible-text';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { listAuthorities } from '@/lib/review/people/get-person';
import { getPolicies, getPolicyContent } from '@/lib/review/policies/get-policies';
import { readContext } from '@/lib/review/read-context';
import { decidePolicyAction, proposePolicyAction, settlePolicyAction } from '../actions';
import { loadOperationAddress } from '../search-params';

const ACTIONS: PolicyActions = {
  propose: proposePolicyAction,
  decide: decidePolicyAction,
  settle: settlePolicyAction,
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('policies.page'))('metaTitle') };
}

export default async function PolicyPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const { tenant: tenantId, operation, from, to } = await loadOperationAddress(searchParams);
  const ctx = readContext(actor);
  const place = { tenantId, operation };
  const found = await getPolicies(ctx, place);
  if (found === null) notFound();
  const [authorities, t, before, after] = await Promise.all([
    listAuthorities(ctx),
    getTranslations('policies.page'),
    from === null ? null : getPolicyContent(ctx, place, from),
    to === null ? null : getPolicyContent(ctx, place, to),
  ]);
  const contents = before !== null && after !== null ? ([before, after] as const) : null;
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/admin/policies">← {t('back')}</Link>}
        title={<VisibleText text={operation} />}
        badges={
          <span className="text-xs text-ink-muted">
            <VisibleText text={found.approval.tenantName} />
          </span>
        }
      />
      <div className="grid flex-1 content-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <OperationPolicyPanel
            {...place}
            view={found.operation}
            me={actor.personId}
            mayChange={found.mayChange}
            decide={ACTIONS.decide}
            settle={ACTIONS.settle}
          />
          <PolicyHistory
            {...place}
            history={found.operation.history}
            comparison={from === null || to === null ? null : { from, to, contents }}
          />
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          <PolicyPanel
            row={found.approval}
            me={actor.personId}
            mayChange={found.mayChange}
            authorities={authorities}
            actions={ACTIONS}
          />
          <GuidePanel guide={found.operation.content.guide} writeAt={guideForm(actor, tenantId, operation)} />
        </aside>
      </div>
    </ScrollPage>
  );
}
