import { expect, type Locator, type Page } from '@playwright/test';

/** A decision on the page of an exception, by the name that its form has. */
export class DecisionOnPage {
  readonly form: Locator;

  constructor(
    private readonly page: Page,
    private readonly title: string,
  ) {
    this.form = page.getByRole('form', { name: title });
  }

  /** Unfolds it, if it is not the one that the facts point to and that is open already. */
  async open(): Promise<void> {
    const head = this.page.getByRole('button', { name: new RegExp(`^${this.title}`), expanded: false });
    await expect(this.form.or(head).first()).toBeVisible();
    if (await this.form.isHidden()) await head.click();
    await expect(this.form).toBeVisible();
  }

  button(name: string | RegExp): Locator {
    return this.form.getByRole('button', { name });
  }

  async give(label: string, text: string): Promise<void> {
    await this.form.getByLabel(label).fill(text);
  }
}

/** A control that says that it cannot be used now, and why. */
export async function expectUnavailable(control: Locator, why: string | RegExp): Promise<void> {
  await expect(control).toHaveAttribute('aria-disabled', 'true');
  await expect(control).toHaveAccessibleDescription(why);
}

export async function expectSettled(page: Page, by: RegExp): Promise<void> {
  await expect(page.getByText(by).first()).toBeVisible();
  await expect(
    page.getByText('This exception is settled. Nothing more is to be decided about it.'),
  ).toBeVisible();
}
