import { type Page } from '@playwright/test';

/** What a browser complains about while a page is used. */
export interface PageFaults {
  list(): string[];
}

/** Collects console errors and uncaught errors of a page from now on. */
export function watchPage(page: Page, who: string): PageFaults {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') {
      const { url } = message.location();
      faults.push(`${who} at ${page.url()}: ${message.text()} (${url})`);
    }
  });
  page.on('pageerror', (error) => faults.push(`${who} at ${page.url()}: ${error.message}`));
  return { list: () => faults };
}
