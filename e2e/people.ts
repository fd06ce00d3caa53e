import { expect, type Browser, type BrowserContext, type BrowserContextOptions } from '@playwright/test';
import { demoEmail } from '@/lib/commands/demo-accounts';
import { DEMO_PASSWORD, type Place } from './product';

export type Account = 'operator' | 'operator2' | 'approver' | 'approver2' | 'manager' | 'admin' | 'admin2';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Milliseconds; an approval asks for the password again 15 minutes after it was shown. */
const FRESH = 10 * 60_000;

/** Sessions of one worker: each person signs in by the page and then works in as many windows as needed, for a while. */
export class People {
  private readonly sessions = new Map<string, { since: number; session: Promise<Session> }>();

  constructor(
    private readonly browser: Browser,
    private readonly place: Place,
  ) {}

  /** A window of its own for a signed-in person. */
  async window(account: Account, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const present = this.sessions.get(account);
    const fresh = present !== undefined && Date.now() - present.since < FRESH;
    const used = fresh ? present : { since: Date.now(), session: this.signIn(account) };
    this.sessions.set(account, used);
    const storageState = await used.session;
    return this.browser.newContext({ baseURL: this.place.address, storageState, ...options });
  }

  /** A window in a session of its own, beside the one that the others share. */
  async anotherSession(account: Account): Promise<BrowserContext> {
    const storageState = await this.signIn(account);
    return this.browser.newContext({ baseURL: this.place.address, locale: 'en-US', storageState });
  }

  private async signIn(account: Account): Promise<Session> {
    const context = await this.browser.newContext({ baseURL: this.place.address, locale: 'en-US' });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('E-mail').fill(demoEmail(account));
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(/\/queue/);
    const session = await context.storageState();
    await context.close();
    return session;
  }
}
