import { SearchX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';

export default function NotFound() {
  const t = useTranslations('errors.notFound');
  return (
    <main id="content" className="min-h-dvh bg-surface pt-[12vh]">
      <h1 className="sr-only">{t('title')}</h1>
      <EmptyState
        icon={SearchX}
        title={t('title')}
        body={t('body')}
        action={<LinkButton href="/queue">{t('home')}</LinkButton>}
      />
    </main>
  );
}
