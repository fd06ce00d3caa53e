import { Hourglass } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';

/** For a number above the head: nothing has it, and nothing is kept from the reader. */
export function NotGivenYet({ last }: { last: string }) {
  const t = useTranslations('audit.notFound');
  return (
    <div className="pt-[8vh]">
      <h1 className="sr-only">{t('heading')}</h1>
      <EmptyState
        icon={Hourglass}
        title={t('notGiven')}
        body={t('notGivenBody', { last })}
        action={<LinkButton href="/audit">{t('back')}</LinkButton>}
      />
    </div>
  );
}
