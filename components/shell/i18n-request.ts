import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { CATALOGUE, type Locale, type Messages } from '@/lib/domain/messages/catalogue';
import { chosenLocale, chosenZone, LOCALE_COOKIE, ZONE_COOKIE } from './preferences';

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

/** Language and time zone of one request. The address carries neither: they are the reader's, not the page's. */
export default getRequestConfig(async () => {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const locale = chosenLocale(jar.get(LOCALE_COOKIE)?.value, head.get('accept-language'));
  return {
    locale,
    messages: CATALOGUE[locale],
    timeZone: chosenZone(jar.get(ZONE_COOKIE)?.value),
    now: new Date(),
  };
});
