import { test as shared } from './desk';
import { startProduct, type Product } from './product';
import { freePort, startReverseProxy } from './reverse-proxy';
import { productFolder } from './run-folder';

/** Milliseconds: the build is there, the database is made anew. */
const START_MS = 120_000;

/** Where the product itself listens, past the proxy. */
export interface Doors {
  proxied: string;
  direct: string;
}

/** A product of its own behind a real reverse proxy, told of it as OPERATIONS.md says. */
export const test = shared.extend<object, { product: Product; doors: Doors }>({
  doors: [
    async ({}, use) => {
      const [port, upstream] = [await freePort(), await freePort()];
      const stop = await startReverseProxy({ folder: `${productFolder('proxied')}-nginx`, port, upstream });
      await use({ proxied: `http://127.0.0.1:${port}`, direct: `http://127.0.0.1:${upstream}` });
      await stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
  product: [
    async ({ doors }, use) => {
      const product = await startProduct({
        dataDir: productFolder('proxied'),
        port: Number(new URL(doors.direct).port),
        automations: false,
        settings: { NEXTAUTH_URL: doors.proxied, TRUSTED_PROXIES: '127.0.0.1' },
      });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
});
