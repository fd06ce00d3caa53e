import { type Page } from '@playwright/test';
import { askForCorrection } from './ask-second-person';
import { expect, test } from './desk';
import { DecisionOnPage, expectSettled } from './exception-page';
import { backTo, copied, tabTo } from './keyboard';
import { type LedgerTruth } from './ledger-truth';
import { openException } from './queue-page';

/** The second of two people works without a mouse. */
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const TYPED = 'Read the outbox line by line: it went out once.\n아무도 다시 보내지 않았습니다.';

const idOf = (page: Page) => page.url().slice(-36);

/** What is on record of one person about one exception or request. */
const onRecord = (truth: LedgerTruth, id: string, who: string) =>
  truth.rows(
    `SELECT event, outcome, refusal_code FROM review.audit_events
     WHERE $1::uuid IN (exception_id, approval_request_id) AND actor_name = $2 ORDER BY number`,
    [id, who],
  );

test('R-077a the second of two who link a result is told who did what when, keeps the text, copies it, and has changed nothing', async ({
  as,
  automations,
  systems,
  truth,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const [sent] = await systems.mails(mail.key);
  const first = await as('operator');
  const second = await as('approver', CLIPBOARD);
  await openException(first, mail, 'UNKNOWN_RESULT');
  const link = (page: Page) => page.getByRole('button', { name: `Link ${sent?.id}` });
  await expect(link(first)).toBeVisible({ timeout: 60_000 });
  await second.goto(first.url());
  const form = new DecisionOnPage(second, 'Link the result').form;
  await expect(link(second)).toBeVisible();
  await tabTo(second, form.locator('summary').filter({ hasText: 'Remark' }));
  await second.keyboard.press('Enter');
  await tabTo(second, form.getByLabel('Remark'));
  await second.keyboard.insertText(TYPED);

  await link(first).click();
  await expectSettled(first, /Olivia Operator decided: Link the result/);
  const state = () =>
    truth.one(
      `SELECT e.state, e.result_id, e.version::text, e.fencing_token::text, x.version::text AS exception_version, x.closed_by,
         (SELECT count(*)::int FROM review.decisions d WHERE d.exception_id = x.exception_id) AS decisions
       FROM review.exceptions x JOIN ledger.executions e USING (execution_id) WHERE x.exception_id = $1`,
      [idOf(first)],
    );
  const before = await state();
  expect(before).toMatchObject({ state: 'SUCCEEDED', result_id: sent?.id, decisions: 1 });

  await second.keyboard.press('Control+Enter');
  const refused = second.getByRole('status').filter({ hasText: 'Link the result: Not done.' });
  await expect(refused).toContainText('This exception is settled already.');
  const changed = second.getByRole('alert').filter({ hasText: 'Changed since you looked' });
  await expect(changed).toContainText(/By Olivia Operator, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  await expect(changed.getByRole('listitem')).toHaveText([
    'Exception: Open → Settled',
    'Execution: Result unknown → Succeeded',
    `Result id: none → ${sent?.id}`,
  ]);
  await expect(second.getByText(/Olivia Operator decided: Link the result/).first()).toBeVisible();

  const kept = second.getByRole('alert').filter({ hasText: 'Settled meanwhile' });
  for (const line of TYPED.split('\n')) await expect(kept).toContainText(line);
  await tabTo(second, kept.getByRole('button', { name: 'Copy Reason' }));
  await second.keyboard.press('Enter');
  await expect.poll(() => copied(second)).toBe(TYPED);

  expect(await state()).toEqual(before);
  expect(await onRecord(truth, idOf(first), 'Ada Approver')).toEqual([
    { event: 'decision.result_linked', outcome: 'refused', refusal_code: 'EXCEPTION_CLOSED' },
  ]);
});

test('R-077a whoever decides on what another has changed meanwhile sees it, and sends the kept text once it was read', async ({
  as,
  automations,
  truth,
}) => {
  const conflict = await automations.cause('amount-changed');
  const first = await as('operator');
  const second = await as('approver2', CLIPBOARD);
  await openException(first, conflict, 'CONTENT_CONFLICT');
  await second.goto(first.url());
  const keep = new DecisionOnPage(second, 'Keep the original, refuse the change');
  const head = second.getByRole('button', { name: /^Keep the original, refuse the change/ });
  await tabTo(second, head);
  if ((await head.getAttribute('aria-expanded')) === 'false') await second.keyboard.press('Enter');
  const reason = keep.form.getByLabel('Reason');
  await tabTo(second, reason);
  // A reason that shows too little is said at its field, and the keyboard goes there.
  await tabTo(second, keep.button('Keep the original'));
  await second.keyboard.press('Enter');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  await second.keyboard.insertText(TYPED);

  await first.getByRole('button', { name: 'Take it' }).click();
  await expect(first.getByRole('button', { name: 'Give it back' })).toBeVisible();

  await second.keyboard.press('Control+Enter');
  await expect(keep.form.getByText('It changed since you looked.')).toBeVisible();
  const changed = second.getByRole('alert').filter({ hasText: 'Changed since you looked' });
  await expect(changed).toContainText(/By Olivia Operator, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  await expect(changed.getByRole('listitem')).toHaveText(['Assignee: none → Olivia Operator']);
  await expect(reason).toHaveValue(TYPED);
  expect(
    await truth.rows(`SELECT FROM review.decisions WHERE exception_id = $1`, [idOf(first)]),
    'nothing is decided yet',
  ).toEqual([]);

  const goOn = changed.getByRole('button', { name: 'I have seen it, go on with my text' });
  await backTo(second, goOn);
  await second.keyboard.press('Enter');
  await expect(changed).toHaveCount(0);
  await tabTo(second, reason);
  await second.keyboard.press('Control+Enter');
  await expectSettled(second, /Axel Approver decided: Keep the original/);
  expect(
    await truth.rows(`SELECT rationale FROM review.decisions WHERE exception_id = $1`, [idOf(first)]),
  ).toEqual([{ rationale: TYPED }]);
});

test('R-077a FE-06 the second of two approvers is told whose verdict it was, and keeps the reason in hand', async ({
  as,
  automations,
  truth,
}) => {
  test.setTimeout(240_000);
  const conflict = await automations.cause('amount-changed');
  const request = await askForCorrection(await as('operator'), conflict);
  const first = await as('approver');
  const second = await as('approver2', CLIPBOARD);
  for (const page of [first, second]) await page.goto(request);
  const reason = second.getByLabel('Reason');
  const approve = second.getByRole('button', { name: 'Approve', exact: true });
  await tabTo(second, approve);
  await second.keyboard.press('Enter');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  await second.keyboard.insertText(TYPED);

  await first.getByLabel('Reason').fill('The customer ordered one more piece, I asked.');
  await first.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(first.getByText('Rejected and recorded.')).toBeVisible();

  await second.keyboard.press('Control+Enter');
  await expect(second.getByRole('status').filter({ hasText: 'Not done.' })).toContainText(
    'Ada Approver has decided it already.',
  );
  const verdicts = second.getByRole('region', { name: 'Verdicts' });
  await expect(verdicts).toContainText(/Ada Approver rejected.*\d\d:\d\d:\d\d/);
  await expect(verdicts).toContainText('The customer ordered one more piece, I asked.');
  await expect(reason).toHaveValue(TYPED);
  await tabTo(second, reason);
  await second.keyboard.press('Control+a');
  await second.keyboard.press('Control+c');
  await expect.poll(() => copied(second)).toBe(TYPED);

  expect(
    await truth.rows(`SELECT verdict FROM review.approval_decisions WHERE request_id = $1`, [idOf(first)]),
  ).toEqual([{ verdict: 'REJECT' }]);
  expect(
    await truth.rows(`SELECT state FROM review.approval_requests WHERE request_id = $1`, [idOf(first)]),
  ).toEqual([{ state: 'REJECTED' }]);
  expect(await onRecord(truth, idOf(first), 'Axel Approver')).toEqual([
    { event: 'reissue.approved', outcome: 'refused', refusal_code: 'REQUEST_ENDED' },
  ]);
});
