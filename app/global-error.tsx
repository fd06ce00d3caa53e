'use client';

import './globals.css';

import { BrokenPage } from '@/components/shell/broken-page';
import {
  chosenLocale,
  chosenTheme,
  LOCALE_COOKIE,
  rememberedPreference,
  THEME_COOKIE,
} from '@/components/shell/preferences';
import english from '@/lib/domain/messages/en/errors.json';
import korean from '@/lib/domain/messages/ko/errors.json';
import { type Locale } from '@/lib/domain/messages/locales';

// Not by useTranslations: the frame that provides the words may be what broke.
const WORDS = { en: english, ko: korean } as const satisfies Record<Locale, unknown>;

/** Even the frame of all pages broke: language and theme come from what the browser remembers. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  const language = typeof navigator === 'undefined' ? null : navigator.language;
  const locale = chosenLocale(rememberedPreference(LOCALE_COOKIE), language);
  return (
    <html lang={locale} data-theme={chosenTheme(rememberedPreference(THEME_COOKIE))}>
      <body>
        <title>Onceover</title>
        <BrokenPage error={error} words={WORDS[locale]} retry={() => location.reload()} />
      </body>
    </html>
  );
}
