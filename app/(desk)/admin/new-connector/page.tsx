import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ConnectorForm } from '@/components/connector/connector-form';
import { ScrollPage } from '@/components/shell/scroll-page';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import { servesAllTenants } from '@/lib/review/connectors/serves-all-tenants';
import { listTenants } from '@/lib/review/list-tenants';
import { readContext } from '@/lib/review/read-context';
import { CONNECTOR_ACTIONS } from '../connectors/connector-actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('connectors'))('new') };
}

export default async function NewConnectorPage() {
  const actor = await requireActor();
  if (!hasRoleFor(actor, 'connector.manage')) notFound();
  const ctx = readContext(actor);
  const [tenants, mayServeAll, t] = await Promise.all([
    listTenants(ctx),
    servesAllTenants(ctx),
    getTranslations('connectors'),
  ]);
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/admin/connectors">← {t('title')}</Link>}
        title={t('form.newTitle')}
        lead={t('form.lead')}
      />
      <ConnectorForm
        connector={null}
        tenants={tenants}
        mayServeAll={mayServeAll}
        actions={CONNECTOR_ACTIONS}
      />
    </ScrollPage>
  );
}
