import { type Browser, type Page } from '@playwright/test';
import { Automations } from './automations';
import { LedgerTruth } from './ledger-truth';
import { People, type Account } from './people';
import { startProduct, type Product } from './product';
import { productFolder } from './run-folder';

/**
 * Of this worker alone: a product that chooses its port takes the first free one from 3000 on, which is this one's while it is
 * dead.
 */
const PORT = 10_000 + (process.pid % 10_000);

/** A product of its own that a test kills and starts again on the same data and port, while browsers stay open. */
export class KillableDesk {
  private constructor(
    private readonly people: People,
    readonly automations: Automations,
    private product: Product,
    private opened: LedgerTruth,
  ) {}

  static async start(browser: Browser, name: string): Promise<KillableDesk> {
    const product = await startProduct({ dataDir: productFolder(name), port: PORT, automations: false });
    return new KillableDesk(
      new People(browser, product),
      new Automations(product),
      product,
      LedgerTruth.open(product),
    );
  }

  get place(): Product {
    return this.product;
  }

  get truth(): LedgerTruth {
    return this.opened;
  }

  async window(account: Account): Promise<Page> {
    return (await this.people.window(account)).newPage();
  }

  /** SIGKILL to the process that answers; everything else of the product goes down with it. */
  async kill(): Promise<void> {
    await this.product.killServer();
  }

  async startAgain(): Promise<void> {
    const { dataDir, address } = this.product;
    await this.opened.close();
    this.product = await startProduct({ dataDir, port: Number(new URL(address).port), automations: false });
    this.opened = LedgerTruth.open(this.product);
  }

  async stop(): Promise<void> {
    await this.automations.stop();
    await this.product.stop();
    await this.opened.close();
  }
}
