import './globals.css';

import { type Metadata, type Viewport } from 'next';
import { cookies } from 'next/headers';
import { getLocale, getMessages, getNow, getTimeZone } from 'next-intl/server';
import { type ReactNode } from 'react';
import { chosenTheme, THEME_COOKIE } from '@/components/shell/preferences';
import { Providers } from '@/components/shell/providers';

/** The mark as an address of its own content. */
const mark = (disc: string, tick: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="9.5" fill="${disc}"/><path d="m5.8 10.4 2.9 2.9 5.5-6" fill="none" stroke="${tick}" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  )}`;

export const metadata: Metadata = {
  title: { template: '%s · Onceover', default: 'Onceover' },
  // In the page itself; what is no page, a file or an error of the server's own, has public/favicon.ico.
  icons: {
    icon: [
      { url: mark('#4250b8', '#fff'), media: '(prefers-color-scheme: light)' },
      { url: mark('#a3b0f3', '#14161c'), media: '(prefers-color-scheme: dark)' },
    ],
  },
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
  // The help page alone reads the glossary, on the server: no other page has to carry it.
  const { words: _words, ...carried } = messages;
  return (
    <html lang={locale} data-theme={chosenTheme(jar.get(THEME_COOKIE)?.value)}>
      <body>
        <Providers locale={locale} messages={carried} zone={zone} now={now.getTime()}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
