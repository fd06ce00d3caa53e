import { randomUUID } from 'node:crypto';
import { askForCorrection } from './ask-second-person';
import { expect, test } from './desk';
import { expectUnavailable } from './exception-page';
import { comeIn, confirmRights, invite } from './newcomer';

const WHY = 'The customer stands at the counter and no approver can be reached.';

test('R-082a R-082e R-082f FE-14 one person acts alone in an emergency, managers see it at once, an approver reviews it', async ({
  as,
  automations,
  browser,
  product,
  producer,
}) => {
  test.setTimeout(300_000);
  const name = `Greta ${randomUUID().slice(0, 6)}`;
  const link = await invite(await as('admin'), name, ['Operator'], ['Money', 'Emergency']);
  await confirmRights(await as('admin2'), name);
  const alone = await comeIn(browser, product, link);

  const conflict = await automations.cause('amount-changed');
  const request = await askForCorrection(alone, conflict);
  const colleague = await as('operator');
  await colleague.goto(request);
  await expectUnavailable(colleague.getByRole('button', { name: 'Act alone…' }), /emergenc/i);

  await alone.getByRole('button', { name: 'Act alone…' }).click();
  const dialog = alone.getByRole('dialog', { name: 'Have the key made without approvals' });
  await dialog.getByRole('button', { name: 'Make it without approvals' }).click();
  await expect(dialog.getByText(/At least 20/).first()).toBeVisible();
  await dialog.getByLabel('Why it cannot wait').fill(WHY);
  await dialog.getByRole('button', { name: 'Make it without approvals' }).click();
  await expect(alone.getByText(`${name} had this key made without approvals.`)).toBeVisible();

  const manager = await as('manager');
  await manager.goto('/queue');
  await expect(manager.getByText(new RegExp(`^${name} acted alone on .*${WHY}`))).toBeVisible();
  await expect
    .poll(() => producer.find(conflict.operation, conflict.key), { timeout: 60_000 })
    .toMatchObject({ supersededBy: expect.any(String) });

  const approver = await as('approver');
  await approver.goto(request);
  await approver.getByRole('button', { name: 'Review…' }).click();
  const review = approver.getByRole('dialog', { name: 'Review the emergency act' });
  await review.getByLabel('Finding').selectOption({ label: 'Justified' });
  await review.getByLabel('Reason').fill('The counter was full, I was in the air.');
  await review.getByRole('button', { name: 'Record the review' }).click();
  await expect(approver.getByText('Reviewed by Ada Approver: Justified.')).toBeVisible();
  await manager.goto('/queue');
  await expect(manager.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible();
  await expect(manager.getByText(new RegExp(`^${name} acted alone`))).toHaveCount(0);
});
