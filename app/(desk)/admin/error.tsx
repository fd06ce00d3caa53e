'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { ErrorState } from '@/components/ui/error-state';
import { PageHeader } from '@/components/ui/page-header';

export default function AdminError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  const t = useTranslations();
  return (
    <>
      <PageHeader title={t('admin.title')} />
      <ErrorState
        title={t('admin.failed.title')}
        body={t('admin.failed.body')}
        {...(error.digest === undefined
          ? {}
          : { reference: `${t('errors.page.reference')} ${error.digest}` })}
        action={<Button onClick={retry}>{t('common.action.retryLoading')}</Button>}
      />
    </>
  );
}
