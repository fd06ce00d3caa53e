import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { WatchPage } from '@/components/exception-detail/watch-page';
import { type IncidentActions } from '@/components/incident/incident-actions';
import { HeldUpNotice } from '@/components/incident/held-up-notice';
import { MembersTable } from '@/components/incident/members-table';
import { ReportActs } from '@/components/incident/report-acts';
import { ReportFacts } from '@/components/incident/report-facts';
import { ReportRows } from '@/components/incident/report-rows';
import { ReportSums } from '@/components/incident/report-sums';
import { SampleSheet } from '@/components/incident/sample-sheet';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { Button } from '@/components/ui/button';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { visibleText } from '@/lib/domain/visible-text';
import { getReport } from '@/lib/review/incidents/get-report';
import { readContext } from '@/lib/review/read-context';
import {
  checkSampleRowAction,
  decideReportAction,
  lookUpIncidentAction,
  proposeReportAction,
  settleIncidentAction,
} from '../../../actions';

const ACTIONS: IncidentActions = {
  lookUp: lookUpIncidentAction,
  propose: proposeReportAction,
  check: checkSampleRowAction,
  decide: decideReportAction,
  settle: settleIncidentAction,
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('incidents'))('reportTitle') };
}

export default async function ReportPage({
  params,
  searchParams,
}: PageProps<'/queue/incidents/[id]/reports/[report]'>) {
  const actor = await requireActor();
  const { after } = await searchParams;
  const { report: reportId } = await params;
  const from = typeof after === 'string' && /^\d{1,9}$/.test(after) ? Number(after) : 0;
  const report = await getReport(readContext(actor), reportId, from);
  if (report === null) notFound();
  const t = await getTranslations('incidents');
  const here = `/queue/incidents/${report.incidentId}/reports/${report.reportId}`;
  return (
    <ScrollPage>
      <WatchPage active={report.state === 'CONFIRMED'} />
      <PageHeader
        back={<Link href={`/queue/incidents/${report.incidentId}`}>← {t('backToIncident')}</Link>}
        title={visibleText(report.fileName)}
        lead={t(`stateLead.${report.state}`)}
        actions={<LiveRefresh renderedAt={report.now} />}
      />
      <div className="grid flex-1 content-start items-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('sums')}>
            {report.heldUp !== null && <HeldUpNotice heldUp={report.heldUp} />}
            <ReportSums report={report} />
          </Panel>
          <Panel
            title={t('rows')}
            aside={
              <form method="post" action={`${here}/rows`} data-screen-only>
                <Button type="submit" size="sm">
                  {t('export')}
                </Button>
              </form>
            }
          >
            <ReportRows rows={report.page} />
            {report.next !== null && (
              <div className="mt-3">
                <LinkButton size="sm" href={`${here}?after=${report.next}`}>
                  {t('more')}
                </LinkButton>
              </div>
            )}
          </Panel>
          {report.absentCount > 0 && (
            <Panel title={t('absent', { count: report.absentCount })}>
              <p className="mb-3 text-sm text-ink-muted">{t('absentHint')}</p>
              <MembersTable members={report.absent} caption={t('absent', { count: report.absentCount })} />
            </Panel>
          )}
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          <Panel title={t('facts')}>
            <div className="flex flex-col gap-4">
              <ReportFacts report={report} me={actor.personId} />
              <ReportActs report={report} me={actor.personId} actions={ACTIONS} />
            </div>
          </Panel>
          {report.sample.length > 0 && (
            <Panel title={t('sample.title')}>
              <SampleSheet report={report} me={actor.personId} actions={ACTIONS} />
            </Panel>
          )}
        </aside>
      </div>
    </ScrollPage>
  );
}
