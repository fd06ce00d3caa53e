import AxeBuilder from '@axe-core/playwright';
import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { type LedgerTruth } from './ledger-truth';
import { poll } from './poll';
import { arrive, browserFor, faultsOf, LOOKS } from './sights';

// Two people at one exception, in browsers of their own; the worker plans and assigns every 15 seconds.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

const said = `Called the shop at four.`;

/** Some open exception that the first operator may work on and nobody has. */
const FREE = `SELECT x.exception_id::text AS id, x.operation FROM review.exceptions x
  WHERE x.tenant_id = 'tenant-north' AND x.state = 'OPEN' AND x.assignee_id IS NULL AND x.kind = 'UNKNOWN_RESULT' ORDER BY x.opened_at LIMIT 1`;

/** The demo's automations cause the first ones soon after a start. */
const freeException = (truth: LedgerTruth) =>
  poll(
    'an exception that nobody has',
    async () => (await truth.rows<{ id: string; operation: string }>(FREE))[0],
    { within: 120_000 },
  );

const inbox = async (page: Page) => {
  await page.goto('/account/inbox');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
};
const desk = (page: Page) => page.getByRole('region', { name: 'Desk' });

test('R-049k R-049l R-049c two people see each other, call each other, hand over with a note, and it leads back by the inbox', async ({
  as,
  truth,
}) => {
  const { id } = await freeException(truth);
  const olivia = await as('operator');
  const ada = await as('approver');
  await olivia.goto(`/exceptions/${id}`);
  await ada.goto(`/exceptions/${id}`);
  await expect(ada.getByText('Olivia Operator is looking at this, too')).toBeVisible({ timeout: 40_000 });
  await expect(olivia.getByText('Ada Approver is looking at this, too')).toBeVisible({ timeout: 40_000 });

  await ada.getByRole('button', { name: 'Watch' }).click();
  await expect(ada.getByRole('button', { name: 'Stop watching' })).toBeVisible();

  await desk(olivia).getByRole('button', { name: 'Comment', exact: true }).press('Enter');
  await expect(desk(olivia).getByLabel('Comment')).toBeFocused();
  await desk(olivia).getByLabel('Comment').fill(said);
  await desk(olivia)
    .getByLabel(/^Mention/)
    .selectOption({ label: 'Ada Approver' });
  await expect(desk(olivia).getByRole('button', { name: 'Do not mention Ada Approver' })).toBeVisible();
  await desk(olivia).getByRole('button', { name: 'Add comment' }).click();
  await expect(olivia.getByText('Comment added.')).toBeVisible();

  await inbox(ada);
  const mention = ada.getByRole('link', { name: 'Olivia Operator mentioned you' }).first();
  await expect(mention).toBeVisible();
  await expect(ada.getByRole('main').getByText(said)).toHaveCount(0);
  await mention.click();
  await expect(ada).toHaveURL(new RegExp(`/exceptions/${id}$`));
  await expect(ada.getByText(said).first()).toBeVisible();

  // Folded fields keep what was written, and say so.
  const handOver = desk(olivia).getByRole('button', { name: /^Hand over/ });
  await handOver.press('Enter');
  await desk(olivia).getByLabel('Note for whoever gets it').fill('They call back in the morning.');
  await handOver.press('Enter');
  await expect(handOver).toHaveAccessibleName(/not sent yet/);
  await handOver.press('Enter');
  await expect(desk(olivia).getByLabel('Note for whoever gets it')).toBeFocused();
  await desk(olivia).getByLabel('Give it to').selectOption({ label: 'Ada Approver' });
  await desk(olivia).getByRole('button', { name: 'Hand it over', exact: true }).click();
  await expect(olivia.getByText('Assigned.')).toBeVisible();
  await ada.reload();
  await expect(ada.getByText('Olivia Operator handed this over to you')).toBeVisible();
  await expect(ada.getByText('They call back in the morning.').first()).toBeVisible();

  await desk(ada).getByRole('button', { name: 'Link a ticket' }).click();
  const dialog = ada.getByRole('dialog', { name: 'Ticket' });
  await dialog.getByLabel('Address').fill('http://tickets.example.com/T-17');
  await dialog.getByLabel('What it is called').fill('T-17');
  await dialog.getByRole('button', { name: 'Link it' }).click();
  await expect(dialog.getByText('An https address without a password in it.').first()).toBeVisible();
  await dialog.getByLabel('Address').fill('https://tickets.example.com/T-17');
  await dialog.getByRole('button', { name: 'Link it' }).click();
  await expect(dialog).toBeHidden();
  await expect(desk(ada).getByText('(tickets.example.com)')).toBeVisible();

  // Who leaves is gone for the others, too.
  await olivia.goto('/queue');
  await expect(ada.getByText('Olivia Operator is looking at this, too')).toHaveCount(0, { timeout: 40_000 });
});

