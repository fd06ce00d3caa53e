import { useTranslations } from 'next-intl';
import { textsThatMislead } from '@/lib/domain/misleading-text';
import { Notice } from '../ui/notice';

/** Warns, where somebody decides, of texts that do not say what they seem to say; nothing where there are none. */
export function MisleadingNotice({ about }: { about: unknown }) {
  const t = useTranslations('common.text');
  const { invisible, lookAlikes } = textsThatMislead(about);
  if (!invisible && !lookAlikes) return null;
  return (
    <Notice tone="caution">
      {invisible && <p>{t('invisible')}</p>}
      {lookAlikes && <p>{t('lookAlikes')}</p>}
    </Notice>
  );
}
