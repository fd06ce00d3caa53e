import './globals.css';

import { type Metadata, type Viewport } from 'next';
import { cookies } from 'next/headers';
import { getLocale, getMessages, getNow, getTimeZone } from 'next-intl/server';
import { type ReactNode } from 'react';
import { chosenTheme, THEME_COOKIE } from '@/components/shell/preferences';
import { Providers } from '@/components/shell/providers';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="9.5" fill="#4250b8"/><path d="m5.8 10.4 2.9 2.9 5.5-6" fill="none" stroke="#fff" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const metadata: Metadata = {
  title: { template: '%s · Onceover', default: 'Onceover' },
  // In the page itself, so that the login page needs no address that is open to everybody.
  icons: { icon: `data:image/svg+xml,${encodeURIComponent(ICON)}` },
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
