import { expect, type Page } from '@playwright/test';
import { type Intent } from '@/lib/sandbox/automations/intent';

/** How the queue names the kinds, in English. */
export const KIND_WORDS = {
  UNKNOWN_RESULT: 'Unknown result',
  STUCK_PROCESSING: 'Stuck',
  LONG_RUNNING: 'Long-running',
  CONTENT_CONFLICT: 'Content conflict',
  EXPIRED_KEY: 'Expired key',
  MISSING_RESULT_ID: 'No result id',
  RESULT_MISMATCH: 'Result mismatch',
  DUPLICATE_RESULT: 'Double effect',
  ORPHAN_EFFECT: 'Orphan effect',
  CONTRADICTED_DECISION: 'Contradicted decision',
  RETRY_STALLED: 'Retry stalled',
  UNCLAIMED: 'Unclaimed',
  KEY_MISSING: 'Key missing',
  OPERATION_PAUSED: 'Operation paused',
} as const;

export type Kind = keyof typeof KIND_WORDS;

export interface ListedException {
  operation: string;
  /** Empty where the row has none. */
  key: string;
  href: string;
}

export async function openQueue(page: Page, query: string): Promise<void> {
  await page.goto(`/queue${query}`);
  await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible();
}

/** Every filter of the queue, with its figures. */
export async function openFilters(page: Page): Promise<void> {
  const folded = page.getByRole('button', { name: /^Filters/, expanded: false });
  await expect(async () => {
    if (await folded.isVisible()) await folded.click();
    await expect(page.getByRole('group', { name: 'Kinds' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** The open exceptions of a kind, as the page lists them. */
export async function listed(page: Page, kind: Kind): Promise<ListedException[]> {
  await openQueue(page, `?kind=${kind}`);
  const rows = await page
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
    .all();
  return Promise.all(
    rows.map(async (row) => {
      const link = row.getByRole('link');
      const code = link.getByRole('code');
      const key = (await code.count()) === 0 ? '' : ((await code.textContent()) ?? '');
      // Beside it stand the amount and the key.
      const words = ((await link.textContent()) ?? '').replace(key, '');
      const operation = /^[a-z][a-z0-9.-]*/.exec(words)?.[0] ?? '';
      return { operation, key, href: (await link.getAttribute('href')) ?? '' };
    }),
  );
}

/** Waits until the work that was caused is in the queue, found by its key, and opens it. */
export async function openException(page: Page, { key }: Pick<Intent, 'key'>, kind: Kind): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: key }).filter({ hasText: KIND_WORDS[kind] });
  await expect(async () => {
    await openQueue(page, `?q=${encodeURIComponent(key)}`);
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 120_000 });
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/\/exceptions\//);
}
