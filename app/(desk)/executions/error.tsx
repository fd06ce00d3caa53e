'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { ErrorState } from '@/components/ui/error-state';
import { PageHeader } from '@/components/ui/page-header';

export default function ExecutionsError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  const t = useTranslations();
  return (
    <>
      <PageHeader title={t('executions.title')} />
      <ErrorState
        title={t('executions.failed.title')}
        body={t('executions.failed.body')}
        {...(error.digest === undefined
          ? {}
          : { reference: `${t('errors.page.reference')} ${error.digest}` })}
        action={<Button onClick={retry}>{t('common.action.retryLoading')}</Button>}
      />
    </>
  );
}
