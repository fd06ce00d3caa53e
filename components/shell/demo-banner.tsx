import { FlaskConical } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { Badge } from '../ui/badge';

/** Says on every page that the data is made up, and offers to be shown around in it. */
export function DemoBanner({ offer }: { offer?: ReactNode }) {
  const t = useTranslations('common.demo');
  return (
    <div
      role="note"
      className="flex items-center gap-2 border-b border-line px-4 py-1.5 text-xs text-ink-muted md:px-6"
    >
      <Badge icon={FlaskConical} tone="caution" className="h-5 shrink-0 text-2xs">
        {t('label')}
      </Badge>
      <span>{t('banner')}</span>
      {offer}
    </div>
  );
}
