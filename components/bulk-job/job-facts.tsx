import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { type JobView } from '@/lib/domain/bulk-job';
import { visibleText } from '@/lib/domain/visible-text';
import { Instant } from '../time/instant';
import { FactList, type Fact } from '../ui/fact-list';

/** What the job is about: whom it asked for, what was frozen, and what every row is told. */
export function JobFacts({ job }: { job: JobView }) {
  const t = useTranslations('bulk.frozen');
  const format = useFormatter();
  const counts = { count: format.number(job.rowCount), matched: format.number(job.matched) };
  const told: Fact[] = [];
  if (job.act === 'assign')
    told.push({
      term: t('to'),
      value: job.assignee === null ? t('nobody') : visibleText(job.assignee.displayName),
    });
  if (job.until !== null) told.push({ term: t('until'), value: <Instant at={job.until} look="full" /> });
  if (job.place !== null) told.push({ term: t('place'), value: visibleText(job.place), wide: true });
  return (
    <FactList
      absent={t('noText')}
      className="sm:grid-cols-2"
      facts={[
        ...told,
        {
          term: t('matched'),
          value: job.matched > job.rowCount ? t('capped', counts) : counts.matched,
          wide: job.matched > job.rowCount,
        },
        { term: t('filter'), value: <Filter job={job} />, wide: true },
        ...(job.words === null ? [] : [{ term: t('words'), value: visibleText(job.words), wide: true }]),
      ]}
    />
  );
}

function Filter({ job }: { job: JobView }) {
  const t = useTranslations('bulk.frozen');
  if (job.retryOf !== null)
    return (
      <Link href={`/queue/jobs/${job.retryOf}`} className="underline underline-offset-3">
        {t('retry')}
      </Link>
    );
  if (job.filter === null) return t('none');
  if (job.filter === '') return t('noText');
  return (
    <>
      <code className="block text-xs">{visibleText(decodeURIComponent(job.filter))}</code>
      <Link href={`/queue${job.filter}`} className="text-xs underline underline-offset-3">
        {t('open')}
      </Link>
    </>
  );
}
