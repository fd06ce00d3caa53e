'use client';

import { useLocale } from 'next-intl';
import { BrokenPage } from '@/components/shell/broken-page';

export default function PageError(props: { error: Error & { digest?: string }; retry: () => void }) {
  return <BrokenPage {...props} locale={useLocale()} />;
}
