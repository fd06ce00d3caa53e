import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { type JobLine } from '@/lib/domain/bulk-job';
import { Notice } from '../ui/notice';

/** Bulk jobs that are under way, above the queue that they change. */
export function JobBand({ jobs }: { jobs: readonly JobLine[] }) {
  const t = useTranslations('bulk.band');
  const format = useFormatter();
  if (jobs.length === 0) return null;
  return (
    <div className="px-4 pb-3 md:px-6">
      <Notice tone="progress">
        <ul className="flex flex-col gap-1">
          {jobs.map(({ jobId, state, rowCount, pending }) => (
            <li key={jobId} className="tabular">
              {t(state === 'PAUSED' ? 'paused' : 'running', {
                ended: format.number(rowCount - pending),
                total: format.number(rowCount),
              })}{' '}
              <Link href={`/queue/jobs/${jobId}`} className="underline underline-offset-3">
                {t('link')}
              </Link>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
