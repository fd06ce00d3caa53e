import { readFileSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from './desk';
import { expectSettled, expectUnavailable } from './exception-page';
import { openQueue } from './queue-page';

const VERIFIER = path.resolve(import.meta.dirname, '../lib/audit/verifier/main.mjs');
/** With Node alone, from the file's own bytes. */
const verify = (file: string) =>
  promisify(execFile)(process.execPath, [VERIFIER, '--export', file]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );

test('R-088b R-088c R-088d a decision is read whole by a manager, exported, and the file alone is verified', async ({
  as,
  automations,
}, testInfo) => {
  const mail = await automations.cause('mail-sent-answer-lost');
  const desk = await as('operator');
  const row = desk
    .getByRole('row')
    .filter({ hasText: mail.key })
    .filter({ hasText: 'Link the found result' });
  await expect(async () => {
    await openQueue(desk, `?q=${mail.key}`);
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await row.getByRole('link').click();
  await desk
    .getByRole('button', { name: /^Link MSG-/ })
    .first()
    .click();
  await expectSettled(desk, /Olivia Operator decided: Link the result/);
  await desk.goto('/audit');
  await expectUnavailable(
    desk.getByRole('button', { name: 'Export CSV' }),
    'Only managers export the audit.',
  );

  const page = await as('manager');
  await page.goto('/audit?event=decision.result_linked');
  await expect(page.getByText(/Signed up to number \d+/)).toBeVisible();
  const newest = page.getByRole('row').filter({ hasText: 'Olivia Operator' }).first();
  await newest.getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'What was shown to the person who decided' })).toBeVisible();
  await expect(page.getByText('Roles at that time')).toBeVisible();

  await page.goto('/audit');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSON Lines' }).click(),
  ]);
  const file = testInfo.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  expect(await verify(file)).toContain('is what was hashed when it was recorded');
  const forged = readFileSync(file, 'utf8').replace(
    '"actorName":"Olivia Operator"',
    '"actorName":"Somebody Else"',
  );
  writeFileSync(file, forged);
  expect(await verify(file)).toMatch(/First bad number: \d+ \(its content is not what was hashed\)/);
});
