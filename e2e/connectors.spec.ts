import { randomUUID } from 'node:crypto';
import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { expectUnavailable } from './exception-page';
import { tabTo } from './keyboard';
import { faultsOf } from './sights';

const WHY = 'The order system answers under a new address.';

const box = (page: Page, name: string | RegExp) =>
  page.getByRole('textbox', { name, exact: typeof name === 'string' });

async function confirm(page: Page, connector: string): Promise<void> {
  await page.goto(`/admin/connectors/${connector}`);
  await page.getByRole('button', { name: 'Confirm the change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the change' });
  await dialog.getByLabel('Reason').fill('Read it member by member.');
  await dialog.getByRole('button', { name: 'Confirm the change' }).click();
  await expect(dialog).toBeHidden();
}

test('R-063o R-063r R-063s LC-18 two administrators connect a system: by keyboard, tried, confirmed, and not overwritten', async ({
  as,
}) => {
  // Four forms of some thirty controls, the first by keyboard alone, and five looks by axe.
  test.setTimeout(420_000);
  const name = `orders-${randomUUID().slice(0, 8)}`;
  const admin = await as('admin');
  await admin.goto('/admin/connectors');
  expect(await faultsOf(admin)).toEqual([]);

  // Without a mouse: from the list to the proposal.
  const { keyboard } = admin;
  await tabTo(admin, admin.getByRole('link', { name: 'New connector' }));
  await keyboard.press('Enter');
  await expect(admin.getByRole('heading', { name: 'New connector', level: 1 })).toBeVisible();
  const type = async (label: string | RegExp, text: string) => {
    await tabTo(admin, box(admin, label));
    await keyboard.type(text);
  };
  await type('Name of the connector', name);
  await type('System', 'orders');
  await type('Address', 'https://orders.example.com/api');
  await type('Path', '../secrets');
  await type(/^Place of the id/, '/id');
  const comparison = admin.getByRole('group', { name: 'What is compared' });
  await tabTo(admin, comparison.getByRole('textbox', { name: 'Place in the thing found' }));
  await keyboard.type('/reference');
  await tabTo(admin, admin.getByRole('checkbox', { name: /^A 404 means/ }));
  await keyboard.press('Space');
  await type('Reason', WHY);
  await tabTo(admin, admin.getByRole('button', { name: 'Propose', exact: true }));
  await keyboard.press('Enter');
  // What is missing stands at its field and in a summary that has the keyboard.
  const summary = admin.getByRole('button', { name: 'Seconds until it shows' });
  await expect(summary).toBeVisible();
  await tabTo(admin, summary);
  await keyboard.press('Enter');
  await expect(box(admin, 'Seconds until it shows')).toBeFocused();
  await keyboard.type('30');
  await tabTo(admin, admin.getByRole('button', { name: 'Propose', exact: true }));
  await keyboard.press('Enter');
  // What only the server finds wrong, likewise; nothing typed is lost.
  await tabTo(admin, admin.getByRole('button', { name: 'Path', exact: true }));
  await keyboard.press('Enter');
  await expect(box(admin, 'Path')).toBeFocused();
  await expect(box(admin, 'Reason')).toHaveValue(WHY);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('orders/{key}');
  expect(await faultsOf(admin)).toEqual([]);

  const trial = admin.getByRole('region', { name: 'Try it' });
  await tabTo(admin, trial.getByRole('textbox', { name: /^\{key\}/ }));
  await keyboard.type('order 1/2');
  await keyboard.press('Enter');
  await expect(trial.getByText('https://orders.example.com/api/orders/order%201%2F2')).toBeVisible();

  await admin.getByRole('button', { name: 'Propose', exact: true }).focus();
  await keyboard.press('Enter');
  await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expectUnavailable(admin.getByRole('button', { name: 'Confirm the change' }), /somebody else/);

  const second = await as('admin2');
  await confirm(second, name);
  const says = second.getByRole('region', { name: 'What it says' });
  await expect(says.getByText('GET https://orders.example.com/api/orders/{key}')).toBeVisible();
  await expect(second.getByRole('region', { name: 'Versions' }).getByText(WHY)).toBeVisible();
  expect(await faultsOf(second)).toEqual([]);

  // Two forms from version 1; the other one is confirmed first.
  const late = await as('admin');
  await late.goto(`/admin/connectors/${name}/change`);
  await second.goto(`/admin/connectors/${name}/change`);
  await box(second, 'Path').fill('purchases/{key}');
  await box(second, 'Reason').fill('They renamed it to purchases.');
  await second.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(second.getByRole('heading', { name, level: 1 })).toBeVisible();
  await confirm(admin, name);

  await box(late, 'Path').fill('bills/{key}');
  await box(late, 'Reason').fill('They renamed it to bills.');
  await late.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(late.getByText(/Someone changed the connector meanwhile/)).toBeVisible();
  const difference = late.getByRole('group', { name: 'What changes' });
  await expect(difference.getByText('purchases/{key}')).toBeVisible();
  await expect(box(late, 'Path')).toHaveValue('bills/{key}');
  await expect(box(late, 'Reason')).toHaveValue('They renamed it to bills.');
  await late.getByRole('button', { name: 'Go on from version 2' }).click();
  await late.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(late.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(late.getByText('A change waits for a second administrator')).toBeVisible();
  expect(await faultsOf(late)).toEqual([]);
});

test('R-063s a connector is tried on a real execution: what was sent, what came back, and nothing kept', async ({
  as,
  automations,
  truth,
}) => {
  test.setTimeout(180_000);
  const sent = await automations.cause('mail-sent-answer-lost');
  const lookups = () =>
    truth.one<{ n: string }>('SELECT count(*)::text AS n FROM review.lookups WHERE NOT automatic');
  const before = await lookups();
  const page = await as('admin');
  await page.goto('/admin/connectors/sandbox-mail');
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('radio', { name: 'An execution' }).click();
  await trial.getByRole('textbox', { name: 'Key or reference' }).fill(sent.key);
  await trial.getByRole('button', { name: 'Ask now' }).click();
  await expect(trial.getByText('This was sent')).toBeVisible();
  await expect(trial.getByText('Bearer ••••')).toBeVisible();
  await expect(trial.getByText('from SECRET_SANDBOX_MAIL')).toBeVisible();
  await expect(trial.getByText(/^Found$/)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  expect(await lookups()).toEqual(before);
  expect(
    await truth.rows(
      `SELECT outcome, body::jsonb->>'asks' AS asks FROM review.audit_events WHERE event = 'connector.tried'
       AND body::jsonb->>'connectorId' = 'sandbox-mail'`,
    ),
  ).toEqual([{ outcome: 'done', asks: 'true' }]);
});
