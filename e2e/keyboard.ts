import { type Locator, type Page } from '@playwright/test';

/** More stops than any page of the desk has. */
const MOST = 150;

/** Moves on with Tab until the control has the focus, as somebody without a mouse does. */
export const tabTo = (page: Page, control: Locator): Promise<void> => press(page, 'Tab', control);

/** The same towards the top of the page. */
export const backTo = (page: Page, control: Locator): Promise<void> => press(page, 'Shift+Tab', control);

async function press(page: Page, key: 'Tab' | 'Shift+Tab', control: Locator): Promise<void> {
  for (let stops = 0; stops < MOST; stops += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('the focus never came to the control');
}

/** What the person has copied. */
export function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
