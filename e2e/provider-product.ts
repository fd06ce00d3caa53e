import { startIdentityProvider, type RunningProvider } from '@/lib/testing/identity-provider';
import { test as shared } from './desk';
import { startProduct, type Product } from './product';
import { freePort } from './reverse-proxy';
import { productFolder } from './run-folder';

/** Milliseconds: the build is there, the database is made anew. */
const START_MS = 120_000;

/** A product of its own beside a real OpenID provider, each knowing the other. */
export const test = shared.extend<object, { provider: RunningProvider; product: Product; port: number }>({
  port: [async ({}, use) => use(await freePort()), { scope: 'worker' }],
  provider: [
    async ({ port }, use) => {
      const provider = await startIdentityProvider({ product: `http://127.0.0.1:${port}`, inToken: true });
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ port, provider }, use) => {
      const settings = { ...provider.environment, OIDC_ROLE_CLAIM: 'roles' };
      const dataDir = productFolder('provider');
      const product = await startProduct({ dataDir, port, automations: false, settings });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
});
