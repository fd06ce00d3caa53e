import { expect, type Page } from '@playwright/test';
import { type Intent } from '@/lib/sandbox/automations/intent';
import { DecisionOnPage } from './exception-page';
import { openException } from './queue-page';

/** Asks for a new key with the changed content of a conflict; answers the request's address. */
export async function askForCorrection(page: Page, intent: Intent): Promise<string> {
  await openException(page, intent, 'CONTENT_CONFLICT');
  const decision = new DecisionOnPage(page, 'Request a new key');
  await decision.open();
  await decision.form.getByRole('radio', { name: /^Correction/ }).click();
  await decision.give('What becomes of the original', 'It stays paid.');
  await decision.give('Reason', 'The customer ordered one more piece.');
  await decision.button('Request a new key').click();
  return addressOfRequest(page);
}

/** Waits for the horizon and asks for the confirmation that nothing happened; answers the request's address. */
export async function askForConfirmation(page: Page, intent: Intent): Promise<string> {
  await openException(page, intent, 'UNKNOWN_RESULT');
  const decision = new DecisionOnPage(page, 'Confirm that nothing happened');
  await decision.open();
  await decision.give('Reason', 'The payment service shows no payment.');
  const button = decision.button('Ask for confirmation: not applied');
  await expect(button).not.toHaveAttribute('aria-disabled', 'true', { timeout: 120_000 });
  await button.click();
  return addressOfRequest(page);
}

async function addressOfRequest(page: Page): Promise<string> {
  // The page is read again before it says so, and two browsers may share the machine with the worker.
  await page.getByRole('link', { name: 'Open the request' }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/approvals\/[0-9a-f-]{36}$/);
  return page.url();
}
