import { expect, test as base, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { Automations } from './automations';
import { ExternalSystems } from './external-systems';
import { LedgerTruth } from './ledger-truth';
import { People, type Account } from './people';
import { Producer } from './producer';
import { type Place, type Product } from './product';
import { watchPage, type PageFaults } from './page-faults';

interface DeskTest {
  /** Nothing that a test opened outlasts it: pages left open go on asking the product, and slow down all tests after. */
  windowsClosed: undefined;
  /** Opens a window in which the person is signed in. Whatever goes wrong in it fails the test. */
  as: (account: Account, options?: BrowserContextOptions) => Promise<Page>;
}

interface DeskWorker {
  product: Place & Pick<Product, 'startedAt' | 'readyAt'>;
  people: People;
  systems: ExternalSystems;
  automations: Automations;
  producer: Producer;
  truth: LedgerTruth;
}

export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Tests at the desk of the product that the whole run shares. */
export const test = base.extend<DeskTest, DeskWorker>({
  product: [
    async ({}, use) => {
      const shared = process.env['E2E_PRODUCT'];
      if (shared === undefined) throw new Error('the product was not started: run the tests with playwright');
      await use(JSON.parse(shared) as DeskWorker['product']);
    },
    { scope: 'worker' },
  ],
  people: [async ({ browser, product }, use) => use(new People(browser, product)), { scope: 'worker' }],
  systems: [async ({ product }, use) => use(new ExternalSystems(product)), { scope: 'worker' }],
  producer: [async ({ product }, use) => use(new Producer(product)), { scope: 'worker' }],
  automations: [
    async ({ product }, use) => {
      const automations = new Automations(product);
      await use(automations);
      await automations.stop();
    },
    { scope: 'worker' },
  ],
  truth: [
    async ({ product }, use) => {
      const truth = LedgerTruth.open(product);
      await use(truth);
      await truth.close();
    },
    { scope: 'worker' },
  ],
  windowsClosed: [
    async ({ browser }, use) => {
      await use(undefined);
      await closeWindows(browser);
    },
    { auto: true },
  ],
  as: async ({ people }, use) => {
    const faults: PageFaults[] = [];
    await use(async (account, options) => {
      const context = await people.window(account, options);
      const page = await context.newPage();
      faults.push(watchPage(page, account));
      return page;
    });
    expect(faults.flatMap((each) => each.list())).toEqual([]);
  },
});

export { expect };
