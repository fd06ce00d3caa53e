import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { LookUpMembers } from '@/components/incident/look-up-members';
import { MembersTable } from '@/components/incident/members-table';
import { ReportForm } from '@/components/incident/report-form';
import { ReportsList } from '@/components/incident/reports-list';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { Instant } from '@/components/time/instant';
import { LinkButton } from '@/components/ui/link-button';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { visibleText } from '@/lib/domain/visible-text';
import { getIncident } from '@/lib/review/incidents/get-incident';
import { readContext } from '@/lib/review/read-context';
import { lookUpIncidentAction, settleIncidentAction } from '../actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('incidents'))('title') };
}

export default async function IncidentPage({ params, searchParams }: PageProps<'/queue/incidents/[id]'>) {
  const actor = await requireActor();
  const { after } = await searchParams;
  const incident = await getIncident(
    readContext(actor),
    (await params).id,
    typeof after === 'string' ? after : null,
  );
  if (incident === null) notFound();
  const t = await getTranslations('incidents');
  const { incidentId, open, members, system, tenantName, since, state, closedAt, next } = incident;
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/queue">← {t('back')}</Link>}
        title={t('heading', { system: visibleText(system) })}
        actions={<LiveRefresh renderedAt={incident.now} />}
      />
      <div className="flex flex-col gap-2 px-4 pb-4 text-sm md:px-6">
        <p>
          {t.rich('line', {
            open,
            members,
            tenant: visibleText(tenantName),
            time: () => <Instant at={since} look="full" />,
          })}
        </p>
        {state === 'CLOSED' && closedAt !== null && (
          <Notice tone="confirmed">
            {t.rich('closed', { time: () => <Instant at={closedAt} look="full" /> })}
          </Notice>
        )}
      </div>
      <div className="grid flex-1 content-start items-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_28rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('members')} aside={t('membersAside', { open, members })}>
            <MembersTable members={incident.page} caption={t('members')} />
            {next !== null && (
              <div className="mt-3">
                <LinkButton size="sm" href={`/queue/incidents/${incidentId}?after=${next}`}>
                  {t('more')}
                </LinkButton>
              </div>
            )}
          </Panel>
          <ReportsList incidentId={incidentId} reports={incident.reports} />
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          <Panel title={t('lookUpTitle')}>
            <LookUpMembers
              incidentId={incidentId}
              refusal={incident.actRefusal}
              actions={{ lookUp: lookUpIncidentAction, settle: settleIncidentAction }}
            />
          </Panel>
          <Panel title={t('form.title')}>
            <ReportForm
              incidentId={incidentId}
              operations={incident.operations}
              refusal={incident.actRefusal}
              settle={settleIncidentAction}
            />
          </Panel>
        </aside>
      </div>
    </ScrollPage>
  );
}
