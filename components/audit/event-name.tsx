import { useTranslations } from 'next-intl';
import { isAuditEventName } from '@/lib/domain/audit-events';
import { KeyText } from '../text/key-text';

/** What an event tells, in words; a name that this build does not know is shown as stored. */
export function EventName({ event }: { event: string }) {
  const t = useTranslations('audit.event');
  return isAuditEventName(event) ? t(event) : <KeyText value={event} />;
}
