'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useTransition } from 'react';
import { LOCALES } from '@/lib/domain/messages/locales';
import { Segmented } from '../ui/segmented';
import { LOCALE_COOKIE, rememberPreference } from './preferences';

/** English or Korean, each named in itself. Keeps the page, its filters and what was typed. */
export function LanguageChoice() {
  const t = useTranslations('common.language');
  const locale = useLocale();
  const router = useRouter();
  const [, startTransition] = useTransition();
  return (
    <Segmented
      label={t('label')}
      value={locale}
      onChange={(next) => {
        rememberPreference(LOCALE_COOKIE, next);
        startTransition(() => router.refresh());
      }}
      className="w-full"
      choices={LOCALES.map((value) => ({ value, label: <span lang={value}>{t(value)}</span> }))}
    />
  );
}
