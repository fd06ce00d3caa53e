import { type Page } from '@playwright/test';

/** Counts what a person's hand does on a page from now on: real clicks and key presses, over all its documents. */
export async function countPresses(page: Page): Promise<() => number> {
  let presses = 0;
  await page.exposeFunction('countPress', () => {
    presses += 1;
  });
  const listen = () => {
    const heard = (event: Event) => {
      if (event.isTrusted) void (window as unknown as { countPress: () => Promise<void> }).countPress();
    };
    for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, heard, { capture: true });
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => presses;
}
