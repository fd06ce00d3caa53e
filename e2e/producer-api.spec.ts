import net from 'node:net';
import { expect, test } from './desk';
import { watchPage } from './page-faults';

/** Sends bytes and gives all that comes back until the connection is closed. */
function exchange(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

const line = (text: string, header = 'X-Nothing: 1') =>
  `${text} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`;

const SENT: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  'an address that is no UTF-8': [line('GET /api/v1/workflows/%ff'), 400],
  'half a percent code': [line('GET /api/v1/executions?key=%4'), 400],
  'a slash at the end': [line('POST /api/v1/executions/'), 404],
  'a doubled slash': [line('GET /api/v1//executions'), 404],
  'two dots': [line('GET /api/v1/workflows/%2e%2e'), 404],
  'no address': [line('GET /api/v1'), 404],
  TRACE: [line('TRACE /api/v1/executions'), 405],
  OPTIONS: [line('OPTIONS /api/v1/executions'), 405],
  'a method that is none': [line('CLAIM /api/v1/executions'), 400],
  'no host': ['GET /api/v1/executions HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  'headers of 20 KiB': [line('GET /api/v1/executions', `X-Long: ${'x'.repeat(20_000)}`), 431],
  'a line feed in the key': [line('POST /api/v1/executions', 'Idempotency-Key: a\nSet-Cookie: x=1'), 400],
  'an absolute address': [line('GET http://x/api/v1/executions'), 401],
  'headers of page navigation': [line('GET /api/v1/executions', 'RSC: 1\r\nNext-Router-Prefetch: 1'), 401],
  'a name of a page action': [line('POST /api/v1/executions', `Next-Action: ${'0'.repeat(42)}`), 401],
};

test('R-018e nothing that is sent to the API under the web server is answered barely', async ({
  product,
}) => {
  for (const [name, [bytes, status]] of Object.entries(SENT)) {
    const answer = (await exchange(product.address, bytes)).toLowerCase();
    expect(answer, name).toMatch(new RegExp(`^http/1.1 ${status} `));
    expect(answer, name).toContain('content-type: application/problem+json');
    expect(answer, name).not.toMatch(/^(set-cookie|location):/m);
  }
});

test('R-018e the reference opens without signing in, works by keyboard and loads nothing from elsewhere', async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({ baseURL: product.address });
  const page = await context.newPage();
  const faults = watchPage(page, 'a stranger');
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(product.address)) elsewhere.push(request.url());
  });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Producer API' }).click();
  const claim = page.getByRole('region', { name: 'Claim the work', exact: true });
  await expect(claim.getByText('POST /api/v1/executions', { exact: true })).toBeVisible();
  const conflict = claim.locator('summary').filter({ hasText: 'REQUEST_IN_PROGRESS' });
  await conflict.focus();
  await page.keyboard.press('Enter');
  await expect(claim.getByText('"status": 409').first()).toBeVisible();
  const document = await page.request.get('/api/v1/openapi.json');
  expect((await document.json()) as object).toMatchObject({ openapi: '3.1.0' });
  expect(elsewhere).toEqual([]);
  await context.close();
  expect(faults.list()).toEqual([]);
});
