import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReportLine } from '@/lib/domain/incident-view';
import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';

/** The reports that were judged for this outage, newest first. */
export function ReportsList({ incidentId, reports }: { incidentId: string; reports: readonly ReportLine[] }) {
  const t = useTranslations('incidents');
  return (
    <Panel title={t('reports')}>
      {reports.length === 0 ? (
        <p className="text-sm text-ink-muted">{t('noReports')}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {reports.map((report) => (
            <li key={report.reportId}>
              <Link
                href={`/queue/incidents/${incidentId}/reports/${report.reportId}`}
                className="font-medium underline underline-offset-3"
              >
                <VisibleText text={report.fileName} />
              </Link>{' '}
              <span className="text-ink-muted">
                {t.rich('reportLine', {
                  state: t(`state.${report.state}`),
                  count: report.rows,
                  operation: visibleText(report.operation),
                  who: visibleText(report.judgedBy.displayName),
                  time: () => <Instant at={report.judgedAt} />,
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
