import { randomUUID } from 'node:crypto';
import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { openQueue } from './queue-page';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test('R-053m R-053n a view is saved and shared, opened by somebody else, and gone for them when its owner deletes it', async ({
  as,
}) => {
  const name = `Unowned first ${randomUUID().slice(0, 8)}`;
  const olivia = await as('operator');
  await openQueue(olivia, '?assignee=none&sort=due&q=key');
  await olivia.getByRole('button', { name: 'Views' }).click();
  await dialog(olivia, 'Views').getByRole('button', { name: 'Save what is shown now' }).click();
  const form = dialog(olivia, 'Save view');
  await form.getByRole('button', { name: 'Save view' }).click();
  await expect(form.getByText('A name that shows, of at most 60 characters.').first()).toBeVisible();
  await form.getByLabel('Name').fill(name);
  await form.getByRole('checkbox').first().check();
  await expect(form.getByText('The words searched for are not kept.')).toBeVisible();
  await form.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog(olivia, 'Views').getByRole('link', { name })).toBeVisible();

  const ada = await as('approver');
  await openQueue(ada, '');
  await ada.getByRole('button', { name: 'Views' }).click();
  const shared = dialog(ada, 'Views').getByRole('region', { name: 'Shared with my tenants' });
  await expect(shared.getByText('By Olivia Operator', { exact: false }).first()).toBeVisible();
  await expect(shared.getByRole('button', { name: `Delete “${name}”` })).toHaveCount(0);
  await shared.getByRole('link', { name }).click();
  await expect(ada).toHaveURL(/\/queue\?assignee=none&sort=due$/);
  await expect(ada.getByRole('button', { name: `View: ${name}` })).toBeVisible();
  await expect(dialog(ada, 'Views')).toBeHidden();

  await dialog(olivia, 'Views')
    .getByRole('button', { name: `Delete “${name}”` })
    .click();
  await dialog(olivia, 'Delete').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog(olivia, 'Views').getByText('Deleted.')).toBeVisible();
  await openQueue(ada, '?assignee=none&sort=due');
  await ada.getByRole('button', { name: 'Views' }).click();
  await expect(dialog(ada, 'Views')).toBeVisible();
  await expect(dialog(ada, 'Views').getByRole('link', { name })).toHaveCount(0);
});

test('R-053o columns are chosen and ordered by keyboard, stay with their person, and go back to the default', async ({
  as,
}) => {
  const heads = (page: Page) => page.getByRole('columnheader').filter({ visible: true });
  const olivia = await as('operator');
  await openQueue(olivia, '');
  const before = await heads(olivia).allTextContents();
  await olivia.getByRole('button', { name: 'Columns' }).focus();
  await olivia.keyboard.press('Enter');
  const columns = dialog(olivia, 'Columns');
  await columns.getByRole('checkbox', { name: 'Show Age' }).focus();
  await olivia.keyboard.press('Space');
  await columns.getByRole('button', { name: 'Move Due up' }).focus();
  await olivia.keyboard.press('Enter');
  await expect(columns.getByText('Due is number 6 of 9.')).toBeAttached();
  await expect(columns.getByRole('button', { name: 'Move Due up' })).toBeFocused();
  await expect(columns.getByRole('checkbox', { name: 'Show Operation and key' })).toBeDisabled();
  await columns.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(columns).toBeHidden();
  await expect(heads(olivia).filter({ hasText: /^Age$/ })).toHaveCount(0);
  await expect(heads(olivia).filter({ hasText: /^Amount$/ })).toHaveCount(1);

  const elsewhere = await as('operator');
  await openQueue(elsewhere, '');
  await expect(heads(elsewhere).filter({ hasText: /^Age$/ })).toHaveCount(0);
  // A phone's cards show what they show to everybody.
  await elsewhere.setViewportSize({ width: 390, height: 844 });
  const card = elsewhere
    .getByRole('row')
    .filter({ has: elsewhere.getByRole('link') })
    .first();
  await expect(card.getByText('Age', { exact: true })).toBeVisible();

  await olivia.getByRole('button', { name: 'Columns' }).click();
  await columns.getByRole('button', { name: 'Back to the default' }).click();
  await expect(columns).toBeHidden();
  await expect.poll(() => heads(olivia).allTextContents()).toEqual(before);
});
