import { test as shared } from './desk';
import { startProduct, type Product } from './product';
import { productFolder } from './run-folder';

/** Milliseconds: the build is there, the database is made anew. */
const START_MS = 120_000;

/** Tests that break something: each file has a product of its own, with systems but without traffic. */
export function testWithOwnProduct(name: string) {
  return shared.extend<object, { product: Product }>({
    product: [
      async ({}, use) => {
        const product = await startProduct({ dataDir: productFolder(name), automations: false });
        await use(product);
        await product.stop();
      },
      { scope: 'worker', timeout: START_MS },
    ],
  });
}
