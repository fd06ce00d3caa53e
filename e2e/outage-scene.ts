import { type Page } from '@playwright/test';
import { type LedgerTruth } from './ledger-truth';
import { poll } from './poll';
import { type Place } from './product';
import { causeUnknownPayments } from './unknown-payments';

/** How many results of an outage nobody knows. */
export const RESULTS = 21;

/** Payments of one system whose answers never came; their keys. */
export async function causeOutage(place: Place, system: string): Promise<string[]> {
  const keys = Array.from({ length: RESULTS }, (_, n) => `${system}-${n}`);
  await causeUnknownPayments(
    place,
    keys.map((key) => ({ key, system })),
  );
  return keys;
}

/** The provider's report: one row of another amount, and one that no execution knows. */
export const reportOf = (keys: readonly string[], system: string) =>
  [
    'payment,reference,status,account,amount,currency,order,note',
    ...keys.map(
      (key, n) => `pay-${key},${key},succeeded,north-shop,${n === 1 ? 13_000 : 12_000},KRW,${key},-`,
    ),
    `pay-${system}-orphan,${system}-orphan,succeeded,north-shop,5000,KRW,none,-`,
  ].join('\r\n');

/** Has the report judged, on the English page of its incident. */
export async function judge(page: Page, file: string, name: string): Promise<void> {
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(file) });
  // Later than the work, in the browser's own time, and to the minute.
  const now = await page.evaluate(() => {
    const at = new Date();
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  });
  await page.getByLabel('The report tells until').fill(now);
  await page.getByLabel('Column of that value').fill('reference');
  await page.getByLabel('Column of the result ID').fill('payment');
  await page.getByLabel('Column of the status').fill('status');
  await page.getByLabel('Column of the account').fill('account');
  await page.getByLabel('Mean done').fill('succeeded');
  await page.getByLabel('Column for amount').fill('amount');
  await page
    .getByRole('group', { name: 'amount', exact: true })
    .getByLabel('Compared')
    .selectOption({ label: 'as a number' });
  await page.getByLabel('Column for currency').fill('currency');
  await page.getByLabel('Column for orderNumber').fill('order');
  await page.getByRole('button', { name: 'Judge the report' }).click();
}

/** The outage that the worker puts together out of them; its id. */
export async function incidentOf(truth: LedgerTruth, system: string): Promise<string> {
  return poll(
    `the outage of ${system}`,
    async () => {
      const [found] = await truth.rows<{ id: string }>(
        `SELECT incident_id::text AS id FROM review.incidents WHERE system = $1`,
        [system],
      );
      return found?.id;
    },
    { within: 60_000 },
  );
}
