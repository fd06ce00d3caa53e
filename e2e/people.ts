import { expect, type Browser, type BrowserContext, type BrowserContextOptions } from '@playwright/test';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { DEMO_PASSWORD, type Place } from './product';

export type Account = 'operator' | 'operator2' | 'approver' | 'approver2' | 'manager' | 'admin' | 'admin2';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Sessions of one worker: each person signs in once, by the page, and then works in as many windows as needed. */
export class People {
  private readonly sessions = new Map<string, Promise<Session>>();

  constructor(
    private readonly browser: Browser,
    private readonly place: Place,
  ) {}

  /** A window of its own for a signed-in person. */
  async window(account: Account, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const session = this.sessions.get(account) ?? this.signIn(account);
    this.sessions.set(account, session);
    return this.browser.newContext({ baseURL: this.place.address, storageState: await session, ...options });
  }

  private async signIn(account: Account): Promise<Session> {
    const context = await this.browser.newContext({ baseURL: this.place.address, locale: 'en-US' });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('E-mail').fill(demoEmail(account));
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/queue/);
    const session = await context.storageState();
    await context.close();
    return session;
  }
}
