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

test('R-088ad R-088ai R-088aj R-088b R-088c R-088d a decision is read whole by a manager, exported, and the file alone is verified', async ({
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

  // The story's list and file hold the very events of the story.
  const lines = page.getByRole('list', { name: 'All audit events of this story' }).getByRole('listitem');
  const count = await lines.count();
  expect(count).toBeGreaterThan(1);
  await page.getByRole('link', { name: 'Export these events' }).click();
  const place = page.getByRole('group', { name: 'Export what the list shows' });
  await expect(place).toContainText(`A file holds the ${count} events of this list.`);
  await expect(place.getByRole('button').first()).toBeFocused();
  await expect(page.getByText('keys, ids and references by their beginning alone')).toBeVisible();
  const [story] = await Promise.all([
    page.waitForEvent('download'),
    place.getByRole('button', { name: 'Export JSON Lines' }).click(),
  ]);
  await expect(place.getByRole('status')).toContainText('recorded in the audit');
  const storyFile = testInfo.outputPath(`story-${story.suggestedFilename()}`);
  await story.saveAs(storyFile);
  expect(JSON.parse(readFileSync(storyFile, 'utf8').trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'end',
    events: count,
  });

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
