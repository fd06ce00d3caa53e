import { useTranslations } from 'next-intl';

/** First stop of the keyboard: past the navigation to the page itself. */
export function SkipLink() {
  const t = useTranslations('common.nav');
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-md bg-accent-strong px-3 py-2 text-sm font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t('skip')}
    </a>
  );
}
