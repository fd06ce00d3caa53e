import { randomUUID } from 'node:crypto';
import { type Page } from '@playwright/test';
import { expect, test } from './desk';
import { DecisionOnPage, expectUnavailable } from './exception-page';
import { holdNextAction } from './held-requests';
import { openException } from './queue-page';

const REASON = 'The report was never sent, and the month is still open.';
const VERDICT = 'Checked in the CRM: there is no such record.';

test('FE-01 R-070a R-071a R-071b R-072 an expired key whose effect does not exist: asked for, not by the same person approved, made once', async ({
  as,
  automations,
  systems,
  people,
  producer,
  truth,
}) => {
  test.setTimeout(300_000);
  const report = await automations.cause('report-killed-before-send');
  expect(await systems.records(report.key)).toEqual([]);

  const operator = await as('operator');
  await openException(operator, report, 'EXPIRED_KEY');
  const decision = new DecisionOnPage(operator, 'Request a new key');
  await decision.open();
  const relation = decision.form.getByRole('radio', { name: /^Retry as new work/ });
  await expect(relation).not.toHaveAttribute('aria-disabled', 'true', { timeout: 120_000 });
  // Nothing is chosen yet: pressing says what is missing and leads there.
  await decision.button('Request a new key').click();
  await expect(decision.form.getByText('Choose how the new key relates to the original.')).toBeVisible();
  await expect(relation).toBeFocused();
  await relation.click();
  await decision.give('What becomes of the original', 'It was never sent.');
  await decision.give('Reason', REASON);
  await decision.button('Request a new key').click();
  await expect(operator.getByText('Waits for a second person').first()).toBeVisible();
  const original = await producer.find(report.operation, report.key);
  expect(original, 'no key exists before the approval').toMatchObject({ supersededBy: null });

  await operator.getByRole('link', { name: 'Open the request' }).click();
  await expect(operator).toHaveURL(/\/approvals\/[0-9a-f-]{36}$/);
  const request = operator.url();
  await expectUnavailable(
    operator.getByRole('button', { name: 'Approve', exact: true }),
    'You asked for this, so somebody else must decide.',
  );

  // Two approvers have read it and press; their requests wait just before the server.
  const approvers = [await as('approver'), await as('approver2')];
  const held = await Promise.all(approvers.map((page) => pressApprove(page, request)));

  const again = await (await people.anotherSession('operator')).newPage();
  await again.goto(request);
  for (const page of [operator, again]) {
    const forged = await forge(page, held[0]?.request.postData() ?? '', held[0]?.request.headers() ?? {});
    expect(forged.status).toBeLessThan(500);
    expect(forged.text).toContain('SELF_APPROVAL');
    expect(await truth.rows(FORGED, [requestIdOf(request), forged.operationId])).toEqual([
      {
        event: 'reissue.approved',
        outcome: 'refused',
        refusal_code: 'SELF_APPROVAL',
        actor_name: 'Olivia Operator',
      },
    ]);
  }

  await Promise.all(held.map(({ route }) => route.continue()));
  for (const page of approvers)
    await expect(page.getByText(/^(Ada|Axel) Approver approved/).first()).toBeVisible();
  await expect
    .poll(() => producer.get(original?.executionId ?? ''), { timeout: 60_000 })
    .toMatchObject({ supersededBy: expect.any(String) });

  const lineage = await truth.rows<{
    id: string;
    key: string;
    reissue_of: string | null;
    superseded_by: string | null;
  }>(
    `SELECT execution_id AS id, idempotency_key AS key, reissue_of, superseded_by FROM ledger.executions
     WHERE lineage_id = (SELECT lineage_id FROM ledger.executions WHERE execution_id = $1) ORDER BY created_at`,
    [original?.executionId],
  );
  expect(lineage).toMatchObject([
    { id: original?.executionId, superseded_by: lineage[1]?.id },
    { reissue_of: original?.executionId, superseded_by: null },
  ]);
  expect(
    await truth.rows(`SELECT FROM review.approval_decisions WHERE request_id = $1`, [requestIdOf(request)]),
  ).toHaveLength(1);

  const made = lineage[1];
  await expect
    .poll(() => producer.get(made?.id ?? ''), { timeout: 60_000 })
    .toMatchObject({ state: 'SUCCEEDED', reissueOf: original?.executionId });
  expect(await systems.records(made?.key ?? '')).toHaveLength(1);
  expect(await systems.records(report.key)).toEqual([]);
  const repeated = await producer.retransmit(report);
  expect(repeated.status).toBe(409);
  expect(repeated.body).toMatchObject({
    code: 'IDEMPOTENCY_KEY_SUPERSEDED',
    newKey: made?.key,
    newExecutionId: made?.id,
  });

  await operator.goto(`/executions/${original?.executionId}`);
  const keys = operator.getByRole('list', { name: 'Key lineage' }).getByRole('listitem');
  await expect(keys).toHaveCount(2);
  await expect(keys.nth(0)).toHaveAttribute('aria-current', 'true');
  await expect(keys.nth(0)).toContainText('Answers SUPERSEDED');
  await expect(keys.nth(1).getByRole('link', { name: made?.key })).toBeVisible();
  await expect(keys.nth(1)).toContainText(/Retry as new work.*Approved by (Ada|Axel) Approver/);

  await readTheStory(await as('manager'), request);
});

const FORGED = `
  SELECT event, outcome, refusal_code, actor_name FROM review.audit_events
  WHERE approval_request_id = $1 AND operation_id = $2`;

function requestIdOf(address: string): string {
  return address.slice(-36);
}

async function pressApprove(page: Page, request: string) {
  await page.goto(request);
  await page.getByLabel('Reason').fill(VERDICT);
  const next = await holdNextAction(page);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  return next.held;
}

/** What the approver's browser sent, sent by the operator: as if the button had not been in the way. */
async function forge(operator: Page, body: string, headers: Record<string, string>) {
  const operationId = randomUUID();
  const known = /"operationId":"[0-9a-f-]{36}"/;
  const shown = /,"shownTo":"[0-9a-f-]{36}"/;
  expect(body).toMatch(known);
  expect(body).toMatch(shown);
  const answer = await operator.request.post(operator.url(), {
    headers: {
      'content-type': headers['content-type'] ?? '',
      'next-action': headers['next-action'] ?? '',
      origin: new URL(operator.url()).origin,
    },
    data: body.replace(known, `"operationId":"${operationId}"`).replace(shown, ''),
  });
  return { status: answer.status(), text: await answer.text(), operationId };
}

/** one page tells it all, refusal included. */
async function readTheStory(manager: Page, request: string): Promise<void> {
  await manager.goto(`/audit?request=${requestIdOf(request)}`);
  const rows = manager.getByRole('row').filter({ has: manager.getByRole('link') });
  await expect(
    rows.filter({ hasText: 'New key requested' }).filter({ hasText: 'Olivia Operator' }),
  ).toHaveCount(1);
  // One try in each of two sessions.
  await expect(rows.filter({ hasText: 'New key approved' }).filter({ hasText: 'own request' })).toHaveCount(
    2,
  );
  await expect(rows.filter({ hasText: 'New key made' })).toHaveCount(1);
  await manager.goto(`/audit?request=${requestIdOf(request)}&outcome=refused`);
  await expect(rows.filter({ hasText: 'New key requested' })).toHaveCount(0);
  await rows.filter({ hasText: 'own request' }).getByRole('link').first().click();
  await expect(manager.getByRole('heading', { name: 'All audit events of this story' })).toBeVisible();
  await expect(manager.getByText('Olivia Operator').first()).toBeVisible();
}
