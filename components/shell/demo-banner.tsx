import { FlaskConical } from 'lucide-react';
import { useTranslations } from 'next-intl';

/** Says on every page that the data is made up. */
export function DemoBanner() {
  const t = useTranslations('common.demo');
  return (
    <p
      role="note"
      className="flex items-center gap-2 border-b border-line bg-caution-soft px-4 py-1 text-xs text-caution md:px-6"
    >
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <span>
        <strong className="font-semibold">{t('label')}</strong> · {t('banner')}
      </span>
    </p>
  );
}
