import { SearchX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';

/** The same for another tenant's number, the system's own, and what is no number. */
export default function AuditEventNotFound() {
  const t = useTranslations('audit.notFound');
  return (
    <div className="pt-[8vh]">
      <h1 className="sr-only">{t('heading')}</h1>
      <EmptyState
        icon={SearchX}
        title={t('title')}
        body={t('body')}
        action={<LinkButton href="/audit">{t('back')}</LinkButton>}
      />
    </div>
  );
}
