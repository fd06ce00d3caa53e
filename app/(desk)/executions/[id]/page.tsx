import { ArrowLeft } from 'lucide-react';
import { type Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { AuditLink } from '@/components/audit/audit-link';
import { AttemptsTable } from '@/components/execution/attempts-table';
import { BusinessView } from '@/components/execution/business-view';
import { DisplayFields } from '@/components/execution/display-fields';
import { ExecutionExceptions } from '@/components/execution/execution-exceptions';
import { ExecutionMarks } from '@/components/execution/execution-marks';
import { InputReference } from '@/components/execution/input-reference';
import { IntakesTable } from '@/components/execution/intakes-table';
import { LineageGraph } from '@/components/execution/lineage-graph';
import { LeaseFacts, RecordFacts } from '@/components/execution/record-facts';
import { ResultFacts } from '@/components/execution/result-facts';
import { StateBadge } from '@/components/execution/state-badge';
import { StepGraph } from '@/components/execution/step-graph';
import { LifeLine } from '@/components/life-line/life-line';
import { LiveRefresh } from '@/components/shell/live-refresh';
import { ScrollPage } from '@/components/shell/scroll-page';
import { VisibleText } from '@/components/text/visible-text';
import { ExceptionTimeline } from '@/components/timeline/exception-timeline';
import { Instant } from '@/components/time/instant';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { requireActor } from '@/lib/access/actor';
import { getExecution } from '@/lib/review/get-execution';
import { readContext } from '@/lib/review/read-context';
import { openInputAction, settleOperationAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('executions'))('detail.title') };
}

export default async function ExecutionPage({ params }: PageProps<'/executions/[id]'>) {
  const actor = await requireActor();
  const view = await getExecution(readContext(actor), (await params).id);
  if (view === null) notFound();
  const { record, arrivals, attempts, exceptions, steps, lineage } = view;
  const t = await getTranslations('executions');
  const tLineage = await getTranslations('executions.lineage');
  return (
    <ScrollPage>
      <PageHeader
        back={
          <Link href="/executions" className="inline-flex items-center gap-1 text-ink-muted hover:text-ink">
            <ArrowLeft aria-hidden className="size-3.5" />
            {t('detail.back')}
          </Link>
        }
        title={<VisibleText text={record.operation} />}
        badges={
          <>
            <StateBadge explain={record.supersededBy === null} state={record.state} />
            <ExecutionMarks
              underReview={record.underReview}
              superseded={record.supersededBy !== null}
              isReissue={record.reissueOf !== null}
            />
          </>
        }
        actions={
          <>
            <AuditLink about="execution" id={record.executionId} />
            <LiveRefresh renderedAt={view.now} />
          </>
        }
      />
      <p className="px-4 pb-3 text-sm md:px-6">
        {/* A proof is what the ledger demanded before it allowed a retry after the effect had started. */}
        <BusinessView
          state={record.state}
          before={record.expiredFrom}
          noEffectProven={record.effectStartedAt === null || record.failureBasis !== null}
          superseded={record.supersededBy !== null}
          attemptsLeft={record.attemptsSpent < record.attemptsAllowed}
          step={view.nextStep}
        />{' '}
        <span className="text-ink-faint">
          <Instant at={record.stateSince} look="ago" />
        </span>
      </p>
      <div className="grid items-start gap-4 px-4 pb-8 md:px-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <LifeLine facts={{ ...view, execution: record }} listId="story" />
          <Panel title={t('detail.asked')}>
            {Object.keys(record.display).length === 0 ? (
              <p className="text-sm text-ink-muted">
                {t(record.state === 'EXPIRED' ? 'detail.askedGone' : 'detail.askedNone')}
              </p>
            ) : (
              <DisplayFields fields={record.display} absent="null" />
            )}
          </Panel>
          {record.hasInput && (
            <InputReference
              executionId={record.executionId}
              refusal={view.inputRefusal}
              authority={view.authority}
              open={openInputAction}
              settle={settleOperationAction}
            />
          )}
          <Panel title={t('detail.facts')}>
            <RecordFacts record={record} />
          </Panel>
          <Panel
            title={t('detail.attempts')}
            aside={t('detail.attemptCount', { spent: record.attemptsSpent, allowed: record.attemptsAllowed })}
          >
            {attempts.length === 0 ? (
              <p className="text-sm text-ink-muted">{t('detail.attemptsNone')}</p>
            ) : (
              <AttemptsTable attempts={attempts} />
            )}
          </Panel>
          <Panel title={t('detail.intakes')} aside={t('detail.intakeCount', { count: arrivals.total })}>
            {arrivals.total === 0 ? (
              <p className="text-sm text-ink-muted">{t('detail.intakesNone')}</p>
            ) : (
              <IntakesTable intakes={arrivals.shown} />
            )}
            {arrivals.total > arrivals.shown.length && (
              <p className="mt-2 text-xs text-ink-muted">
                {t('detail.more', { count: arrivals.shown.length })}
              </p>
            )}
          </Panel>
          <ExceptionTimeline view={{ ...view, execution: record }} id="story" />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={t('detail.result')}>
            <ResultFacts record={record} />
          </Panel>
          <Panel title={t('detail.exceptions')}>
            <ExecutionExceptions exceptions={exceptions} label={t('detail.exceptions')} />
          </Panel>
          <Panel title={t('detail.leasing')}>
            <LeaseFacts record={record} />
          </Panel>
          <Panel
            title={tLineage('title')}
            {...(lineage.size > 1 && { aside: tLineage('count', { count: lineage.size }) })}
          >
            <LineageGraph lineage={lineage} />
          </Panel>
          <Panel title={t('detail.workflow')}>
            {steps.length === 0 ? (
              <p className="text-sm text-ink-muted">{t('detail.workflowNone')}</p>
            ) : (
              <StepGraph label={t('detail.workflow')} steps={steps} />
            )}
          </Panel>
        </div>
      </div>
    </ScrollPage>
  );
}
