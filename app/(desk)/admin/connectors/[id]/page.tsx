import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ChangeLink } from '@/components/connector/change-link';
import { ConnectorHistory } from '@/components/connector/connector-history';
import { ConnectorProposal } from '@/components/connector/connector-proposal';
import { ConnectorStateBadge } from '@/components/connector/connector-state';
import { RecipeText } from '@/components/connector/recipe-text';
import { RetireConnector } from '@/components/connector/retire-connector';
import { TrialPanel } from '@/components/connector/trial-panel';
import { ScrollPage } from '@/components/shell/scroll-page';
import { VisibleText } from '@/components/text/visible-text';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { getConnector } from '@/lib/review/connectors/get-connector';
import { readContext } from '@/lib/review/read-context';
import { CONNECTOR_ACTIONS } from '../connector-actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('connectors'))('title') };
}

export default async function ConnectorPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor();
  const view = await getConnector(readContext(actor), (await params).id);
  if (view === null) notFound();
  const t = await getTranslations('connectors');
  const { connectorId, tenantName, version, retired, proposal } = view;
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/admin/connectors">← {t('title')}</Link>}
        title={connectorId}
        badges={<ConnectorStateBadge version={version} retired={retired} />}
        actions={
          version > 0 && (
            <>
              <RetireConnector view={view} actions={CONNECTOR_ACTIONS} />
              <ChangeLink view={view} />
            </>
          )
        }
      />
      <div className="grid flex-1 content-start items-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {proposal !== null && (
            <ConnectorProposal
              inForce={version === 0 ? null : view}
              proposal={proposal}
              me={actor.personId}
              actions={CONNECTOR_ACTIONS}
            />
          )}
          {version > 0 && (
            <Panel
              title={t('whatItSays')}
              aside={
                <>
                  {tenantName === null ? t('everyTenant') : <VisibleText text={tenantName} />}
                  {' · '}
                  {t('version', { version })}
                </>
              }
            >
              <div className="flex flex-col gap-3">
                {retired && <Notice tone="caution">{t('retiredNotice')}</Notice>}
                {view.allowPrivate && <Notice tone="quiet">{t('allowPrivate')}</Notice>}
                <RecipeText recipe={view.recipe} />
                <section className="border-t border-line pt-3 text-sm">
                  <h3 className="text-xs font-semibold">{t('operations')}</h3>
                  <p className="mt-1">
                    {view.operations.length === 0 ? (
                      <span className="text-ink-muted">{t('operationsNone')}</span>
                    ) : (
                      <VisibleText text={view.operations.join(' · ')} />
                    )}
                  </p>
                </section>
              </div>
            </Panel>
          )}
          <ConnectorHistory versions={view.versions} />
        </div>
        <aside className="min-w-0">
          <TrialPanel
            connectorId={connectorId}
            tenantId={view.tenantId}
            recipe={version === 0 ? proposal?.content.recipe : view.recipe}
            draft={null}
            tryIt={CONNECTOR_ACTIONS.tryIt}
          />
        </aside>
      </div>
    </ScrollPage>
  );
}
