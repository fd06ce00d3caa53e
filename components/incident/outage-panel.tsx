import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type OrphanFacts, type OutageOf } from '@/lib/domain/incident-view';
import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';

/** On an exception's page: the outage that it belongs to, and what a report says of an effect that nobody knows. */
export function OutagePanel({ outage }: { outage: OutageOf }) {
  const t = useTranslations('incidents');
  const { incident, orphan } = outage;
  return (
    <>
      {incident !== null && (
        <Notice
          tone={incident.state === 'OPEN' ? 'caution' : 'quiet'}
          action={
            <Link
              href={`/queue/incidents/${incident.incidentId}`}
              className="shrink-0 underline underline-offset-3"
            >
              {t('bandLink')}
            </Link>
          }
        >
          {t(incident.state === 'OPEN' ? 'belongs' : 'belonged', { system: visibleText(incident.system) })}
        </Notice>
      )}
      {orphan !== null && <Orphan orphan={orphan} />}
    </>
  );
}

function Orphan({ orphan }: { orphan: OrphanFacts }) {
  const t = useTranslations('incidents');
  const text = (value: string | null) => (value === null ? null : <VisibleText text={value} />);
  return (
    <Panel
      title={t('orphan.title')}
      aside={
        orphan.incidentId !== null && (
          <Link
            href={`/queue/incidents/${orphan.incidentId}/reports/${orphan.reportId}`}
            className="underline underline-offset-3"
          >
            {t('orphan.report', { row: orphan.rowNumber })}
          </Link>
        )
      }
    >
      <FactList
        absent="–"
        facts={[
          { term: t('fact.system'), value: text(orphan.system) },
          { term: t('row.result'), value: text(orphan.resultId) },
          { term: t('orphan.account'), value: text(orphan.account) },
          { term: t('row.status'), value: text(orphan.status) },
          { term: t('row.match'), value: text(orphan.matchValue) },
          ...orphan.found.map(({ field, found }) => ({ term: visibleText(field), value: text(found) })),
        ]}
      />
    </Panel>
  );
}
