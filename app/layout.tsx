import './globals.css';

import { type Metadata, type Viewport } from 'next';
import { cookies } from 'next/headers';
import { getLocale, getMessages, getNow, getTimeZone } from 'next-intl/server';
import { type ReactNode } from 'react';
import { chosenTheme, THEME_COOKIE } from '@/components/shell/preferences';
import { Providers } from '@/components/shell/providers';

export const metadata: Metadata = {
  title: { template: '%s · Onceover', default: 'Onceover' },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [jar, locale, messages, zone, now] = await Promise.all([
    cookies(),
    getLocale(),
    getMessages(),
    getTimeZone(),
    getNow(),
  ]);
  return (
    <html lang={locale} data-theme={chosenTheme(jar.get(THEME_COOKIE)?.value)}>
      <body>
        <Providers locale={locale} messages={messages} zone={zone} now={now.getTime()}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
