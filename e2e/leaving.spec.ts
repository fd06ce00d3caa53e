import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { northernException } from './northern-exception';

const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without what you typed?' });

test('R-063w the words of a deferral are not lost without a question, of one exception or of several', async ({
  as,
  truth,
}) => {
  const { id } = await northernException(truth);
  const page = await as('operator');
  await page.goto(`/exceptions/${id}`);
  await page.getByRole('button', { name: 'Defer', exact: true }).click();
  const one = page.getByRole('dialog', { name: 'Defer', exact: true });
  await one.getByLabel('Where to look then').fill('The console');
  await page.keyboard.press('Escape');
  await leaving(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(one.getByLabel('Where to look then')).toHaveValue('The console');
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);

  await page.goto('/queue');
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  await page.getByRole('button', { name: 'Defer…' }).click();
  const several = page.getByRole('dialog', { name: 'Defer the selected exceptions' });
  await several.getByLabel('Why not now').fill('Not before noon');
  await page.keyboard.press('Escape');
  await leaving(page).getByRole('button', { name: 'Leave without it' }).click();
  await expect(several).toBeHidden();
  // Nothing is typed any more, and nothing is asked.
  await page.getByRole('button', { name: 'Defer…' }).click();
  await page.keyboard.press('Escape');
  await expect(several).toBeHidden();
});
