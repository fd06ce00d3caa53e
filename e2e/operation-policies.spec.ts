import { type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { expect, test } from './desk';
import { tabTo } from './keyboard';
import { arrive, browserFor, faultsOf, LOOKS, nameOf, picture } from './sights';

const addressOf = (page: 'operation' | 'change', operation: string) =>
  `/admin/policies/${page}?tenant=tenant-north&operation=${encodeURIComponent(operation)}`;

/** A window on the form of an operation, which leaves without being asked. */
async function openForm(page: Page, operation: string): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(addressOf('change', operation));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

const decideWithin = (page: Page) => page.getByRole('textbox', { name: 'Decided within' });
const alert = (page: Page, text: RegExp) => page.getByText(text).first();

async function confirmAs(page: Page, operation: string): Promise<void> {
  await page.goto(addressOf('operation', operation));
  await page.getByRole('button', { name: 'Confirm the change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the change' });
  await dialog.getByLabel('Reason').fill('Read line by line with the team.');
  await dialog.getByRole('button', { name: 'Confirm the change' }).click();
  await expect(dialog).toBeHidden();
}

test('R-048d R-048e LC-18 two administrators change an operation policy, and the second editor loses nothing', async ({
  as,
  truth,
}) => {
  test.setTimeout(300_000);
  const operation = `send/letter-${randomUUID().slice(0, 8)}`;
  const admin = await as('admin');
  await admin.goto('/admin/policies');
  await admin.getByLabel('Operation', { exact: true }).fill(operation);
  await admin.getByRole('button', { name: 'Open' }).click();
  await expect(admin.getByRole('heading', { level: 1, name: operation })).toBeVisible();
  await admin.getByRole('link', { name: 'Propose a policy of its own' }).click();

  const second = await as('admin2');
  await openForm(second, operation);
  await decideWithin(second).fill('5');
  await second.getByLabel('Reason').fill('Letters wait too long for somebody.');

  await decideWithin(admin).fill('2');
  await admin.getByRole('button', { name: 'Propose', exact: true }).click();
  // Without a reason nothing is sent, and the keyboard stands where it is said.
  await expect(alert(admin, /One thing is missing/)).toBeVisible();
  await admin.getByLabel('Reason').fill('Letters are urgent from now on.');
  await admin.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(admin).toHaveURL(/policies\/operation/);
  await expect(alert(admin, /Decided within: 4 hours → 2 hours/)).toBeVisible();
  await expect(admin.getByRole('button', { name: 'Confirm the change' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );

  await second.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(alert(second, /Against the change that waits/)).toBeVisible();
  const confirming = await as('admin2');
  await confirmAs(confirming, operation);
  await expect(confirming.getByText('version 1').first()).toBeVisible();

  await second.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(alert(second, /Someone changed the policy meanwhile/)).toBeVisible();
  await expect(alert(second, /Decided within: 2 hours → 5 hours/)).toBeVisible();
  await expect(decideWithin(second)).toHaveValue('5');
  await second.getByRole('button', { name: 'Go on from the present version' }).click();
  await second.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(second).toHaveURL(/policies\/operation/);
  await confirmAs(admin, operation);

  const versions = await truth.rows(
    `SELECT version, sla_seconds, retired_at IS NULL AS holds FROM ledger.operation_policies WHERE operation = $1 ORDER BY version`,
    [operation],
  );
  expect(versions).toEqual([
    { version: 1, sla_seconds: 7_200, holds: false },
    { version: 2, sla_seconds: 18_000, holds: true },
  ]);
  await admin.goto(addressOf('operation', operation));
  await admin.getByLabel('From', { exact: true }).selectOption({ label: 'Built-in default' });
  await admin.getByRole('button', { name: 'Show differences' }).click();
  await expect(alert(admin, /Decided within: 4 hours → 5 hours/)).toBeVisible();
});

test('R-006h R-089 the preview says what counts, and what was pasted goes nowhere', async ({ as, truth }) => {
  const operation = `pay-${randomUUID().slice(0, 8)}`;
  const canary = `canary-${randomUUID()}`;
  const admin = await as('admin');
  await openForm(admin, operation);
  const sent: string[] = [];
  admin.on('request', (request) => sent.push(request.postData() ?? ''));
  await admin.getByRole('textbox', { name: 'Does not count' }).fill('/trace');
  await admin.getByRole('textbox', { name: 'Shown to people' }).fill('/amount');
  await admin.getByRole('textbox', { name: 'Types' }).fill('/amount = decimal');
  const preview = admin.getByRole('region', { name: 'Try it on a payload' });
  await preview.getByLabel('Payload (JSON)').fill(`{"amount":"12.50","trace":"${canary}","to":"Kim"}`);
  await expect(preview.getByText('{"amount":"12.5","to":"Kim"}')).toBeVisible();
  await expect(preview.getByText(/^sha256:[0-9a-f]{64}$/)).toBeVisible();
  await expect(preview.getByRole('row', { name: /\/trace does not count/ })).toBeVisible();
  await expect(preview.getByRole('row', { name: /\/amount counts\s*decimal shown/ })).toBeVisible();
  await preview.getByLabel('Payload (JSON)').fill(`{"password": "password: hunter2${canary}"}`);
  await expect(preview.getByText(/looks like it holds a secret/)).toBeVisible();
  await admin.getByLabel('Reason').fill('Only the amount and the receiver count.');
  await admin.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(admin).toHaveURL(/policies\/operation/);
  expect(sent.filter((body) => body.includes(canary))).toEqual([]);
  expect(
    await truth.rows(`SELECT content FROM review.policy_proposals WHERE content::text LIKE $1`, [
      `%${canary}%`,
    ]),
  ).toEqual([]);
  expect(
    await admin.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain(canary);
});

test('R-039 R-016d R-048g what is wrong stands at its field and at the top, and the keyboard alone is enough', async ({
  as,
}) => {
  const admin = await as('admin');
  await openForm(admin, `wipe-${randomUUID().slice(0, 8)}`);
  await admin.getByRole('textbox', { name: 'Senders retransmit for' }).fill('4000');
  await admin.getByRole('combobox', { name: 'Unit of: Senders retransmit for' }).selectOption('d');
  await admin.getByLabel('The provider’s document').fill('https://provider.example/keys');
  await admin.getByRole('button', { name: 'Write a guide' }).click();
  await tabTo(admin, admin.getByRole('button', { name: 'Propose', exact: true }));
  await admin.keyboard.press('Enter');
  await expect(alert(admin, /things are missing or not right/)).toBeVisible();
  await admin.keyboard.press('Tab');
  await admin.keyboard.press('Enter');
  const focused = admin.locator(':focus');
  await expect(focused).toHaveAttribute('aria-invalid', 'true');
  expect(await faultsOf(admin)).toEqual([]);
});

for (const look of LOOKS) {
  test(`R-097 the pages of policies read well, are without barriers and fit: ${nameOf(look)}`, async ({
    as,
    truth,
  }) => {
    const { operation } = await truth.one<{ operation: string }>(
      `SELECT operation FROM ledger.operation_policies WHERE tenant_id = 'tenant-north' AND guide <> '{}' AND retired_at IS NULL
         AND value_field IS NOT NULL ORDER BY operation LIMIT 1`,
    );
    const page = await as('admin', browserFor(look));
    page.on('dialog', (dialog) => void dialog.accept());
    const found: Record<string, string[]> = {};
    const see = async (name: string, address: string) => {
      await arrive(page, address, look);
      found[name] = await faultsOf(page);
      await picture(page, name, look);
    };
    await see('policies', '/admin/policies');
    await see('policy', `${addressOf('operation', operation)}&from=v0&to=v1`);
    await see('policy-form', addressOf('change', operation));
    const payload = page.getByRole('textbox', { name: /\(JSON\)/ });
    await payload.fill(
      '{"amount": "12000", "currency": "KRW", "to": {"account": "110-1", "name": "김하나"}}',
    );
    await payload.scrollIntoViewIfNeeded();
    found['policy-preview'] = await faultsOf(page);
    await picture(page, 'policy-preview', look);
    await page.locator('#guide').scrollIntoViewIfNeeded();
    await picture(page, 'policy-guide', look);
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });
}
