import { useTranslations } from 'next-intl';
import { buttonLook } from '@/components/ui/button-look';
import { EmptyState } from '@/components/ui/empty-state';
import { SearchX } from '@/components/ui/plain-icons';

export default function NotFound() {
  const t = useTranslations('errors.notFound');
  return (
    <main id="content" className="min-h-dvh bg-surface pt-[12vh]">
      <h1 className="sr-only">{t('title')}</h1>
      <EmptyState
        icon={SearchX}
        title={t('title')}
        body={t('body')}
        action={
          // No `Link`: every page would load its script for this one, which is left by a whole navigation anyway.
          <a href="/queue" className={buttonLook()}>
            {t('home')}
          </a>
        }
      />
    </main>
  );
}
