import { expect, test } from './desk';
import { askForCorrection } from './ask-second-person';
import { openException } from './queue-page';

const FATE = 'It stays paid.';

test('R-080c R-081i a correction of a paid order: before and after the decision it is told that both payments stand', async ({
  as,
  automations,
  truth,
}) => {
  const intent = await automations.cause('amount-changed');
  const operator = await as('operator');
  await openException(operator, intent, 'CONTENT_CONFLICT');
  const exception = operator.url();
  const request = await askForCorrection(operator, intent);
  const { figures } = await truth.one<{ figures: Record<string, string> }>(
    `SELECT review.reissue_exposure(e, r.intake_id) AS figures FROM review.approval_requests r
     JOIN ledger.executions e USING (execution_id) WHERE r.request_id = $1`,
    [request.slice(-36)],
  );
  const won = (amount: string | undefined) => `₩${Number(amount).toLocaleString('en-US')}`;
  const both = won(figures['bothAmount']);
  expect(Number(figures['bothAmount'])).toBe(
    Number(figures['originalAmount']) + Number(figures['newAmount']),
  );

  const approver = await as('approver');
  await approver.goto(request);
  const warning = approver.getByText(`Both stand: ${both}, unless the original is undone outside.`);
  await expect(warning).toBeVisible();
  await expect(approver.getByText(FATE)).toBeVisible();
  // Old and new amount stand side by side.
  const row = approver.getByRole('row', { name: /amount/ });
  await expect(row).toContainText(figures['originalAmount'] ?? '');
  await expect(row).toContainText(figures['newAmount'] ?? '');
  await approver.getByLabel('Reason').fill('Both pieces were ordered, one after the other.');
  await approver.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(approver.getByText('It was carried out.')).toBeVisible({ timeout: 60_000 });
  await expect(warning).toBeVisible();

  await operator.goto(exception);
  await expect(operator.getByText('What was at stake when it was settled')).toBeVisible();
  await expect(
    operator.getByText(`Both stand: ${both}, unless the original is undone outside.`),
  ).toBeVisible();
  await expect(operator.getByText(/Whoever approved had not seen it/)).toBeVisible();

  const manager = await as('manager');
  const { number } = await truth.one<{ number: string }>(
    `SELECT number::text FROM review.audit_events WHERE approval_request_id = $1 AND event = 'reissue.executed'`,
    [request.slice(-36)],
  );
  await manager.goto(`/audit/${number}`);
  await expect(manager.getByRole('heading', { name: /^Reason given by .*, who approved$/ })).toBeVisible();
  await expect(
    manager.getByRole('heading', { name: 'Looked up after the approval, before carrying out' }),
  ).toBeVisible();
  const shown = manager.getByRole('region', { name: 'What was shown to the person who decided' });
  await expect(shown.getByText(both).first()).toBeVisible();
});
