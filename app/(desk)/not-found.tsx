import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { SearchX } from '@/components/ui/plain-icons';

/** A foreign thing and a missing one look alike: both are not here. */
export default function DeskNotFound() {
  const t = useTranslations('errors.notFound');
  return (
    <>
      <h1 className="sr-only">{t('title')}</h1>
      <EmptyState
        icon={SearchX}
        title={t('title')}
        body={t('body')}
        action={<LinkButton href="/queue">{t('home')}</LinkButton>}
      />
    </>
  );
}