test('R-049h what is unread is counted at the bell, read at once, and stays in the list', async ({ as }) => {
  const ada = await as('approver');
  await inbox(ada);
  const bell = ada.getByRole('banner').getByRole('link', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName(/unread/);
  const list = ada.getByRole('list', { name: 'Notifications, newest first' });
  const before = await list.getByRole('listitem').count();
  await ada.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(list.getByText('● Unread')).toHaveCount(0);
  await expect(bell).toHaveAccessibleName('Notifications');
  expect(await list.getByRole('listitem').count()).toBe(before);
  await ada.goto('/account/inbox?show=unread');
  await expect(ada.getByText('Everything is read')).toBeVisible();
});

test('R-049j a person chooses how they are told; what does not fit is said beside its field', async ({
  as,
}) => {
  const olivia = await as('operator');
  await olivia.goto('/account/notifications');
  await olivia.getByRole('checkbox', { name: 'Chat: I am mentioned' }).check();
  await olivia.getByLabel('Keep quiet at certain hours').check();
  await olivia.getByLabel('Quiet until').fill('20:00');
  await olivia.getByLabel('Your time zone').fill('Mars/Olympus');
  await olivia.getByRole('button', { name: 'Save' }).click();
  await expect(olivia.getByText('Chat needs the name of a webhook.')).toBeVisible();
  await expect(olivia.getByText('Beginning and end must differ.')).toBeVisible();
  await expect(olivia.getByText('Not a time zone of this system, such as Asia/Seoul.')).toBeVisible();
  await olivia.getByLabel('Name of the chat webhook').fill('CHAT_OLIVIA');
  await olivia.getByLabel('Quiet until').fill('07:30');
  await olivia.getByLabel('Your time zone').fill('Asia/Seoul');
  await olivia.getByRole('button', { name: 'Save' }).click();
  await expect(olivia.getByText('Saved.')).toBeVisible();
  await olivia.reload();
  await expect(olivia.getByLabel('Quiet until')).toHaveValue('07:30');
  await expect(olivia.getByRole('checkbox', { name: 'Chat: I am mentioned' })).toBeChecked();
});

test('R-049m an administrator’s rule gives what waits to somebody who is there, and the page tells so', async ({
  as,
  truth,
}) => {
  const { id, operation } = await freeException(truth);
  await as('operator').then((page) => page.goto('/queue'));
  const admin = await as('admin');
  await admin.goto('/admin/assignment');
  await admin.getByRole('button', { name: 'New rule' }).click();
  const dialog = admin.getByRole('dialog', { name: 'New rule' });
  await dialog.getByLabel('Tenant').selectOption({ index: 1 });
  await dialog.getByLabel('For').selectOption({ label: 'One operation' });
  await dialog.getByLabel('Operation').fill(operation);
  await dialog.getByRole('button', { name: 'Set the rule' }).click();
  await expect(dialog).toBeHidden();
  await expect(admin.getByText(`Operation ${operation}`)).toBeVisible();
  await expect
    .poll(
      async () =>
        (
          await truth.one<{ owned: boolean }>(
            `SELECT assignee_id IS NOT NULL OR state = 'CLOSED' AS owned FROM review.exceptions WHERE exception_id = $1`,
            [id],
          )
        ).owned,
      { timeout: 60_000 },
    )
    .toBe(true);
  await admin.getByRole('button', { name: 'End the rule' }).click();
  await admin
    .getByRole('dialog', { name: 'End the rule' })
    .getByRole('button', { name: 'End the rule' })
    .click();
  await expect(admin.getByText('No rules yet')).toBeVisible();
});

for (const look of LOOKS)
  test(`the pages of notifications and assignment hold in ${look.language}, ${look.theme}, ${look.width}`, async ({
    as,
  }) => {
    const ada = await as('approver', browserFor(look));
    for (const address of ['/account/inbox', '/account/notifications']) {
      await arrive(ada, address, look);
      expect(await faultsOf(ada), address).toEqual([]);
    }
    const admin = await as('admin', browserFor(look));
    await arrive(admin, '/admin/assignment', look);
    expect(await faultsOf(admin)).toEqual([]);
    const { violations } = await new AxeBuilder({ page: admin }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
