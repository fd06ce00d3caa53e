import AxeBuilder from '@axe-core/playwright';
import { randomUUID } from 'node:crypto';
import { expect, test } from './desk';
import { causeOutage, incidentOf, judge, reportOf, RESULTS } from './outage-scene';
import { browserFor } from './sights';

test('R-056 an outage is settled by the provider’s report: dry run, sample by hand, a second person, each row once', async ({
  as,
  product,
  truth,
}) => {
  test.setTimeout(300_000);
  const system = `bank-${randomUUID().slice(0, 8)}`;
  const keys = await causeOutage(product, system);
  const page = await as('operator');
  const line = page.getByRole('listitem').filter({ hasText: system });
  await expect(async () => {
    await page.goto('/queue');
    await expect(line).toContainText(`${RESULTS} unknown results of ${system}`, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await line.getByRole('link', { name: 'Settle them together' }).click();
  await expect(page.getByRole('heading', { name: `Outage of ${system}`, level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Look up all open results' }).click();
  await expect(page.getByText(`${RESULTS} lookups are planned.`)).toBeVisible();

  await judge(page, `${reportOf(keys, system)}\r\n"open`, 'broken.csv');
  await expect(page.getByText(`A quotation mark is not closed. Line ${RESULTS + 3}.`)).toBeVisible();
  await judge(page, reportOf(keys, system), 'payments.csv');
  await page.waitForURL(/\/reports\//);
  const sums = page.getByRole('region', { name: 'Rows by verdict' });
  await expect(sums).toContainText(`Agrees, would be linked${RESULTS - 1}`);
  await expect(sums).toContainText('Account or content differs1');
  await expect(sums).toContainText('No execution knows it, would open an exception1');
  const { linked } = await truth.one<{ linked: number }>(
    `SELECT count(*)::int AS linked FROM ledger.executions WHERE target_system = $1 AND state = 'SUCCEEDED'`,
    [system],
  );
  expect(linked).toBe(0);

  await page.getByRole('button', { name: 'Send for confirmation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send for confirmation' }).click();
  await expect(page.getByRole('button', { name: 'Withdraw the report' })).toBeVisible();
  const colleague = await as('approver');
  await colleague.goto(page.url());
  const unchecked = colleague.getByRole('button', { name: 'Say what you saw' });
  for (let left = await unchecked.count(); left > 0; left -= 1) {
    await unchecked.first().click();
    const dialog = colleague.getByRole('dialog');
    await dialog.getByLabel('Where you looked').fill('The bank’s own list of payments');
    await dialog.getByRole('button', { name: 'Record it' }).click();
    await expect(unchecked).toHaveCount(left - 1);
  }
  await colleague.getByRole('button', { name: 'Confirm the report' }).click();
  const dialog = colleague.getByRole('dialog', { name: 'Confirm the report' });
  await dialog.getByLabel('Reason').fill('The sample agrees, row by row.');
  await dialog.getByRole('button', { name: 'Confirm the report' }).click();
  await expect(colleague.getByText('Every row that counts has its outcome.')).toBeVisible({
    timeout: 60_000,
  });
  await expect(colleague.getByRole('region', { name: 'Rows by verdict' })).toContainText(
    `Linked${RESULTS - 1}`,
  );
  const { settled, orphans } = await truth.one<{ settled: number; orphans: number }>(
    `SELECT (SELECT count(*)::int FROM ledger.executions WHERE target_system = $1 AND state = 'SUCCEEDED') AS settled,
       (SELECT count(*)::int FROM review.exceptions WHERE kind = 'ORPHAN_EFFECT' AND detail->>'system' = $1) AS orphans`,
    [system],
  );
  expect({ settled, orphans }).toEqual({ settled: RESULTS - 1, orphans: 1 });

  const download = colleague.waitForEvent('download');
  await colleague.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('report-rows.csv');

  await colleague.getByRole('link', { name: 'Exception opened' }).click();
  await expect(colleague.getByRole('region', { name: 'What the provider’s report says' })).toContainText(
    `pay-${system}-orphan`,
  );
});

test('R-056 R-097 its pages in Korean, in the dark, on a phone: nothing overflows, no barriers', async ({
  as,
  product,
  truth,
}) => {
  const system = `bank-${randomUUID().slice(0, 8)}`;
  await causeOutage(product, system);
  const id = await incidentOf(truth, system);
  const page = await as('operator', browserFor({ language: 'ko', theme: 'dark', width: 'phone' }));
  for (const address of ['/queue', `/queue/incidents/${id}`]) {
    await page.goto(address);
    await expect(page.getByText(system).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
