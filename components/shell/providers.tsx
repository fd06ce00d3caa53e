'use client';

import { NextIntlClientProvider, type AbstractIntlMessages } from 'next-intl';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode } from 'react';
import { type Locale } from '@/lib/domain/messages/catalogue';
import { ClockProvider } from '../time/clock';

interface ProvidersProps {
  locale: Locale;
  messages: AbstractIntlMessages;
  zone: string;
  /** Milliseconds since 1970, when the server rendered. */
  now: number;
  children: ReactNode;
}

/** What every page's client parts rely on: words, time and the address's state. */
export function Providers({ locale, messages, zone, now, children }: ProvidersProps) {
  return (
    <NextIntlClientProvider locale={locale} messages={messages} timeZone={zone} now={new Date(now)}>
      <ClockProvider now={now} zone={zone}>
        <NuqsAdapter>{children}</NuqsAdapter>
      </ClockProvider>
    </NextIntlClientProvider>
  );
}
