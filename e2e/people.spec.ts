import { randomUUID } from 'node:crypto';
import { askForCorrection } from './ask-second-person';
import { expect, test } from './desk';
import { expectUnavailable } from './exception-page';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { comeIn, confirmRights, invite, openPerson } from './newcomer';
import { DEMO_PASSWORD } from './product';
import { watchPage } from './page-faults';

test('R-078f a person comes in by a link that works once, and decides nothing until a second administrator says so', async ({
  as,
  browser,
  product,
}) => {
  const admin = await as('admin');
  const name = `Nora ${randomUUID().slice(0, 6)}`;
  const link = await invite(admin, name, ['Operator', 'Approver']);
  const nora = await comeIn(browser, product, link);
  await nora.goto('/account/sessions');
  await expect(nora.getByText(/^Operator$/).first()).toBeVisible();
  await expect(nora.getByText('This session')).toBeVisible();

  const stranger = await (await browser.newContext({ baseURL: product.address })).newPage();
  await stranger.goto(link);
  await stranger.getByRole('button', { name: 'Sign in with this link' }).click();
  await expect(stranger.getByRole('alert').filter({ hasText: /link/ })).toBeVisible();

  await openPerson(admin, name);
  await expectUnavailable(admin.getByRole('button', { name: 'Confirm rights' }), /.+/);
  const second = await as('admin2');
  await confirmRights(second, name);
  await nora.reload();
  await expect(nora.getByText('Operator · Approver').first()).toBeVisible();
});

test('AN-07 R-078a a role that is taken away in one window counts at the next click in the other', async ({
  as,
  browser,
  product,
  truth,
}) => {
  const admin = await as('admin');
  const name = `Nils ${randomUUID().slice(0, 6)}`;
  const nils = await comeIn(browser, product, await invite(admin, name, ['Operator']));
  const { id } = await truth.one<{ id: string }>(
    `SELECT exception_id::text AS id FROM review.exceptions
     WHERE tenant_id = 'tenant-north' AND state = 'OPEN' AND assignee_id IS NULL ORDER BY opened_at LIMIT 1`,
  );
  await nils.goto(`/exceptions/${id}`);
  await nils.getByRole('button', { name: 'Comment', exact: true }).click();
  await nils.getByLabel('Comment').fill('I look into it.');

  await openPerson(admin, name);
  await admin.getByRole('button', { name: 'Change rights' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Change rights' });
  await dialog.getByRole('checkbox', { name: 'Operator', exact: true }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Manager', exact: true }).check();
  await dialog.getByLabel('Reason').fill('Reads only from now on.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  await nils.getByRole('button', { name: 'Add comment' }).click();
  await expect(
    nils
      .getByText(/role/i)
      .filter({ hasText: /Operator/ })
      .first(),
  ).toBeVisible();
  await expect(nils.getByLabel('Comment')).toHaveValue('I look into it.');
  expect(
    await truth.rows(`SELECT FROM review.exception_events WHERE detail->>'text' = 'I look into it.'`),
  ).toEqual([]);
  expect(
    await truth.rows(
      `SELECT outcome, refusal_code FROM review.audit_events WHERE actor_name = $1 AND event = 'exception.commented'`,
      [name],
    ),
  ).toEqual([{ outcome: 'refused', refusal_code: 'ROLE_MISSING' }]);
  await nils.reload();
  await expectUnavailable(nils.getByRole('button', { name: 'Comment', exact: true }), /Operator/);
});

test('R-078o what one person has filled in is not sent as another’s, who signed in in another tab', async ({
  as,
  truth,
}) => {
  const page = await as('operator');
  const other = await as('approver');
  const { id } = await truth.one<{ id: string }>(
    `SELECT exception_id::text AS id FROM review.exceptions
     WHERE tenant_id = 'tenant-north' AND state = 'OPEN' ORDER BY opened_at LIMIT 1`,
  );
  const text = `Olivia looks into it, ${randomUUID()}.`;
  await page.goto(`/exceptions/${id}`);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByLabel('Comment').fill(text);
  const olivias = await page.context().cookies();
  await page.context().addCookies(await other.context().cookies());

  await page.getByLabel('Comment').press('Control+Enter');
  await expect(page.getByText(/opened by somebody else than who is signed in/)).toBeVisible();
  await expect(page.getByText('Ada Approver').first()).toBeVisible();
  await expect(page.getByLabel('Comment')).toHaveValue(text);
  const events = `SELECT event, outcome, refusal_code, actor_name FROM review.audit_events
    WHERE refusal_code = 'SHOWN_TO_ANOTHER'
       OR exception_id = $1 AND event = 'exception.commented' AND actor_name = 'Ada Approver' ORDER BY number`;
  expect(await truth.rows(events, [id])).toEqual([
    {
      event: 'access.denied',
      outcome: 'refused',
      refusal_code: 'SHOWN_TO_ANOTHER',
      actor_name: 'Ada Approver',
    },
  ]);

  await page.context().addCookies(olivias);
  await page.getByLabel('Comment').press('Control+Enter');
  await expect(page.getByText(text)).toHaveCount(1);
  await expect(page.getByLabel('Comment')).toHaveValue('');
});

test('AN-05 R-078d an approval asks for the password again, keeps what was typed, and goes on by itself', async ({
  as,
  automations,
  browser,
  product,
  truth,
}) => {
  test.setTimeout(240_000);
  const conflict = await automations.cause('amount-changed');
  const request = await askForCorrection(await as('operator'), conflict);

  const context = await browser.newContext({ baseURL: product.address, locale: 'en-US' });
  const page = await context.newPage();
  const faults = watchPage(page, 'approver2');
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(demoEmail('approver2'));
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/queue/);
  await truth.rows(
    `UPDATE review.sessions SET authenticated_at = authenticated_at - interval '1 hour'
     WHERE session_id = (SELECT s.session_id FROM review.sessions s JOIN review.people p USING (person_id)
                         WHERE p.email = $1 ORDER BY s.created_at DESC LIMIT 1)`,
    [demoEmail('approver2')],
  );
  await page.goto(request);
  await page.getByLabel('Reason').fill('The order was changed by the customer.');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const stepUp = page.getByRole('dialog', { name: 'Show your password again' });
  await stepUp.getByLabel('Password', { exact: true }).fill('not the password');
  await stepUp.getByRole('button', { name: 'Go on' }).click();
  await expect(stepUp.getByRole('alert')).toBeVisible();
  await stepUp.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await stepUp.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText(/^Axel Approver approved/).first()).toBeVisible();
  // The wrong password is all that the console tells.
  expect(faults.list()).toEqual([expect.stringContaining('401')]);
});
