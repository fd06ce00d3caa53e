import { useTranslations } from 'next-intl';
import { snapshotVersion } from '@/lib/domain/audit-grounds';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { type ConflictView } from '@/lib/domain/exception-view';
import { OneConflict } from '../exception-detail/conflict-panel';
import { Panel } from '../ui/panel';

interface AskedContentProps {
  conflict: ConflictView;
  event: AuditRecord;
  /** The request that the event answers; null when it is the request itself. */
  request: AuditRecord | null;
}

/** What whoever asked and whoever answered had before them: the named fields that would change, from what to what. */
export function AskedContent({ conflict, event, request }: AskedContentProps) {
  const t = useTranslations('audit.askedContent');
  const version = snapshotVersion(request ?? event);
  return (
    <Panel title={t('title')}>
      <p className="mb-3 text-xs text-ink-muted">
        {version === null ? t('lead') : t('leadVersion', { version })}
      </p>
      <OneConflict conflict={conflict} />
    </Panel>
  );
}
