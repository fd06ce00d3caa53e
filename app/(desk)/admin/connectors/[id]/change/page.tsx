import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ConnectorForm } from '@/components/connector/connector-form';
import { ScrollPage } from '@/components/shell/scroll-page';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { getConnector } from '@/lib/review/connectors/get-connector';
import { readContext } from '@/lib/review/read-context';
import { CONNECTOR_ACTIONS } from '../../connector-actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('connectors'))('title') };
}

export default async function ChangeConnectorPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor();
  const view = await getConnector(readContext(actor), (await params).id);
  if (view === null || view.version === 0) notFound();
  const t = await getTranslations('connectors');
  const { connectorId, tenantId, version, retired, recipe } = view;
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href={`/admin/connectors/${connectorId}`}>← {connectorId}</Link>}
        title={t('form.changeTitle', { name: connectorId })}
        lead={t('form.lead')}
      />
      <ConnectorForm
        connector={{ connectorId, tenantId, version, retired, recipe }}
        tenants={[]}
        mayServeAll={false}
        actions={CONNECTOR_ACTIONS}
      />
    </ScrollPage>
  );
}
