import { useTranslations } from 'next-intl';
import { ErrorState } from '@/components/ui/error-state';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';

interface QueueRefusalProps {
  reason: 'misread' | 'cursor';
  /** Names of parameters, which are ours; never their values. */
  names: readonly string[];
  restart: string;
}

/** The address asks for what does not exist. No row is shown, because others than the asked-for would mislead. */
export function QueueRefusal({ reason, names, restart }: QueueRefusalProps) {
  const t = useTranslations('queue');
  return (
    <>
      <PageHeader title={t('title')} />
      <ErrorState
        title={reason === 'misread' ? t('refused.title') : t('refused.cursor')}
        body={reason === 'misread' ? t('refused.body', { names: names.join(', ') }) : t('refused.cursorBody')}
        action={<LinkButton href={restart}>{t('refused.start')}</LinkButton>}
      />
    </>
  );
}
