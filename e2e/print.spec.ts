import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { type LedgerTruth } from './ledger-truth';

/** A4 upright and across, less the browser's margins, in CSS pixels. */
const PAPERS = [
  { width: 718, height: 1047 },
  { width: 1047, height: 718 },
] as const;

/** Elements that show less than they hold, by what they begin with. Nothing on paper can be scrolled. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#content, #content *')]
      .filter((each) => !each.classList.contains('sr-only') && each.getClientRects().length > 0)
      .filter((each) => {
        const { overflowX, overflowY } = getComputedStyle(each);
        return (
          (overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1) ||
          (overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1)
        );
      })
      .map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`),
  );

async function pagesToPrint(truth: LedgerTruth): Promise<Record<string, string>> {
  const one = await truth.one<{ exception: string; execution: string; event: string }>(
    `SELECT (SELECT exception_id FROM review.exceptions WHERE kind = 'CONTENT_CONFLICT' AND tenant_id = 'tenant-north' LIMIT 1) AS exception,
            (SELECT execution_id FROM ledger.executions WHERE tenant_id = 'tenant-north' ORDER BY attempt DESC LIMIT 1) AS execution,
            (SELECT max(number) FROM review.audit_events WHERE tenant_id = 'tenant-north') AS event`,
  );
  return {
    queue: '/queue',
    exception: `/exceptions/${one.exception}`,
    execution: `/executions/${one.execution}`,
    approvals: '/approvals',
    audit: '/audit',
    event: `/audit/${one.event}`,
  };
}

test('R-088n each page of the desk prints whole, unfolded, without its navigation', async ({ as, truth }) => {
  const page = await as('manager');
  for (const [name, address] of Object.entries(await pagesToPrint(truth))) {
    await page.emulateMedia({ media: null });
    await page.goto(address);
    await expect(page.locator('#content h1').first()).toBeVisible();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const paper of PAPERS) {
      await page.setViewportSize(paper);
      await expect.poll(() => cutOff(page), { message: `${name} ${paper.width}` }).toEqual([]);
      await expect(page.getByRole('navigation')).toHaveCount(0);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  // The event's page, still open: what is folded away on a screen is on paper.
  await expect(page.getByText('Hash of the event before')).toBeVisible();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
});
