import AxeBuilder from '@axe-core/playwright';
import { type Page } from '@playwright/test';
import { type Intent } from '@/lib/sandbox/automations/intent';
import { expect, test } from './desk';
import { holdNextAction } from './held-requests';
import { openException, openQueue } from './queue-page';
import { browserFor } from './sights';

const NEWEST = '?kind=UNKNOWN_RESULT&sort=-opened';

/** Waits until the rows are in the queue with their evidence, and ticks them. */
async function select(page: Page, works: readonly Intent[]): Promise<void> {
  const row = ({ key }: Intent) => page.getByRole('row').filter({ hasText: key });
  await expect(async () => {
    await openQueue(page, NEWEST);
    for (const work of works)
      await expect(row(work)).toContainText(/Link the found result|Look again/, { timeout: 500 });
  }).toPass({ timeout: 90_000 });
  for (const { key } of works)
    await page.getByRole('checkbox', { name: new RegExp(`^Select .*${key}`) }).check();
}

test('R-053a R-053c FE-18 several sent mails are linked after a preview; one changed in between and one without a match are said, not dropped', async ({
  as,
  automations,
  producer,
  systems,
}) => {
  const mails = await Promise.all([1, 2, 3].map(() => automations.cause('mail-sent-answer-lost')));
  const pending = await automations.cause('payment-pending');
  const [first, changed, last] = mails as [Intent, Intent, Intent];
  const page = await as('operator');
  await select(page, [...mails, pending]);
  await expect(page.getByRole('status').filter({ hasText: '4 selected' })).toBeVisible();
  await page.getByRole('button', { name: 'Link results…' }).click();

  const dialog = page.getByRole('dialog', { name: 'Link the found results' });
  const conclusive = dialog.getByRole('region', { name: '3 conclusive matches' });
  const [sent] = await systems.mails(first.key);
  await expect(conclusive.getByRole('listitem').filter({ hasText: first.key })).toContainText(
    sent?.id ?? '-',
  );
  const leftOut = dialog.getByRole('region', { name: '1 left out' });
  await expect(leftOut).toContainText(pending.key);
  await expect(leftOut.getByRole('checkbox')).toHaveCount(0);

  const colleague = await as('approver');
  await openException(colleague, changed, 'UNKNOWN_RESULT');
  await colleague.getByRole('button', { name: 'Take it' }).click();
  await expect(colleague.getByText('Assigned.', { exact: true })).toBeVisible();

  await dialog.getByRole('button', { name: 'Link 3 results' }).click();
  const results = page.getByRole('dialog', { name: 'What became of each' });
  await expect(results.getByText('2 done · 1 refused · 0 not known yet · 0 not sent')).toBeVisible();
  const answer = ({ key }: Intent) => results.getByRole('listitem').filter({ hasText: key });
  await expect(answer(first)).toContainText('Done');
  await expect(answer(last)).toContainText('Done');
  await expect(answer(changed)).toContainText('Not done.');
  const state = async ({ operation, key }: Intent) => (await producer.find(operation, key))?.state;
  expect(await Promise.all([first, changed, last, pending].map(state))).toEqual([
    'SUCCEEDED',
    'UNKNOWN',
    'SUCCEEDED',
    'UNKNOWN',
  ]);

  // The keyboard is still in the page, and only what was not done is still selected.
  await page.keyboard.press('Escape');
  await expect(results).toBeHidden();
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toBeVisible();
});

test('R-053e an answer that was lost is "not known yet", and checking again decides once', async ({
  as,
  automations,
  truth,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const page = await as('operator');
  await select(page, [mail]);
  const { held } = await holdNextAction(page);
  await page.getByRole('button', { name: 'Assign to me' }).click();
  const { route } = await held;
  // The server answers; the answer never arrives.
  await route.fetch();
  await route.fulfill({ status: 200, contentType: 'text/html', body: '' });
  const results = page.getByRole('dialog', { name: 'What became of each' });
  await expect(results.getByText('0 done · 0 refused · 1 not known yet · 0 not sent')).toBeVisible();
  await results.getByRole('button', { name: 'Check 1 again' }).click();
  await expect(results.getByText('1 done · 0 refused · 0 not known yet · 0 not sent')).toBeVisible();
  await expect(results).toContainText('Done before; nothing happened twice');
  const { n } = await truth.one<{ n: number }>(
    `SELECT count(*)::int AS n FROM review.audit_events a JOIN ledger.executions e USING (execution_id)
     WHERE e.idempotency_key = $1 AND a.event = 'exception.assigned'`,
    [mail.key],
  );
  expect(n).toBe(1);
});

test('R-053 R-097 by keyboard on a phone, in Korean and in the dark: select, preview, nothing overflows, no barriers', async ({
  as,
  automations,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const page = await as('operator', browserFor({ language: 'ko', theme: 'dark', width: 'phone' }));
  const row = page.getByRole('row').filter({ hasText: mail.key });
  await expect(async () => {
    await page.goto(`/queue?q=${mail.key}`);
    await expect(row).toContainText('찾은 결과 연결', { timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
  await row.getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await expect(row.getByRole('checkbox')).toBeChecked();
  await page.getByRole('button', { name: '결과 연결…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: '찾은 결과 연결' });
  await expect(dialog.getByText('확정 일치 1건')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  await dialog.getByRole('button', { name: '결과 1건 연결' }).press('Enter');
  await expect(page.getByText('완료 1 · 거절 0 · 아직 모름 0 · 보내지 않음 0')).toBeVisible();
});
