import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as shared } from './desk';
import { startProduct, type Product } from './product';
import { productFolder } from './run-folder';

/** Milliseconds: the build is there, the database is made anew. */
const START_MS = 120_000;

/** An order as the shop lists it; the second page holds the one that is asked for. */
const ORDERS = [
  { id: 'ORD-1001', reference: 'order-001', amount: '99.00', status: 'new', shop: 'north' },
  { id: 'ORD-1002', reference: 'order-002', amount: '120.50', status: 'shipped', shop: 'north' },
];

interface Shop {
  address: string;
  port: string;
  close: () => Promise<void>;
}

/** A system that the product has never seen: `/orders` lists one order a page, with the way to the next in `Link`. */
async function startShop(): Promise<Shop> {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    if (url.pathname !== '/v2/orders') return response.writeHead(404).end();
    const page = Number(url.searchParams.get('page') ?? '1');
    const next = page < ORDERS.length ? { link: `<orders?page=${page + 1}>; rel="next"` } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...next });
    response.end(JSON.stringify(ORDERS.slice(page - 1, page)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${port}/v2`, port, close };
}

/** A product that may ask the shop, and no traffic that nobody asked for. */
export const test = shared.extend<object, { shop: Shop; product: Product }>({
  shop: [
    async ({}, use) => {
      const shop = await startShop();
      await use(shop);
      await shop.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ shop }, use) => {
      const dataDir = productFolder('newcomer');
      const settings = { ALLOWED_LOOPBACK_PORTS: shop.port };
      const product = await startProduct({ dataDir, automations: false, settings });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
});
