import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type IncidentLine } from '@/lib/domain/incident-view';
import { visibleText } from '@/lib/domain/visible-text';
import { Instant } from '../time/instant';
import { Notice } from '../ui/notice';

/** Outages that are not over, above the queue: their exceptions are better settled together. */
export function IncidentBand({ incidents }: { incidents: readonly IncidentLine[] }) {
  const t = useTranslations('incidents');
  if (incidents.length === 0) return null;
  return (
    <div className="px-4 pb-3 md:px-6">
      <Notice tone="caution" title={t('bandTitle', { count: incidents.length })}>
        <ul className="flex flex-col gap-1">
          {incidents.map((incident) => (
            <li key={incident.incidentId}>
              {t.rich('bandLine', {
                count: incident.open,
                system: visibleText(incident.system),
                tenant: visibleText(incident.tenantName),
                time: () => <Instant at={incident.since} />,
              })}{' '}
              <Link href={`/queue/incidents/${incident.incidentId}`} className="underline underline-offset-3">
                {t('bandLink')}
              </Link>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
