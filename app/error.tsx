'use client';

import { useTranslations } from 'next-intl';
import { BrokenPage } from '@/components/shell/broken-page';

export default function PageError(props: { error: Error & { digest?: string }; retry: () => void }) {
  const t = useTranslations('errors');
  const words = {
    page: { title: t('page.title'), body: t('page.body'), reference: t('page.reference') },
    brokenOff: { title: t('brokenOff.title'), body: t('brokenOff.body'), reload: t('brokenOff.reload') },
  };
  return <BrokenPage {...props} words={words} />;
}
