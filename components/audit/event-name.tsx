import { useTranslations } from 'next-intl';
import { attemptOf } from '@/lib/domain/act-stage';
import { isAuditEventName, type AuditRecord } from '@/lib/domain/audit-events';
import { KeyText } from '../text/key-text';

/** What an event tells, in words, an attempt as an attempt (R-088ae); a name that this build does not know is shown as stored. */
export function EventName({ event }: { event: Pick<AuditRecord, 'event' | 'outcome'> }) {
  const t = useTranslations('audit');
  const attempt = attemptOf(event);
  const title = isAuditEventName(event.event) ? t(`event.${event.event}`) : <KeyText value={event.event} />;
  return attempt === null ? (
    title
  ) : (
    <>
      {t(`attempt.${attempt}`)}: {title}
    </>
  );
}
