import { Download } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { Button } from '@/components/ui/button';
import { type Actor } from '@/lib/domain/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import { ExportPlace } from './export-place';
import { auditAddress, type AuditAddress } from './search-params';

interface ExportButtonsProps {
  actor: Actor;
  address: AuditAddress;
  /** How many events a file holds; null where the list goes on, or leaves out what a file has. */
  count: number | null;
}

/** What the list shows, as files. One form per format: a submitted button has no value where it is drawn by a library. */
export async function ExportButtons({ actor, address, count }: ExportButtonsProps) {
  const t = await getTranslations('audit.export');
  const may = hasRoleFor(actor, 'audit.export');
  const query = auditAddress({ ...address, sort: null, cursor: null });
  return (
    <ExportPlace label={t('title')} sent={t('sent')}>
      <div className="flex items-center gap-2">
        {(['csv', 'jsonl'] as const).map((format) => (
          <form
            key={format}
            method="post"
            action={`/audit/export${query}${query === '' ? '?' : '&'}format=${format}`}
          >
            <Button
              type="submit"
              size="sm"
              look="secondary"
              {...(may ? {} : { disabledReason: t('managersOnly') })}
            >
              <Download aria-hidden />
              {t(format)}
            </Button>
          </form>
        ))}
      </div>
      <p className="max-w-md text-xs text-ink-muted">
        {count === null ? t('all') : t('count', { count })} {t('csvNote')}
      </p>
      <p className="max-w-md text-xs text-ink-muted">
        {t.rich('note', { code: (command) => <code className="font-mono">{command}</code> })}
      </p>
    </ExportPlace>
  );
}
