import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { type JobActions } from '@/components/bulk-job/job-actions';
import { JobFacts } from '@/components/bulk-job/job-facts';
import { JobProgress } from '@/components/bulk-job/job-progress';
import { JobRows } from '@/components/bulk-job/job-rows';
import { JobStateBadge } from '@/components/bulk-job/job-state-badge';
import { JobSteps } from '@/components/bulk-job/job-steps';
import { RowStates } from '@/components/bulk-job/row-states';
import { WatchPage } from '@/components/exception-detail/watch-page';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { Instant } from '@/components/time/instant';
import { Button } from '@/components/ui/button';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { ROW_STATES } from '@/lib/domain/bulk-job';
import { visibleText } from '@/lib/domain/visible-text';
import { getBulkJob } from '@/lib/review/bulk/get-bulk-job';
import { readContext } from '@/lib/review/read-context';
import { prepareBulkJobAction, settleBulkJobAction, steerBulkJobAction } from '../actions';

const ACTIONS: JobActions = {
  prepare: prepareBulkJobAction,
  steer: steerBulkJobAction,
  settle: settleBulkJobAction,
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('bulk'))('title') };
}

export default async function BulkJobPage({ params, searchParams }: PageProps<'/queue/jobs/[id]'>) {
  const actor = await requireActor();
  const asked = await searchParams;
  const state = ROW_STATES.find((each) => each === asked['state']) ?? null;
  const after = /^\d{1,6}$/.test(String(asked['after'])) ? Number(asked['after']) : 0;
  const job = await getBulkJob(readContext(actor), (await params).id, { state, after });
  if (job === null) notFound();
  const t = await getTranslations('bulk');
  const here = `/queue/jobs/${job.jobId}`;
  return (
    <ScrollPage>
      <PageHeader
        back={<Link href="/queue/jobs">← {t('back')}</Link>}
        title={t(`heading.${job.act}`, { count: job.rowCount })}
        actions={<LiveRefresh renderedAt={job.now} />}
      />
      <WatchPage active={job.state === 'RUNNING'} />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-4 text-sm md:px-6">
        <JobStateBadge state={job.state} />
        <span>
          {t.rich('line', {
            who: visibleText(job.startedBy.displayName),
            tenant: visibleText(job.tenantName),
            time: () => <Instant at={job.preparedAt} look="full" />,
          })}
        </span>
      </p>
      <div className="grid flex-1 content-start items-start gap-x-5 gap-y-4 border-t border-line bg-canvas px-4 pt-4 pb-10 md:px-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('progress.title')}>
            <JobProgress sums={job} />
          </Panel>
          <Panel
            title={t('rows.title')}
            aside={
              <form method="post" action={`${here}/rows`} data-screen-only>
                <Button type="submit" size="sm">
                  {t('steps.export')}
                </Button>
              </form>
            }
          >
            <RowStates here={here} chosen={state} />
            <JobRows rows={job.rows} />
            {job.next !== null && (
              <div className="mt-3">
                <LinkButton
                  size="sm"
                  href={`${here}?after=${job.next}${state === null ? '' : `&state=${state}`}`}
                >
                  {t('rows.more')}
                </LinkButton>
              </div>
            )}
          </Panel>
        </div>
        <aside className="flex min-w-0 flex-col gap-4 max-xl:order-first">
          <Panel title={t(job.state === 'PREVIEW' ? 'preview.title' : 'steps.title')}>
            <JobSteps job={job} actions={ACTIONS} />
          </Panel>
          <Panel title={t('frozen.title')}>
            <JobFacts job={job} />
          </Panel>
        </aside>
      </div>
    </ScrollPage>
  );
}
