import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Page } from '@playwright/test';
import { type Place } from './product';

const CHOSEN = 'nine-calm-herons-at-dusk';

/** An administrator's invitation as the page shows it: the person's own address, and the link, shown once. */
export async function invite(
  admin: Page,
  name: string,
  roles: readonly string[],
  authorities: readonly string[] = [],
): Promise<string> {
  await admin.goto('/admin/people');
  await admin.getByRole('button', { name: 'Invite' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill(`${randomUUID()}@people.test`);
  await dialog.getByLabel('Name').fill(name);
  for (const role of ['Operator', 'Approver', 'Manager', 'Administrator'])
    await dialog.getByRole('checkbox', { name: role, exact: true }).setChecked(roles.includes(role));
  for (const authority of authorities)
    await dialog.getByRole('checkbox', { name: authority, exact: true }).check();
  await dialog.getByRole('checkbox', { name: 'North (demo)' }).check();
  await dialog.getByLabel('Reason').fill('Joins the desk of the north today.');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByText(/\/login\/link#/).innerText();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  return link.trim();
}

/** Opens a one-time link in a browser of its own, and chooses a password where none is there yet. */
export async function comeIn(browser: Browser, place: Place, link: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: place.address, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in with this link' }).click();
  await page.getByLabel('New password').fill(CHOSEN);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.goto('/queue');
  await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible();
  return page;
}

export async function openPerson(admin: Page, name: string): Promise<void> {
  await admin.goto('/admin/people');
  await admin.getByRole('link', { name: `Open ${name}` }).click();
  await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** The second administrator's word on the rights that somebody waits for. */
export async function confirmRights(second: Page, name: string): Promise<void> {
  await openPerson(second, name);
  await second.getByRole('button', { name: 'Confirm rights' }).click();
  const dialog = second.getByRole('dialog', { name: 'Confirm rights' });
  await dialog.getByLabel('Reason').fill('Known to me, and needed from today.');
  await dialog.getByRole('button', { name: 'Confirm rights' }).click();
  await expect(dialog).toBeHidden();
}
