import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { type JobLine } from '@/lib/domain/bulk-job';
import { visibleText } from '@/lib/domain/visible-text';
import { Instant } from '../time/instant';
import { Cell, HeadCell, Table } from '../ui/table';
import { JobStateBadge } from './job-state-badge';

/** Bulk jobs, each with the way to its own page. */
export function JobsTable({ jobs }: { jobs: readonly JobLine[] }) {
  const t = useTranslations('bulk');
  const format = useFormatter();
  return (
    <Table caption={t('title')} wide>
      <thead>
        <tr>
          <HeadCell>{t('column.job')}</HeadCell>
          <HeadCell>{t('column.state')}</HeadCell>
          <HeadCell>{t('column.progress')}</HeadCell>
          <HeadCell>{t('column.by')}</HeadCell>
          <HeadCell>{t('column.at')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.jobId}>
            <Cell>
              <Link href={`/queue/jobs/${job.jobId}`} className="font-medium underline underline-offset-3">
                {t(`heading.${job.act}`, { count: job.rowCount })}
              </Link>
            </Cell>
            <Cell>
              <JobStateBadge state={job.state} />
            </Cell>
            <Cell className="tabular">
              {format.number(job.rowCount - job.pending)} / {format.number(job.rowCount)}
            </Cell>
            <Cell>{visibleText(job.startedBy.displayName)}</Cell>
            <Cell>
              <Instant at={job.preparedAt} look="ago" />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
