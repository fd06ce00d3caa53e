import { expect, test } from './desk';
import { DecisionOnPage, expectUnavailable } from './exception-page';
import { openException } from './queue-page';

const TITLE = 'Confirm that nothing happened';
const ASK = 'Ask for confirmation: not applied';

test('R-064d R-067b R-083 a payment that never happened: locked until the horizon, a second person, one payment by the same key', async ({
  as,
  automations,
  systems,
  producer,
  truth,
}) => {
  test.setTimeout(240_000);
  const payment = await automations.cause('payment-never-arrived');
  expect(await systems.payments(payment.key)).toEqual([]);

  const operator = await as('operator');
  await openException(operator, payment, 'UNKNOWN_RESULT');
  const decision = new DecisionOnPage(operator, TITLE);
  await decision.open();
  await expectUnavailable(decision.button(ASK), /proves nothing yet/);
  const countdown = operator.getByText(/^Opens in/).first();
  const shown = await countdown.innerText();
  await expect(countdown).not.toHaveText(shown, { timeout: 5_000 });

  const reason = 'The payment service shows no payment for this order.';
  await decision.give('Reason', reason);
  await expect(decision.button(ASK)).not.toHaveAttribute('aria-disabled', 'true', { timeout: 120_000 });
  const { horizon } = await truth.one<{ horizon: Date }>(
    `SELECT max(l.usable_from) AS horizon FROM review.lookups l JOIN ledger.executions e USING (execution_id)
     WHERE e.idempotency_key = $1`,
    [payment.key],
  );
  expect(Date.now()).toBeGreaterThanOrEqual(horizon.getTime());
  await decision.button(ASK).click();
  await expect(operator.getByText('Waits for a second person').first()).toBeVisible();
  expect(await producer.find(payment.operation, payment.key)).toMatchObject({
    state: 'UNKNOWN',
    underReview: true,
  });

  await operator.getByRole('link', { name: 'Open the request' }).click();
  await expect(operator).toHaveURL(/\/approvals\//);
  await expectUnavailable(
    operator.getByRole('button', { name: 'Confirm', exact: true }),
    /You asked for this/,
  );
  const request = operator.url();

  const outsider = await as('operator2');
  await outsider.goto(request);
  await expectUnavailable(
    outsider.getByRole('button', { name: 'Confirm', exact: true }),
    /authority “Money”/,
  );

  const second = await as('approver');
  await second.goto(request);
  await expect(second.getByText(reason)).toBeVisible();
  await second.getByLabel('Reason').fill('Seen in the payment service as well: nothing there.');
  await second.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(second.getByText('Approved and recorded.')).toBeVisible();

  await expect
    .poll(() => producer.find(payment.operation, payment.key), { timeout: 60_000 })
    .toMatchObject({ state: 'SUCCEEDED', attempt: 2, supersededBy: null });
  const payments = await systems.payments(payment.key);
  expect(payments).toMatchObject([{ status: 'succeeded', amount: payment.payload['amount'] }]);
  expect(await producer.find(payment.operation, payment.key)).toMatchObject({ resultId: payments[0]?.id });
});
