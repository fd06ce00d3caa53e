import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type SearchParams } from 'nuqs/server';
import { ConnectorForm } from '@/components/connector/connector-form';
import { StartPanel } from '@/components/connector/start-panel';
import { ScrollPage } from '@/components/shell/scroll-page';
import { PageHeader } from '@/components/ui/page-header';
import { requireActor } from '@/lib/access/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import { servesAllTenants } from '@/lib/review/connectors/serves-all-tenants';
import { startConnector } from '@/lib/review/connectors/start-connector';
import { listTenants } from '@/lib/review/list-tenants';
import { readContext } from '@/lib/review/read-context';
import { CONNECTOR_ACTIONS } from '../connectors/connector-actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('connectors'))('new') };
}

/** The first value of each member of the address. */
async function readAddress(searchParams: Promise<SearchParams>): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(await searchParams).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}

export default async function NewConnectorPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor();
  if (!hasRoleFor(actor, 'connector.manage')) notFound();
  const ctx = readContext(actor);
  const { from = null, of = null, ...settings } = await readAddress(searchParams);
  const [tenants, mayServeAll, start, t] = await Promise.all([
    listTenants(ctx),
    servesAllTenants(ctx),
    startConnector(ctx, { from, of, settings }),
    getTranslations('connectors'),
  ]);
  // Null while it is still to be chosen.
  const begins = start.from === 'empty' ? undefined : 'recipe' in start ? start.recipe : null;
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/admin/connectors">← {t('title')}</Link>}
        title={t('form.newTitle')}
        lead={t('form.lead')}
      />
      {begins === null ? (
        <div className="flex-1 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6">
          <StartPanel start={start} />
        </div>
      ) : (
        <ConnectorForm
          // Another start is another form.
          key={JSON.stringify([from, of, settings])}
          connector={null}
          begins={begins}
          tenants={tenants}
          mayServeAll={mayServeAll}
          actions={CONNECTOR_ACTIONS}
        >
          <StartPanel start={start} />
        </ConnectorForm>
      )}
    </ScrollPage>
  );
}
