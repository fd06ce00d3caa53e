// A part of a page as the server renders it: HTML with everything around it that pages rely on.
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { NextIntlClientProvider } from 'next-intl';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { Tooltip } from 'radix-ui';
import { type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { OwnAccount } from '@/components/access/own-account';
import { ClockProvider } from '@/components/time/clock';
import { CATALOGUE, type Locale } from '@/lib/domain/messages/catalogue';

const NOW = Date.parse('2026-11-30T00:00:00Z');
const WAYS = { password: true, provider: null, byProvider: false };
const nothing = () => undefined;
const ROUTER = {
  back: nothing,
  forward: nothing,
  push: nothing,
  replace: nothing,
  refresh: nothing,
  prefetch: nothing,
};

export function render(part: ReactNode, locale: Locale = 'en'): string {
  return renderToStaticMarkup(
    <AppRouterContext value={ROUTER as never}>
      <NextIntlClientProvider locale={locale} messages={CATALOGUE[locale]} timeZone="UTC" now={new Date(NOW)}>
        <ClockProvider now={NOW} zone="UTC">
          <NuqsTestingAdapter>
            <OwnAccount personId="reader" email="reader@demo.local" ways={WAYS}>
              <Tooltip.Provider>{part}</Tooltip.Provider>
            </OwnAccount>
          </NuqsTestingAdapter>
        </ClockProvider>
      </NextIntlClientProvider>
    </AppRouterContext>,
  );
}
