import { expect, test } from './desk';
import { openQueue } from './queue-page';

const focusedRow = 'document.activeElement?.closest("tr") !== null';

test('R-047c keys lead through the queue, act nowhere where text is written, and can be switched off', async ({
  as,
}) => {
  const page = await as('operator');
  await openQueue(page, '');
  const rows = page.locator('[data-row-link]');
  await expect(rows.first()).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(rows.first()).toBeFocused({ timeout: 500 });
  }).toPass();

  // In the search box a letter is a letter, and one that begins a filter is completed.
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: /^Search by key/ });
  await expect(search).toBeFocused();
  await page.keyboard.type('kind:unk');
  await expect(search).toHaveValue('kind:unk');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: /unknown-result/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/kind=UNKNOWN_RESULT/);
  // At once: words without a filter are searched for as soon as the typing pauses.
  await page.keyboard.insertText('hodl:yes');
  await page.keyboard.press('Enter');
  await expect(page.getByText('“hodl:” (character 21) is no filter.')).toBeVisible();
  await expect(page).toHaveURL(/kind=UNKNOWN_RESULT$/);
  await page.getByRole('button', { name: 'Use “hold”' }).click();
  await expect(page).toHaveURL(/hold=yes/);

  // The palette, from within the text.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /^A place, an act/ })).toBeFocused();
  await page.keyboard.type('unowned');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/assignee=none/);

  await expect(async () => {
    // Out of the search box, to which the palette has given the focus back: first its offers, then itself.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole('checkbox', { name: /Keys of one letter/ }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await page.evaluate(focusedRow)).toBe(false);
});

test('R-047c R-051f beside the list: a row opens, Esc leads back to it and then closes', async ({ as }) => {
  const page = await as('operator', { viewport: { width: 1440, height: 900 } });
  await page.goto('/queue/split');
  const rows = page.locator('[data-row-link]');
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(rows.first()).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('Enter');
  const pane = page.getByRole('region', { name: 'The open exception' });
  await expect(pane).toBeFocused();
  await expect(page).toHaveURL(/open=/);
  await page.keyboard.press('Escape');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(pane).toHaveCount(0);
  await expect(rows.first()).toBeFocused();
});

test('R-051h who opens a row is not kept waiting by readings of the list that is being left', async ({
  as,
}) => {
  const page = await as('operator');
  await openQueue(page, '');
  let told = 0;
  await page.route('**/queue/changes?**', async (route) => {
    const answer = await route.fetch();
    told += 1;
    // What our own route answers is an object.
    await route.fulfill({ json: { ...((await answer.json()) as object), changed: true } });
  });
  const readings: string[] = [];
  page.on('request', (request) => {
    const headers = request.headers();
    if (headers['rsc'] === undefined || headers['next-router-prefetch'] !== undefined) return;
    readings.push(new URL(request.url()).pathname);
  });
  // Changes lead to readings, as long as one stays.
  await expect.poll(() => readings, { timeout: 60_000 }).toContain('/queue');

  // Replaced by the promise's own before anybody can call it.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/exceptions/*?_rsc=*', async (route) => {
    if (route.request().headers()['next-router-prefetch'] === undefined) await released;
    await route.fallback();
  });
  const opening = page.waitForRequest(/\/exceptions\/[^?]+\?_rsc=/);
  await page.locator('[data-row-link]').first().click();
  await opening;
  readings.length = 0;
  const before = told;
  // A slow server is asked less often.
  await expect.poll(() => told, { timeout: 60_000 }).toBeGreaterThan(before + 1);
  release();
  await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible();
  // Nor is what was asked for read twice over: readings begun meanwhile would wait their turn, and the page for them.
  expect(readings).toEqual([]);
});
