import { useTranslations } from 'next-intl';
import { type ReportView } from '@/lib/domain/incident-view';
import { PersonTag } from '../person/person-tag';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';

/** Which file it is, until when it tells, and whose words it has. */
export function ReportFacts({ report, me }: { report: ReportView; me: string }) {
  const t = useTranslations('incidents.fact');
  return (
    <FactList
      absent="–"
      facts={[
        { term: t('system'), value: <VisibleText text={report.system} /> },
        { term: t('operation'), value: <VisibleText text={report.operation} /> },
        { term: t('rows'), value: String(report.rowCount) },
        { term: t('asOf'), value: <Instant at={report.asOf} look="full" /> },
        { term: t('judgedBy'), value: <PersonTag person={report.judgedBy} me={me} /> },
        {
          term: t('proposedBy'),
          value: report.proposedBy === null ? null : <PersonTag person={report.proposedBy} me={me} />,
        },
        {
          term: t('decidedBy'),
          value: report.decidedBy === null ? null : <PersonTag person={report.decidedBy} me={me} />,
        },
        ...(report.state === 'JUDGED' || report.state === 'PROPOSED'
          ? [{ term: t('expiresAt'), value: <Instant at={report.expiresAt} look="full" /> }]
          : []),
        { term: t('sha256'), value: <KeyText value={report.sha256} />, wide: true },
      ]}
    />
  );
}
