import { useTranslations } from 'next-intl';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';

/** The event as it is hashed, for those who check it by other means. Folded away: few need it. */
export function RecordedText({ event }: { event: AuditRecord }) {
  const t = useTranslations('audit.detail');
  const key = (term: string, value: string | null) => ({
    term,
    value: value === null ? null : <KeyText value={value} />,
    wide: true,
  });
  return (
    <details className="rounded-lg border border-line bg-surface px-4 py-3">
      <summary className="cursor-pointer text-sm font-semibold">{t('technical')}</summary>
      <FactList
        className="mt-3"
        absent={t('absent')}
        facts={[
          key(t('recordedAt'), event.occurredAt),
          key(t('eventId'), event.eventId),
          key(t('operationId'), event.operationId),
          ...(event.refusalCode === null ? [] : [key(t('codeStored'), event.refusalCode)]),
          key(t('requestId'), event.httpRequestId),
          key(t('previousHash'), event.previousHash),
          key(t('hash'), event.hash),
          {
            term: t('body'),
            wide: true,
            value: (
              <code className="block rounded-md bg-sunken p-2 font-mono text-xs">
                <VisibleText text={event.body} />
              </code>
            ),
          },
        ]}
      />
    </details>
  );
}
