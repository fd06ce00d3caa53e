import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { OperationPolicyForm } from '@/components/policy/operation-policy-form';
import { policyAddress } from '@/components/policy/policy-address';
import { SectionLinks } from '@/components/policy/section-links';
import { ScrollPage } from '@/components/shell/scroll-page';
import { VisibleText } from '@/components/text/visible-text';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { visibleText } from '@/lib/domain/visible-text';
import { listAuthorities } from '@/lib/review/people/get-person';
import { getPolicies, listConnectorIds } from '@/lib/review/policies/get-policies';
import { readContext } from '@/lib/review/read-context';
import { proposeOperationPolicyAction, settlePolicyAction } from '../actions';
import { loadOperationAddress } from '../search-params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('policies.page'))('change') };
}

export default async function ChangePolicyPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  const { tenant: tenantId, operation } = await loadOperationAddress(searchParams);
  const ctx = readContext(actor);
  const found = await getPolicies(ctx, { tenantId, operation });
  if (found === null || !found.mayChange) notFound();
  const [authorities, connectors, t] = await Promise.all([
    listAuthorities(ctx),
    listConnectorIds(ctx, tenantId),
    getTranslations('policies.form'),
  ]);
  const { version, content, proposal } = found.operation;
  const shown = visibleText(operation);
  return (
    <ScrollPage>
      <PageHeader
        back={
          <Link href={policyAddress('operation', tenantId, operation)}>
            ← <VisibleText text={operation} />
          </Link>
        }
        title={t(version === 0 ? 'titleFirst' : 'title', { operation: shown })}
        lead={t('lead')}
        badges={
          <span className="text-xs text-ink-muted">
            <VisibleText text={found.approval.tenantName} />
          </span>
        }
      />
      <div className="grid flex-1 content-start gap-x-6 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 lg:grid-cols-[11rem_minmax(0,56rem)]">
        <SectionLinks />
        <div className="flex min-w-0 flex-col gap-3.5">
          {proposal !== null && <Notice tone="caution">{t('inFlight')}</Notice>}
          <OperationPolicyForm
            tenantId={tenantId}
            operation={operation}
            version={version}
            content={content}
            known={{ authorities, connectors }}
            propose={proposeOperationPolicyAction}
            settle={settlePolicyAction}
          />
        </div>
      </div>
    </ScrollPage>
  );
}
