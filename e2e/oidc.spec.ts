import { type Browser, type Page } from '@playwright/test';
import { expect } from './desk';
import { watchPage } from './page-faults';
import { type Place } from './product';
import { test } from './provider-product';

const REASON = 'Moves to the evening shift.';

interface Newcomer {
  name: string;
  /** Typed into the provider's form; the address is made of it. */
  account: string;
  roles?: string[];
}

const emailOf = ({ account }: Newcomer) => `${account}@example.test`;

test('AN-05 R-078i somebody invited signs in through the provider and out of both; nobody else gets in', async ({
  as,
  browser,
  product,
  provider,
}) => {
  const ivy = { name: 'Ivy Invited', account: 'ivy' };
  await invite(await as('admin'), ivy);
  for (const account of ['ivy', 'stranger'])
    provider.accounts.set(account, { email: `${account}@example.test`, email_verified: true });

  const stranger = await windowOf(browser, product);
  await signInAt(stranger, 'stranger');
  // Among the alerts is the framework's own, which tells where a page change led.
  const refusal = stranger
    .getByRole('alert')
    .filter({ hasText: 'Nobody has invited your e-mail address yet' });
  await expect(refusal).toBeVisible();
  expect(new URL(stranger.url()).pathname).toBe('/login');

  const page = await windowOf(browser, product);
  const faults = watchPage(page, 'ivy');
  await signInAt(page, 'ivy');
  await expect(page).toHaveURL(/\/queue/);
  await page.getByRole('button', { name: /Ivy Invited/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/queue');
  await expect(page).toHaveURL(/\/login\?/);
  // The provider has forgotten them too: it asks again.
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await expect(page.getByLabel('Name at the provider')).toBeVisible();
  expect(faults.list()).toEqual([]);
});

test('AN-05 R-078d R-078h an administrator by the provider’s word shows it there again, and what was typed stays', async ({
  as,
  browser,
  product,
  provider,
  truth,
}) => {
  const ada = { name: 'Ada Provided', account: 'ada' };
  const otto = { name: 'Otto Operator', account: 'otto', roles: ['Approver'] };
  const admin = await as('admin');
  await invite(admin, ada);
  await invite(admin, otto);
  provider.accounts.set('ada', { email: emailOf(ada), email_verified: true, roles: ['ADMIN', 'OPERATOR'] });

  const page = await windowOf(browser, product);
  const faults = watchPage(page, 'ada');
  await signInAt(page, 'ada');
  await expect(page).toHaveURL(/\/queue/);
  await truth.rows(`UPDATE review.sessions SET authenticated_at = ledger.clock() - interval '16 minutes'
                     WHERE identity_id IS NOT NULL`);
  await page.goto('/admin/people');
  await page.getByRole('link', { name: /Otto Operator/ }).click();
  await page.getByRole('button', { name: 'Confirm rights' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm rights' });
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Confirm rights' }).click();

  const again = page.getByRole('dialog', { name: 'Show again who you are' });
  const [beside] = await Promise.all([
    page.waitForEvent('popup'),
    again.getByRole('button', { name: /^Sign in at/ }).click(),
  ]);
  await expect(page.getByLabel('Reason')).toHaveValue(REASON);
  await beside.getByLabel('Name at the provider').fill('ada');
  await beside.getByRole('button', { name: 'Continue' }).click();

  await expect(dialog).toBeHidden();
  await expect(page.getByText('Rights that wait for a second administrator')).toBeHidden();
  expect(
    await truth.one(`SELECT roles, person_id::text <> '' AS known FROM review.people WHERE email = $1`, [
      emailOf(otto),
    ]),
  ).toEqual({ roles: expect.arrayContaining(['APPROVER']) as string[], known: true });
  expect(faults.list()).toEqual([]);
});

async function windowOf(browser: Browser, { address }: Place): Promise<Page> {
  return (await browser.newContext({ baseURL: address, locale: 'en-US' })).newPage();
}

async function signInAt(page: Page, account: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByLabel('Name at the provider').fill(account);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function invite(page: Page, newcomer: Newcomer): Promise<void> {
  await page.goto('/admin/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill(emailOf(newcomer));
  await dialog.getByLabel('Name', { exact: true }).fill(newcomer.name);
  for (const role of newcomer.roles ?? []) await dialog.getByRole('checkbox', { name: role }).check();
  // Demo administrators see both tenants; one is enough for everybody here.
  await dialog.getByRole('checkbox', { name: /North/ }).check();
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await expect(dialog).toBeHidden();
}
