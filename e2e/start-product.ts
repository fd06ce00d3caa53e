import { startProduct } from './product';
import { productFolder, removeLeftovers, removeRun } from './run-folder';

/** Before the first test: the product that the specs share. Answers how it is stopped after the last one. */
export default async function startSharedProduct(): Promise<() => Promise<void>> {
  // While writing tests: a product that runs already, as `{"address": …, "dataDir": …}`.
  if (process.env['E2E_PRODUCT']) return () => Promise.resolve();
  removeLeftovers();
  const run = String(process.pid);
  process.env['E2E_RUN'] = run;
  const product = await startProduct({ dataDir: productFolder('shared') });
  // Workers are processes of their own: they learn it from their environment.
  process.env['E2E_PRODUCT'] = JSON.stringify(product);
  return async () => {
    await product.stop();
    removeRun(run);
  };
}
