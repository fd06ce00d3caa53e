import { type Page } from '@playwright/test';
import { type Intent } from '@/lib/sandbox/automations/intent';
import { BENCH, benchLine } from './bench-line';
import { expect, test } from './desk';
import { DecisionOnPage, expectSettled } from './exception-page';
import { countPresses } from './presses';
import { holdNextAction } from './held-requests';
import { openQueue } from './queue-page';

/** The row of the work, once the evidence of the outside system is there: nobody asked for it. */
async function rowWithEvidence(page: Page, { key }: Intent) {
  const row = page.getByRole('row').filter({ hasText: key }).filter({ hasText: 'Link the found result' });
  await expect(async () => {
    await openQueue(page, `?q=${key}`);
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  return row;
}

test('R-062b R-066a a mail that was really sent is linked in three presses, and a late retransmission gets its result', async ({
  as,
  automations,
  systems,
  producer,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  expect(systems.events(mail.key)).toContainEqual(
    expect.objectContaining({ system: 'mail', event: 'call', fault: 'drop-after-commit', status: null }),
  );
  const [sent, ...more] = await systems.mails(mail.key);
  expect(sent).toMatchObject({ status: 'sent' });
  expect(more).toEqual([]);

  const page = await as('operator');
  const row = await rowWithEvidence(page, mail);
  const presses = await countPresses(page);
  await row.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText(
    `It happened: ${sent?.id} exists, and account and content agree.`,
  );
  await page.getByRole('button', { name: `Link ${sent?.id}` }).click();
  await expectSettled(page, /Olivia Operator decided: Link the result/);
  expect(presses()).toBeLessThanOrEqual(3);

  const late = await producer.retransmit(mail);
  expect(late.status).toBe(200);
  expect(late.body).toMatchObject({ disposition: 'RESULT_REUSED', resultId: sent?.id });
  expect(await systems.mails(mail.key)).toHaveLength(1);
  expect(await producer.find(mail.operation, mail.key)).toMatchObject({
    state: 'SUCCEEDED',
    resultId: sent?.id,
  });
});

test('R-097 the same in Korean: found in the queue, read, linked', async ({ as, automations, systems }) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const [sent] = await systems.mails(mail.key);
  const page = await as('operator', { locale: 'ko-KR' });
  const row = page.getByRole('row').filter({ hasText: mail.key }).filter({ hasText: '찾은 결과 연결' });
  await expect(async () => {
    await page.goto(`/queue?q=${mail.key}`);
    await expect(page.getByRole('heading', { level: 1, name: '예외 목록' })).toBeVisible();
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await row.getByRole('link').click();
  await page.getByRole('button', { name: `${sent?.id} 연결` }).click();
  await expect(page.getByText('이 예외는 해결되었습니다').first()).toBeVisible();
});

test(
  'R-066 R-047c by keyboard alone, in eight presses at most: search the key, open the row, link the result',
  { tag: BENCH },
  async ({ as, automations, systems }, info) => {
    const mail = await automations.cause('mail-sent-answer-lost');
    const [sent] = await systems.mails(mail.key);
    const page = await as('operator');
    await rowWithEvidence(page, mail);
    const begun = Date.now();
    await page.goto('/queue');
    const search = page.getByRole('combobox', { name: /^Search by key/ });
    await expect(async () => {
      await page.keyboard.press('/');
      await expect(search).toBeFocused({ timeout: 500 });
    }).toPass();
    let presses = 1;
    const press = async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    };
    // Pasting counts as one.
    presses += 1;
    await page.keyboard.insertText(mail.key);
    await press('Enter');
    const link = page.getByRole('row').filter({ hasText: mail.key }).getByRole('link');
    await expect(page.getByRole('row').filter({ has: page.getByRole('link') })).toHaveCount(1);
    await press('Escape');
    await press('j');
    await expect(link).toBeFocused();
    await press('d');
    const button = page.getByRole('button', { name: `Link ${sent?.id}` });
    await expect(button).toBeFocused();
    await press('Enter');
    expect(presses).toBeLessThanOrEqual(8);
    await expectSettled(page, /Olivia Operator decided: Link the result/);
    benchLine(
      info,
      `queue: from a cold page to a linked result, ${presses} presses`,
      (Date.now() - begun) / 1000,
      's',
    );
  },
);

test('R-077a of two windows that link at once the later one is told what was refused and why, in the page that has moved on', async ({
  as,
  automations,
  systems,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const [sent] = await systems.mails(mail.key);
  const [first, later] = [await as('operator'), await as('operator')];
  await (await rowWithEvidence(first, mail)).getByRole('link').click();
  const link = (page: Page) => page.getByRole('button', { name: `Link ${sent?.id}` });
  await expect(link(first)).toBeVisible();
  await later.goto(first.url());
  await expect(link(later)).toBeVisible();
  const next = await holdNextAction(later);
  await link(later).click();
  const { route } = await next.held;
  await link(first).click();
  await expectSettled(first, /Olivia Operator decided: Link the result/);
  await route.continue();
  const told = later.getByRole('status').filter({ hasText: 'Link the result: Not done.' });
  await expect(told).toContainText('This exception is settled already.');
});

test('R-085 the page moves on after an act, though the server was not ready at first and a text has the focus', async ({
  as,
  automations,
  systems,
}) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const [sent] = await systems.mails(mail.key);
  const page = await as('operator');
  await (await rowWithEvidence(page, mail)).getByRole('link').click();
  await expect(page.getByRole('button', { name: `Link ${sent?.id}` })).toBeVisible();
  const { form } = new DecisionOnPage(page, 'Link the result');
  await form.locator('summary').filter({ hasText: 'Remark' }).click();
  await form.getByLabel('Remark').fill('Seen in the outbox.');
  let unready = 0;
  await page.route('**/api/ready', async (route) => {
    if (unready >= 2) return route.fallback();
    unready += 1;
    await route.fulfill({ json: { database: false } });
  });
  await page.keyboard.press('Control+Enter');
  await expectSettled(page, /Olivia Operator decided: Link the result/);
  expect(unready).toBe(2);
});
