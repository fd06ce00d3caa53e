'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { ErrorState } from '@/components/ui/error-state';

export default function PageError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  const t = useTranslations();
  return (
    <main id="content" className="min-h-dvh bg-surface pt-[12vh]">
      <h1 className="sr-only">{t('errors.page.title')}</h1>
      <ErrorState
        title={t('errors.page.title')}
        body={t('errors.page.body')}
        {...(error.digest === undefined
          ? {}
          : { reference: t('errors.page.reference', { digest: error.digest }) })}
        action={<Button onClick={retry}>{t('common.action.retryLoading')}</Button>}
      />
    </main>
  );
}
