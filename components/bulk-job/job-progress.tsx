import { useFormatter, useTranslations } from 'next-intl';
import { percentDone, ROW_STATES, type JobSums } from '@/lib/domain/bulk-job';
import { FactList } from '../ui/fact-list';

const FIGURE = { PENDING: 'pending', DONE: 'done', REFUSED: 'refused', FAILED: 'failed' } as const;

/** How far a job is: a bar for the eyes and for assistive technology, and where each of its rows is. */
export function JobProgress({ sums }: { sums: JobSums }) {
  const t = useTranslations('bulk');
  const format = useFormatter();
  const text = t('progress.text', {
    ended: format.number(sums.rowCount - sums.pending),
    total: format.number(sums.rowCount),
    percent: percentDone(sums),
  });
  return (
    <div className="flex flex-col gap-3">
      <div
        role="progressbar"
        aria-label={t('progress.label')}
        aria-valuemin={0}
        aria-valuemax={sums.rowCount}
        aria-valuenow={sums.rowCount - sums.pending}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full bg-sunken ring-1 ring-line-control"
      >
        <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
          <rect width={percentDone(sums)} height="1" className="fill-accent-strong" />
        </svg>
      </div>
      <p role="status" className="tabular text-sm font-medium">
        {text}
      </p>
      <FactList
        absent="0"
        className="sm:grid-cols-4"
        facts={ROW_STATES.map((state) => ({
          term: t(`rowState.${state}`),
          value: <span className="tabular">{format.number(sums[FIGURE[state]])}</span>,
        }))}
      />
    </div>
  );
}
