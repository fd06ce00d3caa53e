import { SearchX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';

/** The same for a missing exception and for another tenant's. */
export default function ExceptionNotFound() {
  const t = useTranslations('exception.notFound');
  return (
    <div className="pt-[8vh]">
      <h1 className="sr-only">{t('heading')}</h1>
      <EmptyState
        icon={SearchX}
        title={t('title')}
        body={t('body')}
        action={<LinkButton href="/queue">{t('back')}</LinkButton>}
      />
    </div>
  );
}
