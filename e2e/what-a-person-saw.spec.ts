import { expect, test } from './desk';
import { faultsOf } from './sights';

test('R-059h R-059i R-078b what a person saw is refused at its field, in words, and stays in the form', async ({
  as,
  automations,
  truth,
}) => {
  test.setTimeout(180_000);
  const mail = await automations.cause('mail-sent-answer-lost');
  const exception = () =>
    truth.rows<{ id: string }>(
      `SELECT x.exception_id AS id FROM review.exceptions x JOIN ledger.executions e USING (execution_id)
       WHERE e.idempotency_key = $1 AND x.kind = 'UNKNOWN_RESULT'`,
      [mail.key],
    );
  await expect.poll(async () => (await exception()).length, { timeout: 60_000 }).toBe(1);
  const page = await as('operator');
  await page.goto(`/exceptions/${(await exception())[0]?.id}`);
  const open = page.getByRole('button', { name: 'Add what you saw' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Add what you saw' });
  const seen = dialog.getByRole('textbox', { name: 'What did you see?' });
  const keep = dialog.getByRole('button', { name: 'Keep as evidence' });
  const link = dialog.getByRole('textbox', { name: /^Link to it/ });
  const time = dialog.getByLabel(/^When did you see it/);

  // Files stay outside, and the form says so before anybody looks for a place to put one.
  await expect(dialog.getByText(/Screenshots and files stay where they are/)).toBeVisible();
  await keep.click();
  await expect(dialog.getByText(/things are missing or not right/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Where did you look?' }).fill('Mail console, tab Sent');
  await seen.fill('One mail; I signed in with password: hunter22!');
  await dialog.getByRole('radio', { name: 'It does not settle it' }).check();
  await link.fill('https://ann@mail.example.com/sent/1');
  await keep.click();
  await expect(dialog.getByText(/seems to hold a password/).first()).toBeVisible();
  await expect(dialog.getByText(/without a user name or password in it/).first()).toBeVisible();
  await expect(seen).toHaveValue('One mail; I signed in with password: hunter22!');
  expect(await faultsOf(page)).toEqual([]);

  await seen.fill('One mail, to the same person.');
  await link.fill('https://mail.example.com/sent/1');
  for (const [when, words] of [
    ['2999-01-01T00:00', /This time lies in the future/],
    ['2020-01-01T00:00', /At this time the execution had not begun/],
  ] as const) {
    await time.fill(when);
    await keep.click();
    await expect(dialog.getByText(words).first()).toBeVisible();
    await expect(seen).toHaveValue('One mail, to the same person.');
    await expect(link).toHaveValue('https://mail.example.com/sent/1');
  }
  const kept = () =>
    truth.rows(
      `SELECT l.seen, l.result_url FROM review.lookups l JOIN ledger.executions e USING (execution_id)
       WHERE e.idempotency_key = $1 AND l.connector_id IS NULL`,
      [mail.key],
    );
  expect(await kept()).toEqual([]);

  // Closed by mistake, it is all still there; the page is not left without a question.
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await page.getByRole('link', { name: 'Queue' }).first().press('Enter');
  await page
    .getByRole('dialog', { name: 'Leave without what you typed?' })
    .getByRole('button', { name: 'Stay here' })
    .click();
  await open.click();
  await expect(seen).toHaveValue('One mail, to the same person.');
  await keep.click();
  await expect(dialog).toBeHidden();
  expect(await kept()).toEqual([
    { seen: 'One mail, to the same person.', result_url: 'https://mail.example.com/sent/1' },
  ]);
});
